package jsonsyntax

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofumerge/tofumerge/internal/load/guard"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A jsonDoc is a JSON text as an ordered tree of stretches. Nothing is decoded
// before somebody asks for it, so no digit and no duplicate key gets lost.
type document struct {
	Src   []byte
	nodes []node // in order of place; the first child follows its parent
}

// A jsonNode is one value with the key that stands before it, if any.
type node struct {
	keyStart, keyEnd uint32 // with the quotes; equal where there is no key
	start, end       uint32
	next             uint32 // index of the next sibling, 0 for none
	kind             byte   // its first byte; '0' for a number
	empty            bool   // an array or object without anything in it
}

// A jsonValue is a value of a document.
type Value struct {
	Doc *document
	at  uint32
}

func (v Value) node() *node     { return &v.Doc.nodes[v.at] }
func (v Value) Kind() byte      { return v.node().kind }
func (v Value) Raw() []byte     { return v.Doc.Src[v.node().start:v.node().end] }
func (v Value) Span() [2]uint32 { return [2]uint32{v.node().start, v.node().end} }
func (v Value) Key() [2]uint32  { return [2]uint32{v.node().keyStart, v.node().keyEnd} }

func (v Value) rawKey() []byte { return v.Doc.Src[v.node().keyStart:v.node().keyEnd] }

// name is the decoded key.
func (v Value) Name() string {
	return unquoteJSON(v.rawKey())
}

// text is the decoded string.
func (v Value) text() string { return unquoteJSON(v.Raw()) }

// isVoid tells null and the empty array, which stand for no block at all where
// a block is expected.
func (v Value) isVoid() bool {
	return v.Kind() == 'n' || v.Kind() == '[' && v.node().empty
}

// children gives the members of an object or the elements of an array.
func (v Value) Children() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if k := v.Kind(); k != '{' && k != '[' || v.node().empty {
			return
		}
		for at := v.at + 1; at != 0; at = v.Doc.nodes[at].next {
			if !yield(Value{v.Doc, at}) {
				return
			}
		}
	}
}

// objects gives the members of an object, or of the objects in an array.
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

// unquoteJSON decodes a string that is known to be well-formed. Bytes that are
// not UTF-8 become U+FFFD.
func unquoteJSON(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(quoted, &s)
	return s
}

// parseJSON reads a file. Where it is not well-formed, a diagnostic tells the
// first thing that is wrong with it.
func Parse(f *source.File) (Value, hcl.Diagnostics) {
	doc := &document{Src: f.Given}
	if at, ok := jsonTooDeep(f.Given); ok {
		return Value{}, hcl.Diagnostics{jsonDepth(f.GivenRange([2]uint32{uint32(at), uint32(at) + 1}))}
	}
	p := parser{doc: doc}
	if p.file() {
		return Value{doc, 0}, engineRefuses(f)
	}
	_, size := utf8.DecodeRune(f.Given[p.wrongAt:])
	at := uint32(p.wrongAt)
	return Value{}, hcl.Diagnostics{jsonSyntax(f.GivenRange([2]uint32{at, at + uint32(size)}), p.wrong)}
}

// engineRefuses tells where the engine's own parser stumbles over bytes that are
// not UTF-8: one of them may swallow the quote behind it. Other files it takes.
func engineRefuses(f *source.File) hcl.Diagnostics {
	if utf8.Valid(f.Given) {
		return nil
	}
	_, diags := hcljson.Parse(f.Given, f.Name)
	for _, d := range diags {
		if d.Severity == hcl.DiagError && d.Subject != nil && d.Subject.End.Byte <= len(f.Given) {
			return hcl.Diagnostics{jsonSyntax(*d.Subject, "The engine's parser stumbles over bytes here that are not UTF-8. Save the file as UTF-8.")}
		}
	}
	return nil
}

// parseJSONAt reads the value at an offset of a file that is well-formed.
func ParseAt(f *source.File, at int) Value {
	return (&document{Src: f.Given}).valueAt(at)
}

// valueAt reads a value into a document that has none.
func (d *document) valueAt(at int) Value {
	p := parser{doc: d, at: at}
	p.value([2]uint32{})
	return Value{d, 0}
}

// RootStart is where a file's value starts.
func RootStart(src []byte) int {
	return len(src) - len(bytes.TrimLeft(src, " \t\r\n"))
}

// jsonTooDeep finds where brackets outside of strings nest deeper than MaxDepth.
func jsonTooDeep(src []byte) (int, bool) {
	depth, quoted := 0, false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
			quoted = c >= 0x20 // a string ends with its line, also where it is not closed
		case c == '{' || c == '[':
			if depth++; depth > guard.MaxDepth {
				return i, true
			}
		case c == '}' || c == ']':
			depth = max(0, depth-1)
		}
	}
	return 0, false
}
