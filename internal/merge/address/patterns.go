package address

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// Patterns are several patterns, matched from the address of a block down to those of all its
// contents. They are an automaton, in which patterns that begin alike share states: a segment takes
// time in proportion to the states that are reached, however many patterns there are.
//
// Names match in whichever form of Unicode they are: keys of objects are normal in the engine, and
// a pattern that covers a name in another form, too, is the safer one.
//
// Nil Patterns match nothing. Several goroutines may use the same.
type Patterns struct {
	list   []Pattern
	states []state
	// edges are the edges of the states that have many.
	edges  map[edgeKey]int
	anyEnd int // one of the states in which a whole pattern has matched
}

// A state stands for a sequence of steps with which patterns begin. State 0, the start, stands for no step.
type state struct {
	named, wild  []edge
	skipTo       int  // the state behind a ** here, which may match no segment; 0 for none
	isDoubleStar bool // the last step is a **, so that every segment leads back
	isEnd        bool // a pattern has no more steps
	indexes      int  // how many edges are indexes
	firstBelow   int  // in Patterns.list, the first pattern that may match something below; -1 for none
}

// An edge leads from a state to another one by a step.
type edge struct {
	step
	to int
}

// An edgeKey identifies an edge by the state that it starts from, and its step.
type edgeKey struct {
	from int
	step
}

// few is the number of edges of a state up to which they are compared one by one.
const few = 8

// A Progress is how far patterns match the address of an item: the states that are reached by all ways to
// address it, in order. Following each way separately would double their number with every surrounding block.
// It is nil if no pattern can match.
type Progress []int

// NewPatterns returns an automaton of some patterns. Each state knows a pattern that may match below it, so that
// messages can name that. With only one pattern, state n is the one after its first n steps, as HasRead requires.
func NewPatterns(list ...Pattern) *Patterns {
	ps := &Patterns{list: list, states: []state{{firstBelow: -1}}, edges: map[edgeKey]int{}}
	for i, p := range list {
		at := 0 // the state after the steps so far
		for _, s := range p.steps {
			s.Name = spelling.Normal(s.Name)
			ps.states[at].noteBelow(i) // the pattern has this step below
			at = ps.findOrAdd(at, s)
			if s.isDoubleStar() { // it also matches everything below
				ps.states[at].noteBelow(i)
			}
		}
		ps.states[at].isEnd, ps.anyEnd = true, at
	}
	return ps
}

// noteBelow notes that a pattern, by its index, may match something below what this state stands for. Only the
// first is kept.
func (s *state) noteBelow(pattern int) {
	if s.firstBelow < 0 {
		s.firstBelow = pattern
	}
}

// findOrAdd returns the state that a step leads to from the state from. It adds the state if there is none.
func (ps *Patterns) findOrAdd(from int, s step) int {
	at := &ps.states[from]
	if to := ps.find(from, s); to > 0 {
		return to
	}
	to := len(ps.states) // the index of the state that is appended below
	if s.IsIndex() {
		at.indexes++
	}
	switch {
	case s.isDoubleStar():
		at.skipTo = to
	case s.isWild:
		at.wild = ps.addEdge(at.wild, from, edge{s, to})
	default:
		at.named = ps.addEdge(at.named, from, edge{s, to})
	}
	ps.states = append(ps.states, state{isDoubleStar: s.isDoubleStar(), firstBelow: -1})
	return to
}

// addEdge returns list, the named or the wild edges of the state from, with one more edge. If the list has more than
// a few, ps.edges holds all of them, too, so that find needn't compare them one by one.
func (ps *Patterns) addEdge(list []edge, from int, added edge) []edge {
	list = append(list, added)
	switch {
	case len(list) == few+1: // the first time, also those added before
		for _, e := range list {
			ps.edges[edgeKey{from, e.step}] = e.to
		}
	case len(list) > few:
		ps.edges[edgeKey{from, added.step}] = added.to
	}
	return list
}

// find returns the state that a step leads to from the state from; 0 if no pattern goes on so. 0 is the start, to
// which no step leads back.
func (ps *Patterns) find(from int, s step) int {
	at := &ps.states[from]
	if s.isDoubleStar() {
		return at.skipTo
	}
	list := at.named // the edges that may have this step
	if s.isWild {
		list = at.wild
	}
	if len(list) > few { // then ps.edges holds them, too
		return ps.edges[edgeKey{from, s}]
	}
	for _, e := range list {
		if e.step == s {
			return e.to
		}
	}
	return 0
}

