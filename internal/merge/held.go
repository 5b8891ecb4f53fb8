package merge

import (
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// What the items of a source file are in the merged module.

// InLoadOrder lists items by where they come up first, in the order in which the files
// were loaded.
func (m *Module) InLoadOrder(items []*MergedItem) []*MergedItem {
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

// Parts lists the blocks in whose places a top-level block takes effect, apart
// from itself.
func (m *Module) Parts(b *source.Block) []*source.Block {
	if e := m.Root.Owner(b); e != nil && e.Inner != nil {
		return e.Inner.Parts
	}
	return nil
}

// InEffect reports whether an item is in effect, be it of a primary or of an
// override file.
func (m *Module) InEffect(it source.Item) bool {
	var path []source.Item
	for {
		path = append(path, it)
		b := it.Within()
		if b == nil {
			break
		}
		it = b
	}
	c := m.Root
	for i := len(path) - 1; i >= 0; i-- {
		e := c.Owner(path[i])
		switch {
		case e == nil:
			return true
		case e.Rule.Do == Flatten:
		case e.Inner == nil || i == 0:
			return e.Has(path[i]) || e.Inner != nil && e.InEffect()
		default:
			c = e.Inner
		}
	}
	return true
}

// holds lists the items in effect of a top-level block: those of its own that
// are still there, and what overrides added.
func (m *Module) holds(b *source.Block) []source.Item {
	own := b.Tree().Body.Items
	e := m.Root.Owner(b)
	if e == nil || e.Inner == nil {
		return own
	}
	items := slices.DeleteFunc(slices.Clone(own), func(it source.Item) bool {
		owner := e.Inner.Owner(it)
		return owner != nil && !owner.Has(it)
	})
	for _, in := range e.Inner.PrintedIn(b) {
		if in.Live[0] != in.Place {
			items = append(items, in.Live...)
		}
	}
	return items
}
