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

// A Kind is the effect of overrides on a name, a key or an element.
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

// A Block is a top-level block that overrides change, or one that is not the same in two
// modules.
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

	by *values.Value
	of *Change // of the short list that the element is in; nil for others
}

// Name is the path from the address: for a dropped value as it was, for others as it is.
func (c *Change) Name() address.Address {
	if c.After == nil {
		return c.Path.AddressBy((*values.Path).Earlier)
	}
	return c.Path.Address()
}

// Words are Name for people, with both indexes where they differ: [1]→[0].description.
func (c *Change) Words() string {
	steps := c.Path.Steps()
	hasMoved := func(s *values.Path) bool { return s.IsIndex && s.Before != s.After }
	if c.Kind() != Changed || !slices.ContainsFunc(steps, hasMoved) {
		return c.Name().String()
	}
	text := ""
	for _, s := range steps {
		step := *s
		step.From = nil
		now, old := step.Address().String(), step.AddressBy((*values.Path).Earlier).String()
		if old != now {
			now = old + "→" + now
		}
		text = spelling.ConcatPaths(text, now)
	}
	return text
}

// Shown lists the changes as people read them: those of the elements of a short list are one.
func (b *Block) Shown() []Change {
	if !slices.ContainsFunc(b.Changes, func(c Change) bool { return c.of != nil }) {
		return b.Changes
	}
	list := make([]Change, 0, len(b.Changes))
	var last *Change
	for i := range b.Changes {
		c := &b.Changes[i]
		if c.of == nil || c.of != last {
			list = append(list, *c)
		}
		if last = c.of; last != nil {
			list[len(list)-1] = *last
		}
	}
	return list
}

// A Subject is the object that changes are in: an argument, or nested blocks of a type.
type Subject struct {
	Address address.Address
	Item    *merge.MergedItem
	Rule    *rules.Rule // the rule that decided; between modules nil if no override did
	Why     string      // its words
}

// Kind returns what became of the value.
func (c *Change) Kind() Kind {
	switch {
	case c.Before == nil:
		return Added
	case c.After == nil:
		return Dropped
	}
	return Changed
}

// By is where users find what made the change: the value in effect, or what dropped the earlier
// one. Between modules the line is 0 if a value is gone and nothing dropped it.
func (c *Change) By() hcl.Range {
	if c.by == nil {
		return hcl.Range{}
	}
	return c.by.Place()
}

// ByItem is the item at By, or nil.
func (c *Change) ByItem() source.Item {
	if c.by == nil {
		return nil
	}
	return c.by.Item
}

// Of lists the blocks that the override files of a module change, in load order, with
// their changes. The module must be one that the engine takes.
func Of(m *merge.Module) (list []*Block) {
	Each(m, func(b *Block) { list = append(list, b) })
	return list
}

// Each visits the blocks of Of. They may take several times the memory of the module.
func Each(m *merge.Module, visit func(*Block)) {
	top := map[*merge.MergedItem]bool{}
	for _, e := range m.Root.Items {
		top[e] = true
	}
	f := &finder{module: m}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if top[e] {
			f.handOver(visit)
			f.start(own, e)
		}
		f.item(own, e)
	})
	f.handOver(visit)
}

// In is the block of Of for a top-level item, or nil. For items that are numbered, ok is false.
func In(m *merge.Module, top *merge.MergedItem) (b *Block, ok bool) {
	f := &finder{module: m}
	ok = address.WalkOne(m, top, func(own address.Address, e *merge.MergedItem) {
		if e == top {
			f.start(own, e)
		}
		f.item(own, e)
	})
	f.handOver(func(found *Block) { b = found })
	return b, ok
}

// start begins with the next block.
func (f *finder) start(own address.Address, e *merge.MergedItem) {
	f.block, f.listed = &Block{Address: own, Item: e}, map[address.Address]bool{}
}

// handOver has the block at hand visited if it changed.
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

// AddOne adds a change of a kind.
func (c *Counts) AddOne(k Kind) {
	*[...]*int{Changed: &c.Changed, Added: &c.Added, Dropped: &c.Dropped}[k]++
}

// AddBlocks adds the changes of blocks as they are shown.
func (c *Counts) AddBlocks(blocks ...*Block) {
	for _, b := range blocks {
		c.Add(b, b.Shown())
	}
}

// Add adds changes of a block. A block that is new or gone is one, too.
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

// A finder gathers the changes of a module.
type finder struct {
	module *merge.Module
	blocks []*Block
	block  *Block                   // at hand
	listed map[address.Address]bool // merged blocks inside of those, which are changes themselves
}

