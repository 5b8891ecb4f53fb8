// Package lookup finds what an address names in a merged module (Find): an item, or a part of a
// block that is replaced as a whole. Several items may share an address.
//
// It also goes the other way, from an item of a file to its target (OfItem, Inside), lists the
// addresses of a module (All, Top), and finds which diagnostics are about targets (NewConcern).
package lookup

import (
	"errors"
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

// Find returns the targets of an address, in load order; none if it names nothing. Several objects may share
// an address, as the version constraints of several files do.
func Find(m *merge.Module, a address.Address) []address.Target {
	f := finder{module: m, aliases: address.AliasIndex{}, wanted: a.Segments(), values: address.Known{}}
	if len(f.wanted) == 0 {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(f.wanted), spelling.Segment.IsIndex)
	address.WalkChosen(m, address.NewPatterns(address.Literal(names)).Leading(m), (*merge.MergedBody).All, f.try)
	return f.found
}

// Top lists what the top level declares, in load order, as targets.
func Top(m *merge.Module) (all []address.Target) {
	known := address.Known{}
	address.WalkAll(m, func(own address.Address, e *merge.MergedItem) {
		if isTop(e) {
			all = append(all, address.Target{Address: own, Of: own, Item: e, Known: known})
		}
	})
	return all
}

// Overridden lists the names that file f sets and on which some override file has a step, even one without
// effect. Blocks that are merged item by item are left out, their items are not.
func Overridden(m *merge.Module, f *source.File) (list []address.Target) {
	isHere := func(s merge.Step) bool { return s.Item != nil && s.Item.Source() == f }
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.IsOverridden() && e.Inner() == nil && slices.ContainsFunc(e.Steps, isHere) {
			list = append(list, address.Target{Address: own, Of: own, Item: e})
		}
	})
	return list
}

// A finder looks for the merged items whose addresses use up most of a wanted address. It visits a block
// before its contents.
type finder struct {
	module  *merge.Module
	aliases address.AliasIndex // of the items visited so far
	wanted  []spelling.Segment
	found   []address.Target
	depth   int // segments of the address that those found use up
	values  address.Known
}

// try keeps a merged item if the wanted address starts with one of its own. Only the items that use up most
// segments are kept: f.depth. A top-level item takes precedence over an argument with the same address, which
// it has as an alias. The rest of the address must lead to something inside the item.
func (f *finder) try(own address.Address, e *merge.MergedItem) {
	for _, name := range f.names(own, e) {
		if !strings.HasPrefix(name.String(), spelling.AppendPath("", f.wanted[0])) {
			continue
		}
		rest, ok := cutPrefix(name.Segments(), f.wanted)
		depth := len(f.wanted) - len(rest)
		if !ok || depth < f.depth {
			continue
		}
		if e.Inner() != nil && len(rest) == 1 && rest[0] == spelling.At(0) {
			rest = nil // there is one at most
		}
		t := address.Target{Of: own, Item: e, Rest: rest, Known: f.values}
		if len(rest) > 0 && (e.Inner() != nil || !t.Exists()) {
			continue
		}
		t.Address = own.With(rest)
		switch {
		case depth > f.depth:
			f.found, f.depth = nil, depth
		case isTop(e) && !isTop(f.found[0].Item):
			f.found = nil // an alias takes precedence over an argument of its name
		case !isTop(e) && isTop(f.found[0].Item):
			return
		}
		f.found = append(f.found, t)
		return
	}
}

// isTop reports whether a merged item is a top-level one.
func isTop(e *merge.MergedItem) bool { return !strings.Contains(e.Path, "/") }

// names lists the addresses of a merged item: its own, that through the escaping block, and aliases. own is
// its own one.
func (f *finder) names(own address.Address, e *merge.MergedItem) []address.Address {
	names := []address.Address{own}
	if e.Key.Space == merge.Body && own.Last() == spelling.AppendPath("", spelling.Named(e.Key.Name)) {
		names = append(names, own.Parent().Child(source.EscapeBlock, e.Key.Name))
	}
	return append(names, f.aliases.Add(f.module, own, e)...)
}

