package load

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
)

// A jsonDoc is a JSON text as an ordered tree of stretches. Nothing is decoded
// before somebody asks for it, so no digit and no duplicate key gets lost.
type jsonDoc struct {
	file  *File
	src   []byte
	nodes []jsonNode // in order of place; the first child follows its parent
}

// A jsonNode is one value with the key that stands before it, if any.
type jsonNode struct {
	keyStart, keyEnd uint32 // with the quotes; equal where there is no key
	start, end       uint32
	next             uint32 // index of the next sibling, 0 for none
	kind             byte   // its first byte; '0' for a number
	empty            bool   // an array or object without anything in it
}

// A jsonValue is a value of a document.
type jsonValue struct {
	doc *jsonDoc
	at  uint32
}

func (v jsonValue) node() *jsonNode { return &v.doc.nodes[v.at] }
func (v jsonValue) kind() byte      { return v.node().kind }
func (v jsonValue) raw() []byte     { return v.doc.src[v.node().start:v.node().end] }
func (v jsonValue) span() [2]uint32 { return [2]uint32{v.node().start, v.node().end} }
func (v jsonValue) key() [2]uint32  { return [2]uint32{v.node().keyStart, v.node().keyEnd} }

func (v jsonValue) rawKey() []byte { return v.doc.src[v.node().keyStart:v.node().keyEnd] }

// name is the decoded key.
func (v jsonValue) name() string {
	return unquoteJSON(v.rawKey())
}

// text is the decoded string.
func (v jsonValue) text() string { return unquoteJSON(v.raw()) }

// isVoid tells null and the empty array, which stand for no block at all where
// a block is expected.
func (v jsonValue) isVoid() bool {
	return v.kind() == 'n' || v.kind() == '[' && v.node().empty
}

// children gives the members of an object or the elements of an array.
func (v jsonValue) children() iter.Seq[jsonValue] {
	return func(yield func(jsonValue) bool) {
		if k := v.kind(); k != '{' && k != '[' || v.node().empty {
			return
		}
		for at := v.at + 1; at != 0; at = v.doc.nodes[at].next {
			if !yield(jsonValue{v.doc, at}) {
				return
			}
		}
	}
}

