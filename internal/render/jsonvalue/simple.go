package jsonvalue

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/template"
)

// SimpleText returns the text of an expression in JSON, for a position at which JSON strings are
// templates, if its bytes suffice: then it equals Source.Value of the parsed expression.
func SimpleText(text []byte) (n Node, ok bool) {
	n, ok = simpleValue(text, 0)
	if isTemplate := len(text) > 0 && (text[0] == '"' || text[0] == '<'); !ok && isTemplate {
		return tokenTemplate(text)
	}
	return n, ok
}

// tokenTemplate reads a quoted template, or a heredoc, token by token. The parser takes two hundred
// times the memory for a template with many sequences. It fails if the template stands for a value,
// which strip markers leave in doubt.
func tokenTemplate(text []byte) (Node, bool) {
	if bytes.IndexByte(text, '~') >= 0 {
		return nil, false
	}
	depth, closed := 0, 0 // how often the outermost level was closed
	pieces := piecesOf(text, func(src []byte, name string, start hcl.Pos, yield func(hclsyntax.Token)) {
		parse.EachToken(src, name, start, func(t hclsyntax.Token) {
			switch t.Type {
			case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
				depth++
			case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
				if depth--; depth == 0 {
					closed++
				}
			case hclsyntax.TokenNewline, hclsyntax.TokenEOF:
			case hclsyntax.TokenBadUTF8, hclsyntax.TokenInvalid:
				closed = 2
			default:
				if depth == 0 {
					closed = 2 // an operator
				}
			}
			yield(t)
		})
	})
	if closed != 1 || len(pieces) == 1 && !pieces[0].Literal {
		return nil, false
	}
	return Quote(template.Text(pieces)), true
}

// simpleWord is an expression that starts with a name. It is neither a collection nor a template,
// whatever follows, and a literal only if it is one of three words.
func simpleWord(text []byte) Node {
	switch string(text) {
	case "true", "false", "null":
		return Raw(text)
	}
	return Quote("${" + standing(text) + "}")
}

// simpleTemplate is a template in quotes without escape sequences, which JSON spells identically. A
// template with nothing but an interpolation stands for the value in it.
func simpleTemplate(text []byte, depth int) (n Node, ok bool) {
	inside := text[1 : len(text)-1]
	if text[len(text)-1] != '"' || bytes.ContainsAny(inside, "\\\r\n") || bytes.HasPrefix(inside, spelling.UTF8BOM) {
		return nil, false
	}
	if bytes.IndexByte(inside, '"') >= 0 && !outline.IsQuoted(text) {
		return nil, false
	}
	if bytes.HasPrefix(inside, []byte("${")) && inside[len(inside)-1] == '}' {
		value := inside[2:]
		n, ok := outline.Expression(value)
		if !ok {
			return nil, false
		}
		if end := bytes.TrimLeft(value[n:], " \t"); len(end) == 1 {
			return simpleValue(bytes.TrimLeft(value[:n], " \t"), depth+1)
		}
	}
	return Quote(string(inside)), true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
