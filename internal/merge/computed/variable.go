package computed

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A State is the engine's state of a variable's type and default while it applies override blocks
// to them.
type Variable struct {
	address  string
	primary  constant.Variable
	constr   cty.Type
	value    cty.Value // NilVal without a default
	nullable bool
	typeAttr *source.Attr // the type in effect
	given    *source.Attr // the default in effect, as it was written
	by       *source.Attr // the type that converted the value, if one did
	unfit    bool         // the engine refuses it
	isCostly bool         // overrides convert it too often
}

// NewVariable starts with the arguments of a primary file's block, by their names, or with those in effect
// if the engine reads only these. The address is for messages.
func NewVariable(arg func(name string) *source.Attr, address string) *Variable {
	p, diags := constant.WholeVariable(arg)
	return &Variable{
		address:  address,
		primary:  p,
		constr:   p.Type,
		value:    p.Default,
		nullable: p.Nullable,
		typeAttr: p.TypeAttr,
		given:    p.DefaultAttr,
		unfit:    diags.HasErrors(),
	}
}

// Apply applies an override block to the type and the default. It returns the reasons for which the
// engine refuses that, if any. Engines judge the default after every block, so an error stays one
// even if a later block would correct it. A small override can make a large type fill in a large
// value, so all overrides together have one budget.
func (v *Variable) Apply(b *source.Block, work *limits.Budget) hcl.Diagnostics {
	o, diags := constant.DecodeVariable(b)
	v.unfit = v.unfit || diags.HasErrors()
	if o.Default != cty.NilVal {
		v.value, v.given, v.by = o.Default, o.DefaultAttr, nil
	}
	if o.TypeAttr != nil {
		v.constr, v.typeAttr = o.Type, o.TypeAttr
	}
	if o.NullableSet {
		v.nullable = o.Nullable
	}
	if !v.HasDefault() || v.isCostly {
		return nil
	}
	converted, err := limits.Convert(v.value, v.constr)
	if err != nil {
		v.unfit = true
		return hcl.Diagnostics{unfit(v, o, err)}
	}
	if by := cmp.Or(o.DefaultAttr, o.TypeAttr, v.given); !work.Covers(converted, by.Expr()) {
		v.unfit, v.isCostly = true, true
		return hcl.Diagnostics{limits.CostlyAt(by.Value())}
	}
	if !converted.RawEquals(v.value) {
		v.by = v.typeAttr
	}
	v.value = converted
	if !v.nullable && converted.IsNull() {
		v.unfit = true
		return hcl.Diagnostics{nullNotAllowed(v, o, b)}
	}
	return nil
}

// Again applies the override blocks once more, to their own result. It warns if that changes the
// result; last is the block in effect.
func (v *Variable) Again(overrides []*source.Block, last source.Item) hcl.Diagnostics {
	again, work := *v, limits.FreeBudget
	for _, b := range overrides {
		if again.Apply(b, &work).HasErrors() {
			return hcl.Diagnostics{onceOnly(v.address, b)}
		}
	}
	if v.HasDefault() && !same(again.value, v.value) {
		return hcl.Diagnostics{onceOnly(v.address, last)}
	}
	return nil
}

// A Text is computed text for an argument of the variable, and what made it so.
type VariableText struct {
	*Literal
	By source.Item
}

// A result holds the texts of the type and the default with the engine's meaning. If a text is nil,
// the effective argument is printed as it was written.
type result struct {
	Type, Default *VariableText
	Diags         hcl.Diagnostics // values without effect or without a native spelling
}

// IsFit reports whether the engine takes the variable, and a default that is known.
func (v *Variable) IsFit() bool { return !v.unfit && (!v.HasDefault() || v.value.IsWhollyKnown()) }

// HasDefault reports whether the variable has a default.
func (v *Variable) HasDefault() bool { return v.value != cty.NilVal }

// Finish settles the result of a variable that is fit, once all override blocks are
// applied. inEffect is the default in effect, nil without one, for messages.
func (v *Variable) Finish(inEffect source.Item) result {
	var r result
	constr, defaults := v.constr, v.primary.Defaults
	if v.typeAttr != nil && v.typeAttr != v.primary.TypeAttr {
		constr, defaults = v.finishType(&r)
	}
	if v.HasDefault() {
		v.finishDefault(&r, inEffect, constr, defaults)
	}
	return r
}