// objects gives the members of an object, or of the objects in an array.
func (v jsonValue) objects() iter.Seq[jsonValue] {
	if v.kind() == '{' {
		return v.children()
	}
	return func(yield func(jsonValue) bool) {
		for o := range v.children() {
			if o.kind() != '{' {
				continue
			}
			for c := range o.children() {
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

// parseJSON reads a file. Where it is not well-formed, diagnostics tell what
// the engine's own parser has against it.
func parseJSON(f *File) (jsonValue, hcl.Diagnostics) {
	doc := &jsonDoc{file: f, src: f.Given}
	if at, ok := jsonTooDeep(f.Given); ok {
		return jsonValue{}, hcl.Diagnostics{jsonDepth(f.jsonRange([2]uint32{uint32(at), uint32(at) + 1}))}
	}
	p := jsonParser{doc: doc}
	if p.file() {
		return jsonValue{doc, 0}, nil
	}
	_, diags := hcljson.Parse(f.Given, f.Name)
	if !diags.HasErrors() {
		diags = append(diags, jsonSyntax(f.jsonRange([2]uint32{uint32(p.at), uint32(min(p.at+1, len(f.Given)))})))
	}
	return jsonValue{}, diags
}

// parseJSONAt reads the value at an offset of a file that is well-formed.
func parseJSONAt(f *File, at int) jsonValue {
	return (&jsonDoc{file: f, src: f.Given}).valueAt(at)
}

// valueAt reads a value into a document that has none.
func (d *jsonDoc) valueAt(at int) jsonValue {
	p := jsonParser{doc: d, at: at}
	p.value([2]uint32{})
	return jsonValue{d, 0}
}

// rootStart is where a file's value starts.
func rootStart(src []byte) int {
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
			quoted = c >= 0x20
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return i, true
			}
		case c == '}' || c == ']':
			depth = max(0, depth-1)
		}
	}
	return 0, false
}

// A jsonParser accepts what RFC 8259 calls JSON, and nothing else.
type jsonParser struct {
	doc *jsonDoc
	at  int
}

func (p *jsonParser) file() bool {
	p.doc.nodes = make([]jsonNode, 0, len(p.doc.src)/32+4)
	p.blanks()
	if !p.value([2]uint32{}) {
		return false
	}
	p.blanks()
	return p.at == len(p.doc.src)
}

func (p *jsonParser) peek() byte {
	if p.at < len(p.doc.src) {
		return p.doc.src[p.at]
	}
	return 0
}

func (p *jsonParser) blanks() {
	for p.at < len(p.doc.src) {
		switch p.doc.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// value reads one value, with the blanks before it read.
func (p *jsonParser) value(key [2]uint32) bool {
	i := len(p.doc.nodes)
	first := p.peek()
	p.doc.nodes = append(p.doc.nodes, jsonNode{keyStart: key[0], keyEnd: key[1], start: uint32(p.at), kind: first})
	ok := false
	switch first {
	case '{':
		ok = p.list(i, '}')
	case '[':
		ok = p.list(i, ']')
	case '"':
		ok = p.str()
	case 't':
		ok = p.word("true")
	case 'f':
		ok = p.word("false")
	case 'n':
		ok = p.word("null")
	default:
		p.doc.nodes[i].kind = '0'
		ok = p.number()
	}
	p.doc.nodes[i].end = uint32(p.at)
	return ok
}

// list reads the members of an object or the elements of an array.
func (p *jsonParser) list(parent int, closing byte) bool {
	p.at++
	p.blanks()
	if p.peek() == closing {
		p.at++
		p.doc.nodes[parent].empty = true
		return true
	}
	for last := 0; ; {
		var key [2]uint32
		if closing == '}' {
			var ok bool
			if key, ok = p.key(); !ok {
				return false
			}
		}
		at := len(p.doc.nodes)
		if !p.value(key) {
			return false
		}
		if last > 0 {
			p.doc.nodes[last].next = uint32(at)
		}
		last = at
		p.blanks()
		c := p.peek()
		if c != ',' && c != closing {
			return false
		}
		p.at++
		if c == closing {
			return true
		}
		p.blanks()
	}
}

// key reads a member's key, the colon and the blanks after it.
func (p *jsonParser) key() (key [2]uint32, ok bool) {
	key[0] = uint32(p.at)
	if p.peek() != '"' || !p.str() {
		return key, false
	}
	key[1] = uint32(p.at)
	p.blanks()
	if p.peek() != ':' {
		return key, false
	}
	p.at++
	p.blanks()
	return key, true
}

func (p *jsonParser) str() bool {
	src := p.doc.src
	for i := p.at + 1; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			p.at = i + 1
			return true
		case c < 0x20:
			p.at = i
			return false
		case c == '\\':
			n := escapeLen(src[i:])
			if n == 0 {
				p.at = i
				return false
			}
			i += n - 1
		}
	}
	p.at = len(src)
	return false
}

// escapeLen is the length of the escape sequence that a text starts with, 0 if
// it is none.
func escapeLen(s []byte) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(s) < 6 {
			return 0
		}
		for _, c := range s[2:6] {
			if !isHex(c) {
				return 0
			}
		}
		return 6
	}
	return 0
}

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (p *jsonParser) word(w string) bool {
	if !bytes.HasPrefix(p.doc.src[p.at:], []byte(w)) {
		return false
	}
	p.at += len(w)
	return true
}

func (p *jsonParser) number() bool {
	start := p.at
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else if !p.digits() {
		return false
	}
	if p.peek() == '.' {
		p.at++
		if !p.digits() {
			return false
		}
	}
	exponent := p.peek() == 'e' || p.peek() == 'E'
	if exponent {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if !p.digits() {
			return false
		}
		_, err := cty.ParseNumberVal(string(p.doc.src[start:p.at]))
		return err == nil // an exponent may be beyond what the engine holds
	}
	return true
}

func (p *jsonParser) digits() bool {
	from := p.at
	for isDigit(p.peek()) {
		p.at++
	}
	return p.at > from
}
