package constant

import (
	"errors"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Convert evaluates an argument that refers to nothing and converts its value to a
// type. Null is an error, as are values that do not convert.
func Convert(a *source.Attr, want cty.Type) (cty.Value, hcl.Diagnostics) {
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

// String is the text of an argument that holds a constant string, and
// whether it does.
func String(a *source.Attr) (string, bool) {
	if text, ok := a.PlainText(); ok {
		return string(text), true
	}
	v, diags := Convert(a, cty.String)
	if diags.HasErrors() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}

// Value is the value of an argument that refers to nothing, and whether it does.
func Value(a *source.Attr) (cty.Value, bool) {
	if text, ok := a.PlainText(); ok {
		return cty.StringVal(string(text)), true
	}
	v, diags := limits.Evaluate(a.Expr())
	return v, !diags.HasErrors() && v.IsWhollyKnown()
}
