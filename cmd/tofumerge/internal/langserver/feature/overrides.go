package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/decisive"
)

type overridesKey struct{}

// overridesIn returns the overrides of each block of the primary files.
func overridesIn(v *view.View) map[*source.Block][]decisive.Override {
	return view.Once(v, overridesKey{}, func(v *view.View) map[*source.Block][]decisive.Override {
		byBlock := map[*source.Block][]decisive.Override{}
		for _, o := range decisive.Overrides(v.Merged) {
			byBlock[o.Block] = append(byBlock[o.Block], o)
		}
		return byBlock
	})
}
