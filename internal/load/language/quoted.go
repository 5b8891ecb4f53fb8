package language

import (
	"path"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// ArgOf returns the shape of an argument, if the language has one for it where it is.
func ArgOf(a *source.Attr) (ArgShape, bool) {
	way := ""
	for b := a.Within(); b != nil; b = b.Within() {
		way = path.Join(b.Type, way)
	}
	return Of(a.File.Engine).At(way).Arg(a.Name)
}

// TakesQuotes reports whether a reference or keyword in quotes is the same to the engine as
// without them, wherever it is in the value of an argument.
func TakesQuotes(a *source.Attr) bool {
	arg, ok := ArgOf(a)
	return ok && kinds[arg.Kind].use == quotable
}

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
			if ref, isRef := unquote(e).(*hclsyntax.ScopeTraversalExpr); isRef {
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
