// Package jsontree is JSON: it reads a text as a tree of values, makes and writes values, and translates
// between values and native expressions.
//
// A Value is a stretch of the text that was read. Nothing is decoded before it is needed, so that no digit, no
// duplicate and no order gets lost. Text that is not JSON, or that nests too deep to be read safely, is
// refused with the range of the first error and a hint.
//
// A Node is a value on its way out, which keeps the order of its members and the spelling of numbers as well.
//
// How an engine reads a string at a position, as a template, as text or as native syntax, is a Reading, which the
// table of kinds in package language gives each argument. By it, a NativeWriter writes a value as a native
// expression, laid out as "tofu fmt" does, and Source.Value writes a native expression as a value. Package
// jsonsyntax knows which values are blocks.
package jsontree

import (
	"bytes"
	"encoding/json"
	"iter"
	"sort"
	"unicode/utf8"
)

// A node is one value, with its key if it is a member of an object.
type node struct {
	keyStart, keyEnd uint32 // with the quotes; equal if there is no key
	start, end       uint32
	next             uint32 // index of the next sibling, 0 for none
	kind             byte   // its first byte; '0' for a number
	empty            bool   // an array or object without anything in it
}

// A text is a JSON text, and the nodes of one value in it.
type text struct {
	src   []byte
	nodes []node // in source order; a first child follows its parent
}

// A Value is one value of a JSON text. It refers to a stretch of the text and is decoded on demand, so that
// every digit and every duplicate key survives.
type Value struct {
	in *text  // nil in the zero Value
	at uint32 // index in in.nodes
}

// node returns the offsets and the kind of the value.
func (v Value) node() *node { return &v.in.nodes[v.at] }

// Kind returns the first byte of the value, '0' for a number, and 0 for the zero Value.
func (v Value) Kind() byte {
	if v.in == nil {
		return 0
	}
	return v.node().kind
}

// IsEmpty reports whether the value is an array or an object without anything in it.
func (v Value) IsEmpty() bool { return v.node().empty }

// Raw returns the text of the value. It shares the memory of the whole text.
func (v Value) Raw() []byte { return v.in.src[v.node().start:v.node().end] }

// Span returns the offsets of the value's start and end in the text.
func (v Value) Span() [2]uint32 { return [2]uint32{v.node().start, v.node().end} }

// Start returns the offset of the value in the text.
func (v Value) Start() int { return int(v.node().start) }

// End returns the offset behind the value.
func (v Value) End() int { return int(v.node().end) }

// From returns the offset where the value starts, or its key if it has one.
func (v Value) From() int {
	if v.IsMember() {
		return int(v.node().keyStart)
	}
	return v.Start()
}

// IsMember reports whether the value is a member of an object.
func (v Value) IsMember() bool { return v.node().keyEnd > v.node().keyStart }

// Slice returns the bytes between two offsets of the whole text, which may be outside the value.
func (v Value) Slice(from, to int) []byte { return v.in.src[from:to] }

// At returns the value that starts at an offset of v's text, in v or not, or the zero Value if none starts there.
func (v Value) At(start int) Value {
	nodes := v.in.nodes
	i := sort.Search(len(nodes), func(i int) bool { return int(nodes[i].start) >= start })
	if i == len(nodes) || int(nodes[i].start) != start {
		return Value{}
	}
	return Value{v.in, uint32(i)}
}

// Key returns the range of the key with its quotes; empty if the value isn't a member of an object.
func (v Value) Key() [2]uint32 { return [2]uint32{v.node().keyStart, v.node().keyEnd} }

// Name returns the decoded key; empty if the value isn't a member of an object.
func (v Value) Name() string {
	if !v.IsMember() {
		return ""
	}
	return unquoteJSON(v.in.src[v.node().keyStart:v.node().keyEnd])
}

// Text returns the decoded string.
func (v Value) Text() string { return unquoteJSON(v.Raw()) }

// IsVoid reports whether the value is null or the empty array. Where blocks are expected, both mean that there is no
// block.
func (v Value) IsVoid() bool {
	return v.Kind() == 'n' || v.Kind() == '[' && v.IsEmpty()
}

// HoldsNested reports whether an array or object holds another array or object directly.
func (v Value) HoldsNested() bool {
	for c := range v.Children() {
		if c.Kind() == '{' || c.Kind() == '[' {
			return true
		}
	}
	return false
}

// Children yields the members of an object or the elements of an array.
func (v Value) Children() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if k := v.Kind(); k != '{' && k != '[' || v.IsEmpty() {
			return
		}
		for at := v.at + 1; at != 0; at = v.in.nodes[at].next { // from the first child to the last, which has no next
			if !yield(Value{v.in, at}) {
				return
			}
		}
	}
}

// Objects yields the members of an object or, for an array, the members of each object in it: JSON may spread the
// members of one body over several objects.
func (v Value) Objects() iter.Seq[Value] {
	if v.Kind() == '{' {
		return v.Children()
	}
	return func(yield func(Value) bool) {
		for o := range v.Children() {
			if o.Kind() != '{' {
				continue
			}
			for c := range o.Children() {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// unquoteJSON decodes a well-formed string with its quotes. Bytes that are not UTF-8 become U+FFFD.
func unquoteJSON(quoted []byte) (s string) {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	_ = json.Unmarshal(quoted, &s)
	return s
}
