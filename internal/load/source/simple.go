package source

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Most values that rules need are a word, a plain string, a whole number or a reference, or objects
// and lists of these. Their expressions are made without the parser, and equal the parser's.

// simpleValue is the expression of a text in one line that is neither an object nor a list.
func simpleValue(text []byte, at hcl.Range) hcl.Expression {
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
	case n > 0 && n <= maxSimpleDigits && isNumber(text):
		return &hclsyntax.LiteralValueExpr{Val: cty.MustParseNumberVal(string(text)), SrcRange: at}
	}
	return nil
}

// maxSimpleDigits is how many digits a number has at most.
const maxSimpleDigits = 15

func isNumber(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// plainString is a template of nothing but ASCII that stands for itself.
func plainString(inside []byte, at hcl.Range) hcl.Expression {
	if !isPlain(inside) {
		return nil
	}
	partAt := within(at, 1, 1+len(inside))
	if len(inside) == 0 {
		partAt = within(at, 2, 2) // behind the closing quote, as the parser has it
	}
	part := &hclsyntax.LiteralValueExpr{Val: cty.StringVal(string(inside)), SrcRange: partAt}
	return &hclsyntax.TemplateExpr{Parts: []hclsyntax.Expression{part}, SrcRange: at}
}

// isPlain reports whether a text in quotes is the value that it stands for.
func isPlain(inside []byte) bool {
	for _, c := range inside {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '$' || c == '%' {
			return false
		}
	}
	return true
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
