package load

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// A Reading says what a string in JSON stands for.
type Reading int

const (
	AsTemplate    Reading = iota // a template
	AsText                       // itself
	AsSource                     // native source text, such as a reference or a type
	AsRequirement                // an entry of required_providers
)

// Reading is how strings of an argument are read. Observed with OpenTofu 1.12.6.
func (k Kind) Reading() Reading {
	switch k {
	case Expression, Condition, Inert, Constant:
		return AsTemplate
	case Type, Reference, References, ProviderRef, ProviderMap, IgnoreList, TriggerList,
		When, OnFailure, ImportAddress, Method, Edition, Experiments:
		return AsSource
	case Requirement:
		return AsRequirement
	}
	return AsText
}

// words writes JSON values in native syntax, laid out as tofu fmt does.
type words struct {
	eol   string
	quote bool   // all strings are quoted, also those that heredocs could say
	marks []mark // where each value went, if marking
	mark  bool
	doubt func([2]uint32, string, string) // told what native syntax can't say
}

// A mark tells that the text from start to end says the JSON value at json.
type mark struct {
	start, end int
	json       [2]uint32
}

// inlineWidth is how long an array may be that stands on one line.
const inlineWidth = 72

// value appends a value's native text. line tells that nothing but the end of a
// line follows it, as a heredoc wants.
func (w *words) value(dst []byte, v jsonValue, r Reading, indent int, line bool) []byte {
	start := len(dst)
	switch v.kind() {
	case '{':
		dst = w.object(dst, v, r, indent)
	case '[':
		dst = w.array(dst, v, r, indent)
	case '"':
		dst = w.str(dst, v.span(), v.text(), r, indent, line)
	default:
		dst = append(dst, v.raw()...)
	}
	if w.mark {
		w.marks = append(w.marks, mark{start, len(dst), v.span()})
	}
	return dst
}

func (w *words) newline(dst []byte, indent int) []byte {
	dst = append(dst, w.eol...)
	return appendBlanks(dst, indent)
}

