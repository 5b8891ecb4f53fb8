package check

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// alike returns the earlier blocks whose labels some later block shares. If none shares them, the
// block itself is dropped.
func alike(blocks, earlier []source.Item) []source.Item {
	labels := map[string]bool{}
	for _, it := range blocks {
		labels[labelsOf(it)] = true
	}
	return slices.DeleteFunc(slices.Clone(earlier), func(it source.Item) bool { return !labels[labelsOf(it)] })
}

// labelsOf are the labels of a block, and "" for a dynamic one, which may make any.
func labelsOf(it source.Item) string {
	b, isBlock := it.(*source.Block)
	if !isBlock || b.Type == source.DynamicBlock || len(b.Labels) == 0 {
		return ""
	}
	return b.Address()
}
