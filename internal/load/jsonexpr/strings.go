package jsonexpr

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/jsonstring"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/template"
)

var newline = []byte("\n")

// Strings of JSON in native syntax.

// key is the native text of an object's key.
func (w *Writer) key(v jsontree.Value, key string, r, outer jsonstring.Reading) string {
	name := key
	if r == jsonstring.AsTemplate {
		name = withoutMark(key)
	}
	switch {
	case spelling.IsNativeName(name) && !slices.Contains([]string{"true", "false", "null", "for"}, name):
		return name
	case outer.IsNative():
		return string(w.source(nil, v.Key(), key, outer, 0))
	case r != jsonstring.AsTemplate || !template.StartsSequence(key):
		return template.Quote(name)
	}
	text := string(w.str(nil, v.Key(), key, jsonstring.AsTemplate, 0, false))
	if strings.HasPrefix(text, `"`) {
		return text
	}
	if strings.Contains(text, "<<") {
		text += "\n" // it may be that a heredoc ends with it
	}
	return "(" + text + ")"
}

func (w *Writer) str(dst []byte, at [2]uint32, text string, r jsonstring.Reading, indent int, line bool) []byte {
	if r == jsonstring.AsTemplate {
		text = withoutMark(text)
	}
	switch {
	case r.IsNative():
		return w.source(dst, at, text, r, indent)
	case r != jsonstring.AsTemplate || !template.StartsSequence(text):
		if line && w.fitsHeredoc(text) {
			return w.heredoc(dst, template.Escape(text))
		}
		return append(dst, template.Quote(text)...)
	case isPlainReference(text):
		return append(dst, text[2:len(text)-1]...)
	}
	return w.template(dst, at, text, indent, line)
}

// withoutMark is the text of a template without the byte order mark at its start, which isn't a part of
// it to the engine.
func withoutMark(text string) string { return strings.TrimPrefix(text, string(spelling.UTF8BOM)) }

// isPlainReference reports whether a template is like ${var.x.y}, as most are.
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
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c == '-' || limits.IsDigit(c))) {
			return false
		}
	}
	return s != ""
}

// template appends a string that holds sequences.
func (w *Writer) template(dst []byte, at [2]uint32, text string, indent int, line bool) []byte {
	if quoted, ok := appendSimple(dst, text); ok {
		return quoted
	}
	src := []byte(text)
	if bytes.HasPrefix(src, spelling.UTF8BOM) {
		src = slices.Concat(spelling.UTF8BOM, src) // the lexer takes one away
	}
	if d := limits.CheckTemplate(src, hcl.Range{}); d != nil {
		w.Inexpressible(at, d.Summary, d.Detail)
		return append(dst, template.Quote(text)...)
	}
	expr, diags := parse.Template(src, "", hcl.Pos{})
	if diags.HasErrors() {
		w.Inexpressible(at, "Invalid template", diags.Errs()[0].(*hcl.Diagnostic).Detail+" The error would show only when the string is "+
			"evaluated. Fix it, or write $${ or %%{ for literal text.")
		return append(dst, template.Quote(text)...)
	}
	if wrap, ok := expr.(*hclsyntax.TemplateWrapExpr); ok {
		return append(dst, w.standalone(inner(src, wrap), indent, line)...)
	}
	if line && w.fitsHeredoc(text) {
		return w.heredoc(dst, text)
	}
	dst = append(dst, '"')
	dst = append(dst, template.Join(template.Split(src, parse.EachTemplateToken, false), template.EscapeQuoted)...)
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

// inner returns the text of a template's only expression as a complete expression.
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

// standalone is an expression's text as the value of an argument, laid out. One whose
// line ends would end the argument, or that ends with a heredoc where more follows on
// the line, is put in parentheses.
func (w *Writer) standalone(text []byte, indent int, line bool) []byte {
	if bytes.IndexByte(text, '\n') < 0 {
		return layout.Format(text)
	}
	const name = "x = "
	heredoc := bytes.Contains(text, []byte("<<"))
	_, diags := parse.Config(slices.Concat([]byte(name), text, newline), "", hcl.InitialPos)
	if diags.HasErrors() || heredoc && !line {
		text = slices.Concat([]byte("("), text, []byte("\n)"))
	}
	if heredoc {
		return text // the lines of a heredoc stay where they are
	}
	text = layout.Format(slices.Concat([]byte(name), text))[len(name):]
	return w.indented(text, indent)
}

// indented is text of several lines, the further ones indented, with the line
// ends of the file.
func (w *Writer) indented(text []byte, indent int) []byte {
	var out []byte
	for i, line := range bytes.Split(text, newline) {
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

// source appends text that is native source already. Other text is put in quotes, so
// that the judge of the argument refuses it.
func (w *Writer) source(dst []byte, at [2]uint32, text string, r jsonstring.Reading, indent int) []byte {
	if startsLikeFor(text) {
		return append(dst, template.Quote(text)...)
	}
	if isPlainReference("${" + text + "}") {
		return append(dst, text...)
	}
	src := []byte(text)
	if d := limits.CheckExpression(src, hcl.Range{}); d != nil {
		w.fail(at, d.Summary, d.Detail)
		return append(dst, "null"...)
	}
	expr, diags := parse.Expression(src, "", hcl.Pos{})
	isType := r == jsonstring.AsSource // which may hold a heredoc, in the default of an attribute
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

// startsLikeFor reports whether a reference is to something called for, which after a
// bracket or a brace would begin a for expression.
func startsLikeFor(text string) bool {
	rest, ok := strings.CutPrefix(text, "for")
	return ok && (rest == "" || !spelling.IsName("a"+rest[:1]))
}

// fitsHeredoc reports whether a heredoc can hold a text exactly and readably.
func (w *Writer) fitsHeredoc(text string) bool {
	if w.Quote || !strings.HasSuffix(text, "\n") || strings.Count(text, "\n") < 2 {
		return false
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && !template.IsVisible(r) {
			return false
		}
	}
	return true
}

// heredoc appends a heredoc with a marker that the text does not contain.
func (w *Writer) heredoc(dst []byte, text string) []byte {
	marker := "EOT"
	for i := 1; strings.Contains(text, marker); i++ {
		marker = "EOT" + strconv.Itoa(i)
	}
	return append(dst, "<<"+marker+"\n"+text+marker...)
}
