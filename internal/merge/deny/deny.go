// Package deny finds items that a policy forbids override files to set.
//
// Patterns reach keys and elements of values, too: an override that replaces a value or nested
// blocks sets, changes or drops their parts. Unchanged repetitions are not denied; if only the
// engine knows the keys, the value is denied, and the finding explains why.
//
// Given a merged module and patterns of addresses for each override file, it returns findings of
// the rule denied-override, each about the outermost item that a pattern matches. The package does
// not know where the policy is written.
//
// Findings of two runs, on a module as it was and as it is, are the same if their Facts agree: the
// same tokens are denied at the same address, and the same layer wins there.
package deny

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// Items lists the items of override files that a policy forbids, whether or not they have an effect: those
// whose address, or that of a block around them, matches a pattern. If a whole block is denied, its contents
// aren't listed. patternsFor returns the patterns for an override file by its name, or nil. facts are those of
// m; with nil, findings have no facts.
func Items(m *merge.Module, patternsFor func(name string) *address.Patterns, facts *Facts) []check.Finding {
	d := &denial{
		module: m, listed: map[source.Item]bool{}, facts: facts, parts: map[*source.Attr]*parts.Value{},
		patternsOf: map[*source.File]*address.Patterns{},
	}
	// isAny: some override file has patterns; hasIndex: some of these name numbers, such as [0].
	isAny, hasIndex := false, false
	for _, f := range m.Source.Files {
		if f.Role == source.Override {
			ps := patternsFor(f.Name)
			d.patternsOf[f] = ps
			isAny, hasIndex = isAny || ps.Len() > 0, hasIndex || ps.HasIndex()
		}
	}
	if !isAny {
		return nil
	}
	aliases := address.AliasIndex{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		d.others = aliases.Add(m, own, e)
		d.judgeHistory(own, e)
	})
	if hasIndex { // only then can a block's old number match
		d.denyMoved(aliases)
	}
	return d.found
}

// judgeHistory denies the forbidden items in the history of e, whose address is own.
func (d *denial) judgeHistory(own address.Address, e *merge.MergedItem) {
	// First the items themselves, and what nested blocks contain.
	counts := map[*source.Block]*counter{} // numbers the blocks of this name, by the block around them
	for _, s := range e.Steps {
		if s.Item == nil || !source.IsOverride(s.Item) || !d.usePatternsFor(s.Item) {
			continue
		}
		around := s.Item.Within()
		if counts[around] == nil {
			counts[around] = &counter{}
		}
		d.judgeItem(d.Start(), address.Address{}, own, counts[around].next(s.Item), e, s.Item)
	}
	// Then the parts of values and of nested blocks that a layer changes: these are replaced as a whole.
	for _, l := range layersOf(own, e) {
		if d.usePatternsFor(l.now[0]) {
			d.judgeValues(l)
		}
	}
	// An override of another name may have removed the item.
	if was, by := changes.Gone(e); len(was) > 0 && by != nil && source.IsOverride(by) && d.usePatternsFor(by) {
		d.judgeGone(layer{own: own, item: e, now: []source.Item{by}, before: was})
	}
	if len(d.parts) > 0 { // no other item has these arguments, and parsed values are large
		d.parts = map[*source.Attr]*parts.Value{}
	}
}

// usePatternsFor makes the patterns for an item's file those of d, and reports whether there are any.
func (d *denial) usePatternsFor(it source.Item) bool {
	d.Patterns = d.patternsOf[it.Source()]
	return d.Len() > 0
}

// A denial gathers the findings about forbidden items. The embedded patterns are those of the override file
// at hand.
type denial struct {
	*address.Patterns
	patternsOf map[*source.File]*address.Patterns

	found    []check.Finding
	listed   map[source.Item]bool // denied items; what they contain is denied with them
	facts    *Facts
	module   *merge.Module
	others   []address.Address             // further addresses of the item at hand: see followAddresses
	parts    map[*source.Attr]*parts.Value // cache of partsOf
	declared *declarations                 // nil until needed
}

