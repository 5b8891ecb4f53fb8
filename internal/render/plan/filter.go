package plan

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A filter picks blocks by patterns of addresses; without any, all.
type filter struct {
	*address.Patterns
	module   *merge.Module
	mayMatch func(f *source.File, i int) bool
	earlier  map[*merge.MergedBody]bool // what picksEarlier reported: many blocks may share a body
}

func newFilter(m *merge.Module, patterns []address.Pattern) *filter {
	ps := &filter{Patterns: address.NewPatterns(patterns...), module: m, earlier: map[*merge.MergedBody]bool{}}
	ps.mayMatch = ps.Leading(m)
	if len(patterns) == 0 {
		ps.mayMatch = func(*source.File, int) bool { return true }
	}
	return ps
}

// picks reports whether a pattern matches a printed block, or an item in it. The contents are
// searched only if the block's own address does not match.
func (ps *filter) picks(block *Block, own address.Address) bool {
	if ps.Len() == 0 {
		return true
	}
	if f := block.Source.File; !ps.mayMatch(f, f.IndexOf(block.Source)) {
		return false
	}
	at := ps.Reach(own)
	if ps.AreAt(at) {
		return true
	}
	for _, inner := range address.InsideOf(ps.module, block.Source) {
		if ps.AreAt(ps.Reach(inner)) {
			return true
		}
	}
	if block.Item != nil {
		return ps.pick(at, []BodyItem{{Item: block.Item}})
	}
	held := heldBy(BodyItem{Item: block.Source, Content: block.Content})
	return ps.pick(at, held) || ps.pickAliased(block.Source.Type, held) || ps.picksEarlier(own, block.Content)
}

// pickAliased reports whether a pattern matches the alias of one of the items in a top-level block of
// a type, or something inside of one.
func (ps *filter) pickAliased(typ string, held []BodyItem) bool {
	aliased := slices.DeleteFunc(slices.Clone(held), func(it BodyItem) bool { return !ps.module.HasAlias(typ, it.Item.Called()) })
	return len(aliased) > 0 && ps.pick(ps.Reach(address.Address{}), aliased)
}

// picksEarlier reports whether a pattern matches an item that an override dropped from a block, so
// it isn't printed: the dropped item, and the override, belong to the block.
func (ps *filter) picksEarlier(own address.Address, content *merge.MergedBody) bool {
	isFound, isKnown := ps.earlier[content]
	if isKnown {
		return isFound
	}
	address.WalkIn(ps.module, own, content, func(inner address.Address, e *merge.MergedItem) {
		if !isFound && e.IsOverridden() {
			at := ps.Reach(inner)
			isFound = ps.AreAt(at) || ps.MatchInside(e, at)
		}
	})
	ps.earlier[content] = isFound
	return isFound
}

// pick reports whether a pattern matches one of some items, or something inside of one.
// around is how far the patterns got with the block that holds them.
func (ps *filter) pick(around address.Progress, list []BodyItem) bool {
	counts := map[string]int{}
	for _, it := range list {
		name := it.Item.Called()
		at, isMatch := ps.Ways(around, address.New(name), counts[name], it.Item)
		counts[name]++
		if name == source.EscapeBlock {
			at.Join(around)
		}
		a, isAttr := it.Item.(*source.Attr)
		if isMatch || isAttr && ps.MatchValue(a, at) || ps.pick(at, heldBy(it)) {
			return true
		}
	}
	return false
}

// heldBy lists the contents of an effective item; for a dynamic block also those of its content
// block.
func heldBy(m BodyItem) []BodyItem {
	b, ok := m.Item.(*source.Block)
	if !ok {
		return nil
	}
	list := Members(m.Content, b)
	if content := source.ContentOf(b); content != b && m.Content == nil {
		list = append(list, Members(nil, content)...)
	}
	return list
}
