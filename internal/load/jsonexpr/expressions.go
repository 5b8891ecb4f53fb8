package jsonexpr

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsonstring"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Writer writes JSON values as native expressions, laid out as tofu fmt does.
type Writer struct {
	File      *source.File
	Quote     bool             // no heredoc is written
	Silent    bool             // nothing is reported
	Diags     *hcl.Diagnostics // the engine's refusals when it loads the file
	MarkParts bool             // marks are made
	keys      []Mark           // the range of each key of an object
	values    []Mark           // the range of each value
}

// A Mark links text[start:end] to the JSON value, or key, at JSON.
type Mark struct {
	Start, End int
	JSON       [2]uint32
}

// Parts returns the marks of the values and of the keys that were written.
func (w *Writer) Parts() []Mark { return append(w.values, w.keys...) }

// fail reports something that the engine refuses when it loads the file.
func (w *Writer) fail(at [2]uint32, title, detail string) {
	if !w.Silent {
		*w.Diags = append(*w.Diags, diag.New(w.File.RawRange(at), title, "%s", detail))
	}
}

// Inexpressible reports something that native syntax can't express.
func (w *Writer) Inexpressible(at [2]uint32, title, detail string) {
	if !w.Silent {
		w.File.NoteInexpressible(at[0], diag.New(w.File.RawRange(at), title, "%s", detail))
	}
}

// inlineWidth is the greatest length of an array on one line.
const inlineWidth = 72

// Write appends a value's native text. If line is set, only the end of the line follows the value,
// so it may be a heredoc.
func (w *Writer) Write(dst []byte, v jsontree.Value, r jsonstring.Reading, indent int, line bool) []byte {
	start := len(dst)
	switch k := v.Kind(); {
	case k == '{':
		dst = w.object(dst, v, r.Within(), indent)
	case k == '[':
		dst = w.array(dst, v, r.Within(), indent)
	case k == '"':
		text := v.Text()
		dst = w.str(dst, v.Span(), text, r.OfString(text), indent, line)
	default:
		if r.IsNative() {
			w.fail(v.Span(), "Expected string expression", "Write a reference, type or keyword as a string in JSON.")
		}
		dst = append(dst, v.Raw()...)
	}
	if w.MarkParts {
		w.values = append(w.values, Mark{start, len(dst), v.Span()})
	}
	return dst
}

func (w *Writer) newline(dst []byte, indent int) []byte {
	dst = append(dst, w.File.LineEnd...)
	return AppendBlanks(dst, indent)
}

