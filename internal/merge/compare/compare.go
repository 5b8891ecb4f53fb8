package compare

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A Reading is a module as one engine reads it, with that engine's diagnostics.
type Reading struct {
	Module *merge.Module
	Diags  hcl.Diagnostics
}

// Read loads and merges the module of a directory.
func Read(dir string, opts load.Options) (Reading, error) {
	m, diags, err := merge.Dir(dir, opts, merge.Options{})
	return Reading{m, diags}, err
}

// Engine is the engine that reads.
func (r Reading) Engine() engine.Release { return r.Module.Source.Engine }

// Refusals are the reasons for which the engine refuses the module, when it loads
// it or later.
func (r Reading) Refusals() hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(r.Diags), func(d *hcl.Diagnostic) bool {
		isLate := diag.CodeOf(d) == diag.IncompatibleModule || diag.CodeOf(d) == diag.NoRegistrySource
		return d.Severity != hcl.DiagError && !isLate
	})
}

// A Difference is a name that does not mean the same to two engines.
type Difference struct {
	Address address.Address
	Sides   [2]Side
	// IsIdle is set if only items that the engine ignores differ.
	IsIdle bool
	around [][2]*merge.MergedItem
}

// A Side is the meaning of a name to one engine.
type Side struct {
	// Items are the effective items; none if the name is missing.
	Items []source.Item
	// Assumed is the engine's assumption for an item without the value.
	Assumed string
	// Passed items exist, but have no effect.
	Passed []source.Item
	// Module is the engine's reading, and Entry the name in it, or nil.
	Module *merge.Module
	Entry  *merge.MergedItem
	// entries are the merged items of the items.
	entries []*merge.MergedItem
}

// Differences lists the names that do not mean the same to two engines that both
// take the module, in load order: of a block that only one of them has, the block.
// Version constraints on the engine itself count where an override file has one.
func Differences(a, b Reading) []Difference {
	keys := unlike(a.Module.Source, b.Module.Source)
	wants := func(f *source.File, i int) bool { return keys[f.Key(i)] }
	list := differences(a.Module, b.Module, overridesGuard(a.Module) || overridesGuard(b.Module), wants)
	return slices.DeleteFunc(list, func(d Difference) bool { return d.IsIdle })
}

// differences lists the names in wanted blocks that mean different things; guarded includes version
// constraints on the engine itself.
func differences(a, b *merge.Module, guarded bool, wants func(f *source.File, i int) bool) []Difference {
	p := pairs{of: map[*merge.MergedBody]*merge.MergedBody{}, wants: wants}
	p.find(a, b)
	first, second := sidesOf(a, guarded, p), sidesOf(b, guarded, p)
	var list []Difference
	listed, gone := map[address.Address]bool{}, map[address.Address]bool{}
	for _, own := range append(first.order, second.order...) {
		d := Difference{Address: own, Sides: [2]Side{first.side(own), second.side(own)}}
		if listed[own] || isInside(own, gone) || d.isSame() && !d.isIdle() {
			continue
		}
		listed[own] = true
		d.IsIdle = d.isSame()
		d.around = around(own, first, second)
		gone[own] = !d.IsIdle && len(d.Sides[0].Items)*len(d.Sides[1].Items) == 0
		list = append(list, d)
	}
	return list
}

// isInside reports whether an address is inside one of the others.
func isInside(own address.Address, others map[address.Address]bool) bool {
	for around := own.Parent(); !around.IsEmpty(); around = around.Parent() {
		if others[around] {
			return true
		}
	}
	return false
}

func (d Difference) isSame() bool {
	return d.Sides[0].Assumed == d.Sides[1].Assumed &&
		(d.Sides[0].isVerbatim(d.Sides[1]) || d.Sides[0].isEqual(d.Sides[1]) || d.Sides[0].words() == d.Sides[1].words())
}

// isIdle reports whether items that the engine ignores differ.
func (d Difference) isIdle() bool {
	texts := func(s Side) (list []string) {
		for _, it := range s.Passed {
			list = append(list, strings.Join(strings.Fields(string(it.Source().Text(it.Extent()))), " "))
		}
		slices.Sort(list)
		return list
	}
	return !slices.Equal(texts(d.Sides[0]), texts(d.Sides[1]))
}

// sides are the meanings of a module's names to its engine.
type sides struct {
	module *merge.Module
	order  []address.Address
	known  map[address.Address]*Side
}

func (s *sides) side(own address.Address) Side {
	if known := s.known[own]; known != nil {
		return *known
	}
	return Side{Module: s.module}
}

// sidesOf lists the effective names. Items without a separate address share the side of their kind.
func sidesOf(m *merge.Module, guarded bool, p pairs) *sides {
	s := &sides{module: m, known: map[address.Address]*Side{}}
	address.WalkChosen(m, p.wants, p.unlike, func(own address.Address, e *merge.MergedItem) {
		if !e.InEffect() || e.Rule.IsGuard() && !guarded {
			return
		}
		if e.Rule.Match == rules.ByPosition {
			own = own.Kind()
		}
		s.add(own, e)
	})
	return s
}

