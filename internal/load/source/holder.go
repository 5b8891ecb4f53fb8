package source

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// HolderOf is the innermost item of a JSON file that an offset is in, but the block itself for one
// at the top level that no override file may change: its items have no fate of their own.
func (f *File) HolderOf(at uint32) Item {
	i, _ := slices.BinarySearchFunc(f.origins, at+1, func(o Origin, at uint32) int { return int(o.Value[0]) - int(at) })
	var it Item = f.Block(max(0, i-1))
	for {
		b, ok := it.(*Block)
		if !ok || b.body == nil {
			return it
		}
		items := b.body.items
		inner, _ := slices.BinarySearchFunc(items, at+1,
			func(it Item, at uint32) int { return int(originOf(it).start()) - int(at) })
		switch {
		case inner > 0 && originOf(items[inner-1]).covers(at):
			it = items[inner-1]
		case inner < len(items) && originOf(items[inner]).Key[0] <= at:
			return items[inner] // the first block behind a key
		default:
			return it
		}
	}
}

// EachInexpressible calls visit with each item that contains a part which native syntax can't
// express, and an error about it.
func (f *File) EachInexpressible(visit func(Item, *hcl.Diagnostic)) {
	for _, d := range f.inexpressibles {
		visit(f.HolderOf(d.at), d.diag)
	}
}