// judgeItem denies an item of the history of e if a pattern matches its address, which is holder followed by name.
// Otherwise it looks into the item, whose contents share its history unless e has a merged body. holder is the
// address of the block around the item, empty if name is the whole address. around is the match state after holder.
// number is the item's position among blocks of its name, from 0, or -1 if it's uncertain.
func (d *denial) judgeItem(around address.Progress, holder, name address.Address, number int, e *merge.MergedItem, it source.Item) {
	if d.isInListed(it) {
		return
	}
	own := holder.Join(name)
	at, isMatch := d.followAddresses(around, name, number, it, holder.IsEmpty()) // at: how far the patterns match own
	if isMatch {
		d.listed[it] = true
		f := check.DeniedOverride.At(source.Where(it), fmt.Sprintf("The policy denies overrides of %s. %s", own, d.remedy(e, it)))
		f.Address, f.Item, f.Fact = own, e, d.facts.factOf(it)
		d.found = append(d.found, f)
		return
	}
	b, isBlock := it.(*source.Block)
	// The items of a merged body have histories of their own: judgeHistory is called for these, too.
	if !isBlock || e.Inner() != nil {
		return
	}
	counts := counters{}
	for _, inner := range source.ContentOf(b).Items() {
		d.judgeItem(at, own, address.New(inner.Called()), counts.counterOf(inner.Called()).next(inner), e, inner)
	}
}

// followAddresses returns the match state after an item, and whether a pattern matches the item, by any of its
// addresses. around is the state before name. A pattern may have the item's labels and number, or leave them out. At
// the top level, an item may have further addresses, d.others: a data block in a check is also addressed as a
// top-level one.
func (d *denial) followAddresses(around address.Progress, name address.Address, number int, it source.Item, isTopLevel bool) (address.Progress, bool) {
	at, isMatch := d.FollowItem(around, name, number, it)
	if !isTopLevel {
		return at, isMatch
	}
	for _, other := range d.others {
		atOther, isMatchOfOther := d.FollowItem(around, other, number, it)
		at.Add(atOther) // in place
		isMatch = isMatch || isMatchOfOther
	}
	return at, isMatch
}

// isInListed reports whether a block around an item is denied already, at any depth. The item itself doesn't count.
func (d *denial) isInListed(it source.Item) bool {
	for b := it.Within(); b != nil; b = b.Within() {
		if d.listed[b] {
			return true
		}
	}
	return false
}

// remedy returns the sentence that says where to set the value instead of overriding it: where a primary file
// defines it, or in any primary file. For a top-level block that no primary file declares, it adds a hint if the
// file may be an override file only by accident of its name.
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

// File returns the finding about an override file in a repository whose policy allows none.
func File(name string) check.Finding {
	return check.DeniedOverride.At(hcl.Range{Filename: name}, "The policy denies override files. Change the primary files instead, or allow this file with --allow-file.")
}

// maxText limits the addresses, in bytes, that are searched for parts: findings must stay in proportion to
// the files, however long keys are.
const maxText = 4096

// A survey holds what patterns match inside the items of one layer: keys, elements, and the contents of nested
// blocks. It also holds the values whose keys only the engine knows.
type survey struct {
	denial *denial
	found  map[address.Address][]source.Item // the outermost matches, by path; only a block that matches itself has a number in it
	order  []address.Address                 // keys of found, as met
	lastAt map[placedPath]source.Item        // the last match at each path in each block
	places map[source.Item]blockPlace        // of the block around each match
	place  blockPlace                        // of the block being searched
	whole  map[address.Address]bool          // matches that are arguments or blocks: they are denied even if they repeat the earlier value
	hidden []hiddenPart                      // what can't be searched, although a pattern may match inside
}

