package merge

import (
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// The roles of a source file's items in the merged module.

// InLoadOrder lists items by where they come up first, in the order in which the files
// were loaded.
func (m *Module) InLoadOrder(items []*MergedItem) []*MergedItem {
	m.ordered.Do(func() { m.order = orderOf(m.Source.Files) })
	first := func(e *MergedItem) (file, at int) {
		for _, s := range e.Steps {
			if s.Item != nil {
				return m.order[s.Item.Source()], s.Item.Header().Start.Byte
			}
		}
		return 0, 0
	}
	ordered := slices.Clone(items)
	slices.SortStableFunc(ordered, func(a, b *MergedItem) int {
		fileA, atA := first(a)
		fileB, atB := first(b)
		return cmp.Or(fileA-fileB, atA-atB)
	})
	return ordered
}

// orderOf numbers files in the order in which they were loaded.
func orderOf(files []*source.File) map[*source.File]int {
	order := make(map[*source.File]int, len(files))
	for i, f := range files {
		order[f] = i
	}
	return order
}
