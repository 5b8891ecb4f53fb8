package jsontree

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/zclconf/go-cty/cty"
)

// A parser accepts what RFC 8259 calls JSON, and nothing else. Its methods read what starts at the offset at, and
// return false after an error; it keeps the first error only.
type parser struct {
	in        *text                           // the text, to which the nodes are added
	at        int                             // the offset of the next byte
	depth     int                             // how many values are open
	errorAt   int                             // the offset of the error
	makeError func(hcl.Range) *hcl.Diagnostic // nil without an error
}

// fail keeps an error at an offset, unless there is an earlier one, and returns false for the caller to return.
func (p *parser) fail(at int, format string, args ...any) bool {
	return p.refuse(at, func(r hcl.Range) *hcl.Diagnostic { return invalid(r, fmt.Sprintf(format, args...)) })
}

// refuse is fail for an error whose diagnostic needs more than a message: makeError gets the range and returns it.
func (p *parser) refuse(at int, makeError func(hcl.Range) *hcl.Diagnostic) bool {
	if p.makeError == nil {
		p.errorAt, p.makeError = at, makeError
	}
	return false
}

// file reads a text that must be one value, and reports whether it is. It first looks for encodings that JSON
// doesn't have, because the errors in their bytes would mislead.
func (p *parser) file() bool {
	src := p.in.src
	p.in.nodes = make([]node, 0, len(src)/32+4) // an estimate
	p.blanks()
	switch {
	case bytes.HasPrefix(src, spelling.UTF8BOM):
		return p.fail(0, "The file starts with a byte order mark, which JSON does not allow. Save it without one.")
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}) || bytes.HasPrefix(src, []byte{0xfe, 0xff}):
		return p.fail(0, "The file is UTF-16. Save it as UTF-8.")
	case p.at == len(src):
		return p.fail(p.at, "The file is empty. Write {} for an empty configuration.")
	case !p.value([2]uint32{}):
		return false
	}
	p.blanks()
	return p.at == len(src) || p.fail(p.at, "The JSON value ends before this. Remove the rest.")
}

// peek returns the next byte, 0 at the end of the text.
func (p *parser) peek() byte {
	if p.at < len(p.in.src) {
		return p.in.src[p.at]
	}
	return 0
}

