package plan

import (
	"cmp"
	"errors"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A Selection chooses the top-level blocks to print, and their order.
type Selection struct {
	OnlyChanged bool              // only blocks that an override touched
	Filter      []address.Pattern // only blocks that one of these matches; none means all
	Sort        bool              // blocks by kind and address instead of load order
}

// IsWhole reports whether everything is printed as the files have it.
func (s Selection) IsWhole() bool { return !s.OnlyChanged && len(s.Filter) == 0 && !s.Sort }

// ErrNoneSelected means that no printed block matches a filter.
var ErrNoneSelected = errors.New("no block matches --filter")

// A SelectedBlock is a top-level block printed apart from its file.
type SelectedBlock struct {
	*Block
	kind    string          // the block's type
	address address.Address // empty if neither sorting nor a filter needs it
	LineEnd string          // of its file
}

// Compare compares two blocks by kind and address, as Selection.Sort orders them.
func (s SelectedBlock) Compare(other SelectedBlock) int {
	return cmp.Or(cmp.Compare(s.kind, other.kind), s.address.Compare(other.address))
}

// Unmatched lists the indexes of the patterns that match no block of a module and nothing
// in one.
func Unmatched(m *merge.Module, patterns []address.Pattern) (unmatched []int) {
	if len(patterns) == 0 {
		return nil
	}
	files := Arrange(m)
	for i := range patterns {
		if !matchesAny(m, files, newFilter(m, patterns[i:i+1])) {
			unmatched = append(unmatched, i)
		}
	}
	return unmatched
}

// matchesAny reports whether a filter picks any block of the files.
func matchesAny(m *merge.Module, files []*File, f *filter) bool {
	for _, file := range files {
		for _, b := range file.blocksWhere(f.mayMatch) {
			if f.picks(b, address.OfBlock(m, b.Source)) {
				return true
			}
		}
	}
	return false
}

// LeftOut returns the number of blocks in a module that no pattern matches; 0 without patterns.
func LeftOut(m *merge.Module, patterns []address.Pattern) int {
	if len(patterns) == 0 {
		return 0
	}
	files, n := Arrange(m), 0
	for _, f := range files {
		n += f.Size() + len(f.Extra())
	}
	return n - len(Select(m, files, Selection{Filter: patterns}))
}

// Select lists the selected blocks of files, in load order or sorted.
func Select(m *merge.Module, files []*File, s Selection) (list []SelectedBlock) {
	chosen := newFilter(m, s.Filter)
	for _, f := range files {
		for _, b := range f.blocksWhere(chosen.mayMatch) {
			if s.OnlyChanged && !b.Changed {
				continue
			}
			found := SelectedBlock{Block: b, kind: b.Source.Type, LineEnd: f.LineEnd}
			// Only sorting and filtering need the address.
			if s.Sort || len(s.Filter) > 0 {
				found.address = address.OfBlock(m, b.Source)
			}
			if chosen.picks(b, found.address) {
				list = append(list, found)
			}
		}
	}
	if s.Sort {
		slices.SortStableFunc(list, SelectedBlock.Compare)
	}
	return list
}

// A filter picks blocks by patterns of addresses; without any, all.
type filter struct {
	*address.Patterns
	module   *merge.Module
	mayMatch func(f *source.File, i int) bool // whether a pattern may match block i of a file, or anything in it
	earlier  map[*merge.MergedBody]bool       // what picksEarlier reported: many blocks may share a body
}

// newFilter returns a filter by patterns, or one that picks every block if there are none. Its mayMatch reads only
// types and labels, which rules out most blocks before they are loaded.
func newFilter(m *merge.Module, patterns []address.Pattern) *filter {
	ps := &filter{Patterns: address.NewPatterns(patterns...), module: m, earlier: map[*merge.MergedBody]bool{}}
	ps.mayMatch = ps.Leading(m)
	if len(patterns) == 0 {
		ps.mayMatch = func(*source.File, int) bool { return true }
	}
	return ps
}

// picks reports whether a pattern matches a printed block, or an item in it; always true without patterns. own is the
// block's address. The contents are searched only if own itself doesn't match.
func (ps *filter) picks(block *Block, own address.Address) bool {
	if ps.Len() == 0 {
		return true
	}
	// mayMatch rules out blocks without looking into them.
	if f := block.Source.File; !ps.mayMatch(f, f.IndexOf(block.Source)) {
		return false
	}
	at := ps.Reach(own) // how far the patterns match the block's address
	if ps.HasMatchAt(at) {
		return true
	}
	for _, inner := range address.InsideOf(ps.module, block.Source) { // local.a for an argument of locals
		if ps.HasMatchAt(ps.Reach(inner)) {
			return true
		}
	}
	if block.Item != nil { // only this item of the block is printed
		return ps.picksAny(at, []BodyItem{{Item: block.Item}})
	}
	contents := contentsOf(BodyItem{Item: block.Source, Content: block.Content})
	// First what is printed in the block, by its addresses there. Then by aliases: a data block in a check also has
	// the address of one at the top level. Then items that overrides set or dropped, which may not be printed.
	return ps.picksAny(at, contents) || ps.picksAliased(block.Source.Type, contents) || ps.picksEarlier(own, block.Content)
}

// picksAliased reports whether a pattern matches one of the contents of a top-level block of type typ, or something
// inside of one, by a second address: a data block inside a check also has that of a top-level data block.
func (ps *filter) picksAliased(typ string, contents []BodyItem) bool {
	aliased := slices.DeleteFunc(slices.Clone(contents), func(it BodyItem) bool { return !ps.module.HasAlias(typ, it.Item.Called()) })
	return len(aliased) > 0 && ps.picksAny(ps.Reach(address.Address{}), aliased) // as if they were at the top level
}

// picksEarlier reports whether a pattern matches an item that an override set or dropped in a block, even if it isn't
// printed: a dropped item, and the override that dropped it, belong to the block. own is the block's address. All
// blocks with the same content have that address, so the result is cached by content alone.
func (ps *filter) picksEarlier(own address.Address, content *merge.MergedBody) bool {
	isFound, isKnown := ps.earlier[content]
	if isKnown {
		return isFound
	}
	address.WalkIn(ps.module, own, content, func(inner address.Address, e *merge.MergedItem) {
		if !isFound && e.IsOverridden() {
			at := ps.Reach(inner)
			isFound = ps.HasMatchAt(at) || ps.MatchInside(e, at)
		}
	})
	ps.earlier[content] = isFound
	return isFound
}

// picksAny reports whether a pattern matches one of some items of a block, or something inside of one. around is the
// match state of the block: how far the patterns match its address.
func (ps *filter) picksAny(around address.Progress, list []BodyItem) bool {
	counts := map[string]int{} // of the items so far, by name
	for _, it := range list {
		name := it.Item.Called()
		// How far the patterns match the item: by its name, by its labels, and by its number among those of the name.
		at, isMatch := ps.FollowItem(around, address.New(name), counts[name], it.Item)
		counts[name]++
		if name == source.EscapeBlock { // its items may be addressed as those of the block around it
			at.Add(around) // so the patterns go on from there as well
		}
		a, isAttr := it.Item.(*source.Attr)
		if isMatch || isAttr && ps.MatchValue(a, at) || ps.picksAny(at, contentsOf(it)) {
			return true
		}
	}
	return false
}

// contentsOf lists the contents of an item in effect; none for an argument. A dynamic block also yields what is in
// its content block, because its contents are addressed without that.
func contentsOf(m BodyItem) []BodyItem {
	b, ok := m.Item.(*source.Block)
	if !ok {
		return nil
	}
	list := Members(m.Content, b)
	if content := source.ContentOf(b); content != b && m.Content == nil { // an unchanged dynamic block
		list = append(list, Members(nil, content)...)
	}
	return list
}