// A blockPlace is a hash of a nested block's position among those of its type, and of the positions of the
// blocks around it. An item is compared with those of the earlier layer that have the same place.
type blockPlace [sha256.Size]byte

// A placedPath is a path, without numbers, together with the place of its block.
type placedPath struct {
	path  address.Address
	place blockPlace
}

// A hiddenPart is a value that may have parts that a pattern matches, although they can't be seen.
type hiddenPart struct {
	path      address.Address
	item      source.Item
	pattern   string // one that may match inside
	isTooLong bool   // its keys are too long to be searched; otherwise some of them are computed
}

// searchLayer finds what patterns match inside items, those of a layer or those before it. It skips the blocks in
// shared, which are on both sides. at tells how far the patterns matched the name that the items set.
func (d *denial) searchLayer(items []source.Item, shared map[source.Item]bool, at address.Progress) *survey {
	s := &survey{denial: d, found: map[address.Address][]source.Item{}, whole: map[address.Address]bool{},
		lastAt: map[placedPath]source.Item{}, places: map[source.Item]blockPlace{}}
	var patternNumbers counter // of all blocks, as patterns number them
	pairNumber := 0            // of blocks that aren't shared: those with the same number on both sides are compared
	for _, it := range items {
		switch it := it.(type) {
		case *source.Attr:
			s.place = blockPlace{} // in no nested block
			s.searchValue(address.Address{}, it, at)
		case *source.Block:
			number := patternNumbers.next(it) // shared blocks count, too
			if shared[it] {
				continue
			}
			s.place = placeIn(blockPlace{}, pairNumber, it)
			pairNumber++
			s.searchOutermost(it, number, len(items) > 1, d.followNumberOrLabels(at, number, it))
		}
	}
	return s
}

// placeIn returns the place of a block. around is the place of the block around it, and number its position there
// among the blocks of its type. The type itself is left out, since it's in the path with which a place is compared
// (placedPath). A dynamic block's for_each is included, since it decides which blocks are made.
func placeIn(around blockPlace, number int, b *source.Block) blockPlace {
	text := fmt.Appendf(around[:], "%d", number)
	if b.Type == source.DynamicBlock {
		if a := b.Attr("for_each"); a != nil {
			sum := equal.SumOfItem(a)
			text = append(text, sum[:]...)
		}
	}
	return sha256.Sum256(text)
}

// sharedBlocks pairs equal blocks of two layers and returns both of each pair: an override that repeats them
// doesn't change them. If a pattern has numbers, it leaves out earlier blocks that aren't repeated at the same index.
func (d *denial) sharedBlocks(now, before []source.Item) map[source.Item]bool {
	shared := map[source.Item]bool{}
	if len(now) < 2 && len(before) < 2 { // a single pair at most, which differs: judgeValues skips equal layers
		return shared
	}
	unpaired := map[equal.Sum][]source.Item{} // earlier blocks
	for i, it := range before {               // i is the position in the layer
		hasOtherIndex := d.HasIndex() && (i >= len(now) || !equal.Items(it, now[i]))
		if hasOtherIndex {
			continue
		}
		sum := equal.SumOfItem(it)
		unpaired[sum] = append(unpaired[sum], it)
	}
	for _, it := range now {
		sum := equal.SumOfItem(it)
		if list := unpaired[sum]; len(list) > 0 {
			shared[it], shared[list[0]], unpaired[sum] = true, true, list[1:]
		}
	}
	return shared
}

// searchOutermost searches a block of the layer itself. at tells how far the patterns match the block. If a pattern
// ends there (HasMatchAt), it matches the block as a whole: searchOutermost records that and doesn't look inside. The path
// of such a match is the block's number, as in [1], which tells it from the other blocks in messages. It is empty if
// the layer has no other item (isOneOf is false), or if the number is uncertain (-1). Matches inside have no numbers
// in their paths: their places tell them apart.
func (s *survey) searchOutermost(b *source.Block, number int, isOneOf bool, at address.Progress) {
	if !s.denial.HasMatchAt(at) {
		s.searchBlock(address.Address{}, b, at)
		return
	}
	path := address.Address{}
	if isOneOf && number >= 0 {
		path = path.At(number)
	}
	s.whole[path] = true
	s.addMatch(path, b)
}