// Len returns the number of patterns.
func (ps *Patterns) Len() int {
	if ps == nil {
		return 0
	}
	return len(ps.list)
}

// HasIndex reports whether a pattern contains an index, such as [0].
func (ps *Patterns) HasIndex() bool {
	return ps != nil && slices.ContainsFunc(ps.list, func(p Pattern) bool { return slices.ContainsFunc(p.steps, step.IsIndex) })
}

// Start returns the match state before any segment.
func (ps *Patterns) Start() Progress { return ps.addState(nil, 0) }

// addState appends a state to a match state, and with it the state behind a ** there, since that may stand for no
// segment.
func (ps *Patterns) addState(to Progress, state int) Progress {
	if to = append(to, state); ps.states[state].skipTo > 0 {
		to = append(to, ps.states[state].skipTo)
	}
	return to
}

// sortedOnce sorts the states of a match state and removes duplicates. It reuses the memory of at.
func sortedOnce(at Progress) Progress {
	slices.Sort(at)
	return slices.Compact(at)
}

// Follow returns the match state after one more segment of the address. After an index, the earlier states stay: a
// pattern may leave it out.
func (ps *Patterns) Follow(from Progress, s spelling.Segment) Progress {
	var to Progress
	s.Name = spelling.Normal(s.Name)
	if s.IsIndex() {
		to = append(to, from...)
	}
	for _, i := range from {
		at := &ps.states[i]
		if at.isDoubleStar { // ** matches this segment, too
			to = append(to, i)
		}
		if next := ps.find(i, step{s, false}); next > 0 { // the step with this very name or index
			to = ps.addState(to, next)
		}
		for _, e := range at.wild {
			if e.fits(s) {
				to = ps.addState(to, e.to)
			}
		}
	}
	return sortedOnce(to)
}

// mayFollow reports whether Follow with a name would reach any state, without allocating a Progress.
func (ps *Patterns) mayFollow(from Progress, name []byte) bool {
	s := spelling.Named(spelling.Normal(string(name)))
	for _, i := range from {
		at := &ps.states[i]
		if at.isDoubleStar || ps.find(i, step{s, false}) > 0 {
			return true
		}
		for _, e := range at.wild {
			if e.fits(s) {
				return true
			}
		}
	}
	return false
}

// FollowNameExcept returns the match state after an unknown name, which is none of those that isExcluded accepts. A
// step such as * can always be that name; a literal step can't if its name is excluded.
func (ps *Patterns) FollowNameExcept(from Progress, isExcluded func(name string) bool) Progress {
	return ps.followSteps(from, func(s step) bool { return !s.IsIndex() && (s.isWild || !isExcluded(s.Name)) })
}

// FollowAnyIndex returns the match state after an index that may be any number, or is left out.
func (ps *Patterns) FollowAnyIndex(from Progress) Progress {
	to := ps.followSteps(from, func(s step) bool { return s.IsIndex() || s.isWild && s.Name == "*" })
	to.Add(from)
	return to
}

// maxIndexes limits how many indexes in patterns are tried for a block whose number only the engine knows. If
// patterns have more, trying them for each block would take too long, and the block is taken for a match.
const maxIndexes = 250

// FollowBlock returns the match state after the number of a nested block, such as [1]. A negative number means that
// only the engine knows it. Then every index in a pattern fits. If patterns have more than maxIndexes here, all
// counts as matched: that bounds the time, and denying too much is the safe side.
func (ps *Patterns) FollowBlock(from Progress, number int) Progress {
	if number >= 0 {
		return ps.Follow(from, spelling.At(number))
	}
	indexes := 0 // that patterns have here
	for _, i := range from {
		indexes += ps.states[i].indexes
	}
	if indexes > maxIndexes {
		return Progress{ps.anyEnd} // counts as a match
	}
	return ps.FollowAnyIndex(from)
}

// FollowOptionalIndex returns the match state after an index that a pattern names, if it names one: after moved[1],
// but also after moved. Unlike FollowAnyIndex, it doesn't count a * as an index, because that stands for a label.
func (ps *Patterns) FollowOptionalIndex(from Progress) Progress {
	to := ps.followSteps(from, step.IsIndex)
	to.Add(from)
	return to
}

