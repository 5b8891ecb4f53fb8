package address

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// OfItem returns what an item of a file belongs to: the merged item that it is a part of, or
// what is inside of that. Of one of several blocks that are merged, as locals blocks are, it
// returns what is in it.
func OfItem(m *merge.Module, it source.Item) []Target {
	var way []source.Item // from it outwards
	for at := it; at != nil; {
		way = append(way, at)
		b := at.Within()
		if b == nil {
			break
		}
		at = b
	}
	var found *Target
	depth := len(way)
	var held []Target
	top := source.Top(it)
	key := top.File.Key(top.File.IndexOf(top))
	isSame := func(f *source.File, i int) bool { return f.Key(i) == key }
	WalkSome(m, isSame, func(own Address, e *merge.MergedItem) {
		for _, s := range e.Steps {
			if s.Item == nil {
				continue
			}
			if i := slices.Index(way[:depth], s.Item); i >= 0 {
				found, depth = &Target{Address: own, Of: own, Item: e}, i
			}
			if b := s.Item.Within(); b != nil && b == it {
				held = append(held, Target{Address: own, Of: own, Item: e})
				break
			}
		}
	})
	if found == nil || depth == 0 && found.Item.Inner() != nil && len(found.Item.Live) > 1 {
		return held
	}
	found.lead(way[:depth+1])
	return []Target{*found}
}

// Inside is the target of an item that is, or is somewhere in, one of a merged item's
// history (of). own is the merged item's own address.
func Inside(own Address, e *merge.MergedItem, of, it source.Item) Target {
	way := []source.Item{it}
	for it != of {
		it = it.Within()
		way = append(way, it)
	}
	t := Target{Address: own, Of: own, Item: e}
	t.lead(way)
	return t
}

// lead makes a target of one of the items that a merged item's own items lead to, of which the
// last one is the merged item's.
func (t *Target) lead(way []source.Item) {
	own := way[len(way)-1]
	if i := slices.Index(t.Item.Live, own); i >= 0 && len(t.Item.Live) > 1 && t.Item.Inner() == nil {
		t.rest = append(t.rest, segments.At(i))
	}
	for _, it := range slices.Backward(way[:len(way)-1]) {
		t.rest = append(t.rest, segments.Named(it.Called()))
	}
	t.Address = t.Of.written(t.rest)
}