// searchBlock searches the contents of a block at path. at tells how far the patterns matched that. s.place is the
// place of the block.
func (s *survey) searchBlock(path address.Address, b *source.Block, at address.Progress) {
	patternNumbers := counters{}     // of all blocks, as patterns number them: uncertain behind a dynamic one
	placeNumbers := map[string]int{} // by type, of the blocks that are searched: how many came before
	for _, it := range source.ContentOf(b).Items() {
		name := it.Called()
		to, isMatch := s.denial.FollowItem(at, address.New(name), patternNumbers.counterOf(name).next(it), it)
		inner := path.Child(name)
		s.whole[inner] = s.whole[inner] || isMatch // one match of the blocks with this path is enough
		a, isArgument := it.(*source.Attr)
		switch {
		case isMatch:
			s.addMatch(inner, it)
		case isArgument:
			s.searchValue(inner, a, to)
		case !s.hideIfTooLong(inner, it, to): // a nested block that can be searched
			around := s.place
			s.place = placeIn(around, placeNumbers[name], it.(*source.Block))
			placeNumbers[name]++
			s.searchBlock(inner, it.(*source.Block), to)
			s.place = around
		}
	}
}

// searchValue searches the parts of an argument's value. If some of the keys are computed, and the value isn't
// certainly a single number, text or the like, it notes the value as hidden.
func (s *survey) searchValue(path address.Address, a *source.Attr, at address.Progress) {
	if !s.denial.MayMatchBelow(at) || s.hideIfTooLong(path, a, at) {
		return
	}
	v := s.denial.partsOf(a)
	// The value may have keys that only the engine knows, and a pattern may match one of them.
	if !v.IsAll && !takesSingle(a) && !s.denial.isSingleExpr(a.Expr(), 0) {
		s.hidden = append(s.hidden, hiddenPart{path: path, item: a, pattern: s.denial.PatternBelow(at)})
	}
	for _, p := range v.Parts {
		inner := path.Step(p.Segment)
		to := s.denial.Follow(at, p.Segment)
		if s.denial.HasMatchAt(to) { // a pattern matches the part itself
			s.addMatch(inner, p.Value)
		} else {
			s.searchValue(inner, p.Value, to)
		}
	}
}

// addMatch records that a pattern matches an item at a path.
func (s *survey) addMatch(path address.Address, it source.Item) {
	if s.found[path] == nil {
		s.order = append(s.order, path)
	}
	s.found[path] = append(s.found[path], it)
	s.places[it], s.lastAt[placedPath{path, s.place}] = s.place, it
}

// hideIfTooLong reports whether the address of an item is too long to search the item. If so, and if a pattern may
// match inside, it records the item as hidden.
func (s *survey) hideIfTooLong(path address.Address, it source.Item, at address.Progress) bool {
	if len(path.String()) <= maxText {
		return false
	}
	if s.denial.MayMatchBelow(at) {
		s.hidden = append(s.hidden, hiddenPart{path: path, item: it, pattern: s.denial.PatternBelow(at), isTooLong: true})
	}
	return true
}

// partsOf returns the parts of an argument's value: its keys or elements. They are read once.
func (d *denial) partsOf(a *source.Attr) *parts.Value {
	if d.parts[a] == nil {
		d.parts[a] = parts.Of(a)
	}
	return d.parts[a]
}

// followNumberOrLabels continues the match of the patterns, at, behind the type of a nested block: by its
// number or by its labels. A pattern may contain either, or none.
func (d *denial) followNumberOrLabels(at address.Progress, number int, b *source.Block) address.Progress {
	to := d.FollowBlock(at, number)
	isDynamic := b.Called() != b.Type // its label is the type of the blocks that it makes
	if !isDynamic && len(b.Labels) > 0 {
		labelled := at
		for _, label := range b.Labels {
			labelled = d.Follow(labelled, spelling.Named(label))
		}
		to.Add(labelled)
	}
	return to
}