// blanks skips the blanks of JSON: spaces, tabs and line ends.
func (p *parser) blanks() {
	for p.at < len(p.in.src) {
		switch p.in.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// value reads the value at the parser's position, where no blank may be, and adds its node. key is the range of its
// key, which the node keeps; [0, 0] if it has none.
func (p *parser) value(key [2]uint32) bool {
	i := len(p.in.nodes) // of its node, which the nodes inside follow
	first := p.peek()
	p.depth++
	p.in.nodes = append(p.in.nodes, node{keyStart: key[0], keyEnd: key[1], start: uint32(p.at), kind: first})
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
		p.in.nodes[i].kind = '0' // any number
		ok = p.number()
	}
	p.depth--
	p.in.nodes[i].end = uint32(p.at)
	return ok
}

// list reads an object or an array, which closing ends, and links the nodes of its members as siblings. parent is
// the index of its own node, which it marks as empty if there are none.
func (p *parser) list(parent int, closing byte) bool {
	open := p.at
	if p.depth > limits.MaxDepth {
		return p.refuse(open, nestedTooDeep)
	}
	p.at++
	p.blanks()
	if p.peek() == closing {
		p.at++
		p.in.nodes[parent].empty = true
		return true
	}
	for last := 0; ; { // the index of the preceding member's node, 0 for none
		var key [2]uint32
		if closing == '}' {
			var ok bool
			if key, ok = p.key(open); !ok {
				return false
			}
		}
		at := len(p.in.nodes)
		if !p.value(key) {
			return false
		}
		if last > 0 {
			p.in.nodes[last].next = uint32(at)
		}
		last = at
		more, ok := p.separator(open, closing)
		if !more {
			return ok
		}
	}
}

// separator reads what follows a member. more is true after a comma, and false after the closing bracket; ok is false
// after an error. open is the offset of the opening bracket, for an error if the text ends here.
func (p *parser) separator(open int, closing byte) (more, ok bool) {
	p.blanks()
	at := p.at
	switch c := p.peek(); {
	case c == closing:
		p.at++
		return false, true
	case c == ',':
		p.at++
		p.blanks()
		if p.peek() == closing {
			return false, p.fail(at, "No comma may follow the last value. Remove it.")
		}
		return true, true
	case at == len(p.in.src):
		return false, p.fail(open, "This bracket is never closed.")
	case c == '}' || c == ']':
		return false, p.fail(at, "Expected %c to close the innermost open bracket.", closing)
	}
	return false, p.fail(at, "A comma is missing before this.%s", p.hint())
}

// key reads a member's key, the colon and the blanks after it. open is the offset of the object's brace,
// for an error if the text ends here.
func (p *parser) key(open int) (key [2]uint32, ok bool) {
	key[0] = uint32(p.at)
	switch {
	case p.at == len(p.in.src):
		return key, p.fail(open, "This bracket is never closed.")
	case p.peek() == '\'':
		return key, p.fail(p.at, "Put the name of a property in double quotes.")
	case p.peek() != '"':
		return key, p.fail(p.at, "Expected the name of a property in double quotes.%s", p.hint())
	case !p.str():
		return key, false
	}
	key[1] = uint32(p.at)
	p.blanks()
	if p.peek() != ':' {
		return key, p.fail(p.at, "Expected a colon after the name of a property.%s", p.hint())
	}
	p.at++
	p.blanks()
	return key, true
}

// hint explains a spelling at the parser's position that JSON lacks; it is empty for anything else.
func (p *parser) hint() string {
	rest := p.in.src[p.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")), bytes.HasPrefix(rest, []byte("#")):
		return ` JSON doesn't allow comments; in a block, use a property named "//".`
	case bytes.HasPrefix(rest, []byte("'")):
		return " Put strings in double quotes."
	case bytes.HasPrefix(rest, []byte("=")):
		return " JSON uses colons, not equals signs."
	}
	return ""
}

// str reads a string, without decoding it: it checks that escape sequences and characters are allowed.
func (p *parser) str() bool {
	src, open := p.in.src, p.at
	for i := p.at + 1; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			p.at = i + 1
			return true
		case c == '\n' || c == '\r':
			return p.fail(open, "This string is not closed on its line. Write a line break in a string as \\n.")
		case c < 0x20:
			return p.fail(i, "A string can't hold a control character. Write \\u%04x.", c)
		case c == '\\':
			n := escapeLen(src[i:])
			if n == 0 {
				return p.fail(i, "This is not an escape sequence of JSON. Write a backslash as \\\\.")
			}
			i += n - 1
		}
	}
	return p.fail(open, "This string is never closed.")
}

// escapeLen returns the length of the escape sequence at the start of a text, which starts with a backslash. It
// returns 0 if JSON has no such sequence.
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
			if !limits.IsDigit(c) && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
				return 0
			}
		}
		return 6
	}
	return 0
}

// word reads w, which is true, false or null.
func (p *parser) word(w string) bool {
	if !bytes.HasPrefix(p.in.src[p.at:], []byte(w)) {
		return p.noValue()
	}
	p.at += len(w)
	return true
}

// noValue reports the error that no value starts here.
func (p *parser) noValue() bool {
	if p.at == len(p.in.src) {
		return p.fail(p.at, "The file ends where a value is expected.")
	}
	return p.fail(p.at, "Expected a value: an object, an array, a string, a number, true, false or null.%s",
		p.hint())
}

