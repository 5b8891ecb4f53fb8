// Package changes finds what override files change in a module: the configuration that the primary
// files alone describe is compared with the effective one, argument by argument, and objects and
// lists key by key and element by element.
//
//	main.tf                                override.tf
//	resource "aws_instance" "web" {        resource "aws_instance" "web" {
//	  tags = {                               tags = {
//	    Owner = "shop"                         Owner = "ci"
//	    Cost  = "4711"                       }
//	  }                                    }
//	}
//
//	changed  aws_instance.web.tags.Owner   "shop" → "ci"
//	dropped  aws_instance.web.tags.Cost    "4711"
//
// From the histories of a merged module it derives changes as data, each with the values on both
// sides, their locations and the deciding rule. Expressions are compared as texts, apart from
// layout, comments and the spelling of constants. An object with computed keys, and a list with too
// many differences, are one value.
//
// Work and memory are in proportion to the text that is compared.
package changes

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// A Kind is what overrides do to a name, a key or an element.
type Kind int

// The kinds.
const (
	Changed Kind = iota
	Added
	Dropped
)

var kindWords = [...]string{Changed: "changed", Added: "added", Dropped: "dropped"}

// String returns the kind's word in reports.
func (k Kind) String() string { return kindWords[k] }

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// A Block is a top-level block that overrides change, or that differs between two modules, with the changes.
type Block struct {
	Address address.Address
	Item    *merge.MergedItem
	// IsNew is set if no primary file has the block, or if the earlier one of two modules lacks it.
	// Its contents are then Added.
	IsNew bool
	// IsGone is set if only the earlier one of two modules has it.
	IsGone bool
	// IsBetween is set if the changes are between the effective values of two modules.
	IsBetween bool
	Changes   []Change
}

// A Change is one value that override files change, or that differs from an earlier module.
type Change struct {
	*Subject
	Path *values.Path // the path from the address to the value; nil for all of it
	// Before is the value of the primary files, or the effective one in an earlier module, and
	// After the effective one. Either is nil if there is none.
	Before, After *values.Value
	// IsInside is set if the value is part of a nested block that is itself added or dropped, which
	// is another change.
	IsInside bool

	by    *values.Value // see By; nil if nothing in the module made the change
	short *Change       // for an element of a short list the change of that list, which people see instead; else nil
}

// Name returns Path as an address: of a dropped value with the old indexes, otherwise with the new ones.
func (c *Change) Name() address.Address {
	// Only the earlier lists have the value.
	if c.After == nil {
		return c.Path.AddressBy((*values.Path).Earlier)
	}
	return c.Path.Address()
}

// DisplayName returns Name as reports show it: an element that moved has both indexes, as in [1]→[0].description.
func (c *Change) DisplayName() string {
	steps := c.Path.Steps()
	hasMoved := func(s *values.Path) bool { return s.IsIndex && s.Before != s.After }
	if c.Kind() != Changed || !slices.ContainsFunc(steps, hasMoved) {
		return c.Name().String()
	}
	text := ""
	for _, s := range steps {
		step := *s
		step.From = nil // this step alone, without those before it
		now, old := step.Address().String(), step.AddressBy((*values.Path).Earlier).String()
		if old != now {
			now = old + "→" + now
		}
		text = spelling.ConcatPaths(text, now)
	}
	return text
}

// Shown lists the changes as people read them. A short list, such as ["a", "b"], is one change instead of one
// for each element.
func (b *Block) Shown() []Change {
	if !slices.ContainsFunc(b.Changes, func(c Change) bool { return c.short != nil }) {
		return b.Changes
	}
	list := make([]Change, 0, len(b.Changes))
	var last *Change // the short list of the element before, or nil
	for i := range b.Changes {
		c := &b.Changes[i]
		switch {
		case c.short == nil:
			list = append(list, *c)
		case c.short != last: // the first element makes way for the list; the others are left out
			list = append(list, *c.short)
		}
		last = c.short
	}
	return list
}