// followSteps returns the match state after a segment that isn't known exactly. fits decides which steps of patterns
// match it.
func (ps *Patterns) followSteps(from Progress, fits func(step) bool) Progress {
	var to Progress
	for _, i := range from {
		at := &ps.states[i]
		if at.isDoubleStar { // ** matches this segment, too
			to = append(to, i)
		}
		for _, list := range [][]edge{at.named, at.wild} {
			for _, e := range list {
				if fits(e.step) {
					to = ps.addState(to, e.to)
				}
			}
		}
	}
	return sortedOnce(to)
}

// HasRead reports whether the address matches the first segments of the pattern, as many as steps says. at must be
// a match state of Patterns with a single pattern: in these, state n is the one after n steps.
func (at Progress) HasRead(steps int) bool { return slices.Contains(at, steps) }

// followAll returns the match state after all segments of path, and reports whether a pattern matched it or an
// address on the way.
func (ps *Patterns) followAll(from Progress, path Address) (Progress, bool) {
	isMatched := false
	for _, s := range path.Segments() {
		from = ps.Follow(from, s)
		isMatched = isMatched || ps.HasMatchAt(from)
	}
	return from, isMatched
}

// Covers reports whether a pattern matches an address, or that of something around it.
func (ps *Patterns) Covers(a Address) bool {
	_, isMatch := ps.followAll(ps.Start(), a)
	return isMatch
}

// Reach returns the match state after an address, followed from the start.
func (ps *Patterns) Reach(a Address) Progress {
	at, _ := ps.followAll(ps.Start(), a)
	return at
}

// HasMatchAt reports whether a pattern matches the address that led to a match state.
func (ps *Patterns) HasMatchAt(at Progress) bool {
	return slices.ContainsFunc(at, func(i int) bool { return ps.states[i].isEnd })
}

// MayMatchBelow reports whether a pattern may match something below the address that led to a match state.
func (ps *Patterns) MayMatchBelow(at Progress) bool {
	return slices.ContainsFunc(at, func(i int) bool { return ps.states[i].firstBelow >= 0 })
}

// PatternBelow returns the text of the first pattern that may match something below the address that led to a match
// state; "" if none may.
func (ps *Patterns) PatternBelow(at Progress) string {
	first := -1 // the index of the pattern; -1 while there is none
	for _, i := range at {
		if n := ps.states[i].firstBelow; n >= 0 && (first < 0 || n < first) {
			first = n
		}
	}
	if first < 0 {
		return ""
	}
	return ps.list[first].text
}

// FollowItem returns the match state after an item, joined for all ways to address it, and reports whether a pattern
// matches by any of them. A nested block can be addressed by its name, or by name and labels, each with and without
// its number among the blocks of the name. around is the match state of what holds the item.
func (ps *Patterns) FollowItem(around Progress, name Address, number int, it source.Item) (Progress, bool) {
	at, isMatch := ps.followAll(around, name)
	b, ok := it.(*source.Block)
	if !ok || it.Within() == nil { // top-level blocks have no numbers, and their labels are in the name
		return at, isMatch
	}
	isDynamic := b.Called() != b.Type // a dynamic block is called by its label, which is already in the name
	if len(b.Labels) > 0 && !isDynamic {
		labelled, isMatchOfLabels := ps.followAll(around, name.Child(b.Labels...))
		isMatch = isMatch || isMatchOfLabels
		at.Add(labelled)
	}
	at.Add(ps.FollowBlock(at, number)) // a number can follow the name or the labels
	// isMatch also counts matches on the way, such as that of a pattern for the name alone.
	return at, isMatch || ps.HasMatchAt(at)
}

// Join adds to at, in place, the match state of another address of the same item. other doesn't change.
func (at *Progress) Add(other Progress) {
	if len(other) > 0 {
		*at = sortedOnce(slices.Concat(*at, other))
	}
}

// A Pattern matches addresses segment by segment: * and ? stand for any text inside one segment,
// a * alone for any one segment, ** for any number of segments. In quotes neither has a meaning.
// A pattern that matches a block matches all that the block holds. An index may be left out:
//
//	resource "aws_instance" "web" {   # aws_instance.*
//	  lifecycle {                     # aws_instance.*.lifecycle
//	    prevent_destroy = true        # **.prevent_destroy
//	  }
//	  ebs_block_device {              # aws_instance.*.ebs_block_device[0]
//	    encrypted = false             # aws_instance.*.ebs_block_device.encrypted
//	  }
//	}
//
// A match takes time in proportion to the pattern times the address.
type Pattern struct {
	text  string
	steps []step
}

