// Package compare finds the differences between two readings of a module by two engines, and the
// meaning of a module apart from its spelling.
//
// From modules that keep the trees of the same blocks, it returns names with their effective items,
// as data. The package writes no text for people, and it does not decide which engines are
// compared.
package compare

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/early"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
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

// Engine returns the engine that reads the module.
func (r Reading) Engine() engine.Release { return r.Module.Source.Engine }

// Refusals returns the diagnostics for which the engine refuses the module: errors, and warnings about what
// it refuses only after loading.
func (r Reading) Refusals() hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(r.Diags), func(d *hcl.Diagnostic) bool {
		isLate := diag.CodeOf(d) == diag.IncompatibleModule || diag.CodeOf(d) == diag.NoRegistrySource
		return d.Severity != hcl.DiagError && !isLate
	})
}

// A Difference is a name that two engines, or two modules, give different meanings.
type Difference struct {
	Address address.Address
	Sides   [2]Side
	// IsIdle is set if only items that the engine ignores differ.
	IsIdle bool
	around [][2]*merge.MergedItem // see pairsAround
}

// A Side is the meaning of a name in one reading.
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
	// entries are the merged items of Items, index by index.
	entries []*merge.MergedItem
}

// Differences lists the names that mean different things to two engines, in load order. The engines must
// accept the module. Of a block that only one of them has, it lists just the block. Version constraints on
// the engine itself count only if an override file has one.
func Differences(a, b Reading) []Difference {
	keys := unlikeKeys(a.Module.Source, b.Module.Source)
	wants := func(f *source.File, i int) bool { return keys[f.Key(i)] }
	list := differences(a.Module, b.Module, overridesGuard(a.Module) || overridesGuard(b.Module), wants)
	return slices.DeleteFunc(list, func(d Difference) bool { return d.IsIdle })
}

// differences lists the names in wanted blocks that mean different things in a and b, including those that
// are IsIdle. guarded includes version constraints on the engine itself.
func differences(a, b *merge.Module, guarded bool, wants func(f *source.File, i int) bool) (list []Difference) {
	p := pairs{of: map[*merge.MergedBody]*merge.MergedBody{}, wants: wants}
	p.find(a, b)
	first, second := sidesOf(a, guarded, p), sidesOf(b, guarded, p)
	listed, gone := map[address.Address]bool{}, map[address.Address]bool{}
	for _, own := range append(first.order, second.order...) {
		d := Difference{Address: own, Sides: [2]Side{first.side(own), second.side(own)}}
		if listed[own] || isInside(own, gone) || d.isSame() && !d.isIdle() {
			continue
		}
		listed[own] = true
		d.IsIdle = d.isSame()
		d.around = pairsAround(own, first, second)
		gone[own] = !d.IsIdle && len(d.Sides[0].Items)*len(d.Sides[1].Items) == 0
		list = append(list, d)
	}
	return list
}

// isInside reports whether an address is below one of the others.
func isInside(own address.Address, others map[address.Address]bool) bool {
	for around := own.Parent(); !around.IsEmpty(); around = around.Parent() {
		if others[around] {
			return true
		}
	}
	return false
}

// isSame reports whether both sides mean the same. Cheap tests come first.
func (d Difference) isSame() bool {
	return d.Sides[0].Assumed == d.Sides[1].Assumed &&
		(d.Sides[0].isVerbatim(d.Sides[1]) || d.Sides[0].isEqual(d.Sides[1]) || d.Sides[0].words() == d.Sides[1].words())
}

// isIdle reports whether the ignored items of the sides differ in more than blanks.
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

// sides holds the meanings of the names of one module, by address and in load order.
type sides struct {
	module *merge.Module
	order  []address.Address
	known  map[address.Address]*Side
}

// side returns the meaning of an address; if the module lacks the name, one without items.
func (s *sides) side(own address.Address) Side {
	if known := s.known[own]; known != nil {
		return *known
	}
	return Side{Module: s.module}
}

// sidesOf returns the names in effect of the blocks that p.wants, as far as p doesn't know them to be equal.
// Items without names of their own, such as moved blocks, share the side of their kind.
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

// add adds the items in effect of a merged item to the side with address own. Items that mean the same as
// none are left out.
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

// isVerbatim reports whether two sides have the same texts. It is cheaper than comparing words.
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

// isEqual reports whether each side is a single argument, and both are the same constant, however it is
// spelled.
func (s Side) isEqual(other Side) bool {
	return len(s.Items) == 1 && len(other.Items) == 1 &&
		s.Entry.Attr() != nil && s.Entry.Value == nil && other.Entry.Value == nil &&
		!s.Entry.Rule.TofuOnly && equal.Items(s.Items[0], other.Items[0])
}

