// Package lookup finds what an address names in a merged module (Find): an item, or a part of a
// block that is replaced as a whole. Several items may share an address.
//
// It also goes the other way, from an item of a file to its target (OfItem, Inside), lists the
// addresses of a module (All, Top), and finds which diagnostics are about targets (NewConcern).
package lookup

import (
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// Find returns the targets of an address, in load order; none if it names nothing. Several merged items may share
// an address, as the version constraints of several files do.
func Find(m *merge.Module, a address.Address) []address.Target {
	f := finder{module: m, aliases: address.AliasIndex{}, wanted: a.Segments(), values: address.Known{}}
	if len(f.wanted) == 0 {
		return nil
	}
	// Visit only the top-level blocks that the names may lead into. Indexes don't matter for that.
	names := slices.DeleteFunc(slices.Clone(f.wanted), spelling.Segment.IsIndex)
	mayHoldWanted := address.NewPatterns(address.Literal(names)).Leading(m)
	address.WalkChosen(m, mayHoldWanted, (*merge.MergedBody).All, f.try) // f.try on all items in their bodies
	return f.found
}

// Top lists what the module declares at the top level, in load order, as targets.
func Top(m *merge.Module) (all []address.Target) {
	known := address.Known{} // a cache, which the targets share and fill
	address.WalkAll(m, func(own address.Address, e *merge.MergedItem) {
		if isTop(e) {
			all = append(all, address.Target{Address: own, Of: own, Item: e, Known: known})
		}
	})
	return all
}

// Overridden lists the names that file f sets and that an override file addresses, even without effect. Of blocks
// that are merged item by item, it lists the items.
func Overridden(m *merge.Module, f *source.File) (list []address.Target) {
	isHere := func(s merge.Step) bool { return s.Item != nil && s.Item.Source() == f }
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.IsOverridden() && e.Inner() == nil && slices.ContainsFunc(e.Steps, isHere) {
			list = append(list, address.Target{Address: own, Of: own, Item: e})
		}
	})
	return list
}

// A finder looks for the merged items that a wanted address names. Of the items whose addresses it starts with,
// those with the longest ones count. The finder visits a block before its contents.
type finder struct {
	module  *merge.Module
	aliases address.AliasIndex // of the items visited so far
	wanted  []spelling.Segment
	found   []address.Target
	depth   int // segments of the address that those found use up
	values  address.Known
}

// try adds merged item e to f.found if the wanted address starts with an address of e, and what is left of it leads
// to something inside e. Items found earlier that used up fewer segments go. Of items with the same address, a
// top-level one takes precedence over those inside blocks.
func (f *finder) try(own address.Address, e *merge.MergedItem) {
	for _, name := range f.addressesOf(own, e) {
		if !strings.HasPrefix(name.String(), spelling.AppendPath("", f.wanted[0])) {
			continue // a cheap test that rules out most
		}
		rest, ok := cutPrefix(name.Segments(), f.wanted)
		depth := len(f.wanted) - len(rest) // the segments that name uses up
		if !ok || depth < f.depth {        // e isn't wanted, or less close than those found
			continue
		}
		isMerged := e.Inner() != nil
		if isMerged && len(rest) == 1 && rest[0] == spelling.At(0) {
			rest = nil // a merged block is one block, so [0] is all of it
		}
		t := address.Target{Of: own, Item: e, Rest: rest, Known: f.values}
		// What is in a merged block has an item of its own, tried later. Elsewhere, rest must lead to something.
		if len(rest) > 0 && (isMerged || !t.Exists()) {
			continue
		}
		t.Address = own.With(rest)
		switch {
		case depth > f.depth: // e is closer to what is wanted than all found so far
			f.found, f.depth = nil, depth
		// From here on, e is as close as those found.
		case isTop(e) && !isTop(f.found[0].Item):
			f.found = nil // those found are inside blocks
		case !isTop(e) && isTop(f.found[0].Item):
			return
		}
		f.found = append(f.found, t) // one address of e is enough
		return
	}
}

// isTop reports whether a merged item is a top-level one.
func isTop(e *merge.MergedItem) bool { return !strings.Contains(e.Path, "/") }

