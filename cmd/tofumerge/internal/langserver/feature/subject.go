package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/marker"
)

// A subject is a name with a history, or a part of a nested block that was replaced or added
// as a whole and so has one history.
type subject struct {
	address.Target
	// among, if set, holds the blocks that matter where the engine merges many blocks into
	// one, as it does with all locals blocks of a module.
	among map[source.Item]bool
}

// subject returns the subject of an item: the surrounding block's if the block is ignored or
// refused as a whole. It reports false if no override touches the item.
func (x *index) subject(it source.Item) (subject, bool) {
	e, of, ok := x.at(it)
	switch {
	case !ok:
		return subject{}, false
	case of == it || e.merged.Inner() == nil:
	case x.isLost(of):
		it = of
	default:
		return subject{}, false
	}
	s := subject{Target: address.Inside(e.address, e.merged, of, it)}
	if b, isBlock := it.(*source.Block); isBlock && isSeveral(e.merged) {
		s.among = x.partners(e, b)
		if len(s.among) == 1 && !source.IsOverride(b) {
			return subject{}, false
		}
	}
	return s, true
}

// isLost reports whether a block of an override file has no effect, and so nothing in it has.
func (x *index) isLost(it source.Item) bool {
	entry := x.effect(it)
	return entry != nil && (entry.Status == effect.StatusNoEffect || entry.Status == effect.StatusRefused)
}

// isSeveral reports whether a name consists of several blocks, as locals does. An escaping block is
// ignored, because it is part of the block around it.
func isSeveral(e *merge.MergedItem) bool {
	if e.Inner() == nil {
		return false
	}
	blocks := 0
	for _, b := range e.Inner().Parts {
		if b.Called() != source.EscapeBlock {
			blocks++
		}
	}
	return blocks > 1
}

// matters reports whether the subject is about an item of its history.
func (s *subject) matters(it source.Item) bool { return s.among == nil || s.among[it] }

// partners returns those blocks of one name that matter for b: b itself, and the blocks of the
// other role, primary or override, that share a history with something in b.
func (x *index) partners(e entry, b *source.Block) map[source.Item]bool {
	among := map[source.Item]bool{b: true}
	add := func(it source.Item) {
		at, isBlock := it.(*source.Block)
		if !isBlock {
			at = merge.Holder(it)
		}
		for ; at != nil; at = merge.Holder(at) {
			if x.entries[at].merged == e.merged {
				among[at] = true
			}
		}
	}
	x.eachHistory(b, func(inner *merge.MergedItem) {
		for _, s := range inner.Steps {
			if s.Item != nil && source.IsOverride(s.Item) != source.IsOverride(b) {
				add(s.Item)
			}
		}
	})
	for _, o := range overridesIn(x.view)[b] {
		add(o.By)
	}
	for _, base := range changedBy(x.view)[b] {
		add(base)
	}
	return among
}

// overridesIn returns the overrides of each block of the primary files.
var overridesIn = view.Cached(func(v *view.View) map[*source.Block][]marker.Override { return marker.ByBlock(v.Merged) })

// changedBy returns, for each block of an override file, the blocks of primary files that it
// changes or adds to.
var changedBy = view.Cached(func(v *view.View) map[*source.Block][]*source.Block {
	changed := map[*source.Block][]*source.Block{}
	known := map[[2]*source.Block]bool{}
	for b, list := range overridesIn(v) {
		for _, o := range list {
			if by := source.Top(o.By); !known[[2]*source.Block{by, b}] {
				known[[2]*source.Block{by, b}] = true
				changed[by] = append(changed[by], b)
			}
		}
	}
	return changed
})

// eachHistory visits the histories of the items in a block. For a nested block whose items have
// separate histories, it visits those.
func (x *index) eachHistory(b *source.Block, visit func(*merge.MergedItem)) {
	for _, it := range b.Items() {
		e := x.entries[it].merged
		inner, isBlock := it.(*source.Block)
		if isBlock && (e == nil || e.Inner() != nil) {
			x.eachHistory(inner, visit)
		} else if e != nil {
			visit(e)
		}
	}
}
