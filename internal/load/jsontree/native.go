package jsontree

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/template"
)

// A NativeWriter writes JSON values as native expressions, laid out as tofu fmt does. Errors go to Diags if
// the engine refuses the file, and to the file's inexpressible parts if only native syntax can't say it.
type NativeWriter struct {
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

// Parts returns the marks that were made so far, values before keys.
func (w *NativeWriter) Parts() []Mark { return append(w.values, w.keys...) }

// fail reports an error at which the engine fails to load the file.
func (w *NativeWriter) fail(at [2]uint32, title, detail string) {
	if !w.Silent {
		*w.Diags = append(*w.Diags, diag.New(w.File.RawRange(at), title, "%s", detail))
	}
}

// Inexpressible reports something that native syntax can't express.
func (w *NativeWriter) Inexpressible(at [2]uint32, title, detail string) {
	if !w.Silent {
		w.File.NoteInexpressible(at[0], diag.New(w.File.RawRange(at), title, "%s", detail))
	}
}

// inlineWidth is the greatest length of an array on one line, its brackets included.
const inlineWidth = 72

// Write appends a value's native text, whose further lines are indented by indent. If endsLine is set, only
// the end of the line follows the value, so it may be a heredoc.
func (w *NativeWriter) Write(dst []byte, v Value, r Reading, indent int, endsLine bool) []byte {
	start := len(dst)
	switch k := v.Kind(); {
	case k == '{':
		dst = w.object(dst, v, r.Within(), indent)
	case k == '[':
		dst = w.array(dst, v, r.Within(), indent)
	case k == '"':
		text := v.Text()
		dst = w.str(dst, v.Span(), text, r.OfString(text), indent, endsLine)
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

// newline appends a line end of the file and the indentation of the next line.
func (w *NativeWriter) newline(dst []byte, indent int) []byte {
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

// array appends an array: with nested arrays or objects each element takes a line of its own.
func (w *NativeWriter) array(dst []byte, v Value, r Reading, indent int) []byte {
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

// flatArray appends an array without arrays and objects in it, on one line if it fits inlineWidth.
// Otherwise it starts again with a line for each element.
func (w *NativeWriter) flatArray(dst []byte, v Value, r Reading, indent int) []byte {
	start, marks, tried := len(dst), len(w.values), 0
	dst = append(dst, '[')
	for c := range v.Children() {
		dst = append(w.Write(dst, c, r, indent+2, false), ", "...)
		if tried++; len(dst)-start > inlineWidth+1 {
			break
		}
	}
	if len(dst)-start <= inlineWidth+1 && bytes.IndexByte(dst[start:], '\n') < 0 {
		return append(dst[:len(dst)-len(", ")], ']')
	}
	isSilent := w.Silent
	dst, w.values = dst[:start+1], w.values[:marks]
	for c := range v.Children() {
		w.Silent = isSilent || tried > 0 // its errors are reported already
		dst = append(w.Write(w.newline(dst, indent+2), c, r, indent+2, false), ',')
		tried--
	}
	w.Silent = isSilent
	return append(w.newline(dst, indent), ']')
}

// A Line is a name and a value that wait to be laid out in a column with others.
type Line struct {
	layout.Column
	key        [2]uint32
	Start, End int // the value, in the text that was made
	marks      int // how many marks there are once the value was made
}

// An objectWriter writes the members of one object. Those of one line wait for their
// neighbours, since their equals signs are aligned.
type objectWriter struct {
	*NativeWriter
	indent int
	run    []Line
	made   []byte // the values of run
	marks  int    // how many marks there were before run
}

// object appends an object, one member on each line, and reports keys that come twice. In an entry of
// required_providers (AsRequirement), strings are text, except for the references of configuration_aliases.
func (w *NativeWriter) object(dst []byte, v Value, r Reading, indent int) []byte {
	if v.IsEmpty() {
		return append(dst, "{}"...)
	}
	o := objectWriter{NativeWriter: w, indent: indent + 2}
	dst = append(dst, '{')
	var seen NameSet
	for c := range v.Children() {
		key := c.Name()
		if first := seen.Met(key, c.Key()); first != c.Key() {
			w.givenTwice(c, r)
		}
		inner := r
		if r == AsRequirement {
			inner = AsText
			if key == "configuration_aliases" {
				inner = AsReference
			}
		}
		dst = o.member(dst, c, w.key(c, key, inner, r), inner)
	}
	dst = w.newline(o.flush(dst), indent)
	return append(dst, '}')
}

// givenTwice reports a key that an object has twice. Constants (AsText) fail as soon as the engine loads
// the file, templates only when it evaluates the object. An entry of required_providers doesn't fail: the
// last pair of a key wins there.
func (w *NativeWriter) givenTwice(v Value, r Reading) {
	const title, detail = "Duplicate object attribute", "An object can't have the same key twice. Remove one."
	switch r {
	case AsText:
		w.fail(v.Key(), title, detail)
	case AsTemplate:
		w.Inexpressible(v.Key(), title, detail)
	}
}

// member adds a member to the run, which flush writes. It writes one with several lines itself, after the
// run, because its equals sign is not aligned with others.
func (o *objectWriter) member(dst []byte, v Value, name string, r Reading) []byte {
	if v.Kind() == '{' && !v.IsEmpty() || v.Kind() == '[' && v.HoldsNested() { // it takes several lines, so no equals sign is aligned
		dst = o.flush(dst)
		dst = o.newline(dst, o.indent)
		dst = append(o.appendName(dst, name, v.Key()), " = "...)
		return o.Write(dst, v, r, o.indent, true)
	}
	if len(o.run) == 0 {
		o.marks = len(o.NativeWriter.values)
	}
	l := Line{Column: layout.Column{Name: name}, key: v.Key(), Start: len(o.made)}
	o.made = o.Write(o.made, v, r, o.indent, true)
	l.End, l.marks = len(o.made), len(o.NativeWriter.values)
	l.Single = layout.IsInColumn(o.made[l.Start:])
	o.run = append(o.run, l)
	return dst
}

// appendName appends a member's name, and marks it.
func (o *objectWriter) appendName(dst []byte, name string, key [2]uint32) []byte {
	start := len(dst)
	dst = append(dst, name...)
	if o.MarkParts {
		o.keys = append(o.keys, Mark{start, len(dst), key})
	}
	return dst
}

// flush appends the members of the run with their equals signs aligned, and moves the marks of their values
// to where the values are now.
func (o *objectWriter) flush(dst []byte) []byte {
	layout.Align(len(o.run), func(i int) *layout.Column { return &o.run[i].Column })
	marks := o.marks
	for _, l := range o.run {
		dst = o.newline(dst, o.indent)
		dst = AppendBlanks(o.appendName(dst, l.Name, l.key), l.Padding)
		dst = append(dst, " = "...)
		shift := len(dst) - l.Start
		dst = append(dst, o.made[l.Start:l.End]...)
		for ; marks < l.marks; marks++ {
			o.NativeWriter.values[marks].Start += shift
			o.NativeWriter.values[marks].End += shift
		}
	}
	o.run, o.made = o.run[:0], o.made[:0]
	return dst
}

// Strings of JSON in native syntax.

// key returns the native text of an object's key. r is the reading of the member, outer that of the object:
// native keys stay source, and templates with sequences need parentheses unless quotes hold them.
func (w *NativeWriter) key(v Value, key string, r, outer Reading) string {
	name := key
	if r == AsTemplate {
		name = withoutMark(key)
	}
	switch {
	case template.IsBareKey(name):
		return name
	case outer.IsNative():
		return string(w.source(nil, v.Key(), key, outer, 0))
	case r != AsTemplate || !template.StartsSequence(key):
		return template.Quote(name)
	}
	text := string(w.str(nil, v.Key(), key, AsTemplate, 0, false))
	if strings.HasPrefix(text, `"`) {
		return text
	}
	if strings.Contains(text, "<<") {
		text += "\n" // it may be that a heredoc ends with it
	}
	return "(" + text + ")"
}

// str appends a string: native source as it is, plain text in quotes or as a heredoc, ${name} as the
// reference alone, and any other template by template.
func (w *NativeWriter) str(dst []byte, at [2]uint32, text string, r Reading, indent int, endsLine bool) []byte {
	if r == AsTemplate {
		text = withoutMark(text)
	}
	switch {
	case r.IsNative():
		return w.source(dst, at, text, r, indent)
	case r != AsTemplate || !template.StartsSequence(text):
		if endsLine && w.fitsHeredoc(text) {
			return w.heredoc(dst, template.Escape(text))
		}
		return append(dst, template.Quote(text)...)
	case isPlainReference(text):
		return append(dst, text[2:len(text)-1]...)
	}
	return w.template(dst, at, text, indent, endsLine)
}

// withoutMark returns a template without the byte order mark at its start, which the engine skips.
func withoutMark(text string) string { return strings.TrimPrefix(text, string(spelling.UTF8BOM)) }

// isPlainReference reports whether a template is like ${var.x.y}. Most templates are, and need no parser.
func isPlainReference(s string) bool {
	if len(s) < 4 || s[:2] != "${" || s[len(s)-1] != '}' {
		return false
	}
	for name := range strings.SplitSeq(s[2:len(s)-1], ".") {
		if !isASCIIName(name) {
			return false
		}
	}
	return true
}

// isASCIIName reports whether s is a name of ASCII characters only.
func isASCIIName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c == '-' || limits.IsDigit(c))) {
			return false
		}
	}
	return s != ""
}

// template appends a string that holds sequences: as the expression if it is nothing else, otherwise as a
// heredoc or in quotes. One with an error is appended as literal text, and reported as inexpressible.
func (w *NativeWriter) template(dst []byte, at [2]uint32, text string, indent int, endsLine bool) []byte {
	if quoted, ok := appendSimple(dst, text); ok {
		return quoted
	}
	src := []byte(text)
	if bytes.HasPrefix(src, spelling.UTF8BOM) {
		src = slices.Concat(spelling.UTF8BOM, src) // the lexer takes one away
	}
	if diags := limits.CheckTemplate(src); diags.HasErrors() {
		w.Inexpressible(at, diags[0].Summary, diags[0].Detail)
		return append(dst, template.Quote(text)...)
	}
	expr, diags := parse.Template(src, "", hcl.Pos{})
	if diags.HasErrors() {
		w.Inexpressible(at, "Invalid template", diags.Errs()[0].(*hcl.Diagnostic).Detail+" The error would show only when the string is "+
			"evaluated. Fix it, or write $${ or %%{ for literal text.")
		return append(dst, template.Quote(text)...)
	}
	if wrap, ok := expr.(*hclsyntax.TemplateWrapExpr); ok {
		return append(dst, w.standalone(inner(src, wrap), indent, endsLine)...)
	}
	if endsLine && w.fitsHeredoc(text) {
		return w.heredoc(dst, text)
	}
	dst = append(dst, '"')
	dst = append(dst, template.Join(template.Split(src, parse.EachTemplateToken, false), template.EscapeQuoted)...)
	return append(dst, '"')
}

// appendSimple appends a template of one line with no sequences but ones such as ${var.x}, without parsing
// it. ok is false for any other, and then nothing is appended.
func appendSimple(dst []byte, text string) ([]byte, bool) {
	start := len(dst)
	dst = append(dst, '"')
	for {
		before, rest, more := strings.Cut(text, "${")
		if strings.ContainsAny(before, "%\n\r") {
			return dst[:start], false
		}
		dst = append(dst, template.EscapeQuoted(before)...)
		if !more {
			return append(dst, '"'), true
		}
		if strings.HasSuffix(before, "$") {
			dst = append(dst, "${"...) // behind a $ this starts nothing, as in native syntax
			text = rest
			continue
		}
		end := strings.IndexByte(rest, '}') + 1
		if end == 0 || !isPlainReference("${"+strings.Trim(rest[:end-1], " ")+"}") {
			return dst[:start], false
		}
		dst = append(append(dst, "${"...), rest[:end]...)
		text = rest[end:]
	}
}

// inner returns the text of a template's only expression, with the comments around it. With comments it is
// in parentheses, in which line ends don't end the argument.
func inner(src []byte, wrap *hclsyntax.TemplateWrapExpr) []byte {
	r := wrap.Wrapped.Range()
	whole := bytes.TrimSuffix(bytes.TrimPrefix(src, []byte("${")), []byte("}"))
	whole = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(whole, []byte("~")), []byte("~")))
	text := src[r.Start.Byte:r.End.Byte]
	if !bytes.Equal(whole, text) {
		text = whole
		if _, isTuple := wrap.Wrapped.(*hclsyntax.TupleConsExpr); !isTuple && bytes.ContainsAny(whole, "#/") {
			return slices.Concat([]byte("("), whole, []byte("\n)"))
		}
	}
	return text
}

