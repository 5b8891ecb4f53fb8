package variable

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/vartype"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/zclconf/go-cty/cty"
)

// A State is the engine's state of a variable's type and default while it applies override blocks
// to them.
type State struct {
	address  string
	primary  vartype.Variable
	constr   cty.Type
	value    cty.Value // NilVal without a default
	nullable bool
	typeAttr *source.Attr // the type in effect
	given    *source.Attr // the default in effect, as it was written
	by       *source.Attr // the type that converted the value, if one did
	unfit    bool         // the engine refuses it
}

// New starts with the block of a primary file. The address is for messages.
func New(primary *source.Block, address string) *State {
	p, diags := vartype.Decode(primary)
	return &State{
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
// even if a later block would correct it.
func (v *State) Apply(b *source.Block) hcl.Diagnostics {
	o, diags := vartype.Decode(b)
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
	if !v.HasDefault() {
		return nil
	}
	converted, err := limits.Convert(v.value, v.constr)
	if err != nil {
		v.unfit = true
		return hcl.Diagnostics{unfit(v, o, err)}
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
func (v *State) Again(overrides []*source.Block, last source.Item) hcl.Diagnostics {
	again := *v
	for _, b := range overrides {
		if again.Apply(b).HasErrors() {
			return hcl.Diagnostics{onceOnly(v.address, b)}
		}
	}
	if v.HasDefault() && !same(again.value, v.value) {
		return hcl.Diagnostics{onceOnly(v.address, last)}
	}
	return nil
}

// A Text is computed text for an argument of the variable, and what made it so.
type Text struct {
	*computed.Literal
	By source.Item
}

// A result holds the texts of the type and the default with the engine's meaning. If a text is nil,
// the effective argument is printed as it was written.
type result struct {
	Type, Default *Text
	Diags         hcl.Diagnostics // values without effect or without a native spelling
}

// IsFit reports whether the engine takes the variable, and a default that is known.
func (v *State) IsFit() bool { return !v.unfit && (!v.HasDefault() || v.value.IsWhollyKnown()) }

// HasDefault reports whether the variable has a default.
func (v *State) HasDefault() bool { return v.value != cty.NilVal }

// Finish settles the result of a variable that is fit, once all override blocks are
// applied. inEffect is the default in effect, nil without one, for messages.
func (v *State) Finish(inEffect source.Item) result {
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
func (v *State) finishType(r *result) (cty.Type, *typeexpr.Defaults) {
	t := computed.Compose(v.typeAttr, v.primary.TypeAttr)
	switch {
	case t.IsInexact:
		r.Diags = append(r.Diags, typeUnsayable(v.address, v.typeAttr))
	case t.DropsDefaults && v.typeAttr.Within().Attr("default") == nil: // beside a default they were filled in there
		r.Diags = append(r.Diags, defaultsIgnored(v, v.typeAttr))
	}
	if t.Text != nil {
		r.Type = &Text{t.Text, v.typeAttr}
	}
	return t.Type, t.Defaults
}

// finishDefault keeps the text of the default where it gives the value that
// the engine has, and otherwise has the value written out.
func (v *State) finishDefault(r *result, inEffect source.Item, constr cty.Type, defaults *typeexpr.Defaults) {
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
		r.Diags = append(r.Diags, defaultUnsayable(v.address, inEffect))
	}
	if !same(written, effect(given)) {
		r.Default = &Text{&computed.Literal{Value: literal, Type: v.typeAttr, Of: v.given}, v.cause()}
	}
}

// cause is the item that gave the default its value.
func (v *State) cause() source.Item {
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
	text := computed.ValueText(v)
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
