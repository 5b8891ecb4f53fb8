package jsonvalue

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

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
		return simpleWord(text), true
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
