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
// order of the later module, then those that only the earlier one has. The engine must accept both modules,
// and both must hide the same secrets.
func Between(before, after *merge.Module) []*Block {
	return betweenSome(before, after, compare.MayBeEdited(before.Source, after.Source))
}

// betweenSome is Between for the blocks that wants accepts. i is the index of a block in f.
func betweenSome(before, after *merge.Module, wants func(f *source.File, i int) bool) (list []*Block) {
	b := &moduleComparison{
		finder: finder{module: after}, was: namesOf(before, wants), is: namesOf(after, wants),
		blockAt: map[address.Address]*Block{},
	}
	for _, k := range b.is.order {
		b.compareName(k)
	}
	for _, k := range b.was.order {
		if b.is.entryOf[k] == nil { // only the earlier module has it
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

// rank returns the position of a block in the later module. Blocks that it lacks come last.
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

// A name is the address of an effective item, own, together with that of the top-level block around it.
type name struct{ block, own address.Address }

// names holds the names in effect of the wanted blocks of a module.
type names struct {
	order   []name // in load order
	entryOf map[name]*nameEntry
	blocks  map[address.Address]*merge.MergedItem // by top-level block: it, or the first item in effect inside
	first   map[address.Address]int               // by top-level block: the index in order of its first name
}

// A nameEntry holds the items in effect with one name. Items without names of their own, such as moved blocks,
// share the entry of their kind.
type nameEntry struct {
	item  *merge.MergedItem // the first one
	items []source.Item
}

// namesOf returns the names of the effective items in the wanted blocks of a module, in load order. wants is called
// with a file and the index of a block in it.
func namesOf(m *merge.Module, wants func(f *source.File, i int) bool) *names {
	n := &names{entryOf: map[name]*nameEntry{}, blocks: map[address.Address]*merge.MergedItem{}, first: map[address.Address]int{}}
	isTop := map[*merge.MergedItem]bool{}
	for _, e := range m.AllOf(wants) {
		isTop[e] = true
	}
	var block address.Address // of the top-level block around the current item
	address.WalkSome(m, wants, func(own address.Address, e *merge.MergedItem) {
		if e.Rule.Match == rules.ByPosition {
			// The number of such an item, a moved block, may differ between the modules. Without numbers, all share a
			// name.
			own = own.Kind()
		}
		if isTop[e] {
			block = own
		}
		items := effectiveItems(e)
		if len(items) == 0 {
			return
		}
		if n.blocks[block] == nil {
			n.blocks[block], n.first[block] = e, len(n.order)
		}
		k := name{block, own}
		if n.entryOf[k] == nil {
			n.order = append(n.order, k)
			n.entryOf[k] = &nameEntry{item: e}
		}
		n.entryOf[k].items = append(n.entryOf[k].items, items...)
	})
	return n
}

// compareName adds the changes of a name between the two modules, if there are any.
func (b *moduleComparison) compareName(k name) {
	was, is := b.was.entryOf[k], b.is.entryOf[k]
	switch {
	case was == nil || is == nil:
		b.enterBlock(k.block)
		b.addOnlyInOne(k, cmp.Or(was, is))
	case was.item.Inner() != nil && is.item.Inner() != nil: // merged blocks, whose items are compared by their own names
	case isSame(was, is):
	default:
		b.enterBlock(k.block)
		c := b.newComparison(k, is)
		c.compareEntries(was, is)
	}
}

// enterBlock sets b.block to the top-level block with an address, so that changes are added to it from now on. The
// first call for an address creates it, and finds out if the block is new or gone. A block that means nothing without
// its contents, such as terraform, is neither: only its contents are new or gone.
func (b *moduleComparison) enterBlock(own address.Address) {
	b.block = b.blockAt[own]
	if b.block != nil {
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

// newComparison returns a comparison for a name. n is its entry in one of the modules. If that is the later one, and
// an override set the items in effect, its rule explains the changes.
func (b *moduleComparison) newComparison(k name, n *nameEntry) *comparison {
	c := &comparison{finder: &b.finder, subject: &Subject{Address: k.own, Item: n.item}, budget: values.BudgetFor(k.own)}
	isOfLater := b.is.entryOf[k] == n
	if o := outcomeOf(n.item, n.items[0]); isOfLater && source.IsOverride(o.Item) {
		c.setRule(o)
	}
	return c
}

// addOnlyInOne adds a name that only one of the modules has, as new or gone, with its items, n. It leaves out
// top-level blocks, since these are marked themselves (Block.IsNew and IsGone), but not blocks without names, such as
// moved: all of them share one Block, so each of them is a change in that. It also leaves out blocks that mean
// nothing without their contents.
func (b *moduleComparison) addOnlyInOne(k name, n *nameEntry) {
	isMerged := n.item.Inner() != nil
	isTop := k.own == k.block
	isShared := !isMerged && n.item.Rule.Match == rules.ByPosition // several blocks, such as moved, have this name
	meansOnlyContents := isMerged && n.item.Rule.OmitEmpty
	if isTop && !isShared || meansOnlyContents {
		return
	}
	c := b.newComparison(k, n)
	c.isInside = b.isInside(k)
	nodes := c.effectiveNodes(n)
	if isMerged {
		// Without members, because they have names of their own.
		nodes = []*values.Node{{Value: values.ValueOf(n.items[0])}}
	}
	isNew := b.is.entryOf[k] == n
	if isNew {
		c.addAll(nil, nodes)
	} else {
		c.dropAll(nil, nodes)
	}
}

// isInside reports whether a block around a name is itself in only one of the modules, so that the name's
// change is part of the block's. A block that means nothing without its contents is no change itself.
func (b *moduleComparison) isInside(k name) bool {
	if b.block.IsNew || b.block.IsGone {
		return k.own != k.block
	}
	for own := k.own.Parent(); !own.IsEmpty() && own != k.block; own = own.Parent() {
		around := name{k.block, own}
		was, is := b.was.entryOf[around], b.is.entryOf[around]
		if (was == nil) != (is == nil) { // only one of the modules has this block
			return !cmp.Or(was, is).item.Rule.OmitEmpty
		}
	}
	return false
}

// isSame reports whether the items of two entries are equal, so that nothing needs to be compared. If a value is
// computed (Value isn't nil), the items don't decide: it is in no file.
func isSame(was, is *nameEntry) bool {
	return was.item.Value == nil && is.item.Value == nil && slices.EqualFunc(was.items, is.items, equal.Items)
}

// compareEntries adds the differences between the items of one name in two modules. Both entries have some.
func (c *comparison) compareEntries(was, is *nameEntry) {
	_, wasAttr := was.items[0].(*source.Attr)
	_, isAttr := is.items[0].(*source.Attr)
	old, later := c.effectiveNodes(was), c.effectiveNodes(is)
	switch {
	case wasAttr != isAttr:
		c.noteExchange(was.items, is.items)
	case isAttr && len(old) == 1 && len(later) == 1:
		c.compare(nil, old[0], later[0])
	default: // blocks, or several arguments
		c.compare(nil, values.BlocksNode(old), values.BlocksNode(later))
	}
}

// effectiveNodes returns the items of an entry as nodes to compare. A computed value takes the place of the
// argument's own. Unlike effectiveAttr, it leaves c.by alone.
func (c *comparison) effectiveNodes(n *nameEntry) []*values.Node {
	a, isAttr := n.items[0].(*source.Attr)
	if !isAttr || n.item.Value == nil {
		return c.read().Items(n.items)
	}
	by := c.by
	defer func() { c.by = by }() // effectiveAttr sets it
	return []*values.Node{c.effectiveAttr(n.item, a)}
}

// A comparison finds the changes of one merged item.
type comparison struct {
	finder   *finder
	subject  *Subject
	budget   values.Budget
	by       *values.Value // what made the changes, if not the effective value
	isInside bool          // marks the changes as part of an added or dropped block
}

// read returns the reader of the values.
func (c *comparison) read() values.Reader {
	return values.Reader{Module: c.finder.module.Source, Budget: c.budget}
}

// effectiveAttr returns the effective value of an argument. If that is computed, as a variable's default that its
// type converts, no file has it. Then effectiveAttr sets c.by to the override that people must look at: the one with
// the type or, if the type is in a primary file, the one with the default, a.
func (c *comparison) effectiveAttr(e *merge.MergedItem, a *source.Attr) *values.Node {
	if e.Value == nil { // not computed
		return c.read().Attr(a)
	}
	n := &values.Node{Value: values.ValueOf(a)}
	n.Computed, n.IsComputed = computed.NativeText(e.Value), true
	if step := e.Computed(); step != nil {
		c.by = asCause(step.By())
		if !source.IsOverride(step.By()) && source.IsOverride(a) { // the type of a primary file converted a
			c.by = asCause(a)
		}
	}
	n.Sum = values.SumOfText(n.Computed)
	return n
}

// setRule makes the rule that decided an outcome the explanation of the changes.
func (c *comparison) setRule(o merge.Outcome) {
	c.subject.Rule, c.subject.Why = o.Rule, o.Why()
}

// setGoneBy explains the changes of an item that is gone without a successor: by the rule of its outcome, o,
// and by the item that decided.
func (c *comparison) setGoneBy(o merge.Outcome) {
	c.setRule(o)
	c.by = asCause(o.Item)
	if o.By != nil {
		c.by = asCause(o.By)
	}
}

// asCause returns an item as the cause of a change: see Change.by.
func asCause(it source.Item) *values.Value { return new(values.ValueOf(it)) }

// note adds a change at path from was to is, either of which may be nil. by is what made it, or nil.
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

// noteChanged adds the change of one value to another. Its cause is the new value itself or, if that is
// computed and in no file, c.by.
func (c *comparison) noteChanged(path *values.Path, was, is *values.Node) {
	by := &is.Value
	if is.IsComputed {
		by = c.by
	}
	c.note(path, was, is, by)
}

// noteDropped adds a dropped value, and for a block its contents. by is what dropped it, or nil if that is
// unknown. Between modules only an override counts: otherwise the author simply removed the value.
func (c *comparison) noteDropped(path *values.Path, was *values.Node, by *values.Value) {
	if by != nil && c.finder.block.IsBetween && !source.IsOverride(by.Item) {
		by = nil
	}
	c.note(path, was, nil, by)
	c.eachInside(path, was, func(path *values.Path, part *values.Node) { c.noteDropped(path, part, by) })
}

// noteAdded adds a new value, and for a block its contents.
func (c *comparison) noteAdded(path *values.Path, is *values.Node) {
	c.note(path, nil, is, &is.Value)
	c.eachInside(path, is, c.noteAdded)
}

// eachInside calls visit with the contents of a nested block that is added or dropped, and their paths.
// Changes that visit adds are marked IsInside. For other values it does nothing.
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
		isOnly := len(m.Node.Elements) == 1
		for i, b := range m.Node.Elements {
			visit(at.At(i, i, isOnly), b) // the same index before and after
		}
	}
}

// dropAll adds that an argument at path, or all nested blocks of a type, are gone.
func (c *comparison) dropAll(path *values.Path, was []*values.Node) {
	c.eachNode(path, was, func(path *values.Path, n *values.Node) { c.noteDropped(path, n, c.by) })
}

// addAll adds that an argument at path, or all nested blocks of a type, are new.
func (c *comparison) addAll(path *values.Path, is []*values.Node) { c.eachNode(path, is, c.noteAdded) }

// eachNode calls visit with nodes and their paths: blocks get indexes, an argument doesn't.
func (c *comparison) eachNode(path *values.Path, nodes []*values.Node, visit func(*values.Path, *values.Node)) {
	for i, n := range nodes {
		at := path
		if _, isBlock := n.Item.(*source.Block); isBlock {
			isOnly := len(nodes) == 1
			at = path.At(i, i, isOnly) // the same index before and after
		}
		visit(at, n)
	}
}

// compare adds the differences between two values at path: part by part if both are objects, lists or nested
// blocks, otherwise as one change.
func (c *comparison) compare(path *values.Path, was, is *values.Node) {
	switch {
	case was.Sum == is.Sum, isSameText(was, is):
	case was.Form != is.Form || was.Form == values.Whole:
		c.noteChanged(path, was, is)
	case was.Form == values.Object:
		c.compareMembers(path, was, is)
	case was.Form == values.List || was.Form == values.Blocks:
		c.compareElements(path, was, is)
	}
}

// isSameText reports whether a computed value and one from a file have the same tokens. Their sums may differ
// even so.
func isSameText(n, o *values.Node) bool {
	return n.IsComputed != o.IsComputed && values.SumOfText(n.Text()) == values.SumOfText(o.Text())
}

// compareMembers adds the differences between two objects key by key, or between two blocks name by name.
func (c *comparison) compareMembers(path *values.Path, was, is *values.Node) {
	remaining := make(map[values.Key]*values.Node, len(is.Members)) // members of is that have no counterpart so far
	for _, m := range is.Members {
		remaining[m.Key] = m.Node
	}
	by := &is.Value // what drops the members that it lacks
	for _, m := range was.Members {
		at := path.To(m.Name)
		now := remaining[m.Key]
		delete(remaining, m.Key)
		switch {
		case now != nil:
			c.compareMember(at, m.Node, now, by)
		case m.IsBlocks:
			c.eachNode(at, m.Node.Elements, func(path *values.Path, n *values.Node) { c.noteDropped(path, n, by) })
		default:
			c.noteDropped(at, m.Node, by)
		}
	}
	// What remains is new.
	for _, m := range is.Members {
		if remaining[m.Key] == nil {
			continue
		}
		at := path.To(m.Name)
		if m.IsBlocks {
			c.addAll(at, m.Node.Elements)
		} else {
			c.noteAdded(at, m.Node)
		}
	}
}

// compareMember adds the differences between two values of one key. by is the block or object that holds the
// new value: it's named as the cause if nested blocks are gone.
func (c *comparison) compareMember(path *values.Path, was, is *values.Node, by *values.Value) {
	if was.Form == values.Blocks {
		outer := c.by
		c.by = by
		defer func() { c.by = outer }()
	}
	c.compare(path, was, is)
}

// compareElements adds the differences between two lists, or between the nested blocks of a type. A longest
// common subsequence stays; the other elements are paired by similarity. A list with too many differences is
// one change. The changes of a short list are also grouped, for people.
func (c *comparison) compareElements(path *values.Path, was, is *values.Node) {
	isList := was.Form == values.List
	runs, isComplete := differingRuns(was.Elements, is.Elements)
	if isList && !isComplete {
		c.noteChanged(path, was, is)
		return
	}
	firstChange := len(c.finder.block.Changes) // index of the first change that this call adds
	// The only block of a type has no index in its path.
	isOnlyBlock := was.Form == values.Blocks && len(was.Elements) <= 1 && len(is.Elements) <= 1
	for _, r := range runs {
		r.eachPair(was, is, func(i, j int) {
			switch at := path.At(i, j, isOnlyBlock); {
			case j < 0: // dropped
				c.noteDropped(at, was.Elements[i], c.droppedBy(was, is, is.Elements[r.laterFrom:r.laterTo]))
			case i < 0: // new
				c.noteAdded(at, is.Elements[j])
			default:
				c.compare(at, was.Elements[i], is.Elements[j])
			}
		})
	}
	if isList {
		c.groupShortList(firstChange, path, was, is)
	}
}

// eachPair calls visit with the elements of a run in pairs, in the order to list them: i is an index in was, j one in
// is. It calls visit(i, -1) for a dropped element, and visit(-1, j) for a new one. The order is that of is. A dropped
// element stays in front of the element that followed it: for [a b c] and [a x c], the pairs are a a, b -, - x, c c.
func (r run) eachPair(was, is *values.Node, visit func(i, j int)) {
	// Up to the calls of visit, indexes count from the start of the run.
	old, later := was.Elements[r.oldFrom:r.oldTo], is.Elements[r.laterFrom:r.laterTo]
	laterOf := pairElements(old, later)
	oldOf, dropsEnd := invertPairs(laterOf, len(later))
	next := 0 // in old
	// visitDropped visits the elements of old[next:end] that have no counterpart.
	visitDropped := func(end int) {
		for ; next < end; next++ {
			if laterOf[next] < 0 {
				visit(r.oldFrom+next, -1)
			}
		}
	}
	for j := range later {
		visitDropped(dropsEnd[j]) // dropped ones before this index in old come in front of later[j]
		i := oldOf[j]
		if i >= 0 {
			i += r.oldFrom
		}
		visit(i, r.laterFrom+j)
	}
	visitDropped(len(old))
}

// Successors maps each nested block of primary files to the override's block that replaced it: its counterpart in
// the changes or, if it has none, the block that dropped it. Blocks that the override repeats unchanged are missing.
// If a single block replaced them all, or none did, nobody needs the map, and it is nil.
func Successors(src *load.Module, e *merge.MergedItem) map[source.Item]source.Item {
	old, live := primaryItems(e), effectiveItems(e)
	areReplaced := len(old) > 0 && len(live) > 1 && source.IsOverride(live[0])
	if !areReplaced || isAttr(old[0]) || isAttr(live[0]) {
		return nil
	}
	read := values.Reader{Module: src, Budget: values.Full}
	was, is := values.BlocksNode(read.Items(old)), values.BlocksNode(read.Items(live)) // one element for each block
	runs, _ := differingRuns(was.Elements, is.Elements)
	successor := map[source.Item]source.Item{}
	for _, r := range runs {
		r.eachPair(was, is, func(i, j int) {
			switch {
			case i < 0: // new
			case j < 0: // dropped
				successor[old[i]] = firstReplacing(is, is.Elements[r.laterFrom:r.laterTo]).Item
			default:
				successor[old[i]] = live[j]
			}
		})
	}
	return successor
}

// The most elements, and bytes of text, of a list that people are shown as one value.
const maxShort, maxShortText = 5, 60

// groupShortList lets people see one change if both lists, was and is, are short: it sets Change.short of the changes
// of their elements, those of the current block from index from on. Otherwise a replaced element would be two
// changes, and neither would show the new list.
func (c *comparison) groupShortList(from int, path *values.Path, was, is *values.Node) {
	list := c.finder.block.Changes
	before, isShort := shortList(was)
	after, areShort := shortList(is)
	if !isShort || !areShort || len(list) == from {
		return
	}
	whole := &Change{Subject: c.subject, Path: path, Before: before, After: after, by: &is.Value}
	for i := range list[from:] {
		list[from+i].short = whole
	}
}

// shortList returns a list as a value on one line, if it has few elements, all of them constants. Otherwise ok
// is false.
func shortList(n *values.Node) (v *values.Value, ok bool) {
	if len(n.Elements) > maxShort || slices.ContainsFunc(n.Elements, func(e *values.Node) bool { return !e.IsPlain }) {
		return nil, false
	}
	short := n.Value
	if bytes.IndexByte(n.Text(), '\n') >= 0 { // put its elements on one line
		var elements [][]byte
		for _, e := range n.Elements {
			elements = append(elements, e.Text())
		}
		short.Computed = slices.Concat([]byte("["), bytes.Join(elements, []byte(", ")), []byte("]"))
	}
	text := short.Text()
	return &short, len(text) <= maxShortText && bytes.IndexByte(text, '\n') < 0
}

// invertPairs inverts laterOf, which holds for each earlier element the index of its later one, or -1 if it is
// dropped. oldOf holds for each of n later elements the index of its earlier one, or -1 if it is new. dropsEnd tells
// where to list the dropped ones: those with an index below dropsEnd[j] come before the later element j. For example,
// from [a b c] to [a x c], laterOf is [0 -1 2] and oldOf is [0 -1 2]; dropsEnd is [0 2 2], so b, with the index 1, is
// listed before x. Behind the last element with a counterpart, dropsEnd is len(laterOf).
func invertPairs(laterOf []int, n int) (oldOf, dropsEnd []int) {
	oldOf, dropsEnd = slices.Repeat([]int{-1}, n), make([]int, n)
	for i, j := range laterOf {
		if j >= 0 {
			oldOf[j] = i
		}
	}
	// From the end backwards, each later element takes over the bound of the next one with a counterpart.
	end := len(laterOf)
	for j := n - 1; j >= 0; j-- {
		if oldOf[j] >= 0 {
			end = oldOf[j]
		}
		dropsEnd[j] = end
	}
	return oldOf, dropsEnd
}

// droppedBy returns what dropped an element of was. For a list, that is the new list. For nested blocks, it's the
// block that firstReplacing returns or, if no block is left, c.by, which removed all.
func (c *comparison) droppedBy(was, is *values.Node, later []*values.Node) *values.Value {
	if was.Form == values.List {
		return &is.Value
	}
	if first := firstReplacing(is, later); first != nil {
		return first
	}
	return c.by
}

// firstReplacing returns the block that replaced the dropped nested blocks of a run: the first of later, the new
// blocks of the run or, if it has none, the first block of is. It returns nil if is has no blocks.
func firstReplacing(is *values.Node, later []*values.Node) *values.Value {
	switch {
	case len(later) > 0:
		return &later[0].Value
	case len(is.Elements) > 0:
		return &is.Elements[0].Value
	}
	return nil
}