// A Subject is what changes are in: an argument, or nested blocks of a type.
type Subject struct {
	Address address.Address
	Item    *merge.MergedItem
	Rule    *rules.Rule // the rule that decided; nil if the change is between modules, and no override made it
	Why     string      // what the rule did, in words
}

// Kind returns whether the value is changed, added or dropped.
func (c *Change) Kind() Kind {
	switch {
	case c.Before == nil:
		return Added
	case c.After == nil:
		return Dropped
	}
	return Changed
}

// By returns where users find what made the change: the new value, or what dropped the earlier one. Between
// modules the range is empty if a value is gone and no override dropped it.
func (c *Change) By() hcl.Range {
	if c.by == nil {
		return hcl.Range{}
	}
	return c.by.Place()
}

// ByItem returns the item at By, or nil.
func (c *Change) ByItem() source.Item {
	if c.by == nil {
		return nil
	}
	return c.by.Item
}

// Of lists the blocks that the override files of a module change, in load order, with their changes. The
// engine must accept the module.
func Of(m *merge.Module) (list []*Block) {
	Each(m, func(b *Block) { list = append(list, b) })
	return list
}

// Each calls visit with the blocks of Of, one at a time, because together they may take several times the
// memory of the module.
func Each(m *merge.Module, visit func(*Block)) {
	top := map[*merge.MergedItem]bool{}
	for _, e := range m.Root.Items {
		top[e] = true
	}
	f := &finder{module: m}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if top[e] {
			f.handOver(visit)
			f.startBlock(own, e)
		}
		f.addItem(own, e)
	})
	f.handOver(visit)
}

// startBlock begins the block of a top-level item. handOver must have dealt with the one before.
func (f *finder) startBlock(own address.Address, e *merge.MergedItem) {
	f.block, f.wholeBlocks = &Block{Address: own, Item: e}, map[address.Address]bool{}
}

// handOver calls visit with the current block, if there is one and overrides changed it.
func (f *finder) handOver(visit func(*Block)) {
	if b := f.block; b != nil && (b.IsNew || len(b.Changes) > 0) {
		visit(b)
	}
}

// Counts holds the numbers of changes of each kind.
type Counts struct {
	Changed int `json:"changed"`
	Added   int `json:"added"`
	Dropped int `json:"dropped"`
}

// AddOne counts a change of a kind.
func (c *Counts) AddOne(k Kind) {
	switch k {
	case Changed:
		c.Changed++
	case Added:
		c.Added++
	case Dropped:
		c.Dropped++
	}
}

// AddBlocks counts the changes of blocks as Shown lists them.
func (c *Counts) AddBlocks(blocks ...*Block) {
	for _, b := range blocks {
		c.Add(b, b.Shown())
	}
}

// Add counts changes of a block. A block that is new or gone counts as one more.
func (c *Counts) Add(b *Block, list []Change) {
	if b.IsNew {
		c.Added++
	}
	if b.IsGone {
		c.Dropped++
	}
	for i := range list {
		c.AddOne(list[i].Kind())
	}
}

// A finder gathers the changes of a module, block by block.
type finder struct {
	module      *merge.Module
	blocks      []*Block                 // of moduleComparison
	block       *Block                   // the current one
	wholeBlocks map[address.Address]bool // merged blocks in it that are added as a whole: changes themselves
}

// isInside reports whether an address is inside a block that is itself a change. A block that means nothing
// without its contents, such as locals, is none: addMerged neither sets IsNew for it nor lists it in f.wholeBlocks.
func (f *finder) isInside(own address.Address) bool {
	if f.block.IsNew {
		return own != f.block.Address
	}
	for at := own.Parent(); !at.IsEmpty(); at = at.Parent() {
		if f.wholeBlocks[at] {
			return true
		}
	}
	return false
}