// standalone lays out an expression as the value of an argument. It adds parentheses if a line end would
// end the argument, or if more must follow on the line of a heredoc's end.
func (w *NativeWriter) standalone(text []byte, indent int, endsLine bool) []byte {
	if bytes.IndexByte(text, '\n') < 0 {
		return layout.Format(text)
	}
	const name = "x = "
	heredoc := bytes.Contains(text, []byte("<<"))
	_, diags := parse.Config(slices.Concat([]byte(name), text, []byte("\n")), "", hcl.InitialPos)
	if diags.HasErrors() || heredoc && !endsLine {
		text = slices.Concat([]byte("("), text, []byte("\n)"))
	}
	if heredoc {
		return text // the lines of a heredoc stay where they are
	}
	text = layout.Format(slices.Concat([]byte(name), text))[len(name):]
	return w.indented(text, indent)
}

// indented indents the lines of text except the first, and gives them the line ends of the file.
func (w *NativeWriter) indented(text []byte, indent int) (out []byte) {
	for i, line := range bytes.Split(text, []byte("\n")) {
		if i > 0 {
			out = append(out, w.File.LineEnd...)
		}
		if line = bytes.TrimSuffix(line, []byte("\r")); i > 0 && len(line) > 0 {
			out = AppendBlanks(out, indent)
		}
		out = append(out, line...)
	}
	return out
}