// words returns the tokens of the items, without blanks and comments. Contents with addresses of their own
// are left out. Items without names, such as moved blocks, are sorted, since their order doesn't matter.
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

// wordsAt returns the tokens of item i; "" if its contents have addresses of their own.
func (s Side) wordsAt(i int) string {
	if e := s.entries[i]; e.Inner() == nil {
		return wordsOf(e, s.Items[i], equal.Words)
	}
	return ""
}

// overridesGuard reports whether an override file contains a version constraint on the engine itself.
func overridesGuard(m *merge.Module) bool {
	found := false
	address.Walk(m, func(_ address.Address, e *merge.MergedItem) {
		found = found || e.Rule.IsGuard() && e.IsOverridden()
	})
	return found
}

// Place returns the item at which to report the difference, and the index of its side: one of an override
// file if there is one. It returns nil if no side has an item.
func (d Difference) Place() (source.Item, int) {
	var best source.Item
	from := 0
	for i, s := range d.Sides {
		for _, it := range append(slices.Clip(s.Items), s.Converters()...) {
			if best == nil || source.IsOverride(it) && !source.IsOverride(best) {
				best, from = it, i
			}
		}
	}
	return best, from
}

// Rules returns the two engines' rules if an override was merged by them and they differ: the rules of the
// name, or else those of the innermost block around it.
func (d Difference) Rules() (a, b *rules.Rule, differ bool) {
	for _, pair := range d.around {
		a, b := pair[0], pair[1]
		if a.Rule != b.Rule && (a.IsOverridden() || b.IsOverridden()) {
			return a.Rule, b.Rule, true
		}
	}
	return nil, nil, false
}

// Converters lists the items that made the engine compute another value than the one in Items.
func (s Side) Converters() (list []source.Item) {
	for i, e := range s.entries {
		if made := e.Computed(); made != nil && made.By() != s.Items[i] {
			list = append(list, made.By())
		}
	}
	return list
}

// RulesAt returns the rules of two engines for the item at a range of one reading's file; differ is false if
// there is no item, or only one rule.
func RulesAt(r, other Reading, at hcl.Range) (a, b *rules.Rule, differ bool) {
	f := r.Module.Source.File(at.Filename)
	if f == nil {
		return nil, nil, false
	}
	it := f.ItemAt(at.Start.Byte)
	if it == nil {
		return nil, nil, false
	}
	path := it.Called()
	for around := it.Within(); around != nil; around = around.Within() {
		path = rules.Join(around.Type, path)
	}
	a, b = rules.Of(path, r.Engine()), rules.Of(path, other.Engine())
	return a, b, a != nil && b != nil && a != b
}

// pairsAround lists, for the name and then for each block around it, the merged items of both sides, if both
// have one.
func pairsAround(own address.Address, first, second *sides) (list [][2]*merge.MergedItem) {
	for at := own; !at.IsEmpty(); at = at.Parent() {
		if a, b := first.known[at], second.known[at]; a != nil && b != nil {
			list = append(list, [2]*merge.MergedItem{a.Entry, b.Entry})
		}
	}
	return list
}

// Entries returns the merged items of Items, index by index.
func (s Side) Entries() []*merge.MergedItem { return s.entries }

// Beyond lists the indexes of Items that have no equal on the other side.
func (s Side) Beyond(other Side) (list []int) {
	known := map[string]bool{}
	for i := range other.Items {
		known[other.wordsAt(i)] = true
	}
	for i := range s.Items {
		if !known[s.wordsAt(i)] {
			list = append(list, i)
		}
	}
	return list
}

// Only returns a difference for each item that only the side with that index has. The other side is empty.
func (d Difference) Only(side int) (list []Difference) {
	own := d.Sides[side]
	for _, i := range own.Beyond(d.Sides[1-side]) {
		only := Difference{Address: d.Address}
		only.Sides[side] = Side{Items: own.Items[i : i+1], Module: own.Module, Entry: own.entries[i], entries: own.entries[i : i+1]}
		list = append(list, only)
	}
	return list
}

// Edits lists the names that mean different things in two modules of one engine, where after is an edited
// copy of before: in the order of before, then the names that only after has. Of a block that one of them
// lacks, it lists just the block.
func Edits(before, after *merge.Module) []Difference {
	return EditsIn(before, after, MayBeEdited(before.Source, after.Source))
}

