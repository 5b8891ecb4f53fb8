package compare

import (
	"bytes"
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// pairs are the bodies of one address in two readings of a module, each of which leads to the
// other one.
type pairs map[*merge.MergedBody]*merge.MergedBody

func pairsOf(a, b *merge.Module) pairs {
	theirs := map[address.Address]*merge.MergedBody{}
	address.Walk(b, func(own address.Address, e *merge.MergedItem) {
		if e.Inner != nil {
			theirs[own] = e.Inner
		}
	})
	p := pairs{}
	address.Walk(a, func(own address.Address, e *merge.MergedItem) {
		if other := theirs[own]; e.Inner != nil && other != nil {
			p[e.Inner], p[other] = other, e.Inner
		}
	})
	return p
}

// unlike lists the items of a body but those that surely mean the same in the other reading:
// most of a module, of which there is nothing to be compared.
func (p pairs) unlike(c *merge.MergedBody) []*merge.MergedItem {
	other := p[c]
	if other == nil || p[other] != c {
		return c.All()
	}
	list := slices.Clip(c.Items)
	for _, it := range c.Untouched() {
		twin, mine, theirs := c.Twin(it, other)
		if twin == nil || !isSameAlone(mine, theirs) ||
			!bytes.Equal(it.Source().Text(it.Extent()), twin.Source().Text(twin.Extent())) {
			list = append(list, c.Owner(it))
		}
	}
	return list
}
