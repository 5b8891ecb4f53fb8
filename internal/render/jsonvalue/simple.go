package jsonvalue

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// SimpleText returns the text of an expression in JSON, for a place where JSON strings are
// templates, if its bytes show enough: then it is what Source.Value makes of the parsed
// expression.
func SimpleText(text []byte) (n Node, ok bool) { return simpleValue(text, 0) }

// simpleWord is an expression that starts with a name. It is no collection and no
// template, whatever follows, and a literal only if it is one of three words.
func simpleWord(text []byte) Node {
	switch string(text) {
	case "true", "false", "null":
		return Raw(text)
	}
	return Quote("${" + standing(text) + "}")
}

// simpleTemplate is a template in quotes without escape sequences, which JSON has as it is.
// One that is nothing but an interpolation stands for the value in it.
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
