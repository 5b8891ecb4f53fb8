package address

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// OfItem returns the targets to which an item of a file belongs: the merged item that it is part
// of, or a part of that. For one of several merged blocks, such as locals blocks, it returns the
// targets inside it.
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
	var contained []Target
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
				contained = append(contained, Target{Address: own, Of: own, Item: e})
				break
			}
		}
	})
	if found == nil || depth == 0 && found.Item.Inner() != nil && len(found.Item.Live) > 1 {
		return contained
	}
	found.extend(way[:depth+1])
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
	t.extend(way)
	return t
}

// extend makes a target of an item nested in a merged item. way lists the items from it outwards; the
// last one is the merged item's.
func (t *Target) extend(way []source.Item) {
	own := way[len(way)-1]
	if i := slices.Index(t.Item.Live, own); i >= 0 && len(t.Item.Live) > 1 && t.Item.Inner() == nil {
		t.rest = append(t.rest, segments.At(i))
	}
	for _, it := range slices.Backward(way[:len(way)-1]) {
		t.rest = append(t.rest, segments.Named(it.Called()))
	}
	t.Address = t.Of.with(t.rest)
}