// A step is one segment of a pattern.
type step struct {
	spelling.Segment
	isWild bool // * and ? have a meaning
}

const (
	maxSteps = 500 // of a pattern
	maxWild  = 250 // bytes of a segment with * or ?
)

// isDoubleStar reports whether the step is **, which stands for any number of segments.
func (s step) isDoubleStar() bool { return s.isWild && s.Name == "**" }

// fits reports whether the step matches a single segment.
func (s step) fits(other spelling.Segment) bool {
	switch {
	case !s.isWild:
		return s.Segment == other
	case s.Name == "*":
		return true
	}
	return !other.IsIndex() && matchText(s.Name, other.Name)
}

// ParsePattern reads a pattern. A block type at its start is replaced by the address prefix. It
// refuses whatever Parse refuses, and patterns that are too long.
func ParsePattern(text string) (Pattern, error) {
	parts, err := spelling.ReadPath(text)
	if err != nil {
		return Pattern{}, fmt.Errorf("%q is not a pattern of addresses: %w; write one such as aws_instance.*, module.vpc, data.** or '**.tags[\"cost centre\"]'", text, err)
	}
	p := Pattern{text: text}
	for _, part := range shortened(parts) {
		s := step{part.Segment, part.IsWild}
		if s.isWild {
			s.Name = squeezed(s.Name)
		}
		if n := len(p.steps); s.isDoubleStar() && n > 0 && p.steps[n-1].isDoubleStar() {
			continue // ** after ** means no more than one
		}
		if s.isWild && len(s.Name) > maxWild || len(p.steps) == maxSteps {
			return Pattern{}, fmt.Errorf("%.40q… is too long for a pattern, which has at most %d segments, and %d bytes in a segment with * or ?", text, maxSteps, maxWild)
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

// squeezed returns the text of a segment with a single star for several in a row, which match the same. A segment
// that is just ** stays.
func squeezed(text string) string {
	if text == "**" {
		return text
	}
	for strings.Contains(text, "**") {
		text = strings.ReplaceAll(text, "**", "*")
	}
	return text
}

// Literal returns a pattern that matches only this path of segments. A * or ? in them is an ordinary character.
func Literal(path []spelling.Segment) (p Pattern) {
	for _, s := range path {
		p.steps = append(p.steps, step{s, false})
	}
	return p
}

// IsPattern reports whether a text has a * or a ? outside quotes.
func IsPattern(text string) bool {
	parts, err := spelling.ReadPath(text)
	if err != nil {
		return strings.ContainsAny(text, "*?")
	}
	return slices.ContainsFunc(parts, func(p spelling.PathPart) bool { return p.IsWild })
}

// String returns the pattern as it was given.
func (p Pattern) String() string { return p.text }

// HasGlobs reports whether a segment has a * or a ? that stands for part of a name, as in web-*.
func (p Pattern) HasGlobs() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.isWild && s.Name != "*" && !s.isDoubleStar() })
}

// Len returns the number of segments.
func (p Pattern) Len() int { return len(p.steps) }

// Prefix returns the pattern that consists of the first n segments.
func (p Pattern) Prefix(n int) Pattern {
	short := Pattern{steps: p.steps[:n]}
	for _, s := range short.steps {
		if s.isWild {
			short.text = spelling.ConcatPaths(short.text, s.Name)
		} else {
			short.text = spelling.AppendPath(short.text, s.Segment)
		}
	}
	return short
}

// Name returns the name in segment i; "" if it is an index, or has a * or a ?.
func (p Pattern) Name(i int) string {
	if p.steps[i].isWild {
		return ""
	}
	return p.steps[i].Name
}

