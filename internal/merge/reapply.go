package merge

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/guard"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Reapply warns of objects that the overrides would make something else if they
// were applied once more, to the merged primary files. Only variables are such:
// their default is judged after each override block, by the type in effect there.
func (m *Module) Reapply() hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, e := range m.Root.Items {
		if e.Inner == nil || e.Rule.End == nil {
			continue
		}
		final := m.vars[e]
		if final == nil {
			continue
		}
		if by := final.again(e); by != nil {
			diags = append(diags, onceOnly(e, by))
		}
	}
	m.Source.Places(diags)
	return diags
}

// again applies the override blocks once more. It returns the one from which on
// the variable is not what it was.
func (v *variable) again(e *MergedItem) source.Item {
	value, constr, nullable := v.value, v.constr, v.nullable
	for _, s := range e.Steps {
		b, ok := s.Item.(*source.Block)
		if !ok || s.Did != Extended {
			continue
		}
		o, _ := language.DecodeVariable(b)
		if o.Default != cty.NilVal {
			value = o.Default
		}
		if o.TypeAttr != nil {
			constr = o.Type
		}
		if o.NullableSet {
			nullable = o.Nullable
		}
		if value == cty.NilVal {
			continue
		}
		converted, err := guard.Convert(value, constr)
		if err != nil || !nullable && converted.IsNull() {
			return b
		}
		value = converted
	}
	if v.value != cty.NilVal && !same(value, v.value) {
		return e.Live[0]
	}
	return nil
}
