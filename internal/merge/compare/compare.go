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

// A Reading is a module as one engine reads it, with the diagnostics about it.
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

// Refusals returns the diagnostics for which the engine refuses the module: errors, and warnings about what it
// refuses only after loading.
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

// Differences lists the names that mean different things to two engines, in load order. Both engines must accept
// the module. Of a block that only one of them has, it lists just the block. Version constraints on the engine
// itself count only if an override file has one.
func Differences(a, b Reading) []Difference {
	// Blocks that both engines certainly read alike, which is most of them, aren't compared.
	keys := unlikeKeys(a.Module.Source, b.Module.Source)
	wants := func(f *source.File, i int) bool { return keys[f.Key(i)] }
	includesConstraints := overridesConstraint(a.Module) || overridesConstraint(b.Module)
	list := differences(a.Module, b.Module, includesConstraints, wants)
	return slices.DeleteFunc(list, func(d Difference) bool { return d.IsIdle })
}

// differences lists the names in wanted blocks that mean different things in a and b: those of a in load order, then
// those that only b has. It includes names that differ only in items that the engine ignores, with IsIdle set.
// includesConstraints tells whether version constraints on the engine count.
func differences(a, b *merge.Module, includesConstraints bool, wants func(f *source.File, i int) bool) (list []Difference) {
	// Pairing the bodies saves comparing the items that are the same in both.
	paired := bodyPairs{counterpartOf: map[*merge.MergedBody]*merge.MergedBody{}, wants: wants}
	paired.pairBodies(a, b)
	left, right := sidesOf(a, includesConstraints, paired), sidesOf(b, includesConstraints, paired)
	listed, missingOnOneSide := map[address.Address]bool{}, map[address.Address]bool{}
	// Names that both sides have come up twice; listed keeps the second time out.
	for _, own := range append(left.order, right.order...) {
		d := Difference{Address: own, Sides: [2]Side{left.side(own), right.side(own)}}
		if listed[own] || isInside(own, missingOnOneSide) { // a block that one side lacks stands for its contents
			continue
		}
		d.IsIdle = d.isSame()
		if d.IsIdle && !d.ignoredDiffer() { // nothing differs
			continue
		}
		listed[own] = true
		d.around = pairsAround(own, left, right)
		isMissing := len(d.Sides[0].Items) == 0 || len(d.Sides[1].Items) == 0
		missingOnOneSide[own] = !d.IsIdle && isMissing
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
		(d.Sides[0].isVerbatim(d.Sides[1]) || d.Sides[0].isEqual(d.Sides[1]) || d.Sides[0].tokens() == d.Sides[1].tokens())
}

// ignoredDiffer reports whether the items that the engine ignores (Side.Passed) differ between the sides. Blanks and
// order make no difference.
func (d Difference) ignoredDiffer() bool {
	texts := func(s Side) (list []string) {
		for _, it := range s.Passed {
			list = append(list, strings.Join(strings.Fields(string(it.Source().Text(it.Extent()))), " "))
		}
		slices.Sort(list)
		return list
	}
	return !slices.Equal(texts(d.Sides[0]), texts(d.Sides[1]))
}

// sides holds what the names of one module mean, by address and in load order.
type sides struct {
	module    *merge.Module
	order     []address.Address
	byAddress map[address.Address]*Side
}

// side returns the meaning of an address. If the module lacks the name, that is a side without items.
func (s *sides) side(own address.Address) Side {
	if found := s.byAddress[own]; found != nil {
		return *found
	}
	return Side{Module: s.module}
}

// sidesOf returns the names in effect in the blocks that paired.wants, except for those that certainly mean the
// same in the other reading. Items without names of their own, such as moved blocks, share one side.
// includesConstraints tells whether version constraints on the engine count.
func sidesOf(m *merge.Module, includesConstraints bool, paired bodyPairs) *sides {
	s := &sides{module: m, byAddress: map[address.Address]*Side{}}
	address.WalkChosen(m, paired.wants, paired.maybeDifferent, func(own address.Address, e *merge.MergedItem) {
		if !e.InEffect() || e.Rule.IsGuard() && !includesConstraints {
			return
		}
		if e.Rule.Match == rules.ByPosition {
			own = own.Kind() // without a number
		}
		s.add(own, e)
	})
	return s
}

// add adds the items in effect of merged item e to the side with address own. It leaves out items that mean the
// same as no item, and keeps apart those that the engine ignores (Side.Passed).
func (s *sides) add(own address.Address, e *merge.MergedItem) {
	side := s.byAddress[own]
	if side == nil {
		side = &Side{Module: s.module, Entry: e}
		s.order = append(s.order, own)
		s.byAddress[own] = side
	}
	if e.Rule.OmitEmpty {
		return // its contents are listed separately
	}
	for _, it := range e.Live {
		if e.Rule.TofuOnly && !it.Source().Tofu {
			side.Passed = append(side.Passed, it)
			continue
		}
		if e.Rule.IsVoid(it) { // such as a null that means the same as no item
			continue
		}
		side.Items, side.entries = append(side.Items, it), append(side.entries, e)
		if assumed := e.Rule.Assumed(it); assumed != "" {
			side.Assumed = assumed
		}
	}
}

// isVerbatim reports whether two sides certainly have the same texts, and the engines read these in the same way:
// they compute no value from them, and both texts are in .tofu files, or neither, since some arguments count only
// there (TofuOnly). This is cheaper than comparing tokens.
func (s Side) isVerbatim(other Side) bool {
	if len(s.Items) != len(other.Items) {
		return false
	}
	for i, it := range s.Items {
		entry, otherEntry, otherItem := s.entries[i], other.entries[i], other.Items[i]
		isComputed := entry.Value != nil || otherEntry.Value != nil
		if isComputed || (entry.Inner() == nil) != (otherEntry.Inner() == nil) {
			return false
		}
		if entry.Rule.TofuOnly != otherEntry.Rule.TofuOnly || it.Source().Tofu != otherItem.Source().Tofu {
			return false
		}
		// The contents of a merged block have sides of their own.
		if entry.Inner() == nil && !bytes.Equal(it.Source().Text(it.Extent()), otherItem.Source().Text(otherItem.Extent())) {
			return false
		}
	}
	return true
}

// isEqual reports whether each side is a single argument, and both have equal values, however these are spelled.
func (s Side) isEqual(other Side) bool {
	if len(s.Items) != 1 || len(other.Items) != 1 || s.Entry.Attr() == nil {
		return false
	}
	// A computed value is in no file, and the engine ignores a TofuOnly argument in a .tf file.
	isComputed := s.Entry.Value != nil || other.Entry.Value != nil
	if isComputed || s.Entry.Rule.TofuOnly {
		return false
	}
	return equal.Items(s.Items[0], other.Items[0]) // false if the other item is a block
}

// tokens returns the tokens of the side's items, without blanks and comments, for comparison. Contents that have
// addresses of their own are left out. Items without names, such as moved blocks, are sorted and equal ones listed
// once, since neither order nor repetition matters.
func (s Side) tokens() string {
	list := make([]string, len(s.Items))
	for i := range s.Items {
		list[i] = s.tokensAt(i)
	}
	if s.Entry != nil && s.Entry.Rule.Match == rules.ByPosition {
		slices.Sort(list)
		list = slices.Compact(list)
	}
	// Without the number, no items and one item without tokens would be equal.
	return strconv.Itoa(len(list)) + "\n" + strings.Join(list, "\n")
}

// tokensAt returns the tokens of item i; "" if its contents have addresses of their own.
func (s Side) tokensAt(i int) string {
	if e := s.entries[i]; e.Inner() == nil {
		return wordsOf(e, s.Items[i], equal.Words)
	}
	return ""
}

// overridesConstraint reports whether an override file contains a version constraint on the engine itself.
func overridesConstraint(m *merge.Module) bool {
	found := false
	address.Walk(m, func(_ address.Address, e *merge.MergedItem) {
		found = found || e.Rule.IsGuard() && e.IsOverridden()
	})
	return found
}

// Place returns the item at which to report the difference, preferably one of an override file, and the index of
// its side. It returns nil if no side has an item.
func (d Difference) Place() (source.Item, int) {
	var best source.Item
	from := 0 // the index of the side that best is on
	for i, s := range d.Sides {
		for _, it := range append(slices.Clip(s.Items), s.Converters()...) {
			if best == nil || source.IsOverride(it) && !source.IsOverride(best) {
				best, from = it, i
			}
		}
	}
	return best, from
}

// Rules returns the rules of the first and the second engine that explain the difference; differ is false if none do.
// They explain it if an override was merged by them and they aren't the same. They are the rules of the name, or
// else of the innermost block around it of which this is true.
func (d Difference) Rules() (a, b *rules.Rule, differ bool) {
	for _, pair := range d.around {
		a, b := pair[0], pair[1]
		if a.Rule != b.Rule && (a.IsOverridden() || b.IsOverridden()) {
			return a.Rule, b.Rule, true
		}
	}
	return nil, nil, false
}

// Converters lists the items that made the engine compute another value than the one written in Items, such as a
// variable's type.
func (s Side) Converters() (list []source.Item) {
	for i, e := range s.entries {
		if step := e.Computed(); step != nil && step.By() != s.Items[i] {
			list = append(list, step.By())
		}
	}
	return list
}

// RulesAt returns the rules by which two engines merge the item at a range of a file of r. differ is false if there
// is no item there, or if both engines have the same rule.
func RulesAt(r, other Reading, at hcl.Range) (a, b *rules.Rule, differ bool) {
	f := r.Module.Source.File(at.Filename)
	if f == nil {
		return nil, nil, false
	}
	it := f.ItemAt(at.Start.Byte)
	if it == nil {
		return nil, nil, false
	}
	// The path in the table of rules: the types of the blocks around the item, and its name.
	path := it.Called()
	for around := it.Within(); around != nil; around = around.Within() {
		path = rules.Join(around.Type, path)
	}
	a, b = rules.Of(path, r.Engine()), rules.Of(path, other.Engine())
	return a, b, a != nil && b != nil && a != b
}

// pairsAround lists the merged items of an address on both sides, and then those of each block around it. It leaves
// out pairs of which a side is missing.
func pairsAround(own address.Address, left, right *sides) (list [][2]*merge.MergedItem) {
	for at := own; !at.IsEmpty(); at = at.Parent() {
		if a, b := left.byAddress[at], right.byAddress[at]; a != nil && b != nil {
			list = append(list, [2]*merge.MergedItem{a.Entry, b.Entry})
		}
	}
	return list
}

// Entries returns the merged items of Items, index by index.
func (s Side) Entries() []*merge.MergedItem { return s.entries }

// Beyond lists the indexes of the side's Items that have no equal on the other side.
func (s Side) Beyond(other Side) (list []int) {
	known := map[string]bool{}
	for i := range other.Items {
		known[other.tokensAt(i)] = true
	}
	for i := range s.Items {
		if !known[s.tokensAt(i)] {
			list = append(list, i)
		}
	}
	return list
}

// Only returns a difference for each item that side 0 or 1 has and the other lacks. The other side of each is
// empty.
func (d Difference) Only(side int) (list []Difference) {
	own := d.Sides[side]
	for _, i := range own.Beyond(d.Sides[1-side]) {
		only := Difference{Address: d.Address}
		only.Sides[side] = Side{Items: own.Items[i : i+1], Module: own.Module, Entry: own.entries[i], entries: own.entries[i : i+1]}
		list = append(list, only)
	}
	return list
}

// Edits lists the names whose meanings differ between two modules of one engine, where after is an edited copy of
// before: in the order of before, and then those that only after has. Of a block that one of them lacks, it lists
// just the block.
func Edits(before, after *merge.Module) []Difference {
	return EditsIn(before, after, MayBeEdited(before.Source, after.Source))
}

// EditsIn is Edits for only the blocks that mayDiffer accepts.
func EditsIn(before, after *merge.Module, mayDiffer func(f *source.File, i int) bool) []Difference {
	return differences(before, after, true, mayDiffer)
}

// MayBeEdited returns a function that tells, by file and index, which blocks may differ in meaning between two
// modules. These are all blocks of a type and labels if their texts, in load order, aren't the same in both modules.
// Even with the same texts, a block that an override addresses can mean something else, for example if an override
// of another block reaches into it: see dependsOnOthers. Such blocks are included.
func MayBeEdited(before, after *load.Module) func(f *source.File, i int) bool {
	texts := hashTexts(before, after)
	chosen := map[uint64]bool{}
	for _, m := range []*load.Module{before, after} {
		for _, f := range m.Files {
			for i := range f.Len() {
				key := f.Key(i)
				hashes := texts[key]
				isEdited := hashes[0] != hashes[1] // also if only one module has the key
				if isEdited || f.IsAddressed(i) && dependsOnOthers(f.Block(i)) {
					chosen[key] = true
				}
			}
		}
	}
	return func(f *source.File, i int) bool { return chosen[f.Key(i)] }
}

// dependsOnOthers reports whether a block's meaning may depend on blocks with other keys, and so change without a
// change of its text: it holds declarations that other blocks can address (Inside), such as the data block in a
// check, or an escaping block (_), which can give an argument a second time.
func dependsOnOthers(b *source.Block) bool {
	shape, _ := language.Of(b.File.Engine).Block(b.Type)
	return shape.Inside || len(b.Blocks(source.EscapeBlock)) > 0
}

// seed is random in each run, so that nobody can craft different texts with the same hash.
var seed = maphash.MakeSeed()

// hashTexts returns two hashes for each key (type and labels): one of the texts of all blocks with the key in before,
// in load order, and one for after. A hash includes the role of the file, and whether OpenTofu alone reads it, since
// some arguments count only there. For JSON it includes the whole file, since some arguments have no native text.
func hashTexts(before, after *load.Module) map[uint64][2]uint64 {
	// The hash of a block struct covers the block and, by the hash in earlier, the blocks with the key before it.
	type block struct {
		earlier, text, json uint64
		isTofu              bool
		role                source.Role
	}
	size := 0
	for _, f := range before.Files {
		size += f.Len()
	}
	texts := make(map[uint64][2]uint64, size)
	for side, m := range []*load.Module{before, after} { // side is the index of the hash in texts
		for _, f := range m.Files {
			hashed := block{isTofu: f.Tofu, role: f.Role}
			if f.Syntax == source.JSON {
				hashed.json = maphash.Bytes(seed, f.Raw)
			}
			for i := range f.Len() {
				key := f.Key(i)
				hashes := texts[key]
				hashed.earlier, hashed.text = hashes[side], maphash.Bytes(seed, f.TextOf(i))
				hashes[side] = maphash.Comparable(seed, hashed)
				texts[key] = hashes
			}
		}
	}
	return texts
}

// Meaning returns what a module means, apart from files, positions, layout and comments, as sorted lines: one for
// each name in effect. Two modules with the same lines are the same to an engine, if splitBy was the same for both.
// A block that no override file of splitBy addresses gets only one line, with a hash of its text, to save time. For
// example, splitBy is a module before it is flattened, and m is it before or after. nil splits all blocks.
func Meaning(m *merge.Module, splitBy *load.Module) []string {
	splits := func(f *source.File, i int) bool { return splitBy == nil || splitBy.IsAddressedAt(f, i) }
	all := func(*source.File, int) bool { return true }
	return slices.Sorted(maps.Keys(meaning{Module: m, splits: splits, words: equal.Words}.lines(all)))
}

// SameMeaning reports whether two modules have the same Meaning, apart from names that leavesOut accepts; nil accepts
// none. It compares only blocks that may be edited (MayBeEdited): name by name if an override file of either module
// addresses them, otherwise by a hash of their texts.
func SameMeaning(a, b *merge.Module, leavesOut func(address.Address) bool) bool {
	mayDiffer := MayBeEdited(a.Source, b.Source)
	// splits chooses the blocks to compare name by name.
	splits := func(f *source.File, i int) bool {
		return mayDiffer(f, i) && (a.Source.IsAddressedAt(f, i) || b.Source.IsAddressedAt(f, i))
	}
	asWritten := func(text []byte) [][]byte { return [][]byte{text} }
	// Most often the texts are the same as written. Only if they differ, the second attempt splits them into tokens.
	for _, words := range []func([]byte) [][]byte{asWritten, equal.Words} {
		linesOf := func(m *merge.Module) map[string]bool {
			return meaning{Module: m, splits: splits, words: words, leavesOut: leavesOut}.lines(mayDiffer)
		}
		if maps.Equal(linesOf(a), linesOf(b)) {
			return true
		}
	}
	return false
}

// A meaning makes the lines that say what a module means.
type meaning struct {
	*merge.Module
	splits    func(f *source.File, i int) bool // reports blocks whose names get a line each; the others get one line
	words     func([]byte) [][]byte            // splits a text into what is compared
	leavesOut func(address.Address) bool
}

// lines returns, as a set, a line for each name in effect in the blocks that m.splits accepts. Each other block that
// wants accepts gets one line, with a hash of its text.
func (m meaning) lines(wants func(f *source.File, i int) bool) map[string]bool {
	lines := map[string]bool{}
	addLine := func(own address.Address, rule *rules.Rule, text func() string) {
		if rule.Match == rules.ByPosition { // such as moved, whose number means nothing
			own = own.Kind()
		}
		if m.leavesOut == nil || !m.leavesOut(own) {
			lines[own.String()+text()] = true
		}
	}
	address.WalkChosen(m.Module, m.splits, (*merge.MergedBody).All, func(own address.Address, e *merge.MergedItem) {
		meansOnlyContents := e.Rule.OmitEmpty && e.Inner() != nil // such as locals
		if !e.InEffect() || meansOnlyContents {
			return
		}
		if !e.Rule.IsVoid(e.Live[0]) { // such as a null that means the same as no argument
			addLine(own, e.Rule, func() string { return m.wordsOfItem(e) })
		}
	})
	m.EachAlone(func(f *source.File, i int) { // the blocks that no override addresses
		if wants(f, i) && !m.splits(f, i) {
			b := f.Block(i)
			addLine(address.OfBlock(m.Module, b), m.Rule(b), func() string { return fmt.Sprintf("\n%x", sha256.Sum256(f.TextOf(i))) })
		}
	})
	return lines
}

// wordsOfItem returns the words of a merged item's effective value. It is empty if the contents have lines of their
// own.
func (m meaning) wordsOfItem(e *merge.MergedItem) string {
	var text strings.Builder
	for _, it := range e.Live {
		if e.Inner() == nil {
			text.WriteString("\n" + wordsOf(e, it, m.words))
		}
	}
	return text.String()
}

// wordsOf returns the words into which split takes the text of an item in effect of e, with blanks between them. The
// text of an argument is its value, computed or as written.
func wordsOf(e *merge.MergedItem, item source.Item, split func([]byte) [][]byte) string {
	text := item.Source().Text(item.Extent())
	if a, ok := item.(*source.Attr); ok {
		text = a.File.Text(a.Value())
		if e.Value != nil {
			text = computed.NativeText(e.Value)
		}
		// A value that counts only in a .tofu file gets a mark, so that it differs from the same value in a .tf file.
		if e.Rule.TofuOnly {
			text = append([]byte(strconv.FormatBool(a.File.Tofu)+" "), text...)
		}
	}
	return string(bytes.Join(split(text), []byte(" ")))
}

// bodyPairs holds, for each merged body in two readings of a module, the body at the same address in the other
// reading.
type bodyPairs struct {
	counterpartOf map[*merge.MergedBody]*merge.MergedBody
	wants         func(f *source.File, i int) bool
}

// pairBodies fills in p.counterpartOf with the bodies in wanted blocks that overrides addressed.
func (p bodyPairs) pairBodies(a, b *merge.Module) {
	addressed := func(c *merge.MergedBody) []*merge.MergedItem { return c.Items }
	theirs := map[address.Address]*merge.MergedBody{}
	address.WalkChosen(b, p.wants, addressed, func(own address.Address, e *merge.MergedItem) {
		theirs[own] = e.Inner()
	})
	address.WalkChosen(a, p.wants, addressed, func(own address.Address, e *merge.MergedItem) {
		if other := theirs[own]; e.Inner() != nil && other != nil {
			p.counterpartOf[e.Inner()], p.counterpartOf[other] = other, e.Inner()
		}
	})
}

// maybeDifferent lists the items of body c that may mean something else in the other reading. It leaves out
// arguments that no override addressed and that both readings have with the same text and rule, which is most of a
// module.
func (p bodyPairs) maybeDifferent(c *merge.MergedBody) []*merge.MergedItem {
	other := p.counterpartOf[c]
	if other == nil || p.counterpartOf[other] != c { // no body is certainly its counterpart
		return c.All()
	}
	list := slices.Clip(c.Items) // those that overrides addressed are always compared
	for _, it := range c.Untouched() {
		counterpart, mine, theirs := c.Counterpart(it, other)
		if counterpart == nil || !treatAlike(mine, theirs) ||
			!bytes.Equal(it.Source().Text(it.Extent()), counterpart.Source().Text(counterpart.Extent())) {
			list = append(list, c.Owner(it)) // the merged item that it belongs to
		}
	}
	return list
}

// unlikeKeys returns the keys (type and labels) of blocks that may mean different things to the engines of two
// modules, which read the same directory: blocks that only one of them reads, that an override file addresses, or
// that may contain something in which the engines differ.
func unlikeKeys(a, b *load.Module) map[uint64]bool {
	keys := map[uint64]bool{}
	differing := newNamesThatDiffer(a.Engine, b.Engine)
	for _, pair := range [][2]*load.Module{{a, b}, {b, a}} { // the files of each, beside the other's
		for _, f := range pair[0].Files {
			other := pair[1].File(f.Name)
			isRead := other != nil && isReadAlike(f, other)
			for i := range f.Len() {
				if !isRead || f.IsAddressed(i) || differing.mayDifferIn(f, i) {
					keys[f.Key(i)] = true
				}
			}
		}
	}
	return keys
}

// isReadAlike reports whether two engines read a file alike, f and other: the same native text, in the same role, and
// as many blocks of it, in case one of them couldn't read all.
func isReadAlike(f, other *source.File) bool {
	return f.Role == other.Role && f.Syntax == source.Native && f.Len() == other.Len() &&
		bytes.Equal(f.Native, other.Native)
}

// IsReadAlike reports whether another engine certainly gives the wanted blocks of m the same meaning as the module's
// own engine, and certainly accepts them; if mayRefuse is set, the other engine may refuse them. The test is cheap,
// and false may only mean that it can't tell.
func IsReadAlike(m *load.Module, other engine.Release, wants func(f *source.File, i int) bool, mayRefuse bool) bool {
	hasTofuFiles := slices.ContainsFunc(m.Names, func(e load.DirEntry) bool { return e.Tofu })
	if hasTofuFiles && other.ReadsTofuFiles() != m.Engine.ReadsTofuFiles() {
		return false
	}
	t := newAlikeTest(m.Engine, other, mayRefuse)
	for _, f := range m.Files {
		if f.Broken {
			return false
		}
		hasWanted := false
		for i := range f.Len() {
			if !wants(f, i) {
				continue
			}
			hasWanted = true
			if !t.isAlike(f, i) {
				return false
			}
		}
		// For letters in names that it doesn't know, a release refuses the file.
		if hasWanted && other.UnknownLetter(f.Native) != m.Engine.UnknownLetter(f.Native) {
			return false
		}
	}
	return true
}

// An alikeTest tests whether two engines, ours and theirs, certainly read a block alike.
type alikeTest struct {
	ourRules, theirRules       *rules.Set
	ourLanguage, theirLanguage *language.BodyShape

	telltales  []string // words that only one of them may know
	earlyTypes []string // of top-level blocks with arguments computed from other blocks
	mayRefuse  bool     // theirs may refuse the block
}

// newAlikeTest returns the test for two engines. mayRefuse is set if theirs may refuse blocks, as long as it reads
// alike those that it accepts.
func newAlikeTest(ours, theirs engine.Release, mayRefuse bool) *alikeTest {
	t := &alikeTest{ourRules: rules.NewSet(ours), theirRules: rules.NewSet(theirs), mayRefuse: mayRefuse}
	// language.Of caches only the release of its last call. Blocks will ask for ours, so that comes last.
	t.theirLanguage = language.Of(theirs)
	t.ourLanguage = language.Of(ours)
	t.telltales = append(judge.RootsUnlike(ours, theirs), "::") // a provider's function has :: in its name
	t.earlyTypes = append(early.Tops(ours), early.Tops(theirs)...)
	return t
}

// isAlike reports whether both engines certainly read block i of a file alike.
func (t *alikeTest) isAlike(f *source.File, i int) bool {
	b, r := f.Block(i), t.ourRules.At(f.TypeOf(i))
	// With any other rule, something elsewhere in the module may decide how the block is read.
	if r == nil || r.Do != rules.Merge || len(r.Targets) > 0 {
		return false
	}
	hasWord := func(word string) bool { return bytes.Contains(f.TextOf(i), []byte(word)) }
	if !t.mayRefuse && (slices.Contains(t.earlyTypes, b.Type) || slices.ContainsFunc(t.telltales, hasWord)) {
		return false // theirs might refuse it
	}
	haveOneRule := func(path string) bool { return t.ourRules.For(path) == t.theirRules.For(path) }
	return language.IsAlike(b, b.Type, t.ourLanguage, t.theirLanguage, t.mayRefuse, haveOneRule)
}

// namesThatDiffer holds the names in blocks that two engines treat differently, by the type of the top-level block.
type namesThatDiffer map[string][][]byte

// newNamesThatDiffer returns the names that only one of two engines knows, and those for which they have different
// rules.
func newNamesThatDiffer(a, b engine.Release) namesThatDiffer {
	m := namesThatDiffer{}
	for typ, names := range language.NamesUnlike(a, b) {
		for _, name := range names {
			m.add(typ, name)
		}
	}
	first, second := rules.NewSet(a), rules.NewSet(b)
	for _, r := range rules.All() {
		if !treatAlike(first.For(r.Path), second.For(r.Path)) {
			typ, _, _ := strings.Cut(r.Path, "/")
			m.add(typ, rules.Base(r.Path))
		}
	}
	return m
}

// add notes a name that may be inside blocks of a type, unless it is there already.
func (m namesThatDiffer) add(typ, name string) {
	if !slices.ContainsFunc(m[typ], func(known []byte) bool { return string(known) == name }) {
		m[typ] = append(m[typ], []byte(name))
	}
}

// mayDifferIn reports whether block i of a file may contain something in which the engines differ: whether its text
// contains one of the names of its type. The name "*" means any name, and so every block of the type; under the type
// "*", every block.
func (m namesThatDiffer) mayDifferIn(f *source.File, i int) bool {
	text := f.TextOf(i)
	return len(m["*"]) > 0 || slices.ContainsFunc(m[f.TypeOf(i)], func(name []byte) bool {
		return string(name) == "*" || holdsWord(text, name)
	})
}

// holdsWord reports whether a text contains name as a whole word, not as part of a longer one.
func holdsWord(text, name []byte) bool {
	for from := 0; ; {
		n := bytes.Index(text[from:], name)
		if n < 0 {
			return false
		}
		start := from + n
		end := start + len(name)
		startsWord := start == 0 || !isInName(text[start-1])
		endsWord := end == len(text) || !isInName(text[end])
		if startsWord && endsWord {
			return true
		}
		from = start + 1
	}
}

// isInName reports whether a byte can be part of a name.
func isInName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// treatAlike reports whether two rules treat an item alike if no override file addresses it.
func treatAlike(a, b *rules.Rule) bool {
	return a == b || a.Match == b.Match && a.Do == b.Do && a.OmitEmpty == b.OmitEmpty && a.TofuOnly == b.TofuOnly &&
		a.Unused == b.Unused && a.Void == b.Void && slices.Equal(a.Assumes, b.Assumes) &&
		slices.Equal(a.Outranks, b.Outranks)
}