// EditsIn is Edits for only the blocks that mayDiffer chooses.
func EditsIn(before, after *merge.Module, mayDiffer func(f *source.File, i int) bool) []Difference {
	return differences(before, after, true, mayDiffer)
}

// MayBeEdited returns a function that chooses the blocks whose texts, in load order and in all files
// together, differ between two modules. All others mean the same in both, except for blocks that hold what
// overrides of another address change, and arguments given twice: blocks that may hold either are chosen if
// an override addresses them.
func MayBeEdited(before, after *load.Module) func(f *source.File, i int) bool {
	texts := textsOf(before, after)
	chosen := map[uint64]bool{}
	for _, m := range []*load.Module{before, after} {
		for _, f := range m.Files {
			for i := range f.Len() {
				key := f.Key(i)
				if of := texts[key]; of[0] != of[1] || f.IsAddressed(i) && mayMeanMore(f.Block(i)) {
					chosen[key] = true
				}
			}
		}
	}
	return func(f *source.File, i int) bool { return chosen[f.Key(i)] }
}

// mayMeanMore reports whether a block that overrides address holds declarations or an escaping block.
func mayMeanMore(b *source.Block) bool {
	shape, _ := language.Of(b.File.Engine).Block(b.Type)
	return shape.Inside || len(b.Blocks(source.EscapeBlock)) > 0
}

// seed is random in each run, so that nobody can craft texts with a given hash.
var seed = maphash.MakeSeed()

// textsOf returns hashes of the texts of all blocks of a key, in load order, for each of two modules. The
// hash includes the role of the file, and whether OpenTofu alone reads it, since some arguments count only
// there. For JSON it includes the whole file, since some arguments have no native text.
func textsOf(before, after *load.Module) map[uint64][2]uint64 {
	type block struct {
		earlier, text, json uint64
		isTofu              bool
		role                source.Role
	}
	n := 0
	for _, f := range before.Files {
		n += f.Len()
	}
	texts := make(map[uint64][2]uint64, n)
	for side, m := range []*load.Module{before, after} {
		for _, f := range m.Files {
			own := block{isTofu: f.Tofu, role: f.Role}
			if f.Syntax == source.JSON {
				own.json = maphash.Bytes(seed, f.Raw)
			}
			for i := range f.Len() {
				key := f.Key(i)
				of := texts[key]
				own.earlier, own.text = of[side], maphash.Bytes(seed, f.TextOf(i))
				of[side] = maphash.Comparable(seed, own)
				texts[key] = of
			}
		}
	}
	return texts
}

// Meaning returns what a module means, apart from files, positions, layout and comments, as sorted lines: one
// for each name in effect. Two modules with the same lines are the same to an engine. A block that no
// override file of module addressed can change counts as its text, which saves time: only its author changes
// it. Compare meanings only if they were made with the same addressed; nil lists every name.
func Meaning(m *merge.Module, addressed *load.Module) []string {
	opens := func(f *source.File, i int) bool { return addressed == nil || addressed.IsAddressedAt(f, i) }
	all := func(*source.File, int) bool { return true }
	return slices.Sorted(maps.Keys(meaning{m, opens, equal.Words, nil}.lines(all)))
}

// SameMeaning reports whether two modules have the same Meaning, apart from the names that leavesOut accepts;
// nil leaves out none.
func SameMeaning(a, b *merge.Module, leavesOut func(address.Address) bool) bool {
	mayDiffer := MayBeEdited(a.Source, b.Source)
	opens := func(f *source.File, i int) bool {
		return mayDiffer(f, i) && (a.Source.IsAddressedAt(f, i) || b.Source.IsAddressedAt(f, i))
	}
	asWritten := func(text []byte) [][]byte { return [][]byte{text} }
	for _, words := range []func([]byte) [][]byte{asWritten, equal.Words} { // most often the first is enough
		of := func(m *merge.Module) map[string]bool { return meaning{m, opens, words, leavesOut}.lines(mayDiffer) }
		if maps.Equal(of(a), of(b)) {
			return true
		}
	}
	return false
}

// A meaning says how lines words what a module means.
type meaning struct {
	*merge.Module
	opens     func(f *source.File, i int) bool // reports blocks whose names get a line each
	words     func([]byte) [][]byte            // splits a text into what is compared
	leavesOut func(address.Address) bool
}

