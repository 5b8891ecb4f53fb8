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
	Quote     bool             // write no heredoc
	Silent    bool             // report nothing
	Diags     *hcl.Diagnostics // the engine's refusals when it loads the file
	MarkParts bool             // collect marks: which part of the text comes from which value
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

// fail reports an error because of which the engine refuses to load the file.
func (w *NativeWriter) fail(at [2]uint32, title, detail string) {
	if !w.Silent {
		*w.Diags = append(*w.Diags, diag.New(w.File.RawRange(at), title, "%s", detail))
	}
}

// Inexpressible reports a value that the engine loads, but that native syntax can't express.
func (w *NativeWriter) Inexpressible(at [2]uint32, title, detail string) {
	if !w.Silent {
		w.File.NoteInexpressible(at[0], diag.New(w.File.RawRange(at), title, "%s", detail))
	}
}

// inlineWidth is the greatest length of an array on one line, its brackets included.
const inlineWidth = 72

// Write appends a value's native text. r says what its strings mean. Further lines of the text are indented by
// indent. endsLine tells that nothing follows the value on its line, so it may be a heredoc.
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

// AppendBlanks appends n blanks to a text.
func AppendBlanks(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

// array appends an array. If it holds arrays or objects, each element takes a line of its own.
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

// flatArray appends an array without arrays and objects in it. It tries one line; if that gets longer than
// inlineWidth, it drops the text and its marks, and starts again with a line for each element.
func (w *NativeWriter) flatArray(dst []byte, v Value, r Reading, indent int) []byte {
	start, marks := len(dst), len(w.values)
	// The closing bracket replaces the separator behind the last element.
	isTooLong := func() bool { return len(dst)-start-len(", ")+len("]") > inlineWidth }
	reported := 0 // how many elements the first attempt has written, and reported the errors of
	dst = append(dst, '[')
	for c := range v.Children() {
		dst = append(w.Write(dst, c, r, indent+2, false), ", "...)
		reported++
		if isTooLong() {
			break
		}
	}
	if !isTooLong() && bytes.IndexByte(dst[start:], '\n') < 0 {
		return append(dst[:len(dst)-len(", ")], ']')
	}
	// Once more from behind the opening bracket, with a line for each element.
	isSilent, written := w.Silent, 0
	dst, w.values = dst[:start+1], w.values[:marks]
	for c := range v.Children() {
		w.Silent = isSilent || written < reported // no error twice
		dst = append(w.Write(w.newline(dst, indent+2), c, r, indent+2, false), ',')
		written++
	}
	w.Silent = isSilent
	return append(w.newline(dst, indent), ']')
}

// A Line is a member of an object, or an argument of a body, whose text waits: its equals sign is to be aligned with
// those of its neighbours.
type Line struct {
	layout.Column
	key        [2]uint32
	Start, End int // of the value, in the text of all waiting values
	marksAfter int // how many marks there are after those of the value
}

// An objectWriter writes the members of one object. Members of one line wait in run until the last of their
// neighbours is known, because their equals signs are aligned.
type objectWriter struct {
	*NativeWriter
	indent      int // the blanks before each member
	run         []Line
	valueText   []byte // the values of run, one after the other
	marksBefore int    // how many marks there are before those of run
}

// object appends an object, one member on each line, and reports each key that is there already. In an entry of
// required_providers (AsRequirement), strings are plain text, except for the references of configuration_aliases.
// Members wait in o until their columns are known: writeRun aligns and writes those that wait.
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
			w.reportDuplicate(c, r)
		}
		memberReading := r
		if r == AsRequirement {
			memberReading = AsText
			if key == "configuration_aliases" {
				memberReading = AsReference
			}
		}
		dst = o.member(dst, c, w.key(c, key, memberReading, r), memberReading)
	}
	dst = w.newline(o.writeRun(dst), indent)
	return append(dst, '}')
}

// reportDuplicate reports a key that an object has twice. If its strings are constants (AsText), the engine fails to
// load the file; if they are templates, only when it evaluates the object. In an entry of required_providers, the
// engine takes the last value and doesn't fail.
func (w *NativeWriter) reportDuplicate(v Value, r Reading) {
	const title, detail = "Duplicate object attribute", "An object can't have the same key twice. Remove one."
	switch r {
	case AsText:
		w.fail(v.Key(), title, detail)
	case AsTemplate:
		w.Inexpressible(v.Key(), title, detail)
	}
}

