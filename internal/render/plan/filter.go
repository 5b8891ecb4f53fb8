package plan

import (
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A filter picks blocks by patterns of addresses.
type filter struct{ address.Patterns }

// picks reports whether a pattern matches a block that is printed, or something that it
// holds. What it holds is looked at only where its own address does not match.
func (ps filter) picks(m *merge.Module, block *Block, own address.Address) bool {
	if len(ps.Patterns) == 0 {
		return true
	}
	at := ps.Reach(own)
	if ps.AreAt(at) {
		return true
	}
	for _, inner := range address.InsideOf(m, block.Source) {
		if ps.AreAt(ps.Reach(inner)) {
			return true
		}
	}
	if block.Item != nil {
		return ps.pick(at, []BodyItem{{Item: block.Item}})
	}
	return ps.pick(at, heldBy(BodyItem{Item: block.Source, Content: block.Content})) || ps.picksEarlier(m, own, block.Content)
}

// picksEarlier reports whether a pattern matches something that an override dropped from a block,
// so that it is not printed: what was there, and who dropped it, belongs to the block.
func (ps filter) picksEarlier(m *merge.Module, own address.Address, content *merge.MergedBody) bool {
	isFound := false
	address.WalkIn(m, own, content, func(inner address.Address, e *merge.MergedItem) {
		if !isFound && e.IsOverridden() {
			at := ps.Reach(inner)
			isFound = ps.AreAt(at) || ps.MatchInside(e, at)
		}
	})
	return isFound
}

// pick reports whether a pattern matches one of some items, or something inside of one.
// around is how far the patterns got with the block that holds them.
func (ps filter) pick(around address.Progress, list []BodyItem) bool {
	counts := map[string]int{}
	for _, it := range list {
		name := it.Item.Called()
		at, isMatch := ps.Ways(around, address.New(name), counts[name], it.Item)
		counts[name]++
		if name == language.EscapeBlock {
			at.Join(around)
		}
		a, isAttr := it.Item.(*source.Attr)
		if isMatch || isAttr && ps.MatchValue(a, at) || ps.pick(at, heldBy(it)) {
			return true
		}
	}
	return false
}

// heldBy lists what an item in effect holds; of a dynamic block also what its content
// block holds.
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