// addressesOf lists the addresses of a merged item: its own; for a name of the provider, such as a.count in an
// escaping block, also that through the block (a._.count); and aliases.
func (f *finder) addressesOf(own address.Address, e *merge.MergedItem) []address.Address {
	names := []address.Address{own}
	endsWithName := own.Last() == spelling.AppendPath("", spelling.Named(e.Key.Name)) // not with labels
	if e.Key.Space == merge.Body && endsWithName {                                    // the provider's
		names = append(names, own.Parent().Child(source.EscapeBlock, e.Key.Name))
	}
	return append(names, f.aliases.Add(f.module, own, e)...)
}

// cutPrefix returns what is left of a wanted address behind the address path, and reports whether wanted starts with
// path. wanted may leave out indexes: a.b.c starts with a.b[1]. It may also have [0] where path has no index:
// a.b[0].c starts with a.b.c. A [0] at the end of wanted is left over, and the caller decides about it.
func cutPrefix(path, wanted []spelling.Segment) ([]spelling.Segment, bool) {
	for i, p := range path {
		isLeftOut := len(wanted) == 0 || !wanted[0].IsIndex() // wanted has no index here
		if p.IsIndex() && isLeftOut {
			continue
		}
		// Where path has a name, skip a [0] in wanted that has something behind it. No address begins with [0].
		if i > 0 && !p.IsIndex() && len(wanted) > 1 && wanted[0] == spelling.At(0) {
			wanted = wanted[1:]
		}
		if len(wanted) == 0 || p != wanted[0] {
			return nil, false
		}
		wanted = wanted[1:]
	}
	return wanted, true
}

// All lists the addresses of everything that a module declares or that an override file addresses, sorted and
// without duplicates. Of a block that is replaced as a whole, it lists the items.
func All(m *merge.Module) []address.Address {
	var list []address.Address
	address.WalkAll(m, func(own address.Address, item *merge.MergedItem) {
		list = append(list, own)
		if item.Inner() != nil { // WalkAll visits its items
			return
		}
		for _, it := range item.Live {
			if b, ok := it.(*source.Block); ok {
				for _, inner := range b.Items() {
					list = append(list, own.Child(inner.Called()))
				}
			}
		}
	})
	slices.SortFunc(list, address.Address.Compare)
	return slices.Compact(list)
}

// Parts completes an address. text has an incomplete last segment, such as aws_instance.web.tags.C; in front of it
// is an argument. Parts lists the addresses of all known keys or elements of the argument's effective value.
func Parts(m *merge.Module, text string) (list []address.Address) {
	var around address.Address
	// Cut the text at dots and brackets until it's an address: a key in quotes may contain some.
	for {
		i := strings.LastIndexAny(text, ".[")
		if i <= 0 {
			return nil
		}
		text = text[:i]
		var err error
		if around, err = address.Parse(text); err == nil {
			break
		}
	}
	for _, t := range Find(m, around) {
		for _, it := range t.Effective() {
			if arg, ok := it.(*source.Attr); ok {
				for _, p := range parts.Of(arg).Parts {
					list = append(list, t.Address.Step(p.Segment))
				}
			}
		}
	}
	return list
}

// OfItem returns the target of an item of a file: its merged item, or the part of a merged item that it is. If the
// merged item of a block has several blocks, as that of locals may, it returns the targets of the items in the block.
func OfItem(m *merge.Module, it source.Item) []address.Target {
	outward := []source.Item{it} // it and the blocks around it
	for b := it.Within(); b != nil; b = b.Within() {
		outward = append(outward, b)
	}
	var found *address.Target      // of the innermost item in outward that has a merged item
	foundAt := len(outward)        // the index of that item in outward: 0 for it itself
	var contained []address.Target // of the items in it
	// Only blocks with the type and labels of the top-level block can hold either.
	top := source.Top(it)
	key := top.File.Key(top.File.IndexOf(top))
	isSame := func(f *source.File, i int) bool { return f.Key(i) == key }
	address.WalkSome(m, isSame, func(own address.Address, e *merge.MergedItem) {
		for _, s := range e.Steps {
			if s.Item == nil {
				continue
			}
			if i := slices.Index(outward[:foundAt], s.Item); i >= 0 { // closer to it than found
				found, foundAt = &address.Target{Address: own, Of: own, Item: e}, i
			}
			if b := s.Item.Within(); b != nil && b == it {
				contained = append(contained, address.Target{Address: own, Of: own, Item: e})
				break
			}
		}
	})
	if found == nil {
		return contained
	}
	if foundAt == 0 && found.Item.Inner() != nil && len(found.Item.Live) > 1 { // it is one of several blocks of found
		return contained
	}
	addRest(found, outward[:foundAt+1]) // it, and what is around it up to the item of found
	return []address.Target{*found}
}

