package equal

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// The kinds of tokens in JSON.
const (
	jsonName  kind = 'n' // of an argument, the type of a block; a label
	jsonToken kind = 'j' // a string with its escapes, a number, a word, a bracket
)

// jsonOf is the JSON text of an item's value or body, and where in it the values of comment
// properties start. It visits the labels, which are keys around the body.
func jsonOf(it source.Item, visit func(kind, []byte)) (text []byte, remarks map[int]bool) {
	if a, ok := it.(*source.Attr); ok {
		return a.Raw(), nil
	}
	b := it.(*source.Block)
	for _, label := range b.Labels {
		visit(jsonName, []byte(label))
	}
	from, to := int(b.From.Value[0]), int(b.From.Value[1])
	remarks = map[int]bool{}
	b.EachRemark(func(at [2]uint32) { remarks[int(at[0])-from] = true })
	return b.File.Raw[from:to], remarks
}

// eachJSONToken visits the tokens of a JSON text, but for commas and for properties whose
// values start at some offsets.
func eachJSONToken(text []byte, leftOut map[int]bool, visit func(kind, []byte)) {
	for at := 0; at < len(text); {
		switch c := text[at]; c {
		case ' ', '\t', '\r', '\n', ',':
			at++
			continue
		}
		end := jsonTokenEnd(text, at)
		if value, ok := propertyValue(text, end); ok && text[at] == '"' && leftOut[value] {
			at = jsonValueEnd(text, value)
			continue
		}
		visit(jsonToken, text[at:end])
		at = end
	}
}

// propertyValue is where the value of a property starts whose key ends at an offset.
func propertyValue(text []byte, at int) (value int, ok bool) {
	at = behindSpace(text, at)
	if at == len(text) || text[at] != ':' {
		return 0, false
	}
	return behindSpace(text, at+1), true
}

func behindSpace(text []byte, at int) int {
	return len(text) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
}

// jsonTokenEnd is where the token ends that starts at an offset.
func jsonTokenEnd(text []byte, at int) int {
	switch text[at] {
	case '{', '}', '[', ']', ':':
		return at + 1
	case '"':
		for at++; at < len(text) && text[at] != '"'; at++ {
			if text[at] == '\\' {
				at++
			}
		}
		return min(at+1, len(text))
	}
	n := bytes.IndexAny(text[at:], " \t\r\n,:{}[]\"")
	if n < 0 {
		return len(text)
	}
	return at + n
}

// jsonValueEnd is where the value ends that starts at an offset.
func jsonValueEnd(text []byte, at int) int {
	for depth := 0; at < len(text); {
		switch text[at] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		at = jsonTokenEnd(text, at)
		if depth == 0 {
			return at
		}
		for at < len(text) && bytes.IndexByte([]byte(" \t\r\n,"), text[at]) >= 0 {
			at++
		}
	}
	return len(text)
}