// addItem adds the changes that overrides make to the merged item e with the address own.
func (f *finder) addItem(own address.Address, e *merge.MergedItem) {
	if !e.IsOverridden() {
		return
	}
	was, is := primaryItems(e), effectiveItems(e)
	if e.Inner() != nil {
		f.addMerged(own, e, was, is)
		return
	}
	c := &comparison{finder: f, subject: &Subject{Address: own, Item: e}, budget: values.BudgetFor(own)}
	switch {
	case len(was) == 0 && len(is) == 0: // not in effect, neither before nor now
	case len(is) == 0:
		c.setGoneBy(outcomeOf(e, was[0]))
		c.dropAll(nil, c.read().Items(was))
	case len(was) == 0:
		c.setRule(outcomeOf(e, is[0]))
		c.isInside = f.isInside(own)
		c.addAll(nil, c.read().Items(is))
	default:
		c.setRule(outcomeOf(e, is[0]))
		c.compareItems(e, was, is)
	}
}

// addMerged adds a merged block if overrides add it (was is empty) or drop it (is is empty) as a whole. It adds
// nothing for the items in the block, which have histories of their own.
func (f *finder) addMerged(own address.Address, e *merge.MergedItem, was, is []source.Item) {
	isAdded, isDropped := len(was) == 0, len(is) == 0
	// With OmitEmpty, the block means nothing without its contents.
	if e.Rule.OmitEmpty || isAdded == isDropped { // both: it was never in effect; neither: it still is
		return
	}
	// The top-level block is no change of its own, but marked as new.
	if f.block.Item == e {
		f.block.IsNew = isAdded
		return
	}
	c := &comparison{finder: f, subject: &Subject{Address: own, Item: e}}
	if isAdded {
		c.setRule(outcomeOf(e, is[0]))
		c.isInside = f.isInside(own)
		f.wholeBlocks[own] = true // so isInside finds that the items in the block are inside this change
		c.noteAdded(nil, &values.Node{Value: values.ValueOf(is[0])})
		return
	}
	c.setGoneBy(outcomeOf(e, was[0]))
	c.noteDropped(nil, &values.Node{Value: values.ValueOf(was[0])}, c.by)
}

// Gone lists the items of e that would be effective without override files, and returns the item of another
// name that removed them last. If none did, both results are nil. Later overrides may have set the name again, with
// other contents. A block that means nothing without its contents is never gone: the contents have histories of
// their own.
func Gone(e *merge.MergedItem) (was []source.Item, by source.Item) {
	if e.Inner() != nil && e.Rule.OmitEmpty {
		return nil, nil
	}
	for _, s := range e.Steps {
		if s.Effect == effect.Hidden || s.Effect == effect.Cleared {
			by = s.By()
		}
	}
	if by == nil {
		return nil, nil
	}
	return primaryItems(e), by
}

// primaryItems lists the items of e that would be effective without override files.
func primaryItems(e *merge.MergedItem) []source.Item {
	var list []source.Item
	for _, s := range e.Steps {
		switch {
		// A primary file itself hides the item.
		case s.Effect == effect.Hidden && s.By() != nil && !source.IsOverride(s.By()):
			return nil
		// Of duplicate arguments the first one counts; nested blocks add up.
		case s.Effect == effect.Defined && (len(list) == 0 || !isAttr(s.Item)):
			list = append(list, s.Item)
		}
	}
	return withoutIgnored(e, list)
}

// effectiveItems lists the items of e that are effective with all override files.
func effectiveItems(e *merge.MergedItem) []source.Item { return withoutIgnored(e, e.Live) }

// withoutIgnored removes items in .tf files that the engine evaluates only in .tofu files: see
// rules.Rule.TofuOnly.
func withoutIgnored(e *merge.MergedItem, items []source.Item) []source.Item {
	if !e.Rule.TofuOnly {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), func(it source.Item) bool { return !it.Source().Tofu })
}

// isAttr reports whether an item is an argument.
func isAttr(it source.Item) bool {
	_, ok := it.(*source.Attr)
	return ok
}

