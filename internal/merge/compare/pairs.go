package compare

import (
	"bytes"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// pairs maps the bodies of one address in two readings of a module to each other, in wanted blocks.
type pairs struct {
	of    map[*merge.MergedBody]*merge.MergedBody
	wants func(f *source.File, i int) bool
}

// find finds the pairs of two modules.
func (p pairs) find(a, b *merge.Module) {
	addressed := func(c *merge.MergedBody) []*merge.MergedItem { return c.Items }
	theirs := map[address.Address]*merge.MergedBody{}
	address.WalkChosen(b, p.wants, addressed, func(own address.Address, e *merge.MergedItem) {
		theirs[own] = e.Inner()
	})
	address.WalkChosen(a, p.wants, addressed, func(own address.Address, e *merge.MergedItem) {
		if other := theirs[own]; e.Inner() != nil && other != nil {
			p.of[e.Inner()], p.of[other] = other, e.Inner()
		}
	})
}

// unlike lists the items of a body except for those that surely mean the same in the other reading:
// most of a module needs no comparison.
func (p pairs) unlike(c *merge.MergedBody) []*merge.MergedItem {
	other := p.of[c]
	if other == nil || p.of[other] != c {
		return c.All()
	}
	list := slices.Clip(c.Items)
	for _, it := range c.Untouched() {
		counterpart, mine, theirs := c.Counterpart(it, other)
		if counterpart == nil || !isSameAlone(mine, theirs) ||
			!bytes.Equal(it.Source().Text(it.Extent()), counterpart.Source().Text(counterpart.Extent())) {
			list = append(list, c.Owner(it))
		}
	}
	return list
}
