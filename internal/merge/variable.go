package merge

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load/guard"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/zclconf/go-cty/cty"
)

// A variable is what the engine knows of a variable's type and default while
// it applies override blocks to it.
type variable struct {
	primary  language.Variable
	constr   cty.Type
	value    cty.Value // NilVal without a default
	nullable bool
	typeAttr *source.Attr // the type in effect
	given    *source.Attr // the default in effect, as it was written
	by       *source.Attr // the type that made the value what it is, if one did
	unfit    bool         // the engine refuses it
}

func (m *merger) variable(e *MergedItem) *variable {
	v := m.vars[e]
	if v == nil {
		p, diags := language.DecodeVariable(e.Inner.Parts[0])
		v = &variable{unfit: diags.HasErrors(), primary: p, constr: p.Type, value: p.Default, nullable: p.Nullable, typeAttr: p.TypeAttr, given: p.DefaultAttr}
		m.vars[e] = v
	}
	return v
}

// checkVariable follows what an override block does to a variable's type and
// default. Engines convert the default, and judge it, after every block, so that
// an error stays one even if a later block would mend it.
func checkVariable(m *merger, e *MergedItem, b *source.Block) {
	v := m.variable(e)
	o, diags := language.DecodeVariable(b)
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
	if v.value == cty.NilVal {
		return
	}
	converted, err := guard.Convert(v.value, v.constr)
	if err != nil {
		v.unfit = true
		m.report(unfit(v, o, err))
		return
	}
	if !converted.RawEquals(v.value) {
		v.by = v.typeAttr
	}
	v.value = converted
	if !v.nullable && converted.IsNull() {
		v.unfit = true
		m.report(nullNotAllowed(v, o, b))
	}
}

// finishVariable settles how the type and the default are to be written so
// that they mean what the engine made of them.
func finishVariable(m *merger, e *MergedItem) {
	v := m.vars[e]
	if v == nil || v.unfit || v.value != cty.NilVal && !v.value.IsWhollyKnown() {
		return // there are errors, and it will not be printed
	}
	constr, defaults := v.constr, v.primary.Defaults
	if entry := e.Inner.claimNamed("type"); v.typeAttr != nil && v.typeAttr != v.primary.TypeAttr {
		constr, defaults = m.finishType(e, entry, v)
	}
	if v.value != cty.NilVal {
		m.finishDefault(e, v, constr, defaults)
	}
}

// finishType writes the type of an override with the primary file's defaults
// of optional attributes, which are the ones that stay in force. It returns
// what the text then means.
func (m *merger) finishType(e, entry *MergedItem, v *variable) (cty.Type, *typeexpr.Defaults) {
	t := computed.Compose(v.typeAttr, v.primary.TypeAttr)
	switch {
	case t.IsInexact:
		m.report(typeUnsayable(e, v.typeAttr))
	case t.DropsDefaults && v.typeAttr.In.Body.Attr("default") == nil: // beside a default they were filled in there
		m.report(defaultsIgnored(v.typeAttr))
	}
	if t.Text != nil {
		entry.Value = t.Text
		entry.step(Step{By: v.typeAttr, Did: Converted, Rule: entry.Rule, Value: entry.Value})
	}
	return t.Type, t.Defaults
}

// finishDefault keeps the text of the default where it gives the value that
// the engine has, and otherwise has the value written out.
func (m *merger) finishDefault(e *MergedItem, v *variable, constr cty.Type, defaults *typeexpr.Defaults) {
	entry := e.Inner.claimNamed("default")
	want, err := language.ConvertDefault(v.value, v.constr, v.primary.Defaults)
	if err != nil {
		want = v.value
	}
	effect := func(val cty.Value) cty.Value {
		for range 2 { // once when it is loaded, once when it is used
			if c, err := language.ConvertDefault(val, constr, defaults); err == nil {
				val = c
			}
		}
		return val
	}
	given, ok := language.ConstantValue(v.given)
	if !ok || same(effect(given), want) {
		return
	}
	if guard.IsVast(v.value) {
		m.report(language.TooLarge(v.given))
		return
	}
	literal := v.value
	if !same(effect(asWritten(literal)), want) && same(effect(asWritten(want)), want) {
		literal = want // with defaults filled in that the type printed can't say
	}
	written := effect(asWritten(literal))
	if !same(written, want) {
		m.report(defaultUnsayable(e, entry.Live[0]))
	}
	if same(written, effect(given)) {
		return
	}
	entry.Value = &computed.Literal{Value: literal, Type: v.typeAttr, Of: v.given}
	by := source.Item(v.given)
	switch {
	case v.by != nil:
		by = v.by
	case v.typeAttr != nil:
		by = v.typeAttr
	}
	entry.step(Step{By: by, Did: Converted, Rule: entry.Rule, Value: entry.Value})
}

// asWritten is the value that the text of a value gives: configuration has
// tuples and objects only, no lists, sets and maps.
func asWritten(v cty.Value) cty.Value {
	text := hclwrite.TokensForValue(v).Bytes()
	expr, diags := hclsyntax.ParseExpression(text, "", hcl.InitialPos)
	if diags.HasErrors() {
		return v
	}
	written, diags := guard.Evaluate(expr)
	if diags.HasErrors() {
		return v
	}
	return written
}

// same reports whether two values are equal; of nulls the type does not count.
func same(a, b cty.Value) bool {
	return a.RawEquals(b) || a.IsNull() && b.IsNull()
}
