package compare

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// AllDifferences returns the differences in every block, even where there surely is none.
func AllDifferences(a, b Reading) []Difference {
	all := differences(a.Module, b.Module, overridesGuard(a.Module) || overridesGuard(b.Module), func(*source.File, int) bool { return true })
	return slices.DeleteFunc(all, func(d Difference) bool { return d.IsIdle })
}

// Unlike are the keys of blocks that are compared.
func Unlike(a, b *load.Module) map[uint64]bool { return unlikeKeys(a, b) }

// AllEdits returns the edits in every block, even where there surely is none.
func AllEdits(before, after *merge.Module) []Difference {
	return differences(before, after, true, func(*source.File, int) bool { return true })
}
