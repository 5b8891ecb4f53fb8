package source

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Most values that rules ask for are a word, a plain string or a reference. Their
// expressions are made without the parser, and are what it would make.

// PlainlyRefersTo reports whether the value surely refers to an attribute of a root, such as
// var.name. It takes no more than a look at its text, and where it says no, its expression
// may do so all the same.
func (a *Attr) PlainlyRefersTo(root, attr string) bool {
	if a.expr != nil || a.from != nil || a.File.Syntax != Native || a.File.Parsed {
		return false // the text may not be what the value is
	}
	text := a.File.Text(a.Value())
	for _, doubtful := range []string{`\`, "${", "%{", "<<", "#", "//", "/*", "for"} {
		if bytes.Contains(text, []byte(doubtful)) {
			return false // what follows may be text, or another thing of that name
		}
	}
	want := []byte(root + "." + attr)
	for at := 0; ; {
		n := bytes.Index(text[at:], want)
		if n < 0 {
			return false
		}
		at += n
		before, behind := text[:at], text[at+len(want):]
		isCode := bytes.Count(before, []byte(`"`))%2 == 0
		if isCode && !endsInName(before) && (len(behind) == 0 || isPlainlyBehind(behind[0])) {
			return true
		}
		at++
	}
}

// endsInName reports whether a name or a step follows what a text ends with, of which what
// comes next may be a part.
func endsInName(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n")
	if len(text) == 0 {
		return false
	}
	c := text[len(text)-1]
	return c == '.' || c == ':' || c >= 0x80 || startsName(c) || continuesName(c)
}

// isPlainlyBehind reports whether a byte ends a name, which may hold letters beyond ASCII.
func isPlainlyBehind(c byte) bool {
	return c < 0x80 && c != ':' && c != '(' && !startsName(c) && !continuesName(c)
}

// simpleExpr is the expression of a text of such a form, else nil. All of the text is on
// one line.
func simpleExpr(text []byte, at hcl.Range) hcl.Expression {
	switch string(text) {
	case "true":
		return &hclsyntax.LiteralValueExpr{Val: cty.True, SrcRange: at}
	case "false":
		return &hclsyntax.LiteralValueExpr{Val: cty.False, SrcRange: at}
	case "null":
		return &hclsyntax.LiteralValueExpr{Val: cty.NullVal(cty.DynamicPseudoType), SrcRange: at}
	}
	switch n := len(text); {
	case n >= 2 && text[0] == '"' && text[n-1] == '"':
		return plainString(text[1:n-1], at)
	case n > 0 && startsName(text[0]):
		return reference(text, at)
	}
	return nil
}

// plainString is a template of nothing but ASCII that stands for itself.
func plainString(inside []byte, at hcl.Range) hcl.Expression {
	for _, c := range inside {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '$' || c == '%' {
			return nil
		}
	}
	partAt := within(at, 1, 1+len(inside))
	if len(inside) == 0 {
		partAt = within(at, 2, 2) // behind the closing quote, as the parser has it
	}
	part := &hclsyntax.LiteralValueExpr{Val: cty.StringVal(string(inside)), SrcRange: partAt}
	return &hclsyntax.TemplateExpr{Parts: []hclsyntax.Expression{part}, SrcRange: at}
}

// reference is a name, or several with a dot between two of them.
func reference(text []byte, at hcl.Range) hcl.Expression {
	var steps hcl.Traversal
	for from := 0; from <= len(text); {
		end := from
		for end < len(text) && (startsName(text[end]) || end > from && continuesName(text[end])) {
			end++
		}
		if end == from || end < len(text) && text[end] != '.' {
			return nil
		}
		name := string(text[from:end])
		switch {
		case from > 0:
			steps = append(steps, hcl.TraverseAttr{Name: name, SrcRange: within(at, from-1, end)})
		case name == "true" || name == "false" || name == "null":
			return nil
		default:
			steps = append(steps, hcl.TraverseRoot{Name: name, SrcRange: within(at, from, end)})
		}
		from = end + 1
	}
	return &hclsyntax.ScopeTraversalExpr{Traversal: steps, SrcRange: at}
}

func startsName(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func continuesName(c byte) bool { return c >= '0' && c <= '9' || c == '-' }

// within is a part of a range of ASCII.
func within(r hcl.Range, from, to int) hcl.Range {
	part := hcl.Range{Filename: r.Filename, Start: r.Start, End: r.Start}
	part.Start.Byte += from
	part.Start.Column += from
	part.End.Byte += to
	part.End.Column += to
	return part
}