// outcomeOf returns the outcome of an item of e. If there is none, only Item and Rule are set.
func outcomeOf(e *merge.MergedItem, it source.Item) merge.Outcome {
	for _, o := range e.Outcomes() {
		if o.Item == it {
			return o
		}
	}
	return merge.Outcome{Item: it, Rule: e.Rule}
}

// compareItems adds the differences between the items of primary files, was, and the effective ones, is.
// Neither is empty.
func (c *comparison) compareItems(e *merge.MergedItem, was, is []source.Item) {
	a, wasAttr := was[0].(*source.Attr)
	b, isAttr := is[0].(*source.Attr)
	switch {
	case wasAttr != isAttr:
		c.noteExchange(was, is)
	case !isAttr: // nested blocks on both sides
		c.compare(nil, values.BlocksNode(c.read().Items(was)), values.BlocksNode(c.read().Items(is)))
	case e.Value == nil && (a == b || equal.Items(a, b)): // the same argument, and not converted
	default:
		now := c.effectiveAttr(e, b)
		// If an override repeats a variable's default, it isn't the cause: an override of the type converts the
		// value.
		isDefaultTheCause := c.by != nil && c.by.Item == is[0]
		if typ := overridingType(e); typ != nil && isDefaultTheCause && equal.Items(a, b) {
			c.by = asCause(typ)
		}
		c.compare(nil, c.read().Attr(a), now)
	}
}

// overridingType returns the type argument by which a variable's default was converted, if an override sets it.
// Otherwise it returns nil.
func overridingType(e *merge.MergedItem) *source.Attr {
	if e.Value == nil || e.Value.Type == nil || !source.IsOverride(e.Value.Type) {
		return nil
	}
	return e.Value.Type
}

// noteExchange adds that blocks replaced an argument, or an argument replaced blocks: all earlier items are
// dropped, and all new ones added.
func (c *comparison) noteExchange(was, is []source.Item) {
	c.by = asCause(is[0])
	c.dropAll(nil, c.read().Items(was))
	c.addAll(nil, c.read().Items(is))
}

// Restored reports whether after differs from before only by values that overrides had dropped and that are back, as
// a fix that repeats them must. If a primary file sets x = { a = 1, b = 2 }, and x is { a = 3 } by an override in
// before, then x = { a = 3, b = 2 } in after restores b. Only names that covers accepts are compared. Each value in
// before must stay. Each new value must equal the one in the latest of the replaced layers (the primary files, or one
// override block) that have a value there. Each new nested block must equal a block of some replaced layer, and no
// two new blocks the same one.
func Restored(before, after *merge.Module, covers func(address.Address) bool) bool {
	was, is := leavesOf(before, covers), leavesOf(after, covers)
	if len(was) != len(is) {
		return false
	}
	for own, e := range was {
		if is[own] == nil || !isRestored(after, own, e, is[own]) {
			return false
		}
	}
	return true
}

// leavesOf returns, by address, the effective merged items that have no merged body and whose address covers
// accepts. Items that no override addressed are missing.
func leavesOf(m *merge.Module, covers func(address.Address) bool) map[address.Address]*merge.MergedItem {
	list := map[address.Address]*merge.MergedItem{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.Inner() == nil && e.InEffect() && covers(own) {
			list[own] = e
		}
	})
	return list
}