// AppendBlanks appends blanks to a text.
func AppendBlanks(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

func (w *Writer) array(dst []byte, v jsontree.Value, r jsonstring.Reading, indent int) []byte {
	switch {
	case v.IsEmpty():
		return append(dst, "[]"...)
	case !v.HoldsNested():
		return w.flatArray(dst, v, r, indent)
	}
	dst = append(dst, '[')
	for c := range v.Children() {
		dst = w.newline(dst, indent+2)
		dst = append(w.Write(dst, c, r, indent+2, false), ',')
	}
	return append(w.newline(dst, indent), ']')
}

// flatArray writes an array without arrays and objects in it, on one line if it
// is short.
func (w *Writer) flatArray(dst []byte, v jsontree.Value, r jsonstring.Reading, indent int) []byte {
	start, marks := len(dst), len(w.values)
	var ends []int
	for c := range v.Children() {
		dst = w.Write(dst, c, r, indent+2, false)
		ends = append(ends, len(dst))
	}
	made := bytes.Clone(dst[start:])
	short := len(made)+2*len(ends) <= inlineWidth && bytes.IndexByte(made, '\n') < 0
	dst = append(dst[:start], '[')
	at := start
	for i, end := range ends {
		switch {
		case !short:
			dst = w.newline(dst, indent+2)
		case i > 0:
			dst = append(dst, ' ')
		}
		for ; marks < len(w.values) && w.values[marks].End <= end; marks++ {
			w.values[marks].Start += len(dst) - at
			w.values[marks].End += len(dst) - at
		}
		dst = append(dst, made[at-start:end-start]...)
		if at = end; !short || i+1 < len(ends) {
			dst = append(dst, ',')
		}
	}
	if !short {
		dst = w.newline(dst, indent)
	}
	return append(dst, ']')
}

// A Line is a name and a value that wait to be laid out in columns.
type Line struct {
	layout.Column
	key        [2]uint32
	Start, End int // the value, in the text that was made
	marks      int // how many marks there are once the value was made
}

// An objectWriter writes the members of one object. Those of one line wait for their
// neighbours, since their equals signs are aligned.
type objectWriter struct {
	*Writer
	indent int
	run    []Line
	made   []byte // the values of run
	marks  int    // how many marks there were before run
}

func (w *Writer) object(dst []byte, v jsontree.Value, r jsonstring.Reading, indent int) []byte {
	if v.IsEmpty() {
		return append(dst, "{}"...)
	}
	o := objectWriter{Writer: w, indent: indent + 2}
	dst = append(dst, '{')
	var seen NameSet
	for c := range v.Children() {
		key := c.Name()
		if first := seen.Met(key, c.Key()); first != c.Key() {
			w.givenTwice(c, r)
		}
		inner := r
		if r == jsonstring.AsRequirement {
			inner = jsonstring.AsText
			if key == "configuration_aliases" {
				inner = jsonstring.AsReference
			}
		}
		dst = o.member(dst, c, w.key(c, key, inner, r), inner)
	}
	dst = w.newline(o.flush(dst), indent)
	return append(dst, '}')
}

// givenTwice reports a key that an object has twice. The engine refuses it as soon as it evaluates
// the object, which it doesn't do with an entry of required_providers: there each pair is read, and
// the last one of a key wins.
func (w *Writer) givenTwice(v jsontree.Value, r jsonstring.Reading) {
	const title, detail = "Duplicate object attribute", "An object can't have the same key twice. Remove one."
	switch r {
	case jsonstring.AsText:
		w.fail(v.Key(), title, detail)
	case jsonstring.AsTemplate:
		w.Inexpressible(v.Key(), title, detail)
	}
}

func (o *objectWriter) member(dst []byte, v jsontree.Value, name string, r jsonstring.Reading) []byte {
	if surelyWide(v) {
		dst = o.flush(dst)
		dst = o.newline(dst, o.indent)
		dst = append(o.named(dst, name, v.Key()), " = "...)
		return o.Write(dst, v, r, o.indent, true)
	}
	if len(o.run) == 0 {
		o.marks = len(o.Writer.values)
	}
	l := Line{Column: layout.Column{Name: name}, key: v.Key(), Start: len(o.made)}
	o.made = o.Write(o.made, v, r, o.indent, true)
	l.End, l.marks = len(o.made), len(o.Writer.values)
	l.Single = layout.IsInColumn(o.made[l.Start:])
	o.run = append(o.run, l)
	return dst
}

// surelyWide reports whether the native text of a value takes several lines, so that
// its equals sign is not aligned.
func surelyWide(v jsontree.Value) bool {
	return v.Kind() == '{' && !v.IsEmpty() || v.Kind() == '[' && v.HoldsNested()
}

// named appends a member's name.
func (o *objectWriter) named(dst []byte, name string, key [2]uint32) []byte {
	start := len(dst)
	dst = append(dst, name...)
	if o.MarkParts {
		o.keys = append(o.keys, Mark{start, len(dst), key})
	}
	return dst
}

func (o *objectWriter) flush(dst []byte) []byte {
	layout.Align(len(o.run), func(i int) *layout.Column { return &o.run[i].Column })
	marks := o.marks
	for _, l := range o.run {
		dst = o.newline(dst, o.indent)
		dst = AppendBlanks(o.named(dst, l.Name, l.key), l.Padding)
		dst = append(dst, " = "...)
		shift := len(dst) - l.Start
		dst = append(dst, o.made[l.Start:l.End]...)
		for ; marks < l.marks; marks++ {
			o.Writer.values[marks].Start += shift
			o.Writer.values[marks].End += shift
		}
	}
	o.run, o.made = o.run[:0], o.made[:0]
	return dst
}
