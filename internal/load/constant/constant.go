// Package constant evaluates arguments that refer to nothing, as engines do while they load.
//
// Given an argument or an expression, it returns the value, the value converted to a type, the
// state of a switch such as sensitive = true, and references that old releases accepted in quotes.
// It refuses null for a type, and values that take too much work; package limits defines how much
// that is.
//
// Given a variable block, it returns the type constraint, the defaults of optional attributes, the
// default converted to the type, and the engines' diagnostics about both. Package merge combines
// several blocks of one variable. No other block or argument is known by name.
package constant

import (
	"bytes"
	"errors"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Convert computes an argument that refers to nothing, and converts its value to a type. If that is impossible, or
// the result is null, it returns errors.
func Convert(a *source.Attr, want cty.Type) (cty.Value, hcl.Diagnostics) {
	v, diags := evaluate(a)
	if diags.HasErrors() || v.Type() == want && !v.IsNull() { // needs no conversion
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

// String returns the value of an argument that is a constant string; ok is false for any other.
func String(a *source.Attr) (string, bool) {
	v, diags := Convert(a, cty.String)
	if diags.HasErrors() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}

// Value returns the value of an argument that refers to nothing; ok is false for any other argument.
func Value(a *source.Attr) (cty.Value, bool) {
	v, diags := evaluate(a)
	return v, !diags.HasErrors() && v.IsWhollyKnown()
}

// evaluate computes the value of an argument. Plain strings, true and false are the most frequent and need no parser.
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

// Unquote returns the reference or keyword in a quoted string as an expression, since old releases wrote
// "aws_instance.web" in depends_on. It returns other expressions unchanged. The key of an object or a map of providers
// is treated as what it consists of.
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

// Keyword returns the keyword that an expression consists of, in quotes or not, or "".
func Keyword(e hcl.Expression) string { return hcl.ExprAsKeyword(Unquote(e)) }

// Bare removes what surrounds an expression without changing its value: parentheses, and a template that consists of
// one interpolation, "${a}". If stripQuotes is set, it also removes the quotes around a reference.
func Bare(e hcl.Expression, stripQuotes bool) hcl.Expression {
	for {
		switch inner := e.(type) {
		case *hclsyntax.ParenthesesExpr:
			e = inner.Expression
			continue
		case *hclsyntax.TemplateWrapExpr:
			e = inner.Wrapped
			continue
		case *hclsyntax.TemplateExpr:
			if !stripQuotes {
				break // out of the switch: return e
			}
			if ref, isRef := Unquote(e).(*hclsyntax.ScopeTraversalExpr); isRef {
				at := e.Range()
				// Leave out the quotes.
				at.Start.Byte, at.Start.Column = at.Start.Byte+1, at.Start.Column+1
				at.End.Byte, at.End.Column = at.End.Byte-1, at.End.Column-1
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

// SwitchOf returns the setting of a flag as engines read it: "true" in quotes is true. a may be nil, for a missing
// argument. Null, a reference and anything else is Unclear; another check reports it.
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

// IsOn reports whether a flag is set to true. a may be nil.
func IsOn(a *source.Attr) bool { return SwitchOf(a) == On }

// unsuitable returns the error that an argument's value can't be converted to a type. why comes from the conversion.
func unsuitable(a *source.Attr, want cty.Type, why string) *hcl.Diagnostic {
	// In this case, why adds nothing to the message.
	if why == "a "+want.FriendlyName()+" is required" {
		return diag.New(a.Value(), "Unsuitable value type", "The argument %s must be a constant %s.", a.Name,
			want.FriendlyName())
	}
	return diag.New(a.Value(), "Unsuitable value type", "The argument %s must be a constant %s: %s.", a.Name,
		want.FriendlyName(), why)
}

// A Variable is the meaning of the type and the default in one variable block.
type Variable struct {
	// TypeAttr and DefaultAttr are the arguments, nil if the block has none.
	TypeAttr, DefaultAttr *source.Attr
	// Type is the constraint, still with the marks of optional attributes; any if a whole variable
	// has no type, NilType if an override block has none.
	Type cty.Type
	// Defaults are the defaults of optional attributes, or nil.
	Defaults *typeexpr.Defaults
	// Default is the value converted by Type and Defaults, or as written if there is no type;
	// NilVal if the block has no default.
	Default cty.Value
	// Nullable is the flag's value, and whether the block sets it.
	Nullable, NullableSet bool

	hasSymbolType bool // the type refers to one that no file of the module declares
}

// DecodeVariable reads the type and the default of a variable block, in the way that all observed releases agree on.
// The block must have its contents. The diagnostics report a malformed type, and a default that doesn't convert to
// it.
func DecodeVariable(b *source.Block) (Variable, hcl.Diagnostics) {
	return readVariable(b.Attr, b.File.Role == source.Primary)
}

// WholeVariable reads a variable from its effective arguments, as if they were in one block of a primary file. arg
// returns one by its name, or nil.
func WholeVariable(arg func(name string) *source.Attr) (Variable, hcl.Diagnostics) {
	return readVariable(arg, true)
}

// readVariable reads a variable from its arguments. isWhole tells that arg returns all of them: then a missing type
// means any. Otherwise, in an override file, the type may be in the primary file.
func readVariable(arg func(name string) *source.Attr, isWhole bool) (Variable, hcl.Diagnostics) {
	v := Variable{Nullable: true, TypeAttr: arg("type"), DefaultAttr: arg("default")}
	if isWhole {
		v.Type = cty.DynamicPseudoType
	}
	var diags hcl.Diagnostics
	if v.TypeAttr != nil {
		v.Type, v.Defaults, diags = DecodeType(v.TypeAttr)
		v.hasSymbolType = len(symbolTypes(v.TypeAttr)) > 0
	}
	// Without nullable, or if its value is unclear, null is allowed.
	nullable := arg("nullable")
	if s := SwitchOf(nullable); s == On || s == Off {
		v.Nullable, v.NullableSet = s == On, true
	}
	if v.DefaultAttr != nil {
		diags = append(diags, v.decodeDefault(nullable)...)
	}
	return v, diags
}

// decodeDefault computes the default and converts it to the type; if it can't, it returns an error, and v.Default
// becomes unknown. A null default is an error if nullable is false. nullable is the argument, or nil; errors about
// null point to it.
func (v *Variable) decodeDefault(nullable *source.Attr) hcl.Diagnostics {
	given, diags := evaluate(v.DefaultAttr)
	if diags.HasErrors() {
		v.Default = cty.DynamicVal
		return diags
	}
	v.Default = given
	if v.Type != cty.NilType && !v.hasSymbolType { // otherwise the type is unknown here
		converted, err := limits.ConvertWithDefaults(given, v.Type, v.Defaults)
		if err != nil {
			v.Default = cty.DynamicVal
			// badDefault fills the first verb, here and below, with the place of the type or of nullable.
			return hcl.Diagnostics{v.badDefault(v.TypeAttr, "This default doesn't fit the variable's type%s: %s.", err)}
		}
		v.Default = converted
	}
	if !v.Nullable && v.Default.IsNull() {
		return hcl.Diagnostics{v.badDefault(nullable, "The default can't be null because nullable is false%s. Set another default, or remove nullable.")}
	}
	return nil
}

// badDefault returns an error about the default, which contradicts another argument. The format's first verb isn't
// for args: it becomes " at FILE:LINE" of that argument if it is in a different block, and "" otherwise. other may be
// nil.
func (v *Variable) badDefault(other *source.Attr, format string, args ...any) *hcl.Diagnostic {
	const title = "Invalid default value for variable"
	if other == nil || other.Within() == v.DefaultAttr.Within() {
		return diag.New(v.DefaultAttr.Value(), title, format, append([]any{""}, args...)...)
	}
	at := " at " + diag.Place(source.Where(other))
	return diag.NewWith(diag.Related{Note: other.Name, Range: other.Header()}, v.DefaultAttr.Value(), title, format, append([]any{at}, args...)...)
}

// DecodeType returns the type in a type expression, and the defaults of its optional attributes. The keywords list
// and map alone mean list(any) and map(any). The type is any if the JSON is malformed, which was reported before, and
// if it contains calls of a symbol library, whose types only the library knows.
func DecodeType(a *source.Attr) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	if a.Origin() != nil && a.Origin().Bad {
		return cty.DynamicPseudoType, nil, nil
	}
	if t, ok := primitives[string(a.Unparsed())]; ok { // string, number, bool and the like
		return t, nil, nil
	}
	expr := a.Expr()
	if _, quoted := expr.(*hclsyntax.TemplateExpr); quoted {
		return cty.DynamicPseudoType, nil, hcl.Diagnostics{quotedType(a)}
	}
	switch hcl.ExprAsKeyword(expr) {
	case "list":
		return cty.List(cty.DynamicPseudoType), nil, nil
	case "map":
		return cty.Map(cty.DynamicPseudoType), nil, nil
	}
	if calls := symbolTypes(a); len(calls) > 0 {
		_, _, diags := StrictType(withAny(a, calls)) // reports errors in the rest of the expression
		return cty.DynamicPseudoType, nil, diags
	}
	return StrictType(a)
}

var primitives = map[string]cty.Type{"string": cty.String, "number": cty.Number, "bool": cty.Bool}

// symbolTypes returns the calls of symbols::LIBRARY::NAME() in a type expression, which stand for types in symbol
// libraries. Libraries aren't read, so nothing is known about these types.
func symbolTypes(a *source.Attr) (calls []*hclsyntax.FunctionCallExpr) {
	if !bytes.Contains(a.File.Text(a.Value()), []byte("symbols::")) || !engine.SinceSymbols.Has(a.File.Engine) {
		return nil
	}
	node, ok := a.Expr().(hclsyntax.Node)
	if !ok {
		return nil
	}
	_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok && strings.HasPrefix(call.Name, "symbols::") && strings.Count(call.Name, "::") == 2 {
			calls = append(calls, call)
		}
		return nil
	})
	return calls
}

// withAny returns a type expression in which any replaces each of the calls, which stand for types of symbol
// libraries. Blanks after any fill the length of the call, so that the offsets in diagnostics stay right.
func withAny(a *source.Attr, calls []*hclsyntax.FunctionCallExpr) *source.Attr {
	at := a.Value()
	text := bytes.Clone(a.File.Text(at))
	for _, call := range calls {
		span := text[call.Range().Start.Byte-at.Start.Byte : call.Range().End.Byte-at.Start.Byte]
		copy(span, "any"+strings.Repeat(" ", len(span))) // copy drops what is too long
	}
	expr, _ := parse.Expression(text, at.Filename, at.Start)
	return a.With(expr)
}

// StrictType is DecodeType without the forms that only old releases used, such as list without an element type.
func StrictType(a *source.Attr) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	expr := a.Expr()
	if d := limits.TypeTooCostly(expr); d != nil {
		return cty.DynamicPseudoType, nil, hcl.Diagnostics{d}
	}
	t, defaults, diags := typeexpr.TypeConstraintWithDefaults(expr)
	if diags.HasErrors() {
		return cty.DynamicPseudoType, nil, diags
	}
	return t, defaults, diags
}

// quotedType returns the error about a type in quotes or, in JSON, in ${ }.
func quotedType(a *source.Attr) *hcl.Diagnostic {
	if a.Origin() != nil {
		return diag.New(a.Value(), "Invalid type constraint",
			"Write the type without ${ }: string, list(string), map(string), object({...}).")
	}
	return diag.New(a.Value(), "Invalid quoted type constraints",
		"Write the type without quotes: string, list(string), map(string), object({...}).")
}
