package render

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// A node is a JSON value on its way to be written: rawJSON, *object or array.
type node interface{ write(*bytes.Buffer) }

// rawJSON is JSON text.
type rawJSON []byte

func (r rawJSON) write(out *bytes.Buffer) { out.Write(r) }

// array is a JSON array.
type array []node

func (a array) write(out *bytes.Buffer) {
	out.WriteByte('[')
	for i, n := range a {
		if i > 0 {
			out.WriteByte(',')
		}
		n.write(out)
	}
	out.WriteByte(']')
}

// elements lists what a property stands for as blocks: the elements of an
// array, an object as the only one, nothing for null.
func elements(n node) array {
	switch n := n.(type) {
	case nil:
		return nil
	case array:
		return n
	case rawJSON:
		var each []json.RawMessage
		if n[0] == 'n' || json.Unmarshal(n, &each) == nil {
			var list array
			for _, text := range each {
				list = append(list, rawJSON(text))
			}
			return list
		}
	}
	return array{n}
}

// An object is a JSON object whose members keep their order. A name may come
// more than once: comments do, and blocks that have no other way to say their order.
type object struct {
	names  []string
	values []node
	index  map[string]int
}

func (o *object) add(name string, value node) {
	if o.index == nil {
		o.index = map[string]int{}
	}
	o.index[name] = len(o.names)
	o.names = append(o.names, name)
	o.values = append(o.values, value)
}

// get returns the member of a name, or nil.
func (o *object) get(name string) node {
	if i, ok := o.index[name]; ok {
		return o.values[i]
	}
	return nil
}

// under returns the object that is the member of a name, and makes it where
// there is none.
func (o *object) under(name string) *object {
	if inner, ok := o.get(name).(*object); ok {
		return inner
	}
	inner := &object{}
	o.add(name, inner)
	return inner
}

// put adds a value under a name; of several it makes an array.
func (o *object) put(name string, value node) {
	i, ok := o.index[name]
	if !ok {
		o.add(name, value)
		return
	}
	if several, ok := o.values[i].(array); ok {
		o.values[i] = append(several, value)
	} else {
		o.values[i] = array{o.values[i], value}
	}
}

// remove takes a member away, if there is one of the name.
func (o *object) remove(name string) {
	if i, ok := o.index[name]; ok {
		o.names = slices.Delete(o.names, i, i+1)
		o.values = slices.Delete(o.values, i, i+1)
		o.reindex()
	}
}

func (o *object) reindex() {
	clear(o.index)
	for i, n := range o.names {
		o.index[n] = i
	}
}

// moveBefore puts a member before another one, if it stands behind it.
func (o *object) moveBefore(name, other string) {
	from, to := o.index[name], o.index[other]
	if from < to {
		return
	}
	value := o.values[from]
	o.names = slices.Insert(slices.Delete(o.names, from, from+1), to, name)
	o.values = slices.Insert(slices.Delete(o.values, from, from+1), to, value)
	o.reindex()
}

func (o *object) write(out *bytes.Buffer) {
	out.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(quoteJSON(name))
		out.WriteByte(':')
		o.values[i].write(out)
	}
	out.WriteByte('}')
}

// pretty is a node's text, indented, with a line end behind it.
func pretty(n node) []byte {
	var dense, out bytes.Buffer
	n.write(&dense)
	out.Grow(dense.Len() + dense.Len()/2)
	if err := json.Indent(&out, dense.Bytes(), "", "  "); err != nil {
		panic("render: made JSON that is none: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// quoteJSON writes a string as JSON, with as few escapes as JSON allows.
func quoteJSON(s string) rawJSON {
	out := make(rawJSON, 0, len(s)+2)
	out = append(out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\r':
			out = append(out, `\r`...)
		case r == '\t':
			out = append(out, `\t`...)
		case r < 0x20 || r == 0x7f || r == 0xfeff || r == 0x2028 || r == 0x2029:
			const digits = "0123456789abcdef"
			out = append(out, '\\', 'u', digits[r>>12], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return slices.Clip(append(out, '"'))
}
