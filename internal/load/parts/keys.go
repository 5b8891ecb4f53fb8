package parts

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/zclconf/go-cty/cty"
)

// Keys returns the keys of an object, and reports whether all of them are known and
// none is there twice.
func Keys(e *hclsyntax.ObjectConsExpr) ([]string, bool) {
	names := make([]string, len(e.Items))
	seen := make(map[string]bool, len(e.Items))
	for i, item := range e.Items {
		name, ok := Key(item.KeyExpr)
		if !ok || seen[name] {
			return nil, false
		}
		names[i], seen[name] = name, true
	}
	return names, true
}

// Key returns a key: a word, a constant string, a constant in brackets, or a reference
// that stands for itself, as in providers = { aws.west = aws.east }.
func Key(e hcl.Expression) (string, bool) {
	cons, ok := e.(*hclsyntax.ObjectConsKeyExpr)
	if !ok {
		return "", false
	}
	if word := hcl.ExprAsKeyword(cons); word != "" {
		return spelling.Normal(word), true
	}
	if t, ok := cons.Wrapped.(*hclsyntax.ScopeTraversalExpr); ok && !cons.ForceNonLiteral {
		text, ok := TraversalText(t.Traversal)
		return spelling.Normal(text), ok
	}
	if !IsPlain(cons.Wrapped) {
		return "", false
	}
	v, diags := limits.Evaluate(cons.Wrapped)
	if diags.HasErrors() {
		return "", false
	}
	v, err := limits.Convert(v, cty.String)
	if err != nil || v.IsNull() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}

// TraversalText is a reference of one or two names with a dot between them.
func TraversalText(t hcl.Traversal) (string, bool) {
	text := ""
	for i, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			text = s.Name
		case hcl.TraverseAttr:
			text += "." + s.Name
		default:
			return "", false
		}
		if i > 1 {
			return "", false
		}
	}
	return text, true
}

// IsPlain reports whether an expression is a constant that takes no more work to evaluate than to
// parse.
func IsPlain(e hcl.Expression) bool {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.ParenthesesExpr:
		return IsPlain(e.Expression)
	case *hclsyntax.UnaryOpExpr:
		_, ok := e.Val.(*hclsyntax.LiteralValueExpr)
		return ok
	case *hclsyntax.TemplateExpr:
		for _, p := range e.Parts {
			if l, ok := p.(*hclsyntax.LiteralValueExpr); !ok || l.Val.Type() != cty.String {
				return false
			}
		}
		return true
	}
	return false
}