// member adds a member to the run, to be written by writeRun. If it takes several lines, its equals sign isn't
// aligned: it writes the run, and then the member itself.
func (o *objectWriter) member(dst []byte, v Value, name string, r Reading) []byte {
	if v.Kind() == '{' && !v.IsEmpty() || v.Kind() == '[' && v.HoldsNested() {
		dst = o.writeRun(dst)
		dst = o.newline(dst, o.indent)
		dst = append(o.appendName(dst, name, v.Key()), " = "...)
		return o.Write(dst, v, r, o.indent, true)
	}
	// The first member of a run: the next marks are those to shift when the run is written.
	if len(o.run) == 0 {
		o.marksBefore = len(o.NativeWriter.values)
	}
	// The value's text waits as valueText[l.Start:l.End].
	l := Line{Column: layout.Column{Name: name}, key: v.Key(), Start: len(o.valueText)}
	o.valueText = o.Write(o.valueText, v, r, o.indent, true)
	l.End, l.marksAfter = len(o.valueText), len(o.NativeWriter.values)
	l.Single = layout.IsInColumn(o.valueText[l.Start:]) // its equals sign is aligned with others
	o.run = append(o.run, l)
	return dst
}

// appendName appends a member's name, and marks it as coming from the range key.
func (o *objectWriter) appendName(dst []byte, name string, key [2]uint32) []byte {
	start := len(dst)
	dst = append(dst, name...)
	if o.MarkParts {
		o.keys = append(o.keys, Mark{start, len(dst), key})
	}
	return dst
}

// writeRun appends the members of the run with their equals signs aligned, and empties the run. The marks of a
// value, which tell which part of the text comes from which JSON value, count from the start of valueText: writeRun
// shifts them to where the value is now.
func (o *objectWriter) writeRun(dst []byte) []byte {
	layout.Align(len(o.run), func(i int) *layout.Column { return &o.run[i].Column })
	mark := o.marksBefore // the next one to move
	for _, l := range o.run {
		dst = o.newline(dst, o.indent)
		dst = AppendBlanks(o.appendName(dst, l.Name, l.key), l.Padding)
		dst = append(dst, " = "...)
		shift := len(dst) - l.Start // from valueText to dst
		dst = append(dst, o.valueText[l.Start:l.End]...)
		for ; mark < l.marksAfter; mark++ {
			o.NativeWriter.values[mark].Start += shift
			o.NativeWriter.values[mark].End += shift
		}
	}
	o.run, o.valueText = o.run[:0], o.valueText[:0]
	return dst
}

// Strings of JSON in native syntax.

// key returns the native text of an object's key. r is the reading of the member's value, objectReading that of the
// object: if that is native, the key is source text. A template with sequences becomes a quoted string, or an
// expression in parentheses.
func (w *NativeWriter) key(v Value, key string, r, objectReading Reading) string {
	name := key
	if r == AsTemplate {
		name = trimByteOrderMark(key)
	}
	switch {
	case template.IsBareKey(name):
		return name
	case objectReading.IsNative():
		return string(w.source(nil, v.Key(), key, objectReading, 0))
	case r != AsTemplate || !template.StartsSequence(key): // plain text
		return template.Quote(name)
	}
	text := string(w.str(nil, v.Key(), key, AsTemplate, 0, false))
	if strings.HasPrefix(text, `"`) {
		return text
	}
	if strings.Contains(text, "<<") {
		text += "\n" // a heredoc that ends the text needs it behind its marker
	}
	return "(" + text + ")"
}

// str appends a string from the range at: native source as it is, plain text in quotes or as a heredoc, a template
// like ${var.x} as the reference alone, and other templates as template does.
func (w *NativeWriter) str(dst []byte, at [2]uint32, text string, r Reading, indent int, endsLine bool) []byte {
	if r == AsTemplate {
		text = trimByteOrderMark(text)
	}
	switch {
	case r.IsNative():
		return w.source(dst, at, text, r, indent)
	case r != AsTemplate || !template.StartsSequence(text): // plain text
		if endsLine && w.fitsHeredoc(text) {
			return w.heredoc(dst, template.Escape(text))
		}
		return append(dst, template.Quote(text)...)
	case isPlainReference(text):
		return append(dst, text[2:len(text)-1]...) // without ${ and }
	}
	return w.template(dst, at, text, indent, endsLine)
}

