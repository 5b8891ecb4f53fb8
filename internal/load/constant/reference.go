package constant

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// Unquote turns a reference or keyword that is written as a quoted string, the way of old releases,
// into what it spells. Other expressions are returned unchanged.
func Unquote(e hcl.Expression) hcl.Expression {
	if key, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok {
		e = key.Wrapped
	}
	if _, ok := e.(*hclsyntax.TemplateExpr); !ok {
		return e
	}
	v, diags := limits.Evaluate(e)
	if diags.HasErrors() {
		return e
	}
	ref, diags := parse.Traversal([]byte(v.AsString()), e.Range().Filename, e.Range().Start)
	if diags.HasErrors() {
		return e
	}
	return &hclsyntax.ScopeTraversalExpr{Traversal: ref, SrcRange: e.Range()}
}

// Keyword is the keyword that an expression consists of, in quotes or not, or "".
func Keyword(e hcl.Expression) string { return hcl.ExprAsKeyword(Unquote(e)) }

// Bare strips everything around an expression that doesn't change it: parentheses, a template with
// nothing but one interpolation, and, if hasQuotes is set, the quotes of a reference.
func Bare(e hcl.Expression, hasQuotes bool) hcl.Expression {
	for {
		switch inner := e.(type) {
		case *hclsyntax.ParenthesesExpr:
			e = inner.Expression
			continue
		case *hclsyntax.TemplateWrapExpr:
			e = inner.Wrapped
			continue
		case *hclsyntax.TemplateExpr:
			if !hasQuotes {
				break
			}
			if ref, isRef := Unquote(e).(*hclsyntax.ScopeTraversalExpr); isRef {
				return &hclsyntax.ScopeTraversalExpr{Traversal: ref.Traversal, SrcRange: insideQuotes(e.Range())}
			}
		}
		return e
	}
}

// insideQuotes is where the text of a string in quotes is.
func insideQuotes(at hcl.Range) hcl.Range {
	at.Start.Byte++
	at.Start.Column++
	at.End.Byte--
	at.End.Column--
	return at
}
