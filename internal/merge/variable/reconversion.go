package variable

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/vartype"
	"github.com/zclconf/go-cty/cty"
)

// Again applies the override blocks once more, to their own result. It warns if that changes the
// result; last is the block in effect.
func (v *State) Again(overrides []*source.Block, last source.Item) hcl.Diagnostics {
	if by := v.changesAt(overrides, last); by != nil {
		return hcl.Diagnostics{onceOnly(v.address, by)}
	}
	return nil
}

// changesAt returns the first block that changes the variable, or nil.
func (v *State) changesAt(overrides []*source.Block, last source.Item) source.Item {
	value, constr, nullable := v.value, v.constr, v.nullable
	for _, b := range overrides {
		o, _ := vartype.Decode(b)
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
		converted, err := limits.Convert(value, constr)
		if err != nil || !nullable && converted.IsNull() {
			return b
		}
		value = converted
	}
	if v.value != cty.NilVal && !same(value, v.value) {
		return last
	}
	return nil
}