// source appends a string or a key whose text is native source already: a reference or, under AsSource, any
// expression. Other text goes in quotes, so that the judge of the argument refuses it. Errors are reported at
// the range at.
func (w *NativeWriter) source(dst []byte, at [2]uint32, text string, r Reading, indent int) []byte {
	// After a bracket or a brace, a reference to something called for would begin a for expression.
	if rest, ok := strings.CutPrefix(text, "for"); ok && (rest == "" || !spelling.IsName("a"+rest[:1])) {
		return append(dst, template.Quote(text)...)
	}
	if isPlainReference("${" + text + "}") {
		return append(dst, text...)
	}
	src := []byte(text)
	if diags := limits.CheckText(src, ""); diags.HasErrors() {
		w.fail(at, diags[0].Summary, diags[0].Detail)
		return append(dst, "null"...)
	}
	expr, diags := parse.Expression(src, "", hcl.Pos{})
	isType := r == AsSource // which may hold a heredoc, in the default of an attribute
	if diags.HasErrors() || !isType && strings.Contains(text, "<<") {
		return append(dst, template.Quote(text)...)
	}
	if !isType {
		if _, diags := parse.Traversal(src, "", hcl.Pos{}); diags.HasErrors() {
			return append(dst, template.Quote(text)...)
		}
	}
	if _, quoted := expr.(*hclsyntax.TemplateExpr); quoted {
		w.fail(at, "Invalid expression", "Remove the quotes inside the string: the string itself is the reference.")
	}
	return append(dst, w.standalone(src[expr.Range().Start.Byte:expr.Range().End.Byte], indent, isType)...)
}

