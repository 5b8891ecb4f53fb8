package changes

import (
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// Between lists the blocks whose effective values are not the same in two modules, with
// their changes: in the load order of the later one, and then those that only the earlier
// one has. Both must hide the same secrets, and be such that the engine takes them.
func Between(before, after *merge.Module) []*Block {
	return betweenSome(before, after, compare.MayBeEdited(before.Source, after.Source))
}

// betweenSome lists the wanted blocks.
func betweenSome(before, after *merge.Module, wants func(f *source.File, i int) bool) []*Block {
	b := &moduleComparison{
		finder: finder{module: after}, was: namesOf(before, wants), is: namesOf(after, wants),
		blockAt: map[address.Address]*Block{},
	}
	for _, k := range b.is.order {
		b.name(k)
	}
	for _, k := range b.was.order {
		if b.is.known[k] == nil {
			b.name(k)
		}
	}
	slices.SortStableFunc(b.blocks, func(x, y *Block) int { return cmp.Compare(b.rank(x), b.rank(y)) })
	var list []*Block
	for _, x := range b.blocks {
		if x.IsNew || x.IsGone || len(x.Changes) > 0 {
			list = append(list, x)
		}
	}
	return list
}

// rank is the position of a block among those of the later module.
func (b *moduleComparison) rank(x *Block) int {
	if at, ok := b.is.first[x.Address]; ok {
		return at
	}
	return len(b.is.order)
}

// A moduleComparison compares two modules.
type moduleComparison struct {
	finder
	was, is *names
	blockAt map[address.Address]*Block
}

// A name is the address of an effective item, and of the top-level block around it.
type name struct{ block, own address.Address }

// names are the names of some blocks of a module.
type names struct {
	order  []name
	known  map[name]*nameEntry
	blocks map[address.Address]*merge.MergedItem
	first  map[address.Address]int // of each block, the index in order
}

// A nameEntry holds the effective items of a name. Items without a separate address share the entry
// of their kind.
type nameEntry struct {
	item  *merge.MergedItem // the first one
	items []source.Item
}

func namesOf(m *merge.Module, wants func(f *source.File, i int) bool) *names {
	n := &names{known: map[name]*nameEntry{}, blocks: map[address.Address]*merge.MergedItem{}, first: map[address.Address]int{}}
	top := map[*merge.MergedItem]bool{}
	for _, e := range m.AllOf(wants) {
		top[e] = true
	}
	var block address.Address
	address.WalkSome(m, wants, func(own address.Address, e *merge.MergedItem) {
		if e.Rule.Match == rules.ByPosition {
			own = own.Kind()
		}
		if top[e] {
			block = own
		}
		items := effective(e)
		if len(items) == 0 {
			return
		}
		if n.blocks[block] == nil {
			n.blocks[block], n.first[block] = e, len(n.order)
		}
		k := name{block, own}
		if n.known[k] == nil {
			n.order = append(n.order, k)
			n.known[k] = &nameEntry{item: e}
		}
		n.known[k].items = append(n.known[k].items, items...)
	})
	return n
}

// name compares what two modules have of a name.
func (b *moduleComparison) name(k name) {
	was, is := b.was.known[k], b.is.known[k]
	switch {
	case was == nil:
		b.enterBlock(k.block)
		b.addOnlyInOne(k, is, true)
	case is == nil:
		b.enterBlock(k.block)
		b.addOnlyInOne(k, was, false)
	case was.item.Inner() != nil && is.item.Inner() != nil || isSame(was, is):
	default:
		b.enterBlock(k.block)
		c := b.comparison(k, is)
		c.both(was, is)
	}
}

// enterBlock has changes go to a top-level block.
func (b *moduleComparison) enterBlock(own address.Address) {
	if b.block = b.blockAt[own]; b.block != nil {
		return
	}
	was, is := b.was.blocks[own], b.is.blocks[own]
	b.block = &Block{Address: own, Item: is, IsBetween: true}
	switch {
	case is == nil:
		b.block.Item, b.block.IsGone = was, !was.Rule.OmitEmpty
	case was == nil:
		b.block.IsNew = !is.Rule.OmitEmpty
	}
	b.blockAt[own] = b.block
	b.blocks = append(b.blocks, b.block)
}

func (b *moduleComparison) comparison(k name, n *nameEntry) *comparison {
	c := &comparison{finder: &b.finder, subject: &Subject{Address: k.own, Item: n.item}, budget: values.BudgetFor(k.own)}
	if o := outcomeOf(n.item, n.items[0]); source.IsOverride(o.Item) && b.is.known[k] == n {
		c.rule(o)
	}
	return c
}

// addOnlyInOne records a value that only one of the modules has.
func (b *moduleComparison) addOnlyInOne(k name, n *nameEntry, isNew bool) {
	isMerged := n.item.Inner() != nil
	if k.own == k.block && (isMerged || n.item.Rule.Match != rules.ByPosition) || isMerged && n.item.Rule.OmitEmpty {
		return // reported for the block, or for its contents
	}
	c := b.comparison(k, n)
	c.isInside = b.isInside(k)
	nodes := c.effectiveNodes(n)
	if isMerged {
		nodes = []*values.Node{{Value: values.ValueOf(n.items[0])}}
	}
	if isNew {
		c.addAll(nil, nodes)
	} else {
		c.dropAll(nil, nodes)
	}
}

// isInside reports whether a block around a name is itself in one of the modules only.
func (b *moduleComparison) isInside(k name) bool {
	if b.block.IsNew || b.block.IsGone {
		return k.own != k.block
	}
	for own := k.own.Parent(); !own.IsEmpty() && own != k.block; own = own.Parent() {
		around := name{k.block, own}
		was, is := b.was.known[around], b.is.known[around]
		if (was == nil) != (is == nil) {
			if was == nil {
				was = is
			}
			return !was.item.Rule.OmitEmpty
		}
	}
	return false
}

// isSame reports whether items are spelled identically, so no comparison is needed.
func isSame(was, is *nameEntry) bool {
	return was.item.Value == nil && is.item.Value == nil && slices.EqualFunc(was.items, is.items, equal.Items)
}

// both compares what two modules have of a name.
func (c *comparison) both(was, is *nameEntry) {
	_, wasAttr := was.items[0].(*source.Attr)
	_, isAttr := is.items[0].(*source.Attr)
	old, later := c.effectiveNodes(was), c.effectiveNodes(is)
	switch {
	case wasAttr != isAttr:
		c.exchanged(was.items, is.items)
	case isAttr && len(old) == 1 && len(later) == 1:
		c.compare(nil, old[0], later[0])
	default:
		c.compare(nil, values.BlocksNode(old), values.BlocksNode(later))
	}
}

// effectiveNodes returns the effective items of a name as nodes to compare.
func (c *comparison) effectiveNodes(n *nameEntry) []*values.Node {
	a, isAttr := n.items[0].(*source.Attr)
	if !isAttr || n.item.Value == nil {
		return c.read().Items(n.items)
	}
	by := c.by
	defer func() { c.by = by }()
	return []*values.Node{c.effectiveAttr(n.item, a)}
}