// number reads a number as JSON spells it. It refuses one with an exponent so large that engines fail.
func (p *parser) number() bool {
	start := p.at
	if c := p.peek(); c != '-' && !limits.IsDigit(c) {
		return p.noValue()
	}
	if !p.integer() || !p.fraction() {
		return p.fail(start,
			"This is not a JSON number. Write digits on both sides of a decimal point, no leading zero and "+
				"no plus sign.")
	}
	if c := p.peek(); c != 'e' && c != 'E' {
		return true
	}
	p.at++
	if c := p.peek(); c == '+' || c == '-' {
		p.at++
	}
	if !p.digits() {
		return p.fail(start, "The exponent of this number has no digits.")
	}
	if _, err := cty.ParseNumberVal(string(p.in.src[start:p.at])); err != nil {
		return p.fail(start, "OpenTofu and Terraform can't hold a number of this size.")
	}
	return true
}

// integer reads a minus sign, if any, and digits. It refuses a leading zero, as in 01.
func (p *parser) integer() bool {
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() != '0' {
		return p.digits()
	}
	p.at++
	return !limits.IsDigit(p.peek())
}

// fraction reads a point and digits, if there is a point.
func (p *parser) fraction() bool {
	if p.peek() != '.' {
		return true
	}
	p.at++
	return p.digits()
}

// digits reads at least one digit, and refuses more than the limit.
func (p *parser) digits() bool {
	from := p.at
	for limits.IsDigit(p.peek()) {
		p.at++
	}
	if p.at-from > limits.MaxDigits {
		return p.refuse(from, limits.LongNumber)
	}
	return p.at > from
}

// A Reader reads values of one JSON text that Parse has accepted. A value is valid
// until the next one is read.
type Reader struct{ text }

// NewReader returns the reader of a text.
func NewReader(src []byte) *Reader { return &Reader{text{src: src}} }

// Reset makes the reader read another text. With nil, it lets go of its text's memory.
func (r *Reader) Reset(src []byte) { r.src = src }

// Parse reads the content of a file, which Value.Children and the like then take apart. If it is
// not well-formed, the diagnostic is about the first error. Engines also refuse some text that only looks
// well-formed (see engineRefuses): then Parse returns the value and a diagnostic.
func Parse(f *source.File) (Value, hcl.Diagnostics) {
	r := NewReader(f.Raw)
	p := parser{in: &r.text}
	if p.file() {
		return Value{&r.text, 0}, engineRefuses(f)
	}
	_, size := utf8.DecodeRune(f.Raw[p.errorAt:])
	at := uint32(p.errorAt)
	return Value{}, hcl.Diagnostics{p.makeError(f.RawRange([2]uint32{at, at + uint32(size)}))}
}

// Root reads the whole text, which is one value with blanks around it.
func (r *Reader) Root() Value { return r.Value(len(r.src) - len(bytes.TrimLeft(r.src, " \t\r\n"))) }

// Value reads the value that starts at an offset.
func (r *Reader) Value(at int) Value {
	v, _ := r.Next(at)
	return v
}

// Next reads the first value at or behind an offset. Unlike the other methods, it works on text that Parse hasn't
// checked. The error is io.EOF at the end of the text, or a diagnostic without a range if no value is there.
func (r *Reader) Next(at int) (Value, error) {
	r.nodes = r.nodes[:0]
	p := parser{in: &r.text, at: at}
	if p.blanks(); p.at == len(r.src) {
		return Value{}, io.EOF
	}
	if !p.value([2]uint32{}) {
		return Value{}, p.makeError(hcl.Range{})
	}
	return Value{&r.text, 0}, nil
}

// Key returns the range, with the quotes, of the key that starts at an offset.
func (r *Reader) Key(at uint32) [2]uint32 {
	p := parser{in: &r.text, at: int(at)}
	p.str()
	return [2]uint32{at, uint32(p.at)}
}

