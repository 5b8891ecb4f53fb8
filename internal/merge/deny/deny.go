package deny

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// Items lists the items of override files that a policy forbids, whether or not they have an
// effect: items whose address, or the address of a block around them, matches a pattern. If a whole
// block is denied, its contents aren't listed. deniedIn returns the patterns for each override
// file. facts, which may be nil, are the facts of the module.
func Items(m *merge.Module, deniedIn func(name string) *address.Patterns, facts *Facts) []check.Finding {
	d := &denial{module: m, listed: map[source.Item]bool{}, facts: facts, parts: map[*source.Attr]*parts.Value{}}
	patterns, isAny, hasIndex := map[*source.File]*address.Patterns{}, false, false
	for _, f := range m.Source.Files {
		if f.Role == source.Override {
			patterns[f] = deniedIn(f.Name)
			isAny, hasIndex = isAny || patterns[f].Len() > 0, hasIndex || patterns[f].HasIndex()
		}
	}
	if !isAny {
		return nil
	}
	aliases := address.AliasIndex{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		d.others = aliases.Add(m, own, e)
		counts := map[*source.Block]*counter{}
		for _, s := range e.Steps {
			if s.Item == nil || !source.IsOverride(s.Item) {
				continue
			}
			if d.Patterns = patterns[s.Item.Source()]; d.Len() > 0 {
				around := s.Item.Within()
				if counts[around] == nil {
					counts[around] = &counter{}
				}
				d.item(d.Start(), address.Address{}, own, counts[around].next(s.Item), e, s.Item)
			}
		}
		for _, l := range layersOf(own, e) {
			if d.Patterns = patterns[l.now[0].Source()]; d.Len() > 0 {
				d.values(l)
			}
		}
		if was, by := changes.Gone(e); len(was) > 0 && by != nil && source.IsOverride(by) {
			if d.Patterns = patterns[by.Source()]; d.Len() > 0 {
				d.gone(layer{own: own, item: e, now: []source.Item{by}, before: was})
			}
		}
		if len(d.parts) > 0 { // no other item has these arguments, and parsed values are large
			d.parts = map[*source.Attr]*parts.Value{}
		}
	})
	if hasIndex {
		d.moved(patterns, aliases)
	}
	return d.found
}

// A denial gathers the forbidden items.
type denial struct {
	*address.Patterns
	found    []check.Finding
	listed   map[source.Item]bool // with all that they hold
	facts    *Facts
	module   *merge.Module
	others   []address.Address             // of the item of the walk, besides its own
	parts    map[*source.Attr]*parts.Value // those that were read
	declared *declarations                 // nil until needed
}

// item judges an item. around is the match state of the block around it, whose address is holder,
// empty at the top level; name is the rest of the item's address.
func (d *denial) item(around address.Progress, holder, name address.Address, number int, e *merge.MergedItem, it source.Item) {
	if d.isListed(it) {
		return
	}
	own := holder.Join(name)
	at, isMatch := d.ways(around, holder, name, number, it)
	if isMatch {
		d.listed[it] = true
		f := check.DeniedOverride.At(source.Where(it), fmt.Sprintf("The policy denies overrides of %s. %s", own, d.remedy(e, it)))
		f.Address, f.Item, f.Fact = own, e, d.facts.of(it)
		d.found = append(d.found, f)
		return
	}
	b, ok := it.(*source.Block)
	if !ok || e.Inner() != nil {
		return
	}
	counts := counters{}
	for _, inner := range source.ContentOf(b).Items() {
		d.item(at, own, address.New(inner.Called()), counts.of(inner.Called()).next(inner), e, inner)
	}
}

// ways follows the ways to address an item: a data block in a check is also addressed as one of the
// top level.
func (d *denial) ways(around address.Progress, holder, name address.Address, number int, it source.Item) (address.Progress, bool) {
	at, isMatch := d.Ways(around, name, number, it)
	if !holder.IsEmpty() {
		return at, isMatch
	}
	for _, other := range d.others {
		also, isOther := d.Ways(around, other, number, it)
		at.Join(also)
		isMatch = isMatch || isOther
	}
	return at, isMatch
}

// isListed reports whether a block around an item is listed already.
func (d *denial) isListed(it source.Item) bool {
	for b := it.Within(); b != nil; b = b.Within() {
		if d.listed[b] {
			return true
		}
	}
	return false
}

// remedy is the advice for a denied override.
func (d *denial) remedy(e *merge.MergedItem, it source.Item) string {
	for _, s := range e.Steps {
		if s.Effect == effect.Defined {
			return "Change it at " + diag.Place(source.Where(s.Item)) + " instead."
		}
	}
	if it.Within() == nil {
		return "Declare it in a primary file instead." + d.module.TrapOfName(it.Source())
	}
	return "Set it in a primary file instead."
}

// File is the finding that an override file is there although none may be.
func File(name string) check.Finding {
	return check.DeniedOverride.At(hcl.Range{Filename: name}, "The policy denies override files. Change the primary files instead, or allow this file with --allow-file.")
}
