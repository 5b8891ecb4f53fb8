package jsonvalue

import (
	"bytes"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// SimpleText returns the text of an expression in JSON, for a place where JSON strings are
// templates, if its bytes show enough: then it is what Source.Value makes of the parsed
// expression.
func SimpleText(text []byte) (n Node, ok bool) {
	if len(text) == 0 {
		return nil, false
	}
	switch c := text[0]; {
	case isLetter(c):
		return simpleWord(text), true
	case c >= '1' && c <= '9' && len(bytes.Trim(text, "0123456789")) == 0:
		return Raw(text), true
	case c == '"' && len(text) > 1:
		return simpleTemplate(text)
	}
	return nil, false
}

// simpleWord is an expression that starts with a name. It is no collection and no
// template, whatever follows, and a literal only if it is one of three words.
func simpleWord(text []byte) Node {
	switch string(text) {
	case "true", "false", "null":
		return Raw(text)
	}
	return Quote("${" + standing(text) + "}")
}

// simpleTemplate is a template in quotes without any other quote and without escape
// sequences, which JSON has as it is. One that is nothing but an interpolation stands for
// the value in it.
func simpleTemplate(text []byte) (n Node, ok bool) {
	inside := text[1 : len(text)-1]
	if text[len(text)-1] != '"' || bytes.ContainsAny(inside, "\"\\\r\n") || bytes.HasPrefix(inside, spelling.Utf8BOM) {
		return nil, false
	}
	if bytes.HasPrefix(inside, []byte("${")) && bytes.IndexByte(inside, '}') == len(inside)-1 {
		value := strings.Trim(string(inside[2:len(inside)-1]), " \t")
		if value == "" || !isLetter(value[0]) || strings.Trim(value, namesAndSteps) != "" {
			return nil, false
		}
		return simpleWord([]byte(value)), true
	}
	return Quote(string(inside)), true
}

// namesAndSteps are the characters of references.
const namesAndSteps = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.[]*"

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