// lines returns a line for each name in effect of the blocks that m.opens, and one for each other block that
// is wanted.
func (m meaning) lines(wants func(f *source.File, i int) bool) map[string]bool {
	lines := map[string]bool{}
	put := func(own address.Address, rule *rules.Rule, text func() string) {
		if rule.Match == rules.ByPosition {
			own = own.Kind()
		}
		if m.leavesOut == nil || !m.leavesOut(own) {
			lines[own.String()+text()] = true
		}
	}
	address.WalkChosen(m.Module, m.opens, (*merge.MergedBody).All, func(own address.Address, e *merge.MergedItem) {
		if e.InEffect() && !(e.Rule.OmitEmpty && e.Inner() != nil) && !e.Rule.IsVoid(e.Live[0]) {
			put(own, e.Rule, func() string { return m.ofItem(e) })
		}
	})
	m.EachAlone(func(f *source.File, i int) {
		if wants(f, i) && !m.opens(f, i) {
			b := f.Block(i)
			put(address.OfBlock(m.Module, b), m.Rule(b), func() string { return fmt.Sprintf("\n%x", sha256.Sum256(f.TextOf(i))) })
		}
	})
	return lines
}

// ofItem returns the words of an item's effective value. Contents with addresses of their own have lines of
// their own.
func (m meaning) ofItem(e *merge.MergedItem) string {
	var text strings.Builder
	for _, it := range e.Live {
		if e.Inner() == nil {
			text.WriteString("\n" + wordsOf(e, it, m.words))
		}
	}
	return text.String()
}

// wordsOf returns the text of an item in effect, split by a function and joined by blanks. e is its merged
// item.
func wordsOf(e *merge.MergedItem, it source.Item, split func([]byte) [][]byte) string {
	text := it.Source().Text(it.Extent())
	if a, ok := it.(*source.Attr); ok {
		text = a.File.Text(a.Value())
		if e.Value != nil {
			text = computed.NativeText(e.Value)
		}
		if e.Rule.TofuOnly {
			text = append([]byte(strconv.FormatBool(a.File.Tofu)+" "), text...)
		}
	}
	return string(bytes.Join(split(text), []byte(" ")))
}

// pairs maps the bodies of an address in two readings of a module to each other, for wanted blocks.
type pairs struct {
	of    map[*merge.MergedBody]*merge.MergedBody
	wants func(f *source.File, i int) bool
}

// find pairs the bodies of two modules that overrides addressed.
func (p pairs) find(a, b *merge.Module) {
	addressed := func(c *merge.MergedBody) []*merge.MergedItem { return c.Items }
	theirs := map[address.Address]*merge.MergedBody{}
	address.WalkChosen(b, p.wants, addressed, func(own address.Address, e *merge.MergedItem) {
		theirs[own] = e.Inner()
	})
	address.WalkChosen(a, p.wants, addressed, func(own address.Address, e *merge.MergedItem) {
		if other := theirs[own]; e.Inner() != nil && other != nil {
			p.of[e.Inner()], p.of[other] = other, e.Inner()
		}
	})
}

// unlike lists the items of a body except those that certainly mean the same in the other reading: most of a
// module needs no comparison.
func (p pairs) unlike(c *merge.MergedBody) []*merge.MergedItem {
	other := p.of[c]
	if other == nil || p.of[other] != c {
		return c.All()
	}
	list := slices.Clip(c.Items)
	for _, it := range c.Untouched() {
		counterpart, mine, theirs := c.Counterpart(it, other)
		if counterpart == nil || !isSameAlone(mine, theirs) ||
			!bytes.Equal(it.Source().Text(it.Extent()), counterpart.Source().Text(counterpart.Extent())) {
			list = append(list, c.Owner(it))
		}
	}
	return list
}

// unlikeKeys returns the keys of the blocks that may mean different things to the engines of two modules,
// which read the same directory: blocks that only one of them reads, that an override file addresses, or that
// may contain something in which the engines differ.
func unlikeKeys(a, b *load.Module) map[uint64]bool {
	keys := map[uint64]bool{}
	m := newMayDiffer(a.Engine, b.Engine)
	for _, pair := range [][2]*load.Module{{a, b}, {b, a}} {
		for _, f := range pair[0].Files {
			o := pair[1].File(f.Name)
			isRead := o != nil && isReadAlike(f, o)
			for i := range f.Len() {
				if !isRead || f.IsAddressed(i) || m.block(f, i) {
					keys[f.Key(i)] = true
				}
			}
		}
	}
	return keys
}

// isReadAlike reports whether two engines read the same native text as a file, in the same role.
func isReadAlike(f, o *source.File) bool {
	return f.Role == o.Role && f.Syntax == source.Native && f.Len() == o.Len() &&
		bytes.Equal(f.Native, o.Native)
}