// trimByteOrderMark returns a template without the byte order mark at its start, which the engine skips.
func trimByteOrderMark(text string) string { return strings.TrimPrefix(text, string(spelling.UTF8BOM)) }

// isPlainReference reports whether a template is a single reference without brackets, such as ${var.x.y}. Most
// templates are, and don't need the parser.
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

// isASCIIName reports whether s is an identifier of ASCII characters only.
func isASCIIName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c == '-' || limits.IsDigit(c))) {
			return false
		}
	}
	return s != ""
}

// template appends a string that holds sequences such as ${...}. If it is a single sequence, that becomes an
// expression; otherwise it becomes a heredoc or a quoted template. It reports one with an error as inexpressible,
// and appends it as literal text.
func (w *NativeWriter) template(dst []byte, at [2]uint32, text string, indent int, endsLine bool) []byte {
	// Most templates need no parser.
	if quoted, ok := appendSimple(dst, text); ok {
		return quoted
	}
	src := []byte(text)
	if bytes.HasPrefix(src, spelling.UTF8BOM) {
		src = slices.Concat(spelling.UTF8BOM, src) // the lexer takes one away
	}
	// The engine loads a JSON string that has an error, but refuses the same in native syntax.
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
		return append(dst, w.standalone(wrappedText(src, wrap), indent, endsLine)...)
	}
	// Text with sequences: a heredoc if it is whole lines, otherwise quoted.
	if endsLine && w.fitsHeredoc(text) {
		return w.heredoc(dst, text)
	}
	dst = append(dst, '"')
	dst = append(dst, template.Join(template.Split(src, parse.EachTemplateToken, false), template.EscapeQuoted)...)
	return append(dst, '"')
}

// appendSimple appends, in quotes and without the parser, a template of one line whose only sequences are plain
// references such as ${var.x}. For any other, ok is false and it appends nothing.
func appendSimple(dst []byte, text string) ([]byte, bool) {
	start := len(dst)
	dst = append(dst, '"')
	for {
		before, rest, more := strings.Cut(text, "${")
		// A % may start a directive.
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
		// The sequence must be a plain reference, maybe with blanks around it.
		end := strings.IndexByte(rest, '}') + 1
		if end == 0 || !isPlainReference("${"+strings.Trim(rest[:end-1], " ")+"}") {
			return dst[:start], false
		}
		dst = append(append(dst, "${"...), rest[:end]...)
		text = rest[end:]
	}
}

// wrappedText returns the text of the only expression in a template "${...}", with the comments around it. If there
// may be comments, it adds parentheses and a line end: behind "# c", the next character would belong to the comment,
// and without parentheses a line end would end the argument.
func wrappedText(src []byte, wrap *hclsyntax.TemplateWrapExpr) []byte {
	r := wrap.Wrapped.Range()
	whole := bytes.TrimSuffix(bytes.TrimPrefix(src, []byte("${")), []byte("}"))
	whole = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(whole, []byte("~")), []byte("~")))
	if bytes.Equal(whole, src[r.Start.Byte:r.End.Byte]) {
		return whole // there is nothing around the expression
	}
	if bytes.ContainsAny(whole, "#/") { // there may be comments
		return slices.Concat([]byte("("), whole, []byte("\n)"))
	}
	return whole // something else, such as parentheses, which aren't in the range of the expression
}

