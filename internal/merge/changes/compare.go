package changes

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// Between lists the blocks whose effective values differ between two modules, with their changes: in the load
// order of the later module, then those that only the earlier one has. The engine must accept both, and both
// must hide the same secrets.
func Between(before, after *merge.Module) []*Block {
	return betweenSome(before, after, compare.MayBeEdited(before.Source, after.Source))
}

// betweenSome returns the changed blocks among those that wants accepts, as Between does for all.
func betweenSome(before, after *merge.Module, wants func(f *source.File, i int) bool) (list []*Block) {
	b := &moduleComparison{
		finder: finder{module: after}, was: namesOf(before, wants), is: namesOf(after, wants),
		blockAt: map[address.Address]*Block{},
	}
	for _, k := range b.is.order {
		b.compareName(k)
	}
	for _, k := range b.was.order {
		if b.is.known[k] == nil {
			b.compareName(k)
		}
	}
	slices.SortStableFunc(b.blocks, func(x, y *Block) int { return cmp.Compare(b.rank(x), b.rank(y)) })
	for _, x := range b.blocks {
		if x.IsNew || x.IsGone || len(x.Changes) > 0 {
			list = append(list, x)
		}
	}
	return list
}

// rank returns the position of a block in the later module; blocks that it lacks come last.
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

// A name is the address of an item in effect, together with that of the top-level block around it.
type name struct{ block, own address.Address }

// names holds the names in effect of the wanted blocks of a module.
type names struct {
	order  []name
	known  map[name]*nameEntry
	blocks map[address.Address]*merge.MergedItem
	first  map[address.Address]int // of each block, the index in order
}

// A nameEntry holds the items in effect with one name. Items without names of their own, such as moved blocks,
// share the entry of their kind.
type nameEntry struct {
	item  *merge.MergedItem // the first one
	items []source.Item
}

// namesOf returns the names in effect of the wanted blocks of a module, in load order.
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

// compareName adds the changes of a name between the two modules.
func (b *moduleComparison) compareName(k name) {
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
		c.compareEntries(was, is)
	}
}

// enterBlock makes b.block the top-level block with an address, to which changes are added from then on.
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

// comparison returns a comparison of a name. If n is what the later module has, and an override set it, its
// rule explains the changes.
func (b *moduleComparison) comparison(k name, n *nameEntry) *comparison {
	c := &comparison{finder: &b.finder, subject: &Subject{Address: k.own, Item: n.item}, budget: values.BudgetFor(k.own)}
	if o := outcomeOf(n.item, n.items[0]); source.IsOverride(o.Item) && b.is.known[k] == n {
		c.setRule(o)
	}
	return c
}

// addOnlyInOne adds the items whose name only one of the modules has: the later one if isNew.
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

// isInside reports whether a block around a name is itself in only one of the modules.
func (b *moduleComparison) isInside(k name) bool {
	if b.block.IsNew || b.block.IsGone {
		return k.own != k.block
	}
	for own := k.own.Parent(); !own.IsEmpty() && own != k.block; own = own.Parent() {
		around := name{k.block, own}
		was, is := b.was.known[around], b.is.known[around]
		if (was == nil) != (is == nil) {
			return !cmp.Or(was, is).item.Rule.OmitEmpty
		}
	}
	return false
}

// isSame reports whether the items of two entries are equal, so that nothing needs to be compared.
func isSame(was, is *nameEntry) bool {
	return was.item.Value == nil && is.item.Value == nil && slices.EqualFunc(was.items, is.items, equal.Items)
}