// matchText reports whether pattern matches the text of one segment: * stands for any text, ? for one character. If
// what follows a star doesn't match, the star takes in one more character. Only the last star has to try: what
// follows an earlier one was matched as early as possible, which leaves the most text.
func matchText(pattern, text string) bool {
	afterStar, fromStar, isStarred := "", "", false // the pattern behind the last star, and the text tried with it
	for text != "" {
		want, size := utf8.DecodeRuneInString(pattern)
		got, width := utf8.DecodeRuneInString(text)
		switch {
		case size > 0 && want == '*':
			pattern = pattern[size:]
			afterStar, fromStar, isStarred = pattern, text, true
		case size > 0 && (want == '?' || want == got):
			pattern, text = pattern[size:], text[width:]
		case isStarred:
			_, width = utf8.DecodeRuneInString(fromStar)
			fromStar = fromStar[width:]
			pattern, text = afterStar, fromStar
		default:
			return false
		}
	}
	return strings.Trim(pattern, "*") == "" // stars at the end also match nothing
}

// maxText is the length in bytes up to which an address is searched for parts: output must stay in
// proportion to the module, however long its keys are.
const maxText = 4096

// Matching returns what a pattern matches in any file, in load order: items, contents of blocks that are replaced
// as a whole, keys and elements. What is inside a match isn't listed.
func Matching(m *merge.Module, p Pattern) []Target {
	found := matcher{patterns: NewPatterns(p), known: Known{}}
	WalkChosen(m, found.patterns.Leading(m), (*merge.MergedBody).All, func(own Address, e *merge.MergedItem) {
		if n := len(found.list); n > 0 { // contents of the last match follow it
			if _, isIn := own.In(found.list[n-1].Address); isIn {
				return
			}
		}
		at := found.patterns.Reach(own)
		switch {
		case found.patterns.HasMatchAt(at): // the item itself matches
			found.list = append(found.list, Target{Address: own, Of: own, Item: e, Known: found.known})
		case e.Inner() != nil: // the items of a merged body are visited on their own
		case found.patterns.MayMatchBelow(at):
			found.searchItem(own, e, at)
		}
	})
	return found.list
}

// MatchInside reports whether a pattern matches something inside an item that is replaced as a whole, in any file.
// at is the match state of the item. It is false for a block that is merged item by item.
func (ps *Patterns) MatchInside(e *merge.MergedItem, at Progress) bool {
	if e.Inner() != nil || !ps.MayMatchBelow(at) {
		return false
	}
	found := matcher{patterns: ps, known: Known{}}
	found.searchItem(Address{}, e, at)
	return len(found.list) > 0
}

// MatchValue reports whether a pattern matches a part of an argument's value. at is the match state of the
// argument.
func (ps *Patterns) MatchValue(a *source.Attr, at Progress) bool {
	found := matcher{patterns: ps, known: Known{}, matches: map[Address][]spelling.Segment{}}
	found.searchValue(Address{}, a, at)
	return len(found.matches) > 0
}

// A matcher gathers what patterns match inside items that are replaced as a whole.
type matcher struct {
	patterns   *Patterns
	known      Known
	list       []Target
	matches    map[Address][]spelling.Segment // matches in the item at hand, by the path from it
	isNumbered bool                           // blocks are addressed with their numbers: [0]
}

// searchItem adds to m.list what patterns match inside item e, in any file. own is its address, and at is the match
// state there. It first searches blocks by their plain names, such as ingress, which address all of a type. Only if
// nothing matches, it searches them by numbers: ingress[1].
func (m *matcher) searchItem(own Address, e *merge.MergedItem, at Progress) {
	m.matches = map[Address][]spelling.Segment{}
	numbers := numbersOf(e)
	m.isNumbered = false
	m.searchSteps(e, numbers, at)
	if len(m.matches) == 0 {
		m.isNumbered = true
		m.searchSteps(e, numbers, at)
	}
	// Of the matches by their paths, list those that exist, in order.
	var names []Address
	for name := range m.matches {
		t := Target{Of: own, Item: e, Rest: m.matches[name], Known: m.known}
		if t.Exists() { // searchSteps also tries numbers that no block has
			names = append(names, name)
		}
	}
	slices.SortFunc(names, Address.Compare)
	for _, name := range names {
		m.list = append(m.list, Target{Address: own.Join(name), Of: own, Item: e, Rest: m.matches[name], Known: m.known})
	}
}

