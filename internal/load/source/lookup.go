package source

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// ItemAt is the innermost item at an offset of File.Raw, or nil.
func (f *File) ItemAt(at int) Item {
	i, _ := slices.BinarySearchFunc(f.stubs, at, func(s stub, at int) int { return int(s.end.Byte) - at - 1 })
	if f.Syntax == JSON {
		i, _ = slices.BinarySearchFunc(f.origins, at, func(o Origin, at int) int { return int(o.Value[1]) - at - 1 })
	}
	if i == f.Len() {
		return nil
	}
	if from, _ := Spread(f.header(i)); at < from {
		return nil
	}
	return innermost(f.Block(i), at)
}

// HolderOf is the innermost item of a JSON file that an offset is in, but the block itself for one
// at the top level that no override file may change: its items have no fate of their own.
func (f *File) HolderOf(at uint32) Item {
	i, _ := slices.BinarySearchFunc(f.origins, at+1, func(o Origin, at uint32) int { return int(o.Value[0]) - int(at) })
	b := f.Block(max(0, i-1))
	if b.body == nil {
		return b
	}
	return innermost(b, int(at))
}

// EachInexpressible calls visit with each item that contains a part which native syntax can't
// express, and an error about it.
func (f *File) EachInexpressible(visit func(Item, *hcl.Diagnostic)) {
	for _, d := range f.inexpressibles {
		visit(f.HolderOf(d.at), d.diag)
	}
}

// innermost is the innermost item at an offset in a block. Several that share the
// key of a JSON file end one after the other.
func innermost(b *Block, at int) Item {
	items := b.Items()
	i, _ := slices.BinarySearchFunc(items, at, func(it Item, at int) int {
		_, to := Spread(it)
		return to - at - 1
	})
	if i == len(items) {
		return b
	}
	it := items[i]
	if from, _ := Spread(it); at < from {
		return b
	}
	if inner, ok := it.(*Block); ok {
		return innermost(inner, at)
	}
	return it
}