// fitsHeredoc reports whether a heredoc can hold a text exactly and readably.
func (w *NativeWriter) fitsHeredoc(text string) bool {
	if w.Quote || !strings.HasSuffix(text, "\n") || strings.Count(text, "\n") < 2 {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && !template.IsVisible(r) })
}

// heredoc appends a heredoc with a marker that doesn't occur in the text.
func (w *NativeWriter) heredoc(dst []byte, text string) []byte {
	marker := "EOT"
	for i := 1; strings.Contains(text, marker); i++ {
		marker = "EOT" + strconv.Itoa(i)
	}
	return append(dst, "<<"+marker+"\n"+text+marker...)
}

// A NameSet remembers where each name was met first. Most sets are small, so the first names are in a list.
type NameSet struct {
	few  []namedAt
	many map[string][2]uint32
}

type namedAt struct {
	name string
	at   [2]uint32
}

// Met adds a name, and returns where it was met first: at itself if it is new.
func (s *NameSet) Met(name string, at [2]uint32) [2]uint32 {
	const few = 16
	for _, n := range s.few {
		if n.name == name {
			return n.at
		}
	}
	if first, ok := s.many[name]; ok {
		return first
	}
	if len(s.few) < few {
		s.few = append(s.few, namedAt{name, at})
		return at
	}
	if s.many == nil {
		s.many = map[string][2]uint32{}
	}
	s.many[name] = at
	return at
}

// A NameSets is a stock of empty sets, whose memory is reused.
type NameSets []*NameSet

// Get returns an empty set.
func (p *NameSets) Get() *NameSet {
	if n := len(*p); n > 0 {
		s := (*p)[n-1]
		*p = (*p)[:n-1]
		return s
	}
	return &NameSet{}
}

// Put takes back a set that is no longer needed.
func (p *NameSets) Put(s *NameSet) {
	s.few, s.many = s.few[:0], nil
	*p = append(*p, s)
}
