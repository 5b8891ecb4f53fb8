package constant

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Variable is the meaning of the type and the default in one variable block.
type Variable struct {
	// TypeAttr and DefaultAttr are the arguments, nil if the block has none.
	TypeAttr, DefaultAttr *source.Attr
	// Type is the constraint, still with the marks of optional attributes; any if a primary block
	// has no type, NilType if an override has none.
	Type cty.Type
	// Defaults are the defaults of optional attributes, or nil.
	Defaults *typeexpr.Defaults
	// Default is the value converted by Type and Defaults, or as written if there is no type;
	// NilVal if the block has no default.
	Default cty.Value
	// Nullable is the flag's value, and whether the block sets it.
	Nullable, NullableSet bool
}

// DecodeVariable reads the type and the default of a variable block as the engines do; all observed
// releases agree. The block must have a body. Diagnostics report a malformed type, and a default
// that does not convert to it.
func DecodeVariable(b *source.Block) (Variable, hcl.Diagnostics) {
	v := Variable{Nullable: true, TypeAttr: b.Attr("type"), DefaultAttr: b.Attr("default")}
	if b.File.Role == source.Primary {
		v.Type = cty.DynamicPseudoType
	}
	var diags hcl.Diagnostics
	if v.TypeAttr != nil {
		v.Type, v.Defaults, diags = DecodeType(v.TypeAttr)
	}
	if s := SwitchOf(b.Attr("nullable")); s == On || s == Off {
		v.Nullable, v.NullableSet = s == On, true
	}
	if v.DefaultAttr != nil {
		diags = append(diags, v.decodeDefault()...)
	}
	return v, diags
}

func (v *Variable) decodeDefault() hcl.Diagnostics {
	given, diags := limits.Evaluate(v.DefaultAttr.Expr())
	if diags.HasErrors() {
		v.Default = cty.DynamicVal
		return diags
	}
	v.Default = given
	if v.Type != cty.NilType {
		converted, err := limits.ConvertWithDefaults(given, v.Type, v.Defaults)
		if err != nil {
			v.Default = cty.DynamicVal
			return hcl.Diagnostics{diag.New(v.DefaultAttr.Value(), "Invalid default value for variable", "This default doesn't fit the variable's type: %s.",
				err)}
		}
		v.Default = converted
	}
	if !v.Nullable && v.Default.IsNull() {
		return hcl.Diagnostics{diag.New(v.DefaultAttr.Value(), "Invalid default value for variable",
			"The default can't be null because nullable is false. Set another default, or remove nullable.")}
	}
	return nil
}

// DecodeType reads a type expression: the constraint and the defaults of optional attributes. The
// keywords list and map mean list(any) and map(any). A type that could not be read is any, without
// a diagnostic.
func DecodeType(a *source.Attr) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	if a.Origin() != nil && a.Origin().Bad {
		return cty.DynamicPseudoType, nil, nil
	}
	if _, quoted := a.Expr().(*hclsyntax.TemplateExpr); quoted {
		return cty.DynamicPseudoType, nil, hcl.Diagnostics{quotedType(a)}
	}
	switch hcl.ExprAsKeyword(a.Expr()) {
	case "list":
		return cty.List(cty.DynamicPseudoType), nil, nil
	case "map":
		return cty.Map(cty.DynamicPseudoType), nil, nil
	}
	return StrictType(a)
}

// StrictType reads a type expression without the forms of old releases.
func StrictType(a *source.Attr) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	if d := limits.TypeTooCostly(a.Expr()); d != nil {
		return cty.DynamicPseudoType, nil, hcl.Diagnostics{d}
	}
	t, defaults, diags := typeexpr.TypeConstraintWithDefaults(a.Expr())
	if diags.HasErrors() {
		return cty.DynamicPseudoType, nil, diags
	}
	return t, defaults, diags
}

func quotedType(a *source.Attr) *hcl.Diagnostic {
	if a.Origin() != nil {
		return diag.New(a.Value(), "Invalid type constraint",
			"Write the type without ${ }: string, list(string), map(string), object({...}).")
	}
	return diag.New(a.Value(), "Invalid quoted type constraints",
		"Write the type without quotes: string, list(string), map(string), object({...}).")
}