// Unknown returns the findings of this package that another run, known, didn't have, in order. Two findings
// are the same if they have the same address, or without one the same file, and the same fact. Each known
// finding matches only one. Findings without facts match none. Blocks whose order matters are new findings if they
// changed places.
func Unknown(found, known []check.Finding) (unknown []check.Finding) {
	known = slices.DeleteFunc(slices.Clone(known), func(f check.Finding) bool { return f.Fact == nil })
	counterparts := check.Pairs(found, known, waysToBeSame...)
	dropCrossingPairs(found, counterparts)
	for i, f := range found {
		if counterparts[i] < 0 {
			unknown = append(unknown, f)
		}
	}
	return unknown
}

// A sameness is what two findings must share to be paired. Each way in waysToBeSame fills it from other parts
// of the fact.
type sameness struct {
	address address.Address
	file    string // the file in which it applies
	tokens  equal.Sum
	winner  equal.Sum
	place   string
}

// waysToBeSame lists the ways in which two findings are the same, the surest first: of several
// equal ones, those in the same file are paired. The winning layer is the same if its text or its
// name is the same; a nested block around is the same if its text or its position is the same.
var waysToBeSame = func() (list []func(check.Finding) sameness) {
	for i := range 8 { // the bits of i: any file, the winner by its file, the place instead of the text around
		list = append(list, func(f check.Finding) sameness {
			if f.Fact == nil {
				return sameness{} // which no fact makes
			}
			s := sameness{address: f.Address, tokens: f.Fact.Tokens, winner: f.Fact.Winners, place: string(f.Fact.Around[:])}
			if i < 4 || f.Address.IsEmpty() {
				s.file = f.Range.Filename
			}
			if i&2 != 0 {
				s.winner = f.Fact.WinningFiles
			}
			if i&1 != 0 {
				s.place = f.Fact.Place
			}
			return s
		})
	}
	return list
}()

// dropCrossingPairs separates findings about nested blocks, whose order matters, from their counterparts if the
// blocks changed places: a moved block is a new finding. counterparts holds, for each finding of this run, the index
// of the same finding in the earlier check, or -1 if it is new. Of blocks in one row, it sets as few to -1 as
// possible, so that the others are in the same order in both runs.
func dropCrossingPairs(found []check.Finding, counterparts []int) {
	rows := map[*merge.MergedItem][]int{} // by the history of the blocks: indexes of findings, in order
	for i, f := range found {
		if counterparts[i] >= 0 && f.Fact.Row != nil {
			rows[f.Fact.Row] = append(rows[f.Fact.Row], i)
		}
	}
	for _, row := range rows {
		isKept := longestInOrder(row, counterparts)
		for _, i := range row {
			if !isKept[i] {
				counterparts[i] = -1
			}
		}
	}
}

// longestInOrder returns, as a set, the elements of row that form a longest subsequence with ascending
// counterparts. row must not be empty.
func longestInOrder(row, counterparts []int) map[int]bool {
	var ends []int          // ends[n] is the last element of the subsequence of n+1 that ends with the lowest counterpart
	before := map[int]int{} // the element before each in its subsequence, or -1
	for _, i := range row {
		// The longest subsequence that i can extend has n elements.
		n := sort.Search(len(ends), func(n int) bool { return counterparts[ends[n]] >= counterparts[i] })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) { // longer than all so far
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	// Walk the longest one back from its end.
	isKept := map[int]bool{}
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		isKept[i] = true
	}
	return isKept
}

// A counter numbers the nested blocks of a type. A dynamic block makes any number of blocks, so the numbers of
// it and of those behind it are uncertain.
type counter struct {
	n        int
	isUnsure bool
}

