package extract

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
)

// Parts that are removed from the draft because the engine refuses them.

// withdrawRefused takes out parts that are the reason for an error. It reports whether there were
// any.
func (x *extraction) withdrawRefused(list hcl.Diagnostics) bool {
	isChanged := false
	for _, d := range list {
		isChanged = x.withdrawBlamed(d) || isChanged
	}
	return isChanged
}

// inexact are the variables of a trial that mean something else than their texts, which are all that is compared.
func (x *extraction) inexact(t *trial) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(t.diags), func(d *hcl.Diagnostic) bool {
		return diag.CodeOf(d) != variable.Inexact || x.known[d.Detail]
	})
}

// refusals are the reasons for which the engine refuses the trial, now or later, or means something else than EDITED,
// apart from those of BASE or EDITED.
func (x *extraction) refusals(t *trial) hcl.Diagnostics {
	return append(x.inexact(t), slices.DeleteFunc(compare.Reading{Module: t.module, Diags: t.diags}.Refusals(), func(d *hcl.Diagnostic) bool {
		return x.known[d.Error()] || x.known[d.Summary]
	})...)
}

// withdrawBlamed takes out the part that an error is about, else all parts of its block.
func (x *extraction) withdrawBlamed(d *hcl.Diagnostic) bool {
	list := x.blame(d)
	for _, own := range list {
		if x.override.withdraw(own) || x.primary.withdraw(own) {
			x.leave(own, reason{diag: d})
			return true
		}
	}
	isChanged := false
	for _, top := range list {
		for _, own := range slices.SortedFunc(maps.Keys(x.override.parts), address.Address.Compare) {
			if _, isIn := own.In(top); isIn && x.override.withdraw(own) {
				x.leave(own, reason{diag: d})
				isChanged = true
			}
		}
	}
	return isChanged
}

// blame lists the addresses whose parts may have caused an error, the likeliest first.
func (x *extraction) blame(d *hcl.Diagnostic) []address.Address {
	var places []hcl.Range
	if d.Subject != nil {
		places = append(places, *d.Subject)
	}
	if related, ok := diag.RelatedOf(d); ok {
		places = append(places, related.Range)
	}
	places = append(places, diag.AlsoOf(d)...)
	var list []address.Address
	for _, isMade := range []bool{true, false} {
		for _, at := range places {
			if (x.last.texts[at.Filename] != nil) == isMade {
				list = append(list, x.addressesAt(at)...)
			}
		}
	}
	return list
}

// addressesAt lists the addresses at a range, from the inside out.
func (x *extraction) addressesAt(at hcl.Range) []address.Address {
	var list []address.Address
	in := x.last.index()
	for it := load.ItemAt(x.last.module.Source, at); it != nil; {
		if e := in.owner[it]; e != nil {
			list = append(list, in.own[e])
			if kind := in.own[e].Kind(); kind != in.own[e] {
				list = append(list, kind)
			}
		}
		b := merge.Holder(it)
		if b == nil {
			break
		}
		it = b
	}
	return list
}