// Inside returns the target of inner, an item at any depth in outer, or outer itself. outer is in the history of the
// merged item e, whose address is own.
func Inside(own address.Address, e *merge.MergedItem, outer, inner source.Item) address.Target {
	outward := []source.Item{inner}
	for it := inner; it != outer; {
		it = it.Within()
		outward = append(outward, it)
	}
	t := address.Target{Address: own, Of: own, Item: e}
	addRest(&t, outward)
	return t
}

// addRest makes t, the target of a merged item, that of an item nested in it. outward lists the nested item, and
// then the blocks around it; the last one is in the merged item's history. If that is the second of several disk
// blocks, and outward is [size, disk], t.Rest is [1].size.
func addRest(t *address.Target, outward []source.Item) {
	own := outward[len(outward)-1]
	isNumbered := len(t.Item.Live) > 1 && t.Item.Inner() == nil // one of several nested blocks
	if i := slices.Index(t.Item.Live, own); i >= 0 && isNumbered {
		t.Rest = append(t.Rest, spelling.At(i))
	}
	for _, it := range slices.Backward(outward[:len(outward)-1]) {
		t.Rest = append(t.Rest, spelling.Named(it.Called()))
	}
	t.Address = t.Of.With(t.Rest)
}

// A concern holds the parts of files that some targets come from. It tells which diagnostics are about the targets.
type concern struct {
	items cover // the items in the targets' histories
	tops  cover // the top-level blocks around these items
}

// NewConcern returns where some targets come from: the ranges of all items in their histories, and of the top-level
// blocks around these. IsAbout compares diagnostics with them.
func NewConcern(targets []address.Target) *concern {
	c := &concern{items: cover{}, tops: cover{}}
	for _, t := range targets {
		for _, s := range t.Item.Steps {
			if s.Item != nil {
				c.items.add(s.Item)
				c.tops.add(source.Top(s.Item))
			}
		}
	}
	c.items.mergeOverlaps()
	c.tops.mergeOverlaps()
	return c
}

// IsAbout reports whether a diagnostic is about the targets: its range, or a related one, starts in an item of
// their histories. An error is about them even if it's only in the same top-level block. Ranges are those in the
// files on disk.
func (c *concern) IsAbout(d *hcl.Diagnostic) bool {
	in := c.items
	if d.Severity == hcl.DiagError {
		in = c.tops
	}
	if d.Subject != nil && in.has(*d.Subject) {
		return true
	}
	related, ok := diag.RelatedOf(d)
	return ok && !related.IsHint && in.has(related.Range)
}

// A cover holds spans of files, by the names of the files.
type cover map[string][]span

// A span is a range of bytes in a file as it is on disk.
type span struct{ from, to int }

// add adds the span of an item. Call mergeOverlaps after the last one.
func (c cover) add(it source.Item) {
	from, to := source.Spread(it)
	name := it.Source().Name
	if n := len(c[name]); n > 0 && c[name][n-1] == (span{from, to}) { // many items are in one top-level block
		return
	}
	c[name] = append(c[name], span{from, to})
}

// mergeOverlaps sorts the spans and merges those that overlap, so that has can search them.
func (c cover) mergeOverlaps() {
	for name, list := range c {
		slices.SortFunc(list, func(a, b span) int { return a.from - b.from })
		whole := list[:1] // the merged spans, in the memory of list
		for _, s := range list[1:] {
			if last := &whole[len(whole)-1]; s.from <= last.to {
				last.to = max(last.to, s.to)
			} else {
				whole = append(whole, s)
			}
		}
		c[name] = whole
	}
}

// has reports whether a range starts in one of the spans. mergeOverlaps must have been called.
func (c cover) has(r hcl.Range) bool {
	list, at := c[r.Filename], r.Start.Byte
	i := sort.Search(len(list), func(i int) bool { return at < list[i].to }) // the first that ends after at
	return i < len(list) && list[i].from <= at
}