// isInside reports whether an address is in a block that is itself a change. A block that means
// nothing without its content isn't a change.
func (f *finder) isInside(own address.Address) bool {
	if f.block.IsNew {
		return own != f.block.Address
	}
	for at := own.Parent(); !at.IsEmpty(); at = at.Parent() {
		if f.listed[at] {
			return true
		}
	}
	return false
}

// item finds the overrides' changes in the merged item of an address.
func (f *finder) item(own address.Address, e *merge.MergedItem) {
	if !e.IsOverridden() {
		return
	}
	was, is := earlier(e), effective(e)
	if e.Inner() != nil {
		f.merged(own, e, was, is)
		return
	}
	c := &comparison{finder: f, subject: &Subject{Address: own, Item: e}, budget: values.BudgetFor(own)}
	switch {
	case len(was) == 0 && len(is) == 0:
	case len(is) == 0:
		c.goneBy(outcomeOf(e, was[0]))
		c.dropAll(nil, c.read().Items(was))
	case len(was) == 0:
		c.rule(outcomeOf(e, is[0]))
		c.isInside = f.isInside(own)
		c.addAll(nil, c.read().Items(is))
	default:
		c.rule(outcomeOf(e, is[0]))
		c.replaced(e, was, is)
	}
}

// merged finds a block that is added or dropped; its contents have separate histories.
func (f *finder) merged(own address.Address, e *merge.MergedItem, was, is []source.Item) {
	if e.Rule.OmitEmpty || (len(was) == 0) == (len(is) == 0) {
		return
	}
	if f.block.Item == e {
		f.block.IsNew = len(was) == 0
		return
	}
	c := &comparison{finder: f, subject: &Subject{Address: own, Item: e}}
	if len(was) == 0 {
		c.rule(outcomeOf(e, is[0]))
		c.isInside = f.isInside(own)
		f.listed[own] = true
		c.added(nil, &values.Node{Value: values.ValueOf(is[0])})
		return
	}
	c.goneBy(outcomeOf(e, was[0]))
	c.dropped(nil, &values.Node{Value: values.ValueOf(was[0])}, c.by)
}

// Gone lists the items that are effective without override files, and returns the item of another
// name that removed them last, if one did: a later override may have put others there, which need
// not have all that they had. It lists none for a block that means nothing without its contents,
// which are gone themselves.
func Gone(e *merge.MergedItem) (was []source.Item, by source.Item) {
	if e.Inner() != nil && e.Rule.OmitEmpty {
		return nil, nil
	}
	for _, s := range e.Steps {
		if s.Effect == effect.Hidden || s.Effect == effect.Cleared {
			by = s.By()
		}
	}
	return earlier(e), by
}

// earlier lists the items that are effective without any override file.
func earlier(e *merge.MergedItem) []source.Item {
	var list []source.Item
	for _, s := range e.Steps {
		switch {
		case s.Effect == effect.Hidden && s.By() != nil && !source.IsOverride(s.By()):
			return nil
		case s.Effect == effect.Defined && (len(list) == 0 || !isAttr(s.Item)):
			list = append(list, s.Item)
		}
	}
	return counting(e, list)
}

// effective lists the items that are effective with them.
func effective(e *merge.MergedItem) []source.Item { return counting(e, e.Live) }

// counting leaves out items that the engine evaluates only in other files.
func counting(e *merge.MergedItem, items []source.Item) []source.Item {
	if !e.Rule.TofuOnly {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), func(it source.Item) bool { return !it.Source().Tofu })
}

func isAttr(it source.Item) bool {
	_, ok := it.(*source.Attr)
	return ok
}

// outcomeOf returns what became of an item; nothing for one without an outcome.
func outcomeOf(e *merge.MergedItem, it source.Item) merge.Outcome {
	for _, o := range e.Outcomes() {
		if o.Item == it {
			return o
		}
	}
	return merge.Outcome{Item: it, Rule: e.Rule}
}

// replaced finds the differences between old and new items.
func (c *comparison) replaced(e *merge.MergedItem, was, is []source.Item) {
	a, wasAttr := was[0].(*source.Attr)
	b, isAttr := is[0].(*source.Attr)
	switch {
	case wasAttr != isAttr:
		c.exchanged(was, is)
	case !isAttr:
		c.compare(nil, values.BlocksNode(c.read().Items(was)), values.BlocksNode(c.read().Items(is)))
	case e.Value == nil && (a == b || equal.Items(a, b)):
	default:
		now := c.effectiveAttr(e, b)
		if by := laterType(e); by != nil && c.by != nil && c.by.Item == is[0] && equal.Items(a, b) {
			c.by = whereIs(by)
		}
		c.compare(nil, c.read().Attr(a), now)
	}
}

