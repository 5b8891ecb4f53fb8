package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
)

// The type and the default of a variable, which are more than the arguments of the last
// block: package variable knows what engines make of them.

func (m *merger) variable(item *MergedItem) *variable.State {
	v := m.vars[item]
	if v == nil {
		v = variable.New(item.Inner().Parts[0], item.Address())
		m.vars[item] = v
	}
	return v
}

// Variable is what engines know of the type and the default of a variable that a primary
// file declares.
func (m *Module) Variable(item *MergedItem) *variable.State {
	if known := m.vars[item]; known != nil {
		return known
	}
	return variable.New(item.Live[0].(*source.Block), item.Address())
}

// checkVariable tracks the effects of an override block on a variable's type and default.
func checkVariable(m *merger, item *MergedItem, b *source.Block) {
	m.report(m.variable(item).Apply(b)...)
}

// finishVariable decides how to write the type and the default.
func finishVariable(m *merger, item *MergedItem) {
	v := m.vars[item]
	if v == nil || !v.IsFit() {
		return // there are errors, and nothing will be printed
	}
	typ := item.Inner().claimNamed("type")
	var def *MergedItem
	var inEffect source.Item
	if v.HasDefault() {
		def = item.Inner().claimNamed("default")
		inEffect = def.Live[0]
	}
	r := v.Finish(inEffect)
	typ.convert(r.Type)
	def.convert(r.Default)
	m.report(r.Diags...)
}

// convert replaces the text of an argument by computed text; nil changes nothing.
func (item *MergedItem) convert(text *variable.Text) {
	if text != nil {
		item.Value = text.Literal
		item.step(Step{Effect: effect.Converted, Rule: item.Rule, cause: &cause{text.By, item.Value}})
	}
}