// finishType writes the type of an override with the primary file's defaults of optional
// attributes, which stay in force. It returns the meaning of that text.
func (v *Variable) finishType(r *result) (cty.Type, *typeexpr.Defaults) {
	t := Compose(v.typeAttr, v.primary.TypeAttr)
	switch {
	case t.IsInexact:
		r.Diags = append(r.Diags, diag.WithCode(Inexact, diag.Warning(v.typeAttr.Header(), "Optional attribute defaults can't be printed", "%s keeps the optional attribute defaults of the primary file's type for %s, and they don't fit the shape of this type. It is printed without them. Repeat the defaults in this type, or change the type in the primary file.", engineOf(v.typeAttr), v.address)))
	case t.DropsDefaults && v.typeAttr.Within().Attr("default") == nil: // beside a default they were filled in there
		r.Diags = append(r.Diags, defaultsIgnored(v, v.typeAttr))
	}
	if t.Text != nil {
		r.Type = &VariableText{t.Text, v.typeAttr}
	}
	return t.Type, t.Defaults
}

// finishDefault keeps the text of the default where it gives the value that
// the engine has, and otherwise has the value written out.
func (v *Variable) finishDefault(r *result, inEffect source.Item, constr cty.Type, defaults *typeexpr.Defaults) {
	want, err := v.Given(cty.NilVal)
	if err != nil {
		want = v.value
	}
	effect := func(val cty.Value) cty.Value {
		for range 2 { // once when it is loaded, once when it is used
			if c, err := limits.ConvertWithDefaults(val, constr, defaults); err == nil {
				val = c
			}
		}
		return val
	}
	given, ok := constant.Value(v.given)
	if !ok || same(effect(given), want) {
		return
	}
	if limits.IsVast(v.value) {
		r.Diags = append(r.Diags, limits.CostlyAt(v.given.Value()))
		return
	}
	literal := v.value
	if !same(effect(asWritten(literal)), want) && same(effect(asWritten(want)), want) {
		literal = want // with defaults filled in that the printed type can't express
	}
	written := effect(asWritten(literal))
	if !same(written, want) {
		r.Diags = append(r.Diags, diag.WithCode(Inexact, diag.Warning(inEffect.Header(), "Default value can't be printed exactly", "%s converts the default of %s more than once, and no single default and type give the same result. The nearest literal is printed. Set the default again in the file that sets the type.", engineOf(inEffect), v.address)))
	}
	if !same(written, effect(given)) {
		r.Default = &VariableText{&Literal{Value: literal, Type: v.typeAttr, Of: v.given}, v.cause()}
	}
}

// cause is the item that gave the default its value.
func (v *Variable) cause() source.Item {
	switch {
	case v.by != nil:
		return v.by
	case v.typeAttr != nil:
		return v.typeAttr
	}
	return v.given
}

// asWritten is the value that the text of a value gives: configuration has
// tuples and objects only, no lists, sets and maps.
func asWritten(v cty.Value) cty.Value {
	text := ValueText(v)
	expr, diags := parse.Expression(text, "", hcl.InitialPos)
	if diags.HasErrors() {
		return v
	}
	written, diags := limits.Evaluate(expr)
	if diags.HasErrors() {
		return v
	}
	return written
}

// same reports whether two values are equal; nulls of any type are.
func same(a, b cty.Value) bool {
	return a.RawEquals(b) || a.IsNull() && b.IsNull()
}

// What engines make of a value that a variable is given, as of one in a variables file.

// Why a variable has no value.
var (
	errUnset = errors.New("no value is given and there is no default")
	ErrNull  = errors.New("null is not allowed and there is no default")
)