// isRestored reports whether all differences between was and is, the item at address own in two modules, are added
// values, each equal to one that overrides had dropped (layerSearch). after is the module of is.
func isRestored(after *merge.Module, own address.Address, was, is *merge.MergedItem) bool {
	c := &comparison{
		finder:  &finder{module: after, block: &Block{Address: own, Item: is}},
		subject: &Subject{Address: own, Item: is},
		budget:  values.BudgetFor(own),
	}
	// The changes between the two go into the block of the finder.
	c.compareEntries(&nameEntry{item: was, items: was.Live}, &nameEntry{item: is, items: is.Live})
	search := &layerSearch{unused: map[string]map[values.Sum]int{}}
	for _, layer := range slices.Backward(was.Layers(was.Live[0])) { // the replaced layers, the latest first
		search.replaced.layers = append(search.replaced.layers, c.read().Items(layer))
	}
	for i := range c.finder.block.Changes {
		x := &c.finder.block.Changes[i]
		if x.IsInside { // part of the change of an added block
			continue
		}
		if x.Kind() != Added || !search.isFormerValue(x) {
			return false
		}
	}
	return true
}

// A layerSearch looks for values in the layers that overrides replaced: the items of all primary files, or of
// one override block. It finds a nested block only once, so that two new ones don't restore the same.
type layerSearch struct {
	replaced layeredParts
	unused   map[string]map[values.Sum]int // blocks by the path of their type: how many of each text are left
}

// isFormerValue reports whether an added value equals the one in the latest layer that has any. An added block
// may equal a block of any layer.
func (r *layerSearch) isFormerValue(x *Change) bool {
	steps := x.Path.Steps()
	if len(steps) > 0 && steps[len(steps)-1].IsIndex {
		return r.isFormerBlock(x, steps)
	}
	found := r.replaced.valuesAt(steps)
	if len(found) == 0 {
		return false
	}
	latest := found[0][0] // the latest layer comes first
	return values.SumOfText(latest.Text()) == values.SumOfText(x.After.Text())
}

// isFormerBlock reports whether an added block equals a block of some layer, and uses that up. steps are those of
// the added block's path.
func (r *layerSearch) isFormerBlock(x *Change, steps []*values.Path) bool {
	typ := x.Path.From.Address().String() // the path without the block's index
	if r.unused[typ] == nil {
		r.unused[typ] = map[values.Sum]int{}
		for _, nodes := range r.replaced.valuesAt(steps) {
			for _, n := range nodes {
				r.unused[typ][values.SumOfText(n.Text())]++
			}
		}
	}
	text := values.SumOfText(x.After.Text())
	r.unused[typ][text]-- // below zero if no such block is left
	return r.unused[typ][text] >= 0
}

// A layeredParts holds the values that layers have for a name, the latest layer first. A layer has one value,
// or several nested blocks.
type layeredParts struct {
	layers    [][]*values.Node
	lastOwner *values.Node             // the object that the values of the last element of layers are from
	inside    map[string]*layeredParts // the members by name, computed on demand
}

// valuesAt follows steps by name, ignoring indexes. It returns, for each layer that has values there, these
// values, or nil if no layer has.
func (p *layeredParts) valuesAt(steps []*values.Path) [][]*values.Node {
	for _, s := range steps {
		if s.IsIndex {
			continue
		}
		p = p.member(s.Name)
		if p == nil {
			return nil
		}
	}
	return p.layers
}

// member returns the values under a name, from the layers that have a single value. It's nil if there are
// none.
func (p *layeredParts) member(name string) *layeredParts {
	if p.inside == nil {
		p.inside = map[string]*layeredParts{}
		for _, layer := range p.layers {
			if len(layer) == 1 {
				p.addMembers(layer[0])
			}
		}
	}
	return p.inside[name]
}

// addMembers adds the members of a layer's value to p.inside. An argument and blocks may share a name, and
// then are in one layer.
func (p *layeredParts) addMembers(n *values.Node) {
	for _, m := range n.Members {
		in := p.inside[m.Name]
		if in == nil {
			in = &layeredParts{}
			p.inside[m.Name] = in
		}
		if in.lastOwner != n { // the first member of this name in n starts a layer
			in.layers, in.lastOwner = append(in.layers, nil), n
		}
		layer := &in.layers[len(in.layers)-1]
		if m.IsBlocks {
			*layer = append(*layer, m.Node.Elements...)
		} else {
			*layer = append(*layer, m.Node)
		}
	}
}
