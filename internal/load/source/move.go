package source

import "slices"

// WithItem returns a copy of a block with one item more in home, which is the block itself or a
// block nested in it, inside blocks such as those in way. Missing ones are added. The copy is only
// for judging items: the item keeps its own file.
func WithItem(b, home *Block, way []*Block, it Item) *Block {
	own := b.bare()
	items := slices.Clone(b.Items())
	switch {
	case b != home:
		for i, inner := range items {
			if inner, isBlock := inner.(*Block); isBlock && inner.holds(home) {
				items[i] = WithItem(inner, home, way, it)
			}
		}
	case len(way) == 0:
		items = append(items, it)
	default:
		i := slices.IndexFunc(items, func(inner Item) bool {
			b, isBlock := inner.(*Block)
			return isBlock && b.Address() == way[0].Address()
		})
		if i < 0 {
			empty := way[0].bare()
			empty.in, empty.body = way[0].in, &body{of: &empty}
			i, items = len(items), append(items, &empty)
		}
		inner := items[i].(*Block)
		items[i] = WithItem(inner, inner, way[1:], it)
	}
	own.in, own.body = b.in, &body{of: &own, items: items}
	return &own
}

// holds reports whether a block is another one or is around it.
func (b *Block) holds(other *Block) bool {
	for other != nil && other != b {
		other = other.Within()
	}
	return other != nil
}