func (s *sides) add(own address.Address, e *merge.MergedItem) {
	side := s.known[own]
	if side == nil {
		side = &Side{Module: s.module, Entry: e}
		s.order = append(s.order, own)
		s.known[own] = side
	}
	if e.Rule.OmitEmpty {
		return // its contents are listed separately
	}
	for _, it := range e.Live {
		if e.Rule.TofuOnly && !it.Source().Tofu {
			side.Passed = append(side.Passed, it)
			continue
		}
		if e.Rule.IsVoid(it) {
			continue
		}
		side.Items, side.entries = append(side.Items, it), append(side.entries, e)
		if assumed := e.Rule.Assumed(it); assumed != "" {
			side.Assumed = assumed
		}
	}
}

// isVerbatim reports whether two sides have the same texts, a cheaper test than comparing words.
func (s Side) isVerbatim(other Side) bool {
	if len(s.Items) != len(other.Items) {
		return false
	}
	for i, it := range s.Items {
		e, o, same := s.entries[i], other.entries[i], other.Items[i]
		if e.Value != nil || o.Value != nil || (e.Inner() == nil) != (o.Inner() == nil) || e.Rule.TofuOnly != o.Rule.TofuOnly ||
			it.Source().Tofu != same.Source().Tofu {
			return false
		}
		if e.Inner() == nil && !bytes.Equal(it.Source().Text(it.Extent()), same.Source().Text(same.Extent())) {
			return false
		}
	}
	return true
}

// isEqual reports whether two sides are arguments of one constant, however that is spelled.
func (s Side) isEqual(other Side) bool {
	return len(s.Items) == 1 && len(other.Items) == 1 &&
		s.Entry.Attr() != nil && s.Entry.Value == nil && other.Entry.Value == nil &&
		!s.Entry.Rule.TofuOnly && equal.Items(s.Items[0], other.Items[0])
}

// words are the words of the items, apart from those that are listed separately. The order of
// independent items does not matter.
func (s Side) words() string {
	list := make([]string, len(s.Items))
	for i := range s.Items {
		list[i] = s.wordsAt(i)
	}
	if s.Entry != nil && s.Entry.Rule.Match == rules.ByPosition {
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return strconv.Itoa(len(list)) + "\n" + strings.Join(list, "\n")
}

// wordsAt are the words of one item.
func (s Side) wordsAt(i int) string {
	if e := s.entries[i]; e.Inner() == nil {
		return wordsOf(e, s.Items[i], equal.Words)
	}
	return ""
}

// overridesGuard reports whether an override file has a version constraint on the
// engine itself.
func overridesGuard(m *merge.Module) bool {
	found := false
	address.Walk(m, func(_ address.Address, e *merge.MergedItem) {
		found = found || e.Rule.IsGuard() && e.IsOverridden()
	})
	return found
}

// Place is the item that the difference is best reported at, and the side it is from:
// one of an override file if there is one.
func (d Difference) Place() (source.Item, int) {
	var best source.Item
	from := 0
	for i, s := range d.Sides {
		for _, it := range s.Items {
			if best == nil || source.IsOverride(it) && !source.IsOverride(best) {
				best, from = it, i
			}
		}
	}
	return best, from
}

// Rules are the rules of the two engines where those differ and an override came
// under them: rules of the name itself, else of the innermost block around it.
func (d Difference) Rules() (a, b *rules.Rule, differ bool) {
	for _, pair := range d.around {
		a, b := pair[0], pair[1]
		if a.Rule != b.Rule && (a.IsOverridden() || b.IsOverridden()) {
			return a.Rule, b.Rule, true
		}
	}
	return nil, nil, false
}

// around lists the merged items of a name and of the blocks around it, the innermost
// first, that both sides have.
func around(own address.Address, first, second *sides) [][2]*merge.MergedItem {
	var list [][2]*merge.MergedItem
	for at := own; !at.IsEmpty(); at = at.Parent() {
		if a, b := first.known[at], second.known[at]; a != nil && b != nil {
			list = append(list, [2]*merge.MergedItem{a.Entry, b.Entry})
		}
	}
	return list
}

// Entries are the merged items of the items.
func (s Side) Entries() []*merge.MergedItem { return s.entries }

// Beyond lists the indexes of the items without an equal on another side.
func (s Side) Beyond(other Side) []int {
	known := map[string]bool{}
	for i := range other.Items {
		known[other.wordsAt(i)] = true
	}
	var list []int
	for i := range s.Items {
		if !known[s.wordsAt(i)] {
			list = append(list, i)
		}
	}
	return list
}

// Only splits a difference into one for each item that only one of the sides has.
func (d Difference) Only(side int) []Difference {
	var list []Difference
	own := d.Sides[side]
	for _, i := range own.Beyond(d.Sides[1-side]) {
		only := Difference{Address: d.Address}
		only.Sides[side] = Side{Items: own.Items[i : i+1], Module: own.Module, Entry: own.entries[i], entries: own.entries[i : i+1]}
		list = append(list, only)
	}
	return list
}