func appendBlanks(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

func (w *words) array(dst []byte, v jsonValue, r Reading, indent int) []byte {
	if v.node().empty {
		return append(dst, "[]"...)
	}
	start, marks := len(dst), len(w.marks)
	if !v.holds('{') && !v.holds('[') {
		dst = append(dst, '[')
		for c := range v.children() {
			if len(dst) > start+1 {
				dst = append(dst, ", "...)
			}
			dst = w.value(dst, c, r, indent, false)
		}
		dst = append(dst, ']')
		if len(dst)-start <= inlineWidth && bytes.IndexByte(dst[start:], '\n') < 0 {
			return dst
		}
		dst, w.marks = dst[:start], w.marks[:marks]
	}
	dst = append(dst, '[')
	for c := range v.children() {
		dst = w.newline(dst, indent+2)
		dst = w.value(dst, c, r, indent+2, false)
		dst = append(dst, ',')
	}
	dst = w.newline(dst, indent)
	return append(dst, ']')
}

// holds tells whether an element of an array is of a kind.
func (v jsonValue) holds(kind byte) bool {
	for c := range v.children() {
		if c.kind() == kind {
			return true
		}
	}
	return false
}

// A line is a name and a value on their way to be laid out in columns.
type line struct {
	name       string
	start, end int // the value, in the text that was made
	marks      int // how many marks there are once the value was made
	single     bool
	padding    int
}

func (w *words) object(dst []byte, v jsonValue, r Reading, indent int) []byte {
	if v.node().empty {
		return append(dst, "{}"...)
	}
	start, marks := len(dst), len(w.marks)
	var lines []line
	seen := map[string]bool{}
	for c := range v.children() {
		key := c.name()
		if seen[key] && r == AsTemplate {
			w.doubt(c.key(), "Duplicate object attribute", "The engine refuses an object that has a key twice as soon as it evaluates it, and native syntax has nothing like it. Remove one.")
		}
		seen[key] = true
		inner := r
		if r == AsRequirement {
			inner = AsText
			if key == "configuration_aliases" {
				inner = AsSource
			}
		}
		l := line{name: w.key(c, key, inner, r), start: len(dst)}
		dst = w.value(dst, c, inner, indent+2, true)
		l.end, l.marks = len(dst), len(w.marks)
		l.single = isOneLine(dst[l.start:])
		lines = append(lines, l)
	}
	align(lines)
	made := bytes.Clone(dst[start:])
	dst = append(dst[:start], '{')
	for _, l := range lines {
		dst = w.newline(dst, indent+2)
		dst = append(dst, l.name...)
		dst = appendBlanks(dst, l.padding)
		dst = append(dst, " = "...)
		shift := len(dst) - l.start
		dst = append(dst, made[l.start-start:l.end-start]...)
		for ; marks < l.marks; marks++ {
			w.marks[marks].start += shift
			w.marks[marks].end += shift
		}
	}
	dst = w.newline(dst, indent)
	return append(dst, '}')
}

// isOneLine tells values that take part in columns: those of one line, and
// heredocs, of which the first line does.
func isOneLine(value []byte) bool {
	return bytes.IndexByte(value, '\n') < 0 || bytes.HasPrefix(value, []byte("<<"))
}

// align pads names so that the equals signs of neighbours stand in one column.
func align(lines []line) {
	for i := 0; i < len(lines); {
		if !lines[i].single {
			i++
			continue
		}
		j, width := i, 0
		for ; j < len(lines) && lines[j].single; j++ {
			width = max(width, utf8.RuneCountInString(lines[j].name))
		}
		for ; i < j; i++ {
			lines[i].padding = width - utf8.RuneCountInString(lines[i].name)
		}
	}
}

// key is the native text of an object's key.
func (w *words) key(v jsonValue, key string, r, outer Reading) string {
	switch {
	case isBareKey(key):
		return key
	case outer == AsSource:
		return string(w.source(nil, key, 0))
	case r != AsTemplate || !startsSequence(key):
		return Quote(key)
	}
	text := string(w.str(nil, v.key(), key, AsTemplate, 0, false))
	if strings.HasPrefix(text, `"`) {
		return text
	}
	return "(" + text + ")"
}

// isBareKey tells names that an object may have for a key without quotes.
func isBareKey(s string) bool {
	return isName(s) && s != "true" && s != "false" && s != "null" && s != "for"
}

func (w *words) str(dst []byte, at [2]uint32, text string, r Reading, indent int, line bool) []byte {
	switch {
	case r == AsSource:
		return w.source(dst, text, indent)
	case r != AsTemplate || !startsSequence(text):
		if line && w.fitsHeredoc(text) {
			return w.heredoc(dst, EscapeTemplate(text))
		}
		return append(dst, Quote(text)...)
	case isPlainReference(text):
		return append(dst, text[2:len(text)-1]...)
	}
	return w.template(dst, at, text, indent, line)
}

// isPlainReference tells templates such as ${var.x.y}, which most are.
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

func isASCIIName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c == '-' || isDigit(c))) {
			return false
		}
	}
	return s != ""
}

// template appends a string that holds sequences.
func (w *words) template(dst []byte, at [2]uint32, text string, indent int, line bool) []byte {
	if quoted, ok := appendSimple(dst, text); ok {
		return quoted
	}
	src := []byte(text)
	expr, diags := w.parse(src)
	if diags.HasErrors() {
		w.doubt(at, "Invalid template", "No expression says this: "+firstDetail(diags)+" The engine does not look at it before it evaluates it. Mend it, or write $${ or %%{ where the text itself is meant.")
		return append(dst, Quote(text)...)
	}
	if wrap, ok := expr.(*hclsyntax.TemplateWrapExpr); ok {
		return append(dst, w.standalone(inner(src, wrap), indent)...)
	}
	tokens, _ := hclsyntax.LexTemplate(src, "", hcl.Pos{})
	if line && w.fitsHeredoc(text) {
		return w.heredoc(dst, text)
	}
	dst = append(dst, '"')
	dst = append(dst, TemplateText(TemplatePieces(src, 0, tokens, false), escapeQuoted)...)
	return append(dst, '"')
}

// appendSimple appends a template of one line that holds nothing but text and
// sequences such as ${var.x}, which is understood without being parsed.
func appendSimple(dst []byte, text string) ([]byte, bool) {
	start := len(dst)
	dst = append(dst, '"')
	for {
		before, rest, more := strings.Cut(text, "${")
		if strings.ContainsAny(before, "%\n\r") {
			return dst[:start], false
		}
		dst = append(dst, escapeQuoted(before)...)
		if !more {
			return append(dst, '"'), true
		}
		end := strings.IndexByte(rest, '}') + 1
		if end == 0 || strings.HasSuffix(before, "$") || !isPlainReference("${"+rest[:end]) {
			return dst[:start], false
		}
		dst = append(append(dst, "${"...), rest[:end]...)
		text = rest[end:]
	}
}

