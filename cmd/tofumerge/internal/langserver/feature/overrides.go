package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/winners"
)

type overridesKey struct{}

// overridesIn returns the overrides of each block of the primary files.
func overridesIn(v *view.View) map[*source.Block][]winners.Override {
	return view.Once(v, overridesKey{}, func(v *view.View) map[*source.Block][]winners.Override {
		byBlock := map[*source.Block][]winners.Override{}
		for _, o := range winners.Overrides(v.Merged) {
			byBlock[o.Block] = append(byBlock[o.Block], o)
		}
		return byBlock
	})
}
