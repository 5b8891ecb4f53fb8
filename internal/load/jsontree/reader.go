package jsontree

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Reader reads values of one JSON text that Parse has accepted. A value is valid
// until the next one is read.
type Reader struct{ text }

// NewReader returns the reader of a text.
func NewReader(src []byte) *Reader { return &Reader{text{src: src}} }

// Reset makes the reader read another text, or release its text.
func (r *Reader) Reset(src []byte) { r.src = src }

// Parse reads the content of a file, which Value.Children and the like then take apart. If it is
// not well-formed, the diagnostic is about the first error.
func Parse(f *source.File) (Value, hcl.Diagnostics) {
	r := NewReader(f.Raw)
	if at, ok := r.tooDeep(); ok {
		return Value{}, hcl.Diagnostics{diag.New(f.RawRange([2]uint32{uint32(at), uint32(at) + 1}), "Nesting too deep",
			"Objects and arrays nest more than %d levels deep here, which can't be read safely.", limits.MaxDepth)}
	}
	p := parser{r: &r.text}
	if p.file() {
		return Value{&r.text, 0}, engineRefuses(f)
	}
	_, size := utf8.DecodeRune(f.Raw[p.wrongAt:])
	at := uint32(p.wrongAt)
	return Value{}, hcl.Diagnostics{invalid(f.RawRange([2]uint32{at, at + uint32(size)}), p.wrong)}
}

// Root reads the value of the whole text.
func (r *Reader) Root() Value { return r.Value(RootStart(r.src)) }

// Value reads the value that starts at an offset.
func (r *Reader) Value(at int) Value {
	r.nodes = r.nodes[:0]
	p := parser{r: &r.text, at: at}
	p.value([2]uint32{})
	return Value{&r.text, 0}
}

// Key is where the key that starts at an offset is, with its quotes.
func (r *Reader) Key(at uint32) [2]uint32 {
	p := parser{r: &r.text, at: int(at)}
	p.str()
	return [2]uint32{at, uint32(p.at)}
}

// RootStart is the offset of the value of a JSON text.
func RootStart(src []byte) int {
	return len(src) - len(bytes.TrimLeft(src, " \t\r\n"))
}

// engineRefuses reports where the engine's own parser fails because of bytes that are
// not UTF-8: one of them may swallow the quote behind it. Other files it takes.
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

// tooDeep finds where brackets outside of strings nest deeper than limits.MaxDepth. It
// does so in any text, JSON or not.
func (r *Reader) tooDeep() (int, bool) {
	src, depth, quoted := r.src, 0, false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
			quoted = c >= 0x20 // a string ends with its line, even if it is not closed
		case c == '{' || c == '[':
			if depth++; depth > limits.MaxDepth {
				return i, true
			}
		case c == '}' || c == ']':
			depth = max(0, depth-1)
		}
	}
	return 0, false
}

func invalid(at hcl.Range, what string) *hcl.Diagnostic {
	return diag.New(at, "Invalid JSON", "%s", what)
}
