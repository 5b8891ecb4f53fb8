package jsonout

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"unicode/utf8"
)

// A node is a JSON value on its way to be written: rawJSON, *object, array,
// blocks or property.
type node interface{ appendTo(*bytes.Buffer) }

// rawJSON is JSON text.
type rawJSON []byte

// appendTo writes the value without layout.
func (r rawJSON) appendTo(out *bytes.Buffer) { out.Write(r) }

// array is a JSON array.
type array []node

// appendTo writes the value without layout.
func (a array) appendTo(out *bytes.Buffer) {
	out.WriteByte('[')
	for i, n := range a {
		if i > 0 {
			out.WriteByte(',')
		}
		n.appendTo(out)
	}
	out.WriteByte(']')
}

// blocks is the array of nested blocks of one type.
type blocks array

// appendTo writes the value without layout.
func (b blocks) appendTo(out *bytes.Buffer) { array(b).appendTo(out) }

// A property is the JSON text of nested blocks of one type, which may be meant
// for an argument.
type property rawJSON

// appendTo writes the value without layout.
func (p property) appendTo(out *bytes.Buffer) { out.Write(p) }

// blocks lists the nested blocks that a property stands for: the elements of an
// array, an object as the only one, nothing for null.
func (p property) blocks() blocks {
	var each []json.RawMessage
	if p[0] != 'n' && json.Unmarshal(p, &each) != nil {
		return blocks{rawJSON(p)}
	}
	var list blocks
	for _, text := range each {
		list = append(list, rawJSON(text))
	}
	return list
}

// addBlocks adds nested blocks to those of their type. An argument of that name
// stays apart, as a property of its own.
func (o *object) addBlocks(typ string, more ...node) {
	i := o.find(typ)
	if i < 0 {
		o.add(typ, blocks(more))
		return
	}
	switch before := o.values[i].(type) {
	case blocks:
		o.values[i] = append(before, more...)
	case property:
		o.values[i] = append(before.blocks(), more...)
	default:
		o.add(typ, blocks(more))
	}
}

// An object is a JSON object whose members keep their order. A name may come
// more than once: comments do, and blocks that have no other way to say their order.
type object struct {
	names  []string
	values []node
	index  map[string]int // nil where there are few
}

// few is how many members an object may have and be searched one by one.
const few = 12

// add adds a member behind those that there are.
func (o *object) add(name string, value node) {
	o.names = append(o.names, name)
	o.values = append(o.values, value)
	if o.index != nil {
		o.index[name] = len(o.names) - 1
	} else if len(o.names) > few {
		o.reindex()
	}
}

// find is the index of the last member of a name, or -1.
func (o *object) find(name string) int {
	if o.index == nil {
		for i := len(o.names) - 1; i >= 0; i-- {
			if o.names[i] == name {
				return i
			}
		}
		return -1
	}
	if i, ok := o.index[name]; ok {
		return i
	}
	return -1
}

// get returns the member of a name, or nil.
func (o *object) get(name string) node {
	if i := o.find(name); i >= 0 {
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
	i := o.find(name)
	if i < 0 {
		o.add(name, value)
		return
	}
	if several, ok := o.values[i].(array); ok {
		o.values[i] = append(several, value)
	} else {
		o.values[i] = array{o.values[i], value}
	}
}

// take adds all members of another object.
func (o *object) take(other *object) {
	for i, name := range other.names {
		o.add(name, other.values[i])
	}
}

// remove takes a member away, if there is one of the name.
func (o *object) remove(name string) {
	if i := o.find(name); i >= 0 {
		o.names = slices.Delete(o.names, i, i+1)
		o.values = slices.Delete(o.values, i, i+1)
		o.reindex()
	}
}

func (o *object) reindex() {
	if len(o.names) <= few {
		o.index = nil
		return
	}
	o.index = make(map[string]int, len(o.names))
	for i, n := range o.names {
		o.index[n] = i
	}
}

// moveBefore puts a member before another one, if it stands behind it.
func (o *object) moveBefore(name, other string) {
	from, to := o.find(name), o.find(other)
	if from < to {
		return
	}
	value := o.values[from]
	o.names = slices.Insert(slices.Delete(o.names, from, from+1), to, name)
	o.values = slices.Insert(slices.Delete(o.values, from, from+1), to, value)
	o.reindex()
}

// appendTo writes the value without layout.
func (o *object) appendTo(out *bytes.Buffer) {
	out.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(quoteJSON(name))
		out.WriteByte(':')
		o.values[i].appendTo(out)
	}
	out.WriteByte('}')
}

// An indenter writes nodes with a unit of indentation for each level.
type indenter struct {
	*bufio.Writer
	unit    string
	scratch bytes.Buffer
}

// newIndenter makes an indenter, which is to be flushed.
func newIndenter(w io.Writer, unit string) *indenter {
	return &indenter{Writer: bufio.NewWriter(w), unit: unit}
}

// node writes a value that stands on a line which starts with prefix.
func (w *indenter) node(n node, prefix string) {
	switch n := n.(type) {
	case array:
		w.list('[', ']', len(n), prefix, func(i int, prefix string) { w.node(n[i], prefix) })
	case *object:
		w.list('{', '}', len(n.names), prefix, func(i int, prefix string) {
			w.Write(quoteJSON(n.names[i]))
			w.WriteString(": ")
			w.node(n.values[i], prefix)
		})
	case blocks:
		w.node(array(n), prefix)
	case property:
		w.node(rawJSON(n), prefix)
	case rawJSON:
		w.scratch.Reset()
		if err := json.Indent(&w.scratch, n, prefix, w.unit); err != nil {
			panic("render: made JSON that is none: " + err.Error())
		}
		w.Write(w.scratch.Bytes())
	}
}

func (w *indenter) list(open, closing byte, n int, prefix string, item func(i int, prefix string)) {
	w.WriteByte(open)
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n" + prefix + w.unit)
		item(i, prefix+w.unit)
	}
	if n > 0 {
		w.WriteString("\n" + prefix)
	}
	w.WriteByte(closing)
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