// standalone lays out an expression as the value of an argument. It adds parentheses in two cases: a line end in the
// expression would end the argument, as in "a\n+ b", or there is a heredoc and endsLine is false, which means that
// more follows on the line where the value ends.
func (w *NativeWriter) standalone(text []byte, indent int, endsLine bool) []byte {
	if bytes.IndexByte(text, '\n') < 0 {
		return layout.Format(text)
	}
	const name = "x = " // makes the text an argument, to parse and format it as one
	heredoc := bytes.Contains(text, []byte("<<"))
	// Only parsing tells whether a line end in the text ends the argument.
	_, diags := parse.Config(slices.Concat([]byte(name), text, []byte("\n")), "", hcl.InitialPos)
	if diags.HasErrors() || heredoc && !endsLine {
		text = slices.Concat([]byte("("), text, []byte("\n)"))
	}
	if heredoc {
		return text // indented, the lines of a heredoc would mean something else
	}
	text = layout.Format(slices.Concat([]byte(name), text))[len(name):]
	return w.indented(text, indent)
}

// indented returns text with all lines but the first indented, and with the line ends of the file.
func (w *NativeWriter) indented(text []byte, indent int) (out []byte) {
	for i, line := range bytes.Split(text, []byte("\n")) {
		if i > 0 {
			out = append(out, w.File.LineEnd...)
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if i > 0 && len(line) > 0 {
			out = AppendBlanks(out, indent)
		}
		out = append(out, line...)
	}
	return out
}

// source appends a string or key whose text is native source: a reference or, under AsSource, any expression. It
// puts other text in quotes, so that the check of the argument refuses it. It reports errors at the range at.
func (w *NativeWriter) source(dst []byte, at [2]uint32, text string, r Reading, indent int) []byte {
	// After a bracket or a brace, a reference to something called for would begin a for expression.
	rest, startsWithFor := strings.CutPrefix(text, "for")
	isForAlone := startsWithFor && (rest == "" || !spelling.IsName("a"+rest[:1])) // rest doesn't go on as in format
	if isForAlone {
		return append(dst, template.Quote(text)...)
	}
	// Most texts are references, and need no parser.
	if isPlainReference("${" + text + "}") {
		return append(dst, text...)
	}
	src := []byte(text)
	if diags := limits.CheckText(src, ""); diags.HasErrors() {
		w.fail(at, diags[0].Summary, diags[0].Detail)
		return append(dst, "null"...)
	}
	expr, diags := parse.Expression(src, "", hcl.Pos{})
	takesAny := r == AsSource // any expression, even a heredoc in the default of an attribute
	if diags.HasErrors() || !takesAny && strings.Contains(text, "<<") {
		return append(dst, template.Quote(text)...)
	}
	if !takesAny { // only a reference
		if _, diags := parse.Traversal(src, "", hcl.Pos{}); diags.HasErrors() {
			return append(dst, template.Quote(text)...)
		}
	}
	if _, quoted := expr.(*hclsyntax.TemplateExpr); quoted {
		w.fail(at, "Invalid expression", "Remove the quotes inside the string: the string itself is the reference.")
	}
	return append(dst, w.standalone(src[expr.Range().Start.Byte:expr.Range().End.Byte], indent, takesAny)...)
}

// fitsHeredoc reports whether a heredoc can hold a text exactly and readably: at least two whole lines of visible
// characters.
func (w *NativeWriter) fitsHeredoc(text string) bool {
	if w.Quote || !strings.HasSuffix(text, "\n") || strings.Count(text, "\n") < 2 {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && !template.IsVisible(r) })
}

// heredoc appends a heredoc with a marker that doesn't occur in its text: EOT, or EOT1 and so on.
func (w *NativeWriter) heredoc(dst []byte, text string) []byte {
	marker := "EOT"
	for i := 1; strings.Contains(text, marker); i++ {
		marker = "EOT" + strconv.Itoa(i)
	}
	return append(dst, "<<"+marker+"\n"+text+marker...)
}

// A NameSet remembers the range where each name occurred first. The first 16 names are in a list, as most sets are
// small.
type NameSet struct {
	few  []namedAt
	many map[string][2]uint32
}

// A namedAt is a name and the range where it occurred first.
type namedAt struct {
	name string
	at   [2]uint32
}

// Met adds a name that occurs at a range, and returns the range where it occurred first: at itself if it is new.
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

// A NameSets is a stock of empty sets, kept so that their memory is used again.
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

// Put empties a set that is no longer needed, and takes it back.
func (p *NameSets) Put(s *NameSet) {
	s.few, s.many = s.few[:0], nil
	*p = append(*p, s)
}
