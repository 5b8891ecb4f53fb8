package render

import (
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A filter picks blocks by patterns of addresses.
type filter struct{ patterns }

// picks tells whether a pattern matches a block that is printed, or something that it
// holds. What it holds is looked at only where its own address does not match.
func (ps filter) picks(m *merge.Module, p *piece, address string) bool {
	if len(ps.patterns) == 0 {
		return true
	}
	at := ps.reach(address)
	if ps.areAt(at) {
		return true
	}
	for _, own := range m.OwnAddresses(p.block) {
		if ps.areAt(ps.reach(own)) {
			return true
		}
	}
	if p.only != nil {
		return ps.pick(at, []member{{item: p.only}})
	}
	return ps.pick(at, heldBy(member{item: p.block, content: p.content}))
}

// pick tells whether a pattern matches one of some items, or something in one.
// around is how far the patterns got with the block that holds them.
func (ps filter) pick(around progress, list []member) bool {
	counts := map[string]int{}
	for _, it := range list {
		name := it.item.Called()
		at, isMatch := ps.ways(around, name, counts[name], it.item)
		counts[name]++
		if name == load.EscapeBlock {
			at.join(around)
		}
		if isMatch || ps.pick(at, heldBy(it)) {
			return true
		}
	}
	return false
}

// heldBy lists what an item in effect holds; of a dynamic block also what stands in
// its content.
func heldBy(m member) []member {
	b, ok := m.item.(*load.Block)
	if !ok {
		return nil
	}
	b = b.Tree()
	list := members(m.content, b)
	if content := load.ContentOf(b); content != b && m.content == nil {
		list = append(list, members(nil, content)...)
	}
	return list
}