// compareEntries adds the differences between the items with one name in two modules. Both have some.
func (c *comparison) compareEntries(was, is *nameEntry) {
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

// effectiveNodes returns the items of an entry as nodes to compare. c.by stays as it is.
func (c *comparison) effectiveNodes(n *nameEntry) []*values.Node {
	a, isAttr := n.items[0].(*source.Attr)
	if !isAttr || n.item.Value == nil {
		return c.read().Items(n.items)
	}
	by := c.by
	defer func() { c.by = by }()
	return []*values.Node{c.effectiveAttr(n.item, a)}
}

// A comparison finds the changes of one merged item.
type comparison struct {
	finder   *finder
	subject  *Subject
	budget   values.Budget
	by       *values.Value // what made them, where that is not the value in effect
	isInside bool
}

// read returns the reader of the values.
func (c *comparison) read() values.Reader {
	return values.Reader{Module: c.finder.module.Source, Budget: c.budget}
}

// effectiveAttr returns the value of an argument in effect, which may be computed. It sets c.by to what
// computed it: an item of an override, or if a primary file's type did, the override's value that it
// converted.
func (c *comparison) effectiveAttr(e *merge.MergedItem, a *source.Attr) *values.Node {
	if e.Value == nil {
		return c.read().Attr(a)
	}
	n := &values.Node{Value: values.ValueOf(a)}
	n.Computed, n.IsComputed = computed.NativeText(e.Value), true
	if by := e.Computed(); by != nil {
		c.by = whereIs(by.By())
		if !source.IsOverride(by.By()) && source.IsOverride(a) { // by the type of a primary file
			c.by = whereIs(a)
		}
	}
	n.Sum = values.SumOfText(n.Computed)
	return n
}

// setRule makes the rule of an outcome the one that explains the changes.
func (c *comparison) setRule(o merge.Outcome) {
	c.subject.Rule, c.subject.Why = o.Rule, o.Why()
}

// goneBy makes an outcome's cause the one of an item that is gone without a successor.
func (c *comparison) goneBy(o merge.Outcome) {
	c.setRule(o)
	c.by = whereIs(o.Item)
	if o.By != nil {
		c.by = whereIs(o.By)
	}
}

// whereIs returns the value of an item, to be used as the cause of a change.
func whereIs(it source.Item) *values.Value { return new(values.ValueOf(it)) }

// note adds a change. was or is is nil if there is no such value.
func (c *comparison) note(path *values.Path, was, is *values.Node, by *values.Value) {
	x := Change{Subject: c.subject, Path: path, IsInside: c.isInside, by: by}
	if was != nil {
		x.Before = &was.Value
	}
	if is != nil {
		x.After = &is.Value
	}
	c.finder.block.Changes = append(c.finder.block.Changes, x)
}

// changed adds the change of one value to another. Its cause is the new value itself, or c.by if that value
// is computed: then no file has it.
func (c *comparison) changed(path *values.Path, was, is *values.Node) {
	by := &is.Value
	if is.IsComputed {
		by = c.by
	}
	c.note(path, was, is, by)
}

// dropped adds a dropped value, and for a block its contents. by is what dropped it, nil if that is unknown.
// Between modules only an override drops values; otherwise the author simply removed it.
func (c *comparison) dropped(path *values.Path, was *values.Node, by *values.Value) {
	if by != nil && c.finder.block.IsBetween && !source.IsOverride(by.Item) {
		by = nil
	}
	c.note(path, was, nil, by)
	c.eachInside(path, was, func(path *values.Path, part *values.Node) { c.dropped(path, part, by) })
}

// added adds a new value, and for a block its contents.
func (c *comparison) added(path *values.Path, is *values.Node) {
	c.note(path, nil, is, &is.Value)
	c.eachInside(path, is, c.added)
}

// eachInside calls visit with the contents of a nested block that is added or dropped. Changes that visit
// adds are marked IsInside.
func (c *comparison) eachInside(path *values.Path, n *values.Node, visit func(*values.Path, *values.Node)) {
	if _, isBlock := n.Item.(*source.Block); !isBlock {
		return
	}
	outside := c.isInside
	c.isInside = true
	defer func() { c.isInside = outside }()
	for _, m := range n.Members {
		at := path.To(m.Name)
		if !m.IsBlocks {
			visit(at, m.Node)
			continue
		}
		for i, b := range m.Node.Elements {
			visit(at.At(i, i, len(m.Node.Elements) == 1), b)
		}
	}
}

// dropAll adds that an argument, or all nested blocks of a type, are gone.
func (c *comparison) dropAll(path *values.Path, was []*values.Node) {
	c.each(path, was, func(path *values.Path, n *values.Node) { c.dropped(path, n, c.by) })
}

// addAll adds that an argument, or all nested blocks of a type, are new.
func (c *comparison) addAll(path *values.Path, is []*values.Node) { c.each(path, is, c.added) }

// each calls visit with nodes and their paths: blocks get indexes, an argument doesn't.
func (c *comparison) each(path *values.Path, nodes []*values.Node, visit func(*values.Path, *values.Node)) {
	for i, n := range nodes {
		at := path
		if _, isBlock := n.Item.(*source.Block); isBlock {
			at = path.At(i, i, len(nodes) == 1)
		}
		visit(at, n)
	}
}

// compare adds the differences between two values, which are at path.
func (c *comparison) compare(path *values.Path, was, is *values.Node) {
	switch {
	case was.Sum == is.Sum, isSameText(was, is):
	case was.Form != is.Form || was.Form == values.Whole:
		c.changed(path, was, is)
	case was.Form == values.Object:
		c.members(path, was, is)
	case was.Form == values.List || was.Form == values.Blocks:
		c.elements(path, was, is)
	}
}

// isSameText reports whether a computed value and one from a file have the same tokens. Their sums may still
// differ.
func isSameText(n, o *values.Node) bool {
	return n.IsComputed != o.IsComputed && values.SumOfText(n.Text()) == values.SumOfText(o.Text())
}

// members adds the differences between two objects key by key, or between two blocks.
func (c *comparison) members(path *values.Path, was, is *values.Node) {
	known := make(map[values.Key]*values.Node, len(is.Members))
	for _, m := range is.Members {
		known[m.Key] = m.Node
	}
	by := &is.Value
	for _, m := range was.Members {
		at := path.To(m.Name)
		now := known[m.Key]
		delete(known, m.Key)
		switch {
		case now != nil:
			c.member(at, m.Node, now, by)
		case m.IsBlocks:
			c.each(at, m.Node.Elements, func(path *values.Path, n *values.Node) { c.dropped(path, n, by) })
		default:
			c.dropped(at, m.Node, by)
		}
	}
	for _, m := range is.Members {
		if known[m.Key] == nil {
			continue
		}
		if at := path.To(m.Name); m.IsBlocks {
			c.addAll(at, m.Node.Elements)
		} else {
			c.added(at, m.Node)
		}
	}
}

// member adds the differences between two values of one key. If nested blocks are gone, by is the block
// without them.
func (c *comparison) member(path *values.Path, was, is *values.Node, by *values.Value) {
	if was.Form == values.Blocks {
		outer := c.by
		c.by = by
		defer func() { c.by = outer }()
	}
	c.compare(path, was, is)
}

// elements adds the differences between two lists, or nested blocks of a type. Elements that both have, in
// the same order, stay; the others are paired by similarity.
func (c *comparison) elements(path *values.Path, was, is *values.Node) {
	runs, ok := differing(was.Elements, is.Elements)
	if !ok && was.Form == values.List {
		c.changed(path, was, is)
		return
	}
	if was.Form == values.List {
		defer c.asOne(len(c.finder.block.Changes), path, was, is)
	}
	isOnly := was.Form == values.Blocks && len(was.Elements) <= 1 && len(is.Elements) <= 1
	for _, r := range runs {
		r.pairs(was, is, func(i, j int) {
			switch at := path.At(i, j, isOnly); {
			case j < 0:
				c.dropped(at, was.Elements[i], c.droppedBy(was, is, is.Elements[r.start:r.end]))
			case i < 0:
				c.added(at, is.Elements[j])
			default:
				c.compare(at, was.Elements[i], is.Elements[j])
			}
		})
	}
}

// pairs calls visit with the elements of a stretch, paired by similarity, as indexes in was and is. An index
// is -1 for an element that only the other list has.
func (r run) pairs(was, is *values.Node, visit func(i, j int)) {
	old, later := was.Elements[r.from:r.to], is.Elements[r.start:r.end]
	pairs := pairElements(old, later)
	isFor, before := counterparts(pairs, len(later))
	next := 0 // in old
	drop := func(end int) {
		for ; next < end; next++ {
			if pairs[next] < 0 {
				visit(r.from+next, -1)
			}
		}
	}
	for j := range later {
		drop(before[j])
		i := isFor[j]
		if i >= 0 {
			i += r.from
		}
		visit(i, r.start+j)
	}
	drop(len(old))
}

// Successors returns, for nested blocks of primary files that an override replaced, the block that the
// changes name as their successor, or as what dropped them. It is nil unless several blocks replaced them.
func Successors(src *load.Module, e *merge.MergedItem) map[source.Item]source.Item {
	old, live := earlier(e), effective(e)
	if len(live) < 2 || len(old) == 0 || isAttr(old[0]) || isAttr(live[0]) || !source.IsOverride(live[0]) {
		return nil
	}
	read := values.Reader{Module: src, Budget: values.Full}
	was, is := values.BlocksNode(read.Items(old)), values.BlocksNode(read.Items(live))
	runs, _ := differing(was.Elements, is.Elements)
	by := map[source.Item]source.Item{}
	var c *comparison
	for _, r := range runs {
		r.pairs(was, is, func(i, j int) {
			switch {
			case i < 0:
			case j < 0:
				by[old[i]] = c.droppedBy(was, is, is.Elements[r.start:r.end]).Item
			default:
				by[old[i]] = live[j]
			}
		})
	}
	return by
}

// The most elements, and bytes of text, of a list that people are shown as one value.
const maxShort, maxShortText = 5, 60

// asOne makes the changes of elements, those from index from on, one change for people if both lists are
// short: an element that is replaced would be two changes, and neither would show the new list.
func (c *comparison) asOne(from int, path *values.Path, was, is *values.Node) {
	list := c.finder.block.Changes
	before, isShort := shortList(was)
	after, areShort := shortList(is)
	if !isShort || !areShort || len(list) == from {
		return
	}
	whole := &Change{Subject: c.subject, Path: path, Before: before, After: after, by: &is.Value}
	for i := range list[from:] {
		list[from+i].of = whole
	}
}

// shortList returns a list of few constants as a value on one line; ok is false for any other.
func shortList(n *values.Node) (v *values.Value, ok bool) {
	text := n.Text()
	if len(n.Elements) > maxShort || slices.ContainsFunc(n.Elements, func(e *values.Node) bool { return !e.IsPlain }) {
		return nil, false
	}
	one := n.Value
	if bytes.IndexByte(text, '\n') >= 0 {
		var elements [][]byte
		for _, e := range n.Elements {
			elements = append(elements, e.Text())
		}
		one.Computed = slices.Concat([]byte("["), bytes.Join(elements, []byte(", ")), []byte("]"))
	}
	text = one.Text()
	return &one, len(text) <= maxShortText && bytes.IndexByte(text, '\n') < 0
}

// counterparts inverts pairs, which holds the later element for each earlier one, or -1. isFor holds the
// earlier element for each of n later ones, or -1. before holds, for each later one, the end of the earlier
// ones that are listed before it if they are dropped.
func counterparts(pairs []int, n int) (isFor, before []int) {
	isFor, before = slices.Repeat([]int{-1}, n), make([]int, n)
	for i, j := range pairs {
		if j >= 0 {
			isFor[j] = i
		}
	}
	end := len(pairs)
	for j := n - 1; j >= 0; j-- {
		if isFor[j] >= 0 {
			end = isFor[j]
		}
		before[j] = end
	}
	return isFor, before
}

// droppedBy returns what dropped an element: the list that lacks it, or one of the nested blocks that
// replaced it, the first one of later if there is any.
func (c *comparison) droppedBy(was, is *values.Node, later []*values.Node) *values.Value {
	switch {
	case was.Form == values.List:
		return &is.Value
	case len(later) > 0:
		return &later[0].Value
	case len(is.Elements) > 0:
		return &is.Elements[0].Value
	}
	return c.by
}

// maxPairs limits how many pairs of elements are compared to find the most similar ones.
const maxPairs = 400

// pairElements returns, for each old element, the index of the later one that corresponds, or -1: of objects
// and blocks with the same labels the one with most in common, else the next one.
func pairElements(old, later []*values.Node) []int {
	p := pairing{old: old, later: later, of: make([]int, len(old)), taken: make([]bool, len(later))}
	for i := range p.of {
		p.of[i] = -1
	}
	if len(old)*len(later) <= maxPairs && len(old)+len(later) > 2 {
		p.bySimilarity()
	}
	p.byOrder()
	return p.of
}

// A pairing pairs old elements with later ones.
type pairing struct {
	old, later []*values.Node
	of         []int  // for each old element, the later one, or -1
	taken      []bool // for each later element
}

// A kind is what two elements must share to correspond.
type kind struct {
	form  values.Form
	label string
}

// kindOf returns the kind of an element.
func kindOf(n *values.Node) kind { return kind{n.Form, n.Label} }

// take pairs old element i with later element j.
func (p *pairing) take(i, j int) { p.of[i], p.taken[j] = j, true }

// bySimilarity pairs elements that have members in common, those with most in common first.
func (p *pairing) bySimilarity() {
	type pair struct{ i, j, common int }
	var pairs []pair
	for i, a := range p.old {
		has := map[values.Key]values.Sum{}
		for _, m := range a.Members {
			has[m.Key] = m.Node.Sum
		}
		for j, b := range p.later {
			if kindOf(a) != kindOf(b) {
				continue
			}
			common := 0
			for _, m := range b.Members {
				if s, ok := has[m.Key]; ok && s == m.Node.Sum {
					common++
				}
			}
			if common > 0 {
				pairs = append(pairs, pair{i, j, common})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.common, a.common) })
	for _, x := range pairs {
		if p.of[x.i] < 0 && !p.taken[x.j] {
			p.take(x.i, x.j)
		}
	}
}

// byOrder pairs the remaining elements of a kind in order. It leaves out values that are compared as a whole.
func (p *pairing) byOrder() {
	waiting := map[kind][]int{}
	for j, n := range p.later {
		if !p.taken[j] && n.Form != values.Whole {
			waiting[kindOf(n)] = append(waiting[kindOf(n)], j)
		}
	}
	for i, n := range p.old {
		if list := waiting[kindOf(n)]; p.of[i] < 0 && len(list) > 0 {
			p.take(i, list[0])
			waiting[kindOf(n)] = list[1:]
		}
	}
}

// A run is a stretch of a list, between from and to, that another list replaces by the stretch from start to
// end. One of the two may be empty.
type run struct{ from, to, start, end int }

// Finding a longest common subsequence takes steps in proportion to the length of the
// lists times the number of their differences. Of lists that differ in too much it is
// not looked for.
const (
	stepsEach   = 256 // for each element
	maxDistance = 2000
)

// differing returns the stretches in which two lists differ, the first one first. Between them is a longest
// common subsequence, by the algorithm of E. Myers, "An O(ND) Difference Algorithm and Its Variations". If
// that would take too many steps, ok is false, and a single stretch covers all differences.
func differing(old, later []*values.Node) (runs []run, ok bool) {
	first := 0
	for first < len(old) && first < len(later) && old[first].Sum == later[first].Sum {
		first++
	}
	end := 0
	for end < len(old)-first && end < len(later)-first &&
		old[len(old)-1-end].Sum == later[len(later)-1-end].Sum {
		end++
	}
	all := run{first, len(old) - end, first, len(later) - end}
	if all.from == all.to || all.start == all.end {
		return []run{all}, true
	}
	s := script{old: old[all.from:all.to], later: later[all.start:all.end]}
	distance, ok := s.countEdits()
	if !ok {
		return []run{all}, false
	}
	for _, r := range s.runs(distance) {
		runs = append(runs, run{r.from + first, r.to + first, r.start + first, r.end + first})
	}
	return runs, true
}

// A script searches the shortest way from one list to another: on a grid, a diagonal step is an element that
// both have.
type script struct {
	old, later []*values.Node
	furthest   [][]int32 // by distance: how far each diagonal reaches, starting with -distance
}

// countEdits returns how many elements must be removed or inserted, and fills in s.furthest for runs. ok is
// false if counting takes too many steps.
func (s *script) countEdits() (distance int, ok bool) {
	n, m := len(s.old), len(s.later)
	budget := stepsEach * (n + m)
	var last []int32
	for d := 0; d <= n+m && d <= maxDistance; d++ {
		budget -= d + 1
		row := make([]int32, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := 0
			switch {
			case d == 0:
			case k == -d || k != d && last[k-1+d-1] < last[k+1+d-1]:
				x = int(last[k+1+d-1])
			default:
				x = int(last[k-1+d-1]) + 1
			}
			for x < n && x-k < m && x-k >= 0 && s.old[x].Sum == s.later[x-k].Sum {
				x++
				budget--
			}
			row[k+d] = int32(x)
			if k == n-m && x >= n {
				s.furthest = append(s.furthest, row)
				return d, true
			}
		}
		if budget < 0 {
			return 0, false
		}
		s.furthest = append(s.furthest, row)
		last = row
	}
	return 0, false
}

// runs follows the path backwards and returns the stretches in which the lists differ, the first one first.
// distance comes from countEdits.
func (s *script) runs(distance int) []run {
	x, y := len(s.old), len(s.later)
	var list []run // the last one first
	for d := distance; d > 0; d-- {
		k := x - y
		last := s.furthest[d-1]
		before := k - 1
		if k == -d || k != d && last[k-1+d-1] < last[k+1+d-1] {
			before = k + 1
		}
		fromX := int(last[before+d-1])
		fromY := fromX - before
		step := run{fromX, fromX, fromY, fromY + 1} // one comes
		if before == k-1 {
			step = run{fromX, fromX + 1, fromY, fromY} // one is removed
		}
		if n := len(list); n > 0 && list[n-1].from == step.to && list[n-1].start == step.end {
			list[n-1].from, list[n-1].start = step.from, step.start
		} else {
			list = append(list, step)
		}
		x, y = fromX, fromY
	}
	slices.Reverse(list)
	return list
}