// IsReadAlike reports whether another engine certainly treats the wanted blocks of a module as the module's
// own engine does, and accepts the same. With mayRefuse, the other one may refuse the module because of them.
// False may also mean that it isn't certain.
func IsReadAlike(m *load.Module, other engine.Release, wants func(f *source.File, i int) bool, mayRefuse bool) bool {
	isTofu := func(e load.DirEntry) bool { return e.Tofu }
	isAlike := other.ReadsTofuFiles() == m.Engine.ReadsTofuFiles() || !slices.ContainsFunc(m.Names, isTofu)
	first, second := rules.NewSet(m.Engine), rules.NewSet(other)
	theirs, mine := language.Of(other), language.Of(m.Engine) // the latter last, since blocks ask for it again
	haveOneRule := func(path string) bool { return first.For(path) == second.For(path) }
	apart := append(judge.RootsUnlike(m.Engine, other), "::")      // what only one of them may know
	computed := append(early.Tops(m.Engine), early.Tops(other)...) // from what other blocks declare
	for _, f := range m.Files {
		isAlike = isAlike && !f.Broken
		isAsked := false
		for i := 0; i < f.Len() && isAlike; i++ {
			if !wants(f, i) {
				continue
			}
			isAsked = true
			b, r := f.Block(i), first.At(f.TypeOf(i))
			isAlone := r != nil && r.Do == rules.Merge && len(r.Targets) == 0 && (mayRefuse || !slices.Contains(computed, b.Type))
			isApart := func(word string) bool { return bytes.Contains(f.TextOf(i), []byte(word)) }
			isAlike = isAlone && (mayRefuse || !slices.ContainsFunc(apart, isApart)) &&
				language.IsAlike(b, b.Type, mine, theirs, mayRefuse, haveOneRule)
		}
		// For letters in names that it doesn't know, a release refuses the file.
		isAlike = isAlike && (!isAsked || other.UnknownLetter(f.Native) == m.Engine.UnknownLetter(f.Native))
	}
	return isAlike
}

// mayDiffer holds the names of which two engines differ, by the types of top-level blocks.
type mayDiffer map[string][][]byte

// newMayDiffer returns the names that only one of two engines knows, and those with different rules.
func newMayDiffer(a, b engine.Release) mayDiffer {
	m := mayDiffer{}
	for typ, names := range language.NamesUnlike(a, b) {
		for _, name := range names {
			m.add(typ, name)
		}
	}
	first, second := rules.NewSet(a), rules.NewSet(b)
	for _, r := range rules.All() {
		if !isSameAlone(first.For(r.Path), second.For(r.Path)) {
			typ, _, _ := strings.Cut(r.Path, "/")
			m.add(typ, rules.Base(r.Path))
		}
	}
	return m
}

// add notes a name inside blocks of a type, once.
func (m mayDiffer) add(typ, name string) {
	if !slices.ContainsFunc(m[typ], func(known []byte) bool { return string(known) == name }) {
		m[typ] = append(m[typ], []byte(name))
	}
}

// block reports whether block i of a file may contain something in which the engines differ. It looks for the
// names in the text. A rule for any name makes every block of its type such a block.
func (m mayDiffer) block(f *source.File, i int) bool {
	text := f.TextOf(i)
	return len(m["*"]) > 0 || slices.ContainsFunc(m[f.TypeOf(i)], func(name []byte) bool {
		return string(name) == "*" || holdsWord(text, name)
	})
}

// holdsWord reports whether a text contains a name that isn't part of a longer one.
func holdsWord(text, name []byte) bool {
	for at := 0; ; at++ {
		n := bytes.Index(text[at:], name)
		if n < 0 {
			return false
		}
		at += n
		end := at + len(name)
		if (at == 0 || !isInName(text[at-1])) && (end == len(text) || !isInName(text[end])) {
			return true
		}
	}
}

// isInName reports whether a byte can be part of a name.
func isInName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// isSameAlone reports whether two rules treat an item the same that no override file addresses.
func isSameAlone(a, b *rules.Rule) bool {
	return a == b || a.Match == b.Match && a.Do == b.Do && a.OmitEmpty == b.OmitEmpty && a.TofuOnly == b.TofuOnly &&
		a.Unused == b.Unused && a.Void == b.Void && slices.Equal(a.Assumes, b.Assumes) &&
		slices.Equal(a.Outranks, b.Outranks)
}