// engineRefuses returns the first error that the engine's own parser finds in a text that isn't all UTF-8, nil if it
// finds none. To that parser, an invalid byte may swallow the quote behind it, which this package doesn't imitate.
func engineRefuses(f *source.File) hcl.Diagnostics {
	if utf8.Valid(f.Raw) {
		return nil
	}
	_, diags := hcljson.Parse(f.Raw, f.Name)
	for _, d := range diags {
		if d.Severity == hcl.DiagError && d.Subject != nil && d.Subject.End.Byte <= len(f.Raw) {
			return hcl.Diagnostics{invalid(*d.Subject,
				"There are bytes here that are not UTF-8, which breaks parsing. Save the file as UTF-8.")}
		}
	}
	return nil
}

// nestedTooDeep returns the error about a bracket inside too many others.
func nestedTooDeep(at hcl.Range) *hcl.Diagnostic {
	return diag.WithCode(diag.TooDeep, diag.New(at, "Nesting too deep", "Objects and arrays nest more than %d levels deep here, which can't be read safely.", limits.MaxDepth))
}

// invalid returns an error about text that isn't JSON.
func invalid(at hcl.Range, what string) *hcl.Diagnostic {
	return diag.New(at, "Invalid JSON", "%s", what)
}

// Constant converts the value as engines do where references aren't allowed: strings stand for themselves.
// f must be the file that contains the value. It refuses an object with a duplicate key.
func (v Value) Constant(f *source.File) (cty.Value, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	value := v.constant(func(key [2]uint32) {
		diags = append(diags, diag.New(f.RawRange(key), "Duplicate object attribute", "An object can't have the same key twice. Remove one."))
	})
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return value, nil
}

// constant converts the value. It calls onDuplicate with each key that its object has already, and keeps the first
// value.
func (v Value) constant(onDuplicate func(key [2]uint32)) cty.Value {
	switch v.Kind() {
	case '{':
		attrs := map[string]cty.Value{}
		for p := range v.Children() {
			name := p.Name()
			if _, isSecond := attrs[name]; isSecond {
				onDuplicate(p.Key())
			} else {
				attrs[name] = p.constant(onDuplicate)
			}
		}
		return cty.ObjectVal(attrs)
	case '[':
		var elems []cty.Value
		for e := range v.Children() {
			elems = append(elems, e.constant(onDuplicate))
		}
		return cty.TupleVal(elems)
	case '"':
		return cty.StringVal(v.Text())
	case 't', 'f':
		return cty.BoolVal(v.Kind() == 't')
	case 'n':
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return cty.MustParseNumberVal(string(v.Raw())) // whose size was judged on parsing
}

// A Reading says what a string in JSON means to the engine at a position: a template, plain text, or native source
// such as a reference.
type Reading int

// IsNative reports whether strings hold native source text, such as a reference.
func (r Reading) IsNative() bool {
	return r == AsReference || r == AsBareReference || r == AsSource
}

// Within returns the reading for strings inside a collection at the position. They differ for AsReferenceOrTemplate
// only: inside a collection, every string is a template.
func (r Reading) Within() Reading {
	if r == AsReferenceOrTemplate {
		return AsTemplate
	}
	return r
}

// OfString returns the reading of one string at the position. For AsReferenceOrTemplate, it depends on the string:
// "a.b" is a reference, "${a.b}" a template.
func (r Reading) OfString(text string) Reading {
	switch {
	case r != AsReferenceOrTemplate:
		return r
	case IsReference(text):
		return AsBareReference
	}
	return AsTemplate
}

const (
	AsTemplate    Reading = iota // a template
	AsText                       // itself
	AsReference                  // a reference or a keyword in native syntax
	AsSource                     // another expression in native syntax, such as a type
	AsRequirement                // an entry of required_providers
	// AsBareReference is AsReference where native syntax takes no quotes.
	AsBareReference
	// AsReferenceOrTemplate is a reference if the whole string is one, else a template.
	AsReferenceOrTemplate
)

// IsReference reports whether text is a reference in native syntax.
func IsReference(text string) bool {
	_, diags := parse.Traversal([]byte(text), "", hcl.InitialPos)
	return !diags.HasErrors()
}