// laterType is the type in effect with which a default is computed, if an override sets it.
func laterType(e *merge.MergedItem) *source.Attr {
	if e.Value == nil || e.Value.Type == nil || !source.IsOverride(e.Value.Type) {
		return nil
	}
	return e.Value.Type
}

// exchanged records that blocks replaced an argument, or an argument replaced blocks.
func (c *comparison) exchanged(was, is []source.Item) {
	c.by = whereIs(is[0])
	c.dropAll(nil, c.read().Items(was))
	c.addAll(nil, c.read().Items(is))
}

// Restored reports whether the later of two modules has the effective values of the earlier one for
// some names, and in addition only what was lost: each value as in the last of those layers that
// has one, and nested blocks as in any layer. The names are those for which covers is true.
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

// leavesOf are the merged items that hold no others and that overrides addressed.
func leavesOf(m *merge.Module, covers func(address.Address) bool) map[address.Address]*merge.MergedItem {
	list := map[address.Address]*merge.MergedItem{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.Inner() == nil && e.InEffect() && covers(own) {
			list[own] = e
		}
	})
	return list
}

func isRestored(after *merge.Module, own address.Address, was, is *merge.MergedItem) bool {
	c := &comparison{
		finder:  &finder{module: after, block: &Block{Address: own, Item: is}},
		subject: &Subject{Address: own, Item: is},
		budget:  values.BudgetFor(own),
	}
	c.both(&nameEntry{item: was, items: was.Live}, &nameEntry{item: is, items: is.Live})
	r := &layerSearch{blocks: map[string]map[values.Sum]int{}}
	for _, layer := range slices.Backward(was.Layers(was.Live[0])) {
		r.layers.layers = append(r.layers.layers, c.read().Items(layer))
	}
	for i := range c.finder.block.Changes {
		if x := &c.finder.block.Changes[i]; !x.IsInside && (x.Kind() != Added || !r.has(x)) {
			return false
		}
	}
	return true
}

// A layerSearch looks for values in layers. Each block is used once.
type layerSearch struct {
	layers layeredParts
	blocks map[string]map[values.Sum]int // by the path of their type: how many there are of a text
}

// has reports whether a value equals the one in the latest layer that has one, or a block a block
// of any layer.
func (r *layerSearch) has(x *Change) bool {
	steps := x.Path.Steps()
	if len(steps) > 0 && steps[len(steps)-1].IsIndex {
		return r.hasBlock(x, steps)
	}
	found := r.layers.at(steps)
	return len(found) > 0 && values.SumOfText(found[0][0].Text()) == values.SumOfText(x.After.Text())
}

func (r *layerSearch) hasBlock(x *Change, steps []*values.Path) bool {
	around := x.Path.From.Address().String()
	if r.blocks[around] == nil {
		r.blocks[around] = map[values.Sum]int{}
		for _, nodes := range r.layers.at(steps) {
			for _, n := range nodes {
				r.blocks[around][values.SumOfText(n.Text())]++
			}
		}
	}
	text := values.SumOfText(x.After.Text())
	r.blocks[around][text]--
	return r.blocks[around][text] >= 0
}

// layeredParts are the values that layers have for a name, the latest layer first: several of a layer
// only if they are nested blocks.
type layeredParts struct {
	layers [][]*values.Node
	last   *values.Node             // what the last layer's values are in
	inside map[string]*layeredParts // computed on demand
}

// at returns the values that steps may reach: several of a layer if the last step is the index of a
// block.
func (p *layeredParts) at(steps []*values.Path) [][]*values.Node {
	for _, s := range steps {
		if s.IsIndex {
			continue
		}
		if p = p.member(s.Name); p == nil {
			return nil
		}
	}
	return p.layers
}

// member is what is in those layers that have a single value, under a name; nil if there is nothing.
func (p *layeredParts) member(name string) *layeredParts {
	if p.inside == nil {
		p.inside = map[string]*layeredParts{}
		for _, layer := range p.layers {
			if len(layer) == 1 {
				p.look(layer[0])
			}
		}
	}
	return p.inside[name]
}

// look adds the members of a layer, which may be an argument and blocks of one name.
func (p *layeredParts) look(n *values.Node) {
	for _, m := range n.Members {
		in := p.inside[m.Name]
		if in == nil {
			in = &layeredParts{}
			p.inside[m.Name] = in
		}
		if in.last != n {
			in.layers, in.last = append(in.layers, nil), n
		}
		nodes := &in.layers[len(in.layers)-1]
		if m.IsBlocks {
			*nodes = append(*nodes, m.Node.Elements...)
		} else {
			*nodes = append(*nodes, m.Node)
		}
	}
}