// searchSteps adds to m.matches what patterns match in the arguments and blocks of e's history. at is the match state
// at e. If m.isNumbered, blocks are searched with their numbers.
func (m *matcher) searchSteps(e *merge.MergedItem, numbers map[source.Item]int, at Progress) {
	for _, s := range e.Steps {
		switch it := s.Item.(type) {
		case *source.Attr:
			m.searchValue(Address{}, it, at)
		case *source.Block:
			for _, n := range m.numbersFor(e, it, numbers) {
				m.searchBlock(Address{}, it, n, at)
			}
		}
	}
}

// numbersFor returns the indexes from the patterns under which to search a block: its own and, if later blocks
// replaced it, those of the effective blocks, since it may be addressed by the number of its successor (searchItem
// checks that later). Without m.isNumbered it returns {0}, for a single search; searchBlock then ignores the number.
func (m *matcher) numbersFor(e *merge.MergedItem, it source.Item, numbers map[source.Item]int) (list []int) {
	if !m.isNumbered {
		return []int{0}
	}
	own, hasNumber := numbers[it]
	isReplaced := !slices.Contains(e.Live, it)
	for _, p := range m.patterns.list {
		for _, s := range p.steps {
			isOwn := hasNumber && s.Index == own
			isOfEffective := isReplaced && s.Index < len(e.Live)
			if s.IsIndex() && (isOwn || isOfEffective) && !slices.Contains(list, s.Index) {
				list = append(list, s.Index)
			}
		}
	}
	return list
}

// numbersOf returns the numbers, from 0, of an item's blocks in primary files, and of those in effect. A block that
// is both has its number among those in effect.
func numbersOf(e *merge.MergedItem) map[source.Item]int {
	numbers := map[source.Item]int{}
	n := 0
	for _, s := range e.Steps {
		if s.Effect == effect.Defined && s.Item != nil {
			numbers[s.Item] = n
			n++
		}
	}
	for i, it := range e.Live {
		numbers[it] = i
	}
	return numbers
}

// searchBlock adds to m.matches what patterns match in block b. path leads to b from the merged item, and at is the
// match state there. If m.isNumbered, the search first appends number, the index of b, to both.
func (m *matcher) searchBlock(path Address, b *source.Block, number int, at Progress) {
	if m.isNumbered {
		path = path.At(number)
		if at = m.followAndNote(path, spelling.At(number), at); at == nil {
			return
		}
	}
	counts := map[string]int{} // by name: how many items came before, which is the number of the next
	for _, it := range b.Items() {
		name := it.Called()
		inner := path.Child(name)
		to := m.followAndNote(inner, spelling.Named(name), at)
		switch it := it.(type) {
		case *source.Attr:
			m.searchValue(inner, it, to)
		case *source.Block:
			if to != nil {
				m.searchBlock(inner, it, counts[name], to)
			}
		}
		counts[name]++
	}
}

// searchValue adds to m.matches the parts of an argument's value that patterns match. path leads to the argument
// from the merged item, and at is the match state there; nil if nothing more can match, or if a pattern has matched
// already: only outermost matches are listed. m.known must not be nil.
func (m *matcher) searchValue(path Address, a *source.Attr, at Progress) {
	if at == nil || !m.patterns.MayMatchBelow(at) {
		return
	}
	v, isKnown := m.known[a]
	if !isKnown { // it is cached only if there are matches in it: values are large
		v = parts.Of(a)
	}
	before := len(m.matches)
	for _, p := range v.Parts {
		inner := path.Step(p.Segment)
		m.searchValue(inner, p.Value, m.followAndNote(inner, p.Segment, at))
	}
	if len(m.matches) > before {
		m.known[a] = v // the targets made of the matches need it again
	}
}

// followAndNote returns the match state after segment s, which path ends with. If a pattern matches there, it notes
// path in m.matches. It returns nil if nothing below needs to be searched: such a match covers its contents, and a
// path over maxText would make the output too long.
func (m *matcher) followAndNote(path Address, s spelling.Segment, at Progress) Progress {
	to := m.patterns.Follow(at, s)
	switch {
	case m.patterns.HasMatchAt(to):
		m.matches[path] = path.Segments()
		return nil
	case len(path.text) > maxText:
		return nil
	}
	return to
}

// Named returns the targets whose addresses end with a path of names, anywhere in the module: CostCenter or
// tags.CostCenter.
func Named(m *merge.Module, path Address) []Target {
	p := Literal(path.Segments())
	p.steps = slices.Insert(p.steps, 0, step{spelling.Named("**"), true})
	return Matching(m, p)
}