// cutPrefix reports whether a wanted address starts with the address way, and returns the rest. The wanted one
// may leave out indexes of way, and may have [0] after a name that needs no index.
func cutPrefix(way, wanted []spelling.Segment) ([]spelling.Segment, bool) {
	for i, p := range way {
		isLeftOut := len(wanted) == 0 || !wanted[0].IsIndex()
		if p.IsIndex() && isLeftOut {
			continue
		}
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
// each once.
func All(m *merge.Module) []address.Address {
	var list []address.Address
	address.WalkAll(m, func(own address.Address, item *merge.MergedItem) {
		list = append(list, own)
		if item.Inner() != nil {
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

// Parts completes an address: text is one with an incomplete last segment, such as aws_instance.web.tags.C.
// It lists the addresses of the known keys or elements of the argument before that segment, with the value in
// effect.
func Parts(m *merge.Module, text string) (list []address.Address) {
	var around address.Address
	for err := errors.ErrUnsupported; err != nil; {
		i := strings.LastIndexAny(text, ".[")
		if i <= 0 {
			return nil
		}
		text = text[:i]
		around, err = address.Parse(text)
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

// OfItem returns the targets to which an item of a file belongs: the merged item that it is part of, or a
// part of that. For one of several merged blocks, such as locals blocks, it returns the targets inside.
func OfItem(m *merge.Module, it source.Item) []address.Target {
	var way []source.Item // from it outwards
	for at := it; at != nil; {
		way = append(way, at)
		b := at.Within()
		if b == nil {
			break
		}
		at = b
	}
	var found *address.Target
	depth := len(way)
	var contained []address.Target
	top := source.Top(it)
	key := top.File.Key(top.File.IndexOf(top))
	isSame := func(f *source.File, i int) bool { return f.Key(i) == key }
	address.WalkSome(m, isSame, func(own address.Address, e *merge.MergedItem) {
		for _, s := range e.Steps {
			if s.Item == nil {
				continue
			}
			if i := slices.Index(way[:depth], s.Item); i >= 0 {
				found, depth = &address.Target{Address: own, Of: own, Item: e}, i
			}
			if b := s.Item.Within(); b != nil && b == it {
				contained = append(contained, address.Target{Address: own, Of: own, Item: e})
				break
			}
		}
	})
	if found == nil || depth == 0 && found.Item.Inner() != nil && len(found.Item.Live) > 1 {
		return contained
	}
	extend(found, way[:depth+1])
	return []address.Target{*found}
}

// Inside returns the target of it, which is of or lies anywhere in of. of is an item in the history of e, and
// own the address of e.
func Inside(own address.Address, e *merge.MergedItem, of, it source.Item) address.Target {
	way := []source.Item{it}
	for it != of {
		it = it.Within()
		way = append(way, it)
	}
	t := address.Target{Address: own, Of: own, Item: e}
	extend(&t, way)
	return t
}

// extend makes t, the target of a merged item, that of an item nested in it. way lists the items from the
// nested one outwards; the last one is in the merged item's history.
func extend(t *address.Target, way []source.Item) {
	own := way[len(way)-1]
	if i := slices.Index(t.Item.Live, own); i >= 0 && len(t.Item.Live) > 1 && t.Item.Inner() == nil {
		t.Rest = append(t.Rest, spelling.At(i))
	}
	for _, it := range slices.Backward(way[:len(way)-1]) {
		t.Rest = append(t.Rest, spelling.Named(it.Called()))
	}
	t.Address = t.Of.With(t.Rest)
}

// A concern holds which parts of files targets come from, to choose the diagnostics about them.
type concern struct {
	items cover // the items in the targets' histories
	tops  cover // the top-level blocks around that
}

// NewConcern returns the concern of targets.
func NewConcern(targets []address.Target) *concern {
	c := &concern{cover{}, cover{}}
	for _, t := range targets {
		for _, s := range t.Item.Steps {
			if s.Item != nil {
				c.items.add(s.Item)
				c.tops.add(source.Top(s.Item))
			}
		}
	}
	c.items.normalize()
	c.tops.normalize()
	return c
}

// IsAbout reports whether a diagnostic is about the targets: whether its range, or a related one, starts in
// an item of their histories. Errors count if they are anywhere in the top-level blocks around these. Ranges
// are those in the files on disk.
func (c *concern) IsAbout(d *hcl.Diagnostic) bool {
	in := c.items
	if d.Severity == hcl.DiagError {
		in = c.tops
	}
	related, ok := diag.RelatedOf(d)
	return d.Subject != nil && in.has(*d.Subject) || ok && !related.IsHint && in.has(related.Range)
}

// A cover holds stretches of files, by the names of the files.
type cover map[string][]stretch

// A stretch is bytes of a file as it is on disk.
type stretch struct{ from, to int }

// add adds the text of an item. Call normalize after the last one.
func (c cover) add(it source.Item) {
	from, to := source.Spread(it)
	name := it.Source().Name
	if n := len(c[name]); n > 0 && c[name][n-1] == (stretch{from, to}) {
		return
	}
	c[name] = append(c[name], stretch{from, to})
}

// normalize puts the stretches in order and makes one of those that overlap.
func (c cover) normalize() {
	for name, list := range c {
		slices.SortFunc(list, func(a, b stretch) int { return a.from - b.from })
		whole := list[:1]
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

// has reports whether a range starts in one of the stretches, which must be normalized.
func (c cover) has(r hcl.Range) bool {
	list, at := c[r.Filename], r.Start.Byte
	i := sort.Search(len(list), func(i int) bool { return at < list[i].to })
	return i < len(list) && list[i].from <= at
}
