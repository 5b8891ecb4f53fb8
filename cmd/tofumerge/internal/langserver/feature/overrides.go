package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

type overridesKey struct{}

// overridesIn returns the overrides of each block of the primary files.
func overridesIn(v *view.View) map[*source.Block][]plan.Override {
	return view.Once(v, overridesKey{}, func(v *view.View) map[*source.Block][]plan.Override {
		byBlock := map[*source.Block][]plan.Override{}
		for _, o := range plan.Overrides(v.Merged) {
			byBlock[o.Block] = append(byBlock[o.Block], o)
		}
		return byBlock
	})
}