// next returns the number of the next block, from 0, or -1 if it's uncertain.
func (c *counter) next(it source.Item) int {
	if b, ok := it.(*source.Block); ok && b.Type == source.DynamicBlock {
		c.isUnsure = true
	}
	if c.isUnsure {
		return -1
	}
	c.n++
	return c.n - 1
}

// counters number the nested blocks of a body, type by type.
type counters map[string]*counter

// counterOf returns the counter of a type, which the first call makes.
func (c counters) counterOf(name string) *counter {
	if c[name] == nil {
		c[name] = &counter{}
	}
	return c[name]
}

// Patterns that can't match anything, whatever a module holds: the tables of the language rule them
// out, in all releases of all engines. Types of resources and the names of providers' arguments are
// open, so a pattern that matches nothing today may well match tomorrow.

// CheckPattern returns an error for a pattern that can't match anything in the language. It either goes below
// an argument that is a single value, or names an argument that its block doesn't have. A pattern of one segment
// is always accepted.
func CheckPattern(p address.Pattern) error {
	if p.Len() == 1 || canMatch(p, nil) {
		return nil
	}
	// Find the longest beginning that can match, with n segments: the next segment is the mistake.
	n := p.Len() - 1
	for n > 1 && !canMatch(p.Prefix(n), nil) {
		n--
	}
	known := namesAfter(p, n)
	if len(known) == 0 { // the beginning leads to an argument without parts
		return fmt.Errorf("%q matches nothing: %s is a single value, without keys and elements; write %[2]s", p.String(), p.Prefix(n))
	}
	name := p.Name(n)
	remedy := "it has " + strings.Join(slices.Compact(slices.Sorted(slices.Values(known))), ", ")
	if near := spelling.Nearest(name, known); near != "" {
		remedy = "did you mean " + near + "?"
	}
	return fmt.Errorf("%q matches nothing: %s has no argument or block %s; %s", p.String(), p.Prefix(n), name, remedy)
}

// namesAfter lists the names in the bodies to which the first n segments of a pattern lead. The whole pattern must
// match nothing, since canMatch stops at a match.
func namesAfter(p address.Pattern, n int) (names []string) {
	canMatch(p, func(at address.Progress, inBody []string) { // called for every body on the way
		if at.HasRead(n) {
			names = append(names, inBody...)
		}
	})
	return names
}

// SimilarKeyword returns the keyword that the first segment of a pattern seems to mean. Keywords are block
// types and what addresses start with instead, such as var. It returns "" if the segment is a keyword,
// resembles none, or may be the type of a resource, which has an underscore.
func SimilarKeyword(p address.Pattern) string {
	name := p.Name(0)
	if name == "" || strings.Contains(name, "_") {
		return ""
	}
	words := slices.Sorted(keywords)
	if slices.Contains(words, name) {
		return ""
	}
	// A word with one different character takes precedence over one with two. In short words, fewer may differ.
	for most := 1; most <= 2; most++ {
		isNear := func(word string) bool { return spelling.IsNear(name, word, min(most, len(word)/3)) }
		if i := slices.IndexFunc(words, isNear); i >= 0 {
			return words[i]
		}
	}
	return ""
}

// keywords yields the types of top-level blocks, and the words with which addresses start instead: var for
// variable.
func keywords(yield func(string) bool) {
	for _, typ := range language.Root.Types() {
		if !yield(typ) {
			return
		}
		if start := address.Start(typ); start != "" && start != typ && !yield(start) {
			return
		}
	}
}

// A patternProbe searches the tables of the language for an address that a pattern matches.
type patternProbe struct {
	*address.Patterns
	visitBody func(at address.Progress, names []string) // called with all names of a body that allows no others; may be nil
}

