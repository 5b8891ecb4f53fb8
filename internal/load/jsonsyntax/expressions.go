package jsonsyntax

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsonstring"
	"github.com/tofumerge/tofumerge/internal/load/layout"
)

// An exprWriter writes JSON values as native expressions, laid out as tofu fmt does.
type exprWriter struct {
	file   *jsonFile
	silent bool             // nothing is reported
	diags  *hcl.Diagnostics // what the engine refuses when it loads the file
	mark   bool             // marks are made
	keys   []mark           // the range of each key of an object
	marks  []mark           // the range of each value
}

// A mark links text[start:end] to the JSON value, or key, at json.
type mark struct {
	start, end int
	json       [2]uint32
}

// fail reports something that the engine refuses when it loads the file.
func (w *exprWriter) fail(at [2]uint32, title, detail string) {
	if !w.silent {
		*w.diags = append(*w.diags, diag.New(w.file.GivenRange(at), title, "%s", detail))
	}
}

// inexpressible reports something that native syntax can't express.
func (w *exprWriter) inexpressible(at [2]uint32, title, detail string) {
	if !w.silent {
		w.file.NoteInexpressible(at[0], diag.New(w.file.GivenRange(at), title, "%s", detail))
	}
}

// inlineWidth is the greatest length of an array on one line.
const inlineWidth = 72

// value appends a value's native text. If line is set, only the end of the line follows the value,
// so it may be a heredoc.
func (w *exprWriter) value(dst []byte, v Value, r jsonstring.Reading, indent int, line bool) []byte {
	start := len(dst)
	switch k := v.Kind(); {
	case k == '{':
		dst = w.object(dst, v, r.Within(), indent)
	case k == '[':
		dst = w.array(dst, v, r.Within(), indent)
	case k == '"':
		text := v.text()
		dst = w.str(dst, v.Span(), text, r.OfString(text), indent, line)
	default:
		if r.IsNative() {
			w.fail(v.Span(), "Expected string expression", "Write a reference, type or keyword as a string in JSON.")
		}
		dst = append(dst, v.Raw()...)
	}
	if w.mark {
		w.marks = append(w.marks, mark{start, len(dst), v.Span()})
	}
	return dst
}

func (w *exprWriter) newline(dst []byte, indent int) []byte {
	dst = append(dst, w.file.LineEnd...)
	return appendBlanks(dst, indent)
}

func appendBlanks(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

// holdsNested reports whether an element of an array is an array or an object.
func (v Value) holdsNested() bool {
	for c := range v.Children() {
		if c.Kind() == '{' || c.Kind() == '[' {
			return true
		}
	}
	return false
}

func (w *exprWriter) array(dst []byte, v Value, r jsonstring.Reading, indent int) []byte {
	switch {
	case v.node().empty:
		return append(dst, "[]"...)
	case !v.holdsNested():
		return w.flatArray(dst, v, r, indent)
	}
	dst = append(dst, '[')
	for c := range v.Children() {
		dst = w.newline(dst, indent+2)
		dst = append(w.value(dst, c, r, indent+2, false), ',')
	}
	return append(w.newline(dst, indent), ']')
}

// flatArray writes an array without arrays and objects in it, on one line if it
// is short.
func (w *exprWriter) flatArray(dst []byte, v Value, r jsonstring.Reading, indent int) []byte {
	start, marks := len(dst), len(w.marks)
	var ends []int
	for c := range v.Children() {
		dst = w.value(dst, c, r, indent+2, false)
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
		for ; marks < len(w.marks) && w.marks[marks].end <= end; marks++ {
			w.marks[marks].start += len(dst) - at
			w.marks[marks].end += len(dst) - at
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

// A line is a name and a value that wait to be laid out in columns.
type line struct {
	layout.Column
	key        [2]uint32
	start, end int // the value, in the text that was made
	marks      int // how many marks there are once the value was made
}

// An objectWriter writes the members of one object. Those of one line wait for their
// neighbours, since their equals signs are aligned.
type objectWriter struct {
	*exprWriter
	indent int
	run    []line
	made   []byte // the values of run
	marks  int    // how many marks there were before run
}

func (w *exprWriter) object(dst []byte, v Value, r jsonstring.Reading, indent int) []byte {
	if v.node().empty {
		return append(dst, "{}"...)
	}
	o := objectWriter{exprWriter: w, indent: indent + 2}
	dst = append(dst, '{')
	var seen nameSet
	for c := range v.Children() {
		key := c.Name()
		if first := seen.met(key, c.Key()); first != c.Key() {
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
func (w *exprWriter) givenTwice(v Value, r jsonstring.Reading) {
	const title, detail = "Duplicate object attribute", "An object can't have the same key twice. Remove one."
	switch r {
	case jsonstring.AsText:
		w.fail(v.Key(), title, detail)
	case jsonstring.AsTemplate:
		w.inexpressible(v.Key(), title, detail)
	}
}

func (o *objectWriter) member(dst []byte, v Value, name string, r jsonstring.Reading) []byte {
	if surelyWide(v) {
		dst = o.flush(dst)
		dst = o.newline(dst, o.indent)
		dst = append(o.named(dst, name, v.Key()), " = "...)
		return o.value(dst, v, r, o.indent, true)
	}
	if len(o.run) == 0 {
		o.marks = len(o.exprWriter.marks)
	}
	l := line{Column: layout.Column{Name: name}, key: v.Key(), start: len(o.made)}
	o.made = o.value(o.made, v, r, o.indent, true)
	l.end, l.marks = len(o.made), len(o.exprWriter.marks)
	l.Single = layout.IsInColumn(o.made[l.start:])
	o.run = append(o.run, l)
	return dst
}

// surelyWide reports whether the native text of a value takes several lines, so that
// its equals sign is not aligned.
func surelyWide(v Value) bool {
	return v.Kind() == '{' && !v.node().empty || v.Kind() == '[' && v.holdsNested()
}

// named appends a member's name.
func (o *objectWriter) named(dst []byte, name string, key [2]uint32) []byte {
	start := len(dst)
	dst = append(dst, name...)
	if o.mark {
		o.keys = append(o.keys, mark{start, len(dst), key})
	}
	return dst
}

func (o *objectWriter) flush(dst []byte) []byte {
	layout.Align(len(o.run), func(i int) *layout.Column { return &o.run[i].Column })
	marks := o.marks
	for _, l := range o.run {
		dst = o.newline(dst, o.indent)
		dst = appendBlanks(o.named(dst, l.Name, l.key), l.Padding)
		dst = append(dst, " = "...)
		shift := len(dst) - l.start
		dst = append(dst, o.made[l.start:l.end]...)
		for ; marks < l.marks; marks++ {
			o.exprWriter.marks[marks].start += shift
			o.exprWriter.marks[marks].end += shift
		}
	}
	o.run, o.made = o.run[:0], o.made[:0]
	return dst
}
