package language

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// constant evaluates an argument that refers to nothing and converts its value to a
// type. Null is an error, as are values that do not convert.
func constant(a *source.Attr, want cty.Type) (cty.Value, hcl.Diagnostics) {
	if want == cty.String {
		if text, ok := a.PlainText(); ok {
			return cty.StringVal(string(text)), nil
		}
	}
	v, diags := limits.Evaluate(a.Expr())
	if diags.HasErrors() {
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

// ConstantString is the text of an argument that holds a constant string, and
// whether it does.
func ConstantString(a *source.Attr) (string, bool) {
	if text, ok := a.PlainText(); ok {
		return string(text), true
	}
	v, diags := constant(a, cty.String)
	if diags.HasErrors() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}

// ConstantValue is the value of an argument that refers to nothing, and whether it does.
func ConstantValue(a *source.Attr) (cty.Value, bool) {
	if text, ok := a.PlainText(); ok {
		return cty.StringVal(string(text)), true
	}
	v, diags := limits.Evaluate(a.Expr())
	return v, !diags.HasErrors() && v.IsWhollyKnown()
}

// constantOf judges values that are constants of a type.
func constantOf(want cty.Type) func(*source.Attr) hcl.Diagnostics {
	return func(a *source.Attr) hcl.Diagnostics {
		if _, ok := a.PlainText(); ok && want == cty.String {
			return nil
		}
		_, diags := constant(a, want)
		return diags
	}
}

// checkConstant judges a value that contains no references. In JSON the engine takes a string
// literally, whatever it looks like.
func checkConstant(a *source.Attr) hcl.Diagnostics {
	if a.Origin() != nil {
		return nil
	}
	_, diags := limits.Evaluate(a.Expr())
	return diags
}

func checkOutputType(a *source.Attr) hcl.Diagnostics {
	_, _, diags := decodeStrictType(a)
	return diags
}

func checkReference(a *source.Attr) hcl.Diagnostics {
	_, diags := hcl.AbsTraversalForExpr(a.Expr())
	return diags
}

func checkNotice(a *source.Attr) hcl.Diagnostics {
	v, diags := constant(a, cty.String)
	if !diags.HasErrors() && strings.TrimSpace(v.AsString()) == "" {
		return hcl.Diagnostics{emptyNotice(a)}
	}
	return diags
}

func checkWord(a *source.Attr) hcl.Diagnostics {
	v, diags := constant(a, cty.String)
	if !diags.HasErrors() && !hclsyntax.ValidIdentifier(v.AsString()) {
		return hcl.Diagnostics{InvalidName(a.Name, a.Value())}
	}
	return diags
}

func checkConstraint(a *source.Attr) hcl.Diagnostics {
	if text, ok := a.PlainText(); ok && isPlainConstraint(string(text)) {
		return nil
	}
	v, diags := limits.Evaluate(a.Expr())
	if diags.HasErrors() {
		return diags
	}
	v, err := limits.Convert(v, cty.String)
	switch {
	case errors.Is(err, limits.ErrCostly):
		return hcl.Diagnostics{limits.CostlyAt(a.Value())}
	case err != nil:
		return hcl.Diagnostics{invalidConstraint(a.Value())}
	}
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	if _, err := version.NewConstraint(v.AsString()); err != nil {
		return hcl.Diagnostics{invalidConstraint(a.Value())}
	}
	return nil
}

// isPlainConstraint reports whether a text is surely a version constraint: numbers with dots,
// behind operators. It avoids the regular expressions of package version.
func isPlainConstraint(text string) bool {
	for term := range strings.SplitSeq(text, ",") {
		term = strings.Trim(term, " ")
		number := strings.TrimLeft(term, "=!<>~")
		switch term[:len(term)-len(number)] {
		case "", "=", "!=", ">", "<", ">=", "<=", "~>":
		default:
			return false
		}
		for digits := range strings.SplitSeq(strings.TrimLeft(number, " "), ".") {
			if digits == "" || len(digits) > 9 || strings.Trim(digits, "0123456789") != "" {
				return false
			}
		}
	}
	return true
}

func checkCondition(a *source.Attr) hcl.Diagnostics {
	if a.PlainlyRefers() || len(a.Expr().Variables()) > 0 {
		return nil
	}
	return hcl.Diagnostics{constantCondition(a)}
}

// checkImportAddress judges the address of a resource, the keys of which may be
// expressions. Quotes around it are refused.
func checkImportAddress(a *source.Attr) hcl.Diagnostics {
	switch a.Expr().(type) {
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.IndexExpr, *hclsyntax.RelativeTraversalExpr:
		return nil
	}
	return hcl.Diagnostics{invalidImportAddress(a.Value())}
}

func checkReferences(a *source.Attr) hcl.Diagnostics {
	exprs, diags := hcl.ExprList(a.Expr())
	for _, e := range exprs {
		_, more := hcl.AbsTraversalForExpr(unquote(e))
		diags = append(diags, more...)
	}
	return diags
}

// unquote turns a reference or keyword that is written as a quoted string, the
// way of old releases, into what it spells. Other expressions come back as they are.
func unquote(e hcl.Expression) hcl.Expression {
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

func keyword(e hcl.Expression) string { return hcl.ExprAsKeyword(unquote(e)) }

// oneOf judges keywords, which may be in quotes.
func oneOf(keywords ...string) func(*source.Attr) hcl.Diagnostics {
	return func(a *source.Attr) hcl.Diagnostics {
		if slices.Contains(keywords, keyword(a.Expr())) {
			return nil
		}
		return hcl.Diagnostics{invalidKeyword(a, keywords)}
	}
}

// bareOneOf judges keywords, which engines take without quotes only.
func bareOneOf(keywords ...string) func(*source.Attr) hcl.Diagnostics {
	return func(a *source.Attr) hcl.Diagnostics {
		if slices.Contains(keywords, hcl.ExprAsKeyword(a.Expr())) {
			return nil
		}
		return hcl.Diagnostics{invalidKeyword(a, keywords)}
	}
}
