package source

import (
	"slices"
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
