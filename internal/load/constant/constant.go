package constant

import (
	"errors"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Convert evaluates an argument that refers to nothing and converts its value to a
// type. Null is an error, as are values that do not convert.
func Convert(a *source.Attr, want cty.Type) (cty.Value, hcl.Diagnostics) {
	v, diags := evaluate(a)
	if diags.HasErrors() || v.Type() == want && !v.IsNull() {
		return v, diags
	}
	v, err := limits.Convert(v, want)
	switch {
	case errors.Is(err, limits.ErrCostly):
		return v, hcl.Diagnostics{limits.CostlyAt(a.Value())}
	case err != nil:
		return v, hcl.Diagnostics{unsuitable(a, want, err.Error())}
	}
	if v.IsNull() {
		return v, hcl.Diagnostics{unsuitable(a, want, "null is not allowed")}
	}
	return v, nil
}

// String is the text of an argument that holds a constant string, and
// whether it does.
func String(a *source.Attr) (string, bool) {
	v, diags := Convert(a, cty.String)
	if diags.HasErrors() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}

// Value is the value of an argument that refers to nothing, and whether it does.
func Value(a *source.Attr) (cty.Value, bool) {
	v, diags := evaluate(a)
	return v, !diags.HasErrors() && v.IsWhollyKnown()
}

// evaluate computes the value of an argument, the most frequent ones without an expression.
func evaluate(a *source.Attr) (cty.Value, hcl.Diagnostics) {
	if text, ok := a.PlainText(); ok {
		return cty.StringVal(string(text)), nil
	}
	switch string(a.Unparsed()) {
	case "true":
		return cty.True, nil
	case "false":
		return cty.False, nil
	}
	return limits.Evaluate(a.Expr())
}

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
				at := e.Range() // with the quotes
				at.Start.Byte, at.Start.Column, at.End.Byte, at.End.Column = at.Start.Byte+1, at.Start.Column+1, at.End.Byte-1, at.End.Column-1
				return &hclsyntax.ScopeTraversalExpr{Traversal: ref.Traversal, SrcRange: at}
			}
		}
		return e
	}
}

// A Switch is the setting of an argument that takes a constant bool, such as sensitive,
// ephemeral, const, nullable or enforced.
type Switch int

// The positions of a switch.
const (
	unset   Switch = iota // the argument is missing
	Off                   // false
	On                    // true
	Unclear               // the argument has a value, but not a constant bool
)

// SwitchOf reads an argument, or nil for a missing one, as engines read such arguments: a string
// that converts to a bool is that bool. Null, a reference and anything else is Unclear; the kind
// Setting, which judges the value, explains why.
func SwitchOf(a *source.Attr) Switch {
	if a == nil {
		return unset
	}
	switch v, diags := Convert(a, cty.Bool); {
	case diags.HasErrors():
		return Unclear
	case v.True():
		return On
	}
	return Off
}

// IsOn reports whether an argument is given and true.
func IsOn(a *source.Attr) bool { return SwitchOf(a) == On }

func unsuitable(a *source.Attr, want cty.Type, why string) *hcl.Diagnostic {
	if why == "a "+want.FriendlyName()+" is required" {
		return diag.New(a.Value(), "Unsuitable value type", "The argument %s must be a constant %s.", a.Name,
			want.FriendlyName())
	}
	return diag.New(a.Value(), "Unsuitable value type", "The argument %s must be a constant %s: %s.", a.Name,
		want.FriendlyName(), why)
}