// parse parses a template, unless it nests too deep to be parsed.
func (w *words) parse(src []byte) (hclsyntax.Expression, hcl.Diagnostics) {
	if len(src) > MaxDepth {
		if suspect, _ := scanDepth(src); suspect {
			tokens, _ := hclsyntax.LexTemplate(src, "", hcl.InitialPos)
			if at := tooDeep(tokens); at != nil {
				return nil, hcl.Diagnostics{nestedTooDeep(*at)}
			}
		}
	}
	return hclsyntax.ParseTemplate(src, "", hcl.Pos{})
}

func firstDetail(diags hcl.Diagnostics) string { return diags.Errs()[0].(*hcl.Diagnostic).Detail }

// inner is the text of a template's only expression, as it can stand by itself.
func inner(src []byte, wrap *hclsyntax.TemplateWrapExpr) []byte {
	r := wrap.Wrapped.Range()
	whole := bytes.TrimSpace(trimSequence(src))
	text := src[r.Start.Byte:r.End.Byte]
	if !bytes.Equal(whole, text) {
		text = whole
		if _, isTuple := wrap.Wrapped.(*hclsyntax.TupleConsExpr); !isTuple && bytes.ContainsAny(whole, "#/") {
			return slices.Concat([]byte("("), whole, []byte("\n)"))
		}
	}
	return text
}

// trimSequence takes the marks of ${...} away.
func trimSequence(src []byte) []byte {
	src = bytes.TrimSuffix(bytes.TrimPrefix(src, []byte("${")), []byte("}"))
	return bytes.TrimSuffix(bytes.TrimPrefix(src, []byte("~")), []byte("~"))
}

// standalone is an expression's text as it can stand behind an equals sign,
// laid out. One whose lines would end it there is put in parentheses.
func (w *words) standalone(text []byte, indent int) []byte {
	if bytes.IndexByte(text, '\n') < 0 {
		return hclwrite.Format(text)
	}
	const name = "x = "
	if _, diags := hclsyntax.ParseConfig(slices.Concat([]byte(name), text, newline), "", hcl.InitialPos); diags.HasErrors() {
		text = slices.Concat([]byte("("), text, []byte("\n)"))
	}
	if bytes.Contains(text, []byte("<<")) {
		return text // the lines of a heredoc stay where they are
	}
	text = hclwrite.Format(slices.Concat([]byte(name), text))[len(name):]
	return w.indented(text, indent)
}

// indented is text of several lines, the further ones indented, with the line
// ends of the file.
func (w *words) indented(text []byte, indent int) []byte {
	var out []byte
	for i, line := range bytes.Split(text, newline) {
		if i > 0 {
			out = append(out, w.eol...)
		}
		if line = bytes.TrimSuffix(line, []byte("\r")); i > 0 && len(line) > 0 {
			out = appendBlanks(out, indent)
		}
		out = append(out, line...)
	}
	return out
}

// source appends text that is native source already, in quotes where it is none.
func (w *words) source(dst []byte, text string, indent int) []byte {
	if isPlainReference("${" + text + "}") {
		return append(dst, text...)
	}
	src := []byte(text)
	if strings.ContainsAny(text, "#\r") || strings.Contains(text, "/*") || strings.Contains(text, "//") || strings.Contains(text, "<<") {
		return append(dst, Quote(text)...)
	}
	if len(src) > MaxDepth {
		return append(dst, Quote(text)...)
	}
	if _, diags := hclsyntax.ParseExpression(src, "", hcl.InitialPos); diags.HasErrors() {
		return append(dst, Quote(text)...)
	}
	return append(dst, w.standalone(bytes.TrimSpace(src), indent)...)
}

// fitsHeredoc tells text that a heredoc says exactly and readably.
func (w *words) fitsHeredoc(text string) bool {
	if w.quote || !strings.HasSuffix(text, "\n") || strings.Count(text, "\n") < 2 {
		return false
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && !isVisible(r) {
			return false
		}
	}
	return true
}

// heredoc appends a heredoc whose marker does not stand in the text.
func (w *words) heredoc(dst []byte, text string) []byte {
	marker := "EOT"
	for i := 1; strings.Contains(text, marker); i++ {
		marker = "EOT" + strconv.Itoa(i)
	}
	return append(dst, "<<"+marker+"\n"+text+marker...)
}