// canMatch reports whether a pattern can match an address in some release of some engine. Until it finds a match,
// it calls visitBody, if not nil, for each body on the way that allows only certain names, and in which nothing
// matches. The arguments are how far the pattern matched up to that body, and these names.
func canMatch(p address.Pattern, visitBody func(address.Progress, []string)) bool {
	l := patternProbe{Patterns: address.NewPatterns(p), visitBody: visitBody}
	words := slices.Collect(keywords)
	isKeyword := func(name string) bool { return slices.Contains(words, name) }
	for _, typ := range language.Root.Types() {
		at := l.Start()
		isExcluded := noneExcluded // the names that the first label can't be
		if start := address.Start(typ); start != "" {
			at = l.FollowOptionalIndex(l.Follow(at, spelling.Named(start))) // some blocks have only a number: moved[1]
		} else {
			// The address of a resource starts with its first label, its type. That can't be a keyword: var.x is
			// a variable.
			isExcluded = isKeyword
		}
		shape, _ := language.Root.Block(typ)
		for is := &shape; is != nil; is = is.Else { // is.Else: the shape in other releases
			if l.matchesBlock(at, is, isExcluded) {
				return true
			}
		}
	}
	return false
}

// noneExcluded is for FollowNameExcept and matchesBlock: any name can follow.
func noneExcluded(string) bool { return false }

// followName continues the match, at, by a name with any index or without.
func (l patternProbe) followName(at address.Progress, name string) address.Progress {
	return l.FollowAnyIndex(l.Follow(at, spelling.Named(name)))
}

// matchesBlock reports whether the pattern, matched up to at, can match a block of a shape or something in it: the
// block itself, its labels one after the other, or its body behind these. The first label can't be a name that
// isExcluded accepts, such as var for the type of a resource; further labels can be any.
func (l patternProbe) matchesBlock(at address.Progress, s *language.BlockShape, isExcluded func(string) bool) bool {
	if l.HasMatchAt(at) {
		return true
	}
	for range s.Labels {
		at = l.FollowNameExcept(at, isExcluded)
		isExcluded = noneExcluded // for further labels
		if l.HasMatchAt(at) {
			return true
		}
	}
	return l.matchesBody(at, s.Body)
}

// matchesBody reports whether the pattern, matched up to at, can match something in a body of a shape. A nil
// shape stands for a body that may hold anything. If nothing matches in a body that allows only certain names,
// matchesBody calls l.visitBody with these.
func (l patternProbe) matchesBody(at address.Progress, s *language.BodyShape) bool {
	switch {
	case !l.MayMatchBelow(at):
		return false
	case s == nil:
		return true
	case s.Names != nil: // a body whose names are free, such as locals
		to := l.FollowAnyIndex(l.FollowNameExcept(at, noneExcluded))
		return l.HasMatchAt(to) || s.Names.HasParts() && l.MayMatchBelow(to)
	}
	for _, shape := range s.Args {
		to := l.followName(at, shape.Name)
		if l.HasMatchAt(to) || l.MayMatchBelow(to) && hasParts(&shape) {
			return true
		}
	}
	for _, shape := range s.Blocks {
		for is := &shape; is != nil; is = is.Else { // is.Else: the shape in other releases
			to := l.followName(at, shape.Name)
			// An address may leave out the labels (matchesBody) or have them (matchesBlock).
			if l.HasMatchAt(to) || l.matchesBody(to, is.Body) || l.matchesBlock(to, is, noneExcluded) {
				return true
			}
		}
	}
	if s.Open { // a provider or a module may define other names
		to := l.FollowAnyIndex(l.FollowNameExcept(at, s.Knows))
		return l.HasMatchAt(to) || l.MayMatchBelow(to)
	}
	if l.visitBody != nil {
		l.visitBody(at, s.AllNames())
	}
	return false
}

// hasParts reports whether an argument may have keys or elements in some release.
func hasParts(s *language.ArgShape) bool {
	for ; s != nil; s = s.Else {
		if s.Free || s.Kind.HasParts() {
			return true
		}
	}
	return false
}
