package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A subject is what the history of an item is about: a name, or what a nested block that was
// replaced or added as a whole has in it.
type subject struct {
	address.Target
	// among, if set, are those that matter of very many blocks that are one, as all locals
	// blocks of a module are.
	among map[source.Item]bool
}

// subject is what the history of an item is about. Where no override has to do with the item
// there is none.
func (x *index) subject(it source.Item) (subject, bool) {
	e, of, ok := x.at(it)
	if !ok || of != it && e.merged.Inner != nil {
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

// isSeveral reports whether several blocks are one name, as locals blocks are. The escaping
// block of one is part of it.
func isSeveral(e *merge.MergedItem) bool {
	if e.Inner == nil {
		return false
	}
	blocks := 0
	for _, b := range e.Inner.Parts {
		if b.Called() != language.EscapeBlock {
			blocks++
		}
	}
	return blocks > 1
}

// matters reports whether an item of the history does.
func (s *subject) matters(it source.Item) bool { return s.among == nil || s.among[it] }

// partners are, of the blocks that are one name, a block itself and those of the other role
// that have to do with what is in it.
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

type changedKey struct{}

// changedBy are the blocks of primary files that those of override files change or add to.
func changedBy(v *view.View) map[*source.Block][]*source.Block {
	return view.Once(v, changedKey{}, func(v *view.View) map[*source.Block][]*source.Block {
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
}

// eachHistory visits the histories of what a block holds, but for those of blocks whose items
// have histories of their own.
func (x *index) eachHistory(b *source.Block, visit func(*merge.MergedItem)) {
	for _, it := range b.Tree().Body.Items {
		e := x.entries[it].merged
		inner, isBlock := it.(*source.Block)
		if isBlock && (e == nil || e.Inner != nil) {
			x.eachHistory(inner, visit)
		} else if e != nil {
			visit(e)
		}
	}
}
