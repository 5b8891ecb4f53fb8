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

// maxSimpleDepth is how deep collections may nest that are read without the parser. Each level
// reads its contents again.
const maxSimpleDepth = 20

// simpleValue is SimpleText inside of depth collections.
func simpleValue(text []byte, depth int) (n Node, ok bool) {
	if len(text) == 0 || depth > maxSimpleDepth {
		return nil, false
	}
	switch c := text[0]; {
	case isLetter(c):
		// Neither a collection nor a template, whatever follows, and a literal only if it is one of three words.
		switch string(text) {
		case "true", "false", "null":
			return Raw(text), true
		}
		return Quote("${" + standing(text) + "}"), true
	case c >= '1' && c <= '9' && len(bytes.Trim(text, "0123456789")) == 0:
		return Raw(text), true
	case c == '"' && len(text) > 1:
		return simpleTemplate(text, depth)
	case c == '[':
		return simpleTuple(text, depth)
	case c == '{':
		return simpleObject(text, depth)
	}
	return nil, false
}

func simpleTuple(text []byte, depth int) (Node, bool) {
	elems, areSimple := Array{}, true
	isTuple := outline.Elements(text, func(_, value []byte) {
		if elem, ok := simpleValue(value, depth+1); areSimple && ok {
			elems = append(elems, elem)
		} else {
			areSimple = false
		}
	})
	return elems, isTuple && areSimple
}

func simpleObject(text []byte, depth int) (Node, bool) {
	o, isSimple := &Object{}, true
	isObject := outline.Elements(text, func(key, value []byte) {
		if !isSimple {
			return
		}
		name, isName := simpleKey(key)
		member, ok := simpleValue(value, depth+1)
		if isSimple = ok && isName && o.Get(name) == nil; isSimple {
			o.Add(name, member)
		}
	})
	return o, isObject && isSimple
}

// simpleKey is the name that a key is, which is a word or a plain text in quotes.
func simpleKey(text []byte) (name string, ok bool) {
	if text[0] == '"' {
		inside := text[1 : len(text)-1]
		return string(inside), !bytes.ContainsAny(inside, "\"$%\\\r\n") && !bytes.HasPrefix(inside, spelling.UTF8BOM)
	}
	switch string(text) {
	case "true", "false", "null":
		return "", false
	}
	if !isLetter(text[0]) {
		return "", false
	}
	for _, c := range text {
		if !isLetter(c) && (c < '0' || c > '9') && c != '-' {
			return "", false
		}
	}
	return string(text), true
}