// Given is the variable's value if it is set: the defaults of optional attributes are filled in,
// and the result is converted to the type. Null gives the default if null is not allowed. NilVal
// means unset, which gives the default, too.
func (v *Variable) Given(value cty.Value) (cty.Value, error) {
	switch {
	case value == cty.NilVal && !v.HasDefault():
		return cty.DynamicVal, errUnset
	case value == cty.NilVal:
		value = v.value
	}
	made, err := limits.ConvertWithDefaults(value, v.constr, v.primary.Defaults)
	switch {
	case err != nil:
		return cty.DynamicVal, err
	case !made.IsNull() || v.nullable:
		return made, nil
	case !v.HasDefault():
		return cty.DynamicVal, ErrNull
	}
	return v.value, nil // in which no defaults are filled in once more
}

// Fills reports whether the type has defaults of optional attributes that the value lacks.
func (v *Variable) Fills(value cty.Value) bool {
	d := v.primary.Defaults
	return d != nil && value != cty.NilVal && !value.IsNull() && !d.Apply(value).RawEquals(value)
}

// ReadsLiterally reports whether a text given to the variable is the value itself: engines evaluate
// it only for types other than string, number and bool.
func (v *Variable) ReadsLiterally() bool { return v.typeAttr == nil || v.constr.IsPrimitiveType() }

// Type is the type in effect, nil without one.
func (v *Variable) Type() *source.Attr { return v.typeAttr }

// Every message of the package, one function each.

// DefaultsIgnored is the code of a type that is in effect, but for the defaults of
// optional attributes in it.
const DefaultsIgnored diag.Code = "defaults-ignored"

// Inexact is the code of a type or a default that no text gives the meaning that the engine has for it.
const Inexact diag.Code = "inexact-variable"

// unfit reports a default that an override made not to fit the type.
func unfit(v *Variable, o constant.Variable, err error) *hcl.Diagnostic {
	const title = "Invalid default value for variable"
	every := fmt.Sprintf("%s checks this after each override block, even if a later one fixes it.", engineOf(v.given))
	switch {
	case o.TypeAttr != nil && o.DefaultAttr == nil:
		return diag.NewWith(diag.Related{Note: "default", Range: v.given.Header()}, o.TypeAttr.Header(), title, "The default at %s doesn't fit this type: %s. %s In the same block, set a default of that type.", placeOf(v.given), err, every)
	case o.TypeAttr == nil && o.DefaultAttr != nil && v.typeAttr != nil:
		return diag.NewWith(diag.Related{Note: "type", Range: v.typeAttr.Header()}, o.DefaultAttr.Header(), title, "This default doesn't fit the type at %s: %s. %s Set the type in the same block.", placeOf(v.typeAttr), err, every)
	}
	return diag.New(v.given.Header(), title, "This default doesn't fit the variable's type: %s. %s", err, every)
}

func nullNotAllowed(v *Variable, o constant.Variable, b *source.Block) *hcl.Diagnostic {
	d := diag.New(b.Header(), "Invalid default value for variable", "After this override the default is null and nullable is false. Set another default, or set nullable = true.")
	if v.given != o.DefaultAttr {
		return diag.WithRelated(diag.Related{Note: "default", Range: v.given.Header()}, d)
	}
	return d
}

// defaultsIgnored warns of defaults in a type that have no effect.
func defaultsIgnored(v *Variable, t source.Item) *hcl.Diagnostic {
	remedy := "Set them in the primary file's type."
	if v.primary.TypeAttr != nil {
		remedy = fmt.Sprintf("Change them at %s instead.", placeOf(v.primary.TypeAttr))
	}
	return diag.WithCode(DefaultsIgnored, diag.Warning(t.Header(), "Optional attribute defaults have no effect", "%s uses this type, but ignores the defaults of its optional attributes, although its documentation says otherwise. %s", engineOf(t), remedy))
}

// onceOnly warns of a variable that overrides must not be applied to again.
func onceOnly(address string, by source.Item) *hcl.Diagnostic {
	return diag.Warning(by.Header(), "Override can be applied only once", "%s checks the default of %s after each override block. If the override files stay after the patch, it refuses the module or gets another value. Remove them when you apply the patch.", engineOf(by), address)
}

// engineOf is the name of the engine that is followed.
func engineOf(it source.Item) string { return it.Source().Engine.Product.Title() }

// placeOf is FILE:LINE of an item.
func placeOf(it source.Item) string { return diag.Place(source.Where(it)) }
