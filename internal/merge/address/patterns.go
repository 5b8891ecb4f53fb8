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
// Nil patterns are none. Several goroutines may use one.
type Patterns struct {
	list   []Pattern
	states []state
	// edges are the edges of the states that have many.
	edges map[edgeKey]int
	end   int // one of the states in which a pattern is used up
}

// A state is a sequence of steps that patterns begin with.
type state struct {
	named, wild []edge
	skip        int  // the state behind a ** here, which may match no segment; 0 for none
	isAny       bool // the last step is a **, so that every segment leads back
	isEnd       bool // a pattern has no more steps
	indexes     int  // how many edges are numbers
	going       int  // the first pattern that may match something below; -1 for none
}

type edge struct {
	step
	to int
}

type edgeKey struct {
	from int
	step
}

// few is up to how many edges of a state are compared one by one.
const few = 8

// A Progress holds the states that are reached, in order, by all ways to address an item at once:
// following each way separately would double their number with every surrounding block. It is nil
// if no pattern can match.
type Progress []int

// NewPatterns returns an automaton for some patterns. If there is only one, the numbers of its
// states are those of the steps before them.
func NewPatterns(list ...Pattern) *Patterns {
	ps := &Patterns{list: list, states: []state{{going: -1}}, edges: map[edgeKey]int{}}
	for i, p := range list {
		at := 0
		for _, s := range p.steps {
			s.Name = spelling.Normal(s.Name)
			ps.states[at].goesOn(i)
			if at = ps.next(at, s); s.isAny() {
				ps.states[at].goesOn(i)
			}
		}
		ps.states[at].isEnd, ps.end = true, at
	}
	return ps
}

// goesOn notes that a pattern may match something below.
func (s *state) goesOn(pattern int) {
	if s.going < 0 {
		s.going = pattern
	}
}

// next is the state behind a step, which is made if there is none.
func (ps *Patterns) next(from int, s step) int {
	at := &ps.states[from]
	if to := ps.target(from, s); to > 0 {
		return to
	}
	to := len(ps.states)
	list := &at.named
	if s.IsIndex() {
		at.indexes++
	}
	switch {
	case s.isAny():
		at.skip = to
	case s.isWild:
		list = &at.wild
		fallthrough
	default:
		*list = append(*list, edge{s, to})
		if len(*list) == few+1 {
			for _, e := range *list {
				ps.edges[edgeKey{from, e.step}] = e.to
			}
		} else if len(*list) > few {
			ps.edges[edgeKey{from, s}] = to
		}
	}
	ps.states = append(ps.states, state{isAny: s.isAny(), going: -1})
	return to
}

// target is the state behind a step; 0 if there is none.
func (ps *Patterns) target(from int, s step) int {
	at := &ps.states[from]
	if s.isAny() {
		return at.skip
	}
	list := at.named
	if s.isWild {
		list = at.wild
	}
	if len(list) > few {
		return ps.edges[edgeKey{from, s}]
	}
	for _, e := range list {
		if e.step == s {
			return e.to
		}
	}
	return 0
}

// Len is how many patterns there are.
func (ps *Patterns) Len() int {
	if ps == nil {
		return 0
	}
	return len(ps.list)
}

// HasIndex reports whether a pattern has a number.
func (ps *Patterns) HasIndex() bool {
	return ps != nil && slices.ContainsFunc(ps.list, func(p Pattern) bool { return slices.ContainsFunc(p.steps, step.IsIndex) })
}

// Start is the match state before any segment.
func (ps *Patterns) Start() Progress { return ps.with(nil, 0) }

// with adds a state, and the one behind a ** there.
func (ps *Patterns) with(at Progress, state int) Progress {
	if at = append(at, state); ps.states[state].skip > 0 {
		at = append(at, ps.states[state].skip)
	}
	return at
}

// inOrder is a match state in which each state is once.
func inOrder(at Progress) Progress {
	slices.Sort(at)
	return slices.Compact(at)
}

// Follow is the match state after one more segment. An index may be left out of a pattern.
func (ps *Patterns) Follow(from Progress, s spelling.Segment) Progress {
	var to Progress
	s.Name = spelling.Normal(s.Name)
	if s.IsIndex() {
		to = append(to, from...)
	}
	for _, i := range from {
		at := &ps.states[i]
		if at.isAny {
			to = append(to, i)
		}
		if next := ps.target(i, step{s, false}); next > 0 {
			to = ps.with(to, next)
		}
		for _, e := range at.wild {
			if e.fits(s) {
				to = ps.with(to, e.to)
			}
		}
	}
	return inOrder(to)
}

// mayFollow reports whether step leads anywhere with a name. It allocates nothing.
func (ps *Patterns) mayFollow(from Progress, name []byte) bool {
	s := spelling.Named(spelling.Normal(string(name)))
	for _, i := range from {
		at := &ps.states[i]
		if at.isAny || ps.target(i, step{s, false}) > 0 {
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

// FollowOther continues with a name that isn't known.
func (ps *Patterns) FollowOther(from Progress, isKnown func(name string) bool) Progress {
	return ps.through(from, func(s step) bool { return !s.IsIndex() && (s.isWild || !isKnown(s.Name)) })
}

// FollowAnyIndex continues with any number, or none.
func (ps *Patterns) FollowAnyIndex(from Progress) Progress {
	to := ps.through(from, func(s step) bool { return s.IsIndex() || s.isWild && s.Name == "*" })
	to.Join(from)
	return to
}

// maxIndexes is up to how many numbers a block may have that only the engine knows. If patterns have
// more, following each for each block would take too long, and the block is taken for a match.
const maxIndexes = 250

// FollowBlock continues with the number of a nested block; with any if only the engine knows it,
// which is a negative one.
func (ps *Patterns) FollowBlock(from Progress, number int) Progress {
	if number >= 0 {
		return ps.Follow(from, spelling.At(number))
	}
	n := 0
	for _, i := range from {
		n += ps.states[i].indexes
	}
	if n > maxIndexes {
		return Progress{ps.end}
	}
	return ps.FollowAnyIndex(from)
}

// FollowNumber continues with a number in a pattern, or none.
func (ps *Patterns) FollowNumber(from Progress) Progress {
	to := ps.through(from, step.IsIndex)
	to.Join(from)
	return to
}

// through continues with a segment that some steps of the patterns fit.
func (ps *Patterns) through(from Progress, fits func(step) bool) Progress {
	var to Progress
	for _, i := range from {
		at := &ps.states[i]
		if at.isAny {
			to = append(to, i)
		}
		for _, list := range [][]edge{at.named, at.wild} {
			for _, e := range list {
				if fits(e.step) {
					to = ps.with(to, e.to)
				}
			}
		}
	}
	return inOrder(to)
}

// HasRead reports whether so many steps of a single pattern may be used up.
func (at Progress) HasRead(steps int) bool { return slices.Contains(at, steps) }

// follow also reports whether a pattern is used up on the way.
func (ps *Patterns) follow(at Progress, way Address) (Progress, bool) {
	isMatch := false
	for _, s := range way.Segments() {
		at = ps.Follow(at, s)
		isMatch = isMatch || ps.AreAt(at)
	}
	return at, isMatch
}

// Covers reports whether a pattern fits an address, or one around it.
func (ps *Patterns) Covers(a Address) bool {
	_, isMatch := ps.follow(ps.Start(), a)
	return isMatch
}

// Reach is the match state of a top-level object's address.
func (ps *Patterns) Reach(a Address) Progress {
	at, _ := ps.follow(ps.Start(), a)
	return at
}

// AreAt reports whether a pattern is used up.
func (ps *Patterns) AreAt(at Progress) bool {
	return slices.ContainsFunc(at, func(i int) bool { return ps.states[i].isEnd })
}

// MayGoOn reports whether a pattern may match something below.
func (ps *Patterns) MayGoOn(at Progress) bool {
	return slices.ContainsFunc(at, func(i int) bool { return ps.states[i].going >= 0 })
}

// Going names the first pattern that may match something below.
func (ps *Patterns) Going(at Progress) string {
	first := -1
	for _, i := range at {
		if n := ps.states[i].going; n >= 0 && (first < 0 || n < first) {
			first = n
		}
	}
	if first < 0 {
		return ""
	}
	return ps.list[first].text
}

// Ways follows the ways to address an item: by its name, for a block also by its number among those
// of one name, and by its labels. It reports whether a pattern matches.
func (ps *Patterns) Ways(around Progress, name Address, number int, it source.Item) (Progress, bool) {
	at, isMatch := ps.follow(around, name)
	b, ok := it.(*source.Block)
	if !ok || it.Within() == nil {
		return at, isMatch
	}
	if len(b.Labels) > 0 && b.Called() == b.Type {
		labelled, isOther := ps.follow(around, name.Child(b.Labels...))
		isMatch = isMatch || isOther
		at.Join(labelled)
	}
	at.Join(ps.FollowBlock(at, number))
	return at, isMatch || ps.AreAt(at)
}

// Join adds the match state of another address of the same object.
func (at *Progress) Join(other Progress) {
	if len(other) > 0 {
		*at = inOrder(slices.Concat(*at, other))
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

func (s step) isAny() bool { return s.isWild && s.Name == "**" }

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
		if n := len(p.steps); s.isAny() && n > 0 && p.steps[n-1].isAny() {
			continue // means no more than one
		}
		if s.isWild && len(s.Name) > maxWild || len(p.steps) == maxSteps {
			return Pattern{}, fmt.Errorf("%.40q… is too long for a pattern, which has at most %d segments, and %d bytes in a segment with * or ?", text, maxSteps, maxWild)
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

// squeezed is a text with one star for several in a row, but for the two that stand alone.
func squeezed(text string) string {
	if text == "**" {
		return text
	}
	for strings.Contains(text, "**") {
		text = strings.ReplaceAll(text, "**", "*")
	}
	return text
}

// Literal is the pattern of nothing but a path of segments.
func Literal(path []spelling.Segment) (p Pattern) {
	for _, s := range path {
		p.steps = append(p.steps, step{s, false})
	}
	return p
}

// IsPattern reports whether a text has a * or a ? that isn't in quotes.
func IsPattern(text string) bool {
	parts, err := spelling.ReadPath(text)
	if err != nil {
		return strings.ContainsAny(text, "*?")
	}
	return slices.ContainsFunc(parts, func(p spelling.PathPart) bool { return p.IsWild })
}

// String returns the pattern as it was given.
func (p Pattern) String() string { return p.text }

// HasGlobs reports whether a segment has a * or a ? beside other text.
func (p Pattern) HasGlobs() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.isWild && s.Name != "*" && !s.isAny() })
}

// Len is how many segments the pattern has.
func (p Pattern) Len() int { return len(p.steps) }

// Prefix is the pattern of the first n segments.
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

// Name is the text of a segment; empty for one that isn't a name, or has a * or a ?.
func (p Pattern) Name(i int) string {
	if p.steps[i].isWild {
		return ""
	}
	return p.steps[i].Name
}

// matchText matches one segment, in which only * and ? are special. Only the last star found so far
// may need to match more text than at first: the text after an earlier star was matched as early as
// possible, which leaves the most.
func matchText(pattern, text string) bool {
	after, rest, starred := "", "", false // the text after the last star, and the text tried for it
	for text != "" {
		r, size := utf8.DecodeRuneInString(pattern)
		first, width := utf8.DecodeRuneInString(text)
		switch {
		case size > 0 && r == '*':
			pattern = pattern[size:]
			after, rest, starred = pattern, text, true
		case size > 0 && (r == '?' || r == first):
			pattern, text = pattern[size:], text[width:]
		case starred:
			_, width = utf8.DecodeRuneInString(rest)
			rest = rest[width:]
			pattern, text = after, rest
		default:
			return false
		}
	}
	return strings.Trim(pattern, "*") == ""
}

// maxText is the length in bytes up to which an address is searched for parts: output must stay in
// proportion to the module, however long its keys are.
const maxText = 4096

// Matching returns everything that a pattern matches, in load order: items, the contents of blocks
// that are replaced as a whole, keys and elements, of every layer. The contents of a match are not
// listed separately.
func Matching(m *merge.Module, p Pattern) []Target {
	f := matcher{patterns: NewPatterns(p), values: Known{}}
	WalkChosen(m, f.patterns.Leading(m), (*merge.MergedBody).All, func(own Address, e *merge.MergedItem) {
		if n := len(f.list); n > 0 {
			if _, isIn := own.In(f.list[n-1].Address); isIn {
				return
			}
		}
		at := f.patterns.Reach(own)
		switch {
		case f.patterns.AreAt(at):
			f.list = append(f.list, Target{Address: own, Of: own, Item: e, Known: f.values})
		case e.Inner() == nil && f.patterns.MayGoOn(at):
			f.inside(own, e, at)
		}
	})
	return f.list
}

// MatchInside reports whether a pattern matches something inside the layers of an item that is
// replaced as a whole, given the match state of the item itself.
func (ps *Patterns) MatchInside(e *merge.MergedItem, at Progress) bool {
	if e.Inner() != nil || !ps.MayGoOn(at) {
		return false
	}
	f := matcher{patterns: ps, values: Known{}}
	f.inside(Address{}, e, at)
	return len(f.list) > 0
}

// MatchValue reports whether a pattern matches a part of an argument's value, given the match state
// of the argument.
func (ps *Patterns) MatchValue(a *source.Attr, at Progress) bool {
	f := matcher{patterns: ps, values: Known{}, met: map[Address][]spelling.Segment{}}
	f.value(Address{}, a, at)
	return len(f.met) > 0
}

// A matcher gathers what patterns match.
type matcher struct {
	patterns   *Patterns
	values     Known
	list       []Target
	met        map[Address][]spelling.Segment // inside the item at hand
	isNumbered bool                           // blocks are addressed by their numbers
}

// inside finds matches inside the layers of an item: numbered blocks only if a pattern matches
// nothing without numbers.
func (f *matcher) inside(own Address, e *merge.MergedItem, at Progress) {
	f.met = map[Address][]spelling.Segment{}
	for _, f.isNumbered = range []bool{false, true} {
		if len(f.met) > 0 {
			break
		}
		numbers := numbersOf(e)
		for _, s := range e.Steps {
			switch it := s.Item.(type) {
			case *source.Attr:
				f.value(Address{}, it, at)
			case *source.Block:
				for _, n := range f.numbersFor(e, it, numbers) {
					f.block(Address{}, it, n, at)
				}
			}
		}
	}
	var names []Address
	for name := range f.met {
		t := Target{Of: own, Item: e, Rest: f.met[name], Known: f.values}
		if t.Exists() {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, Address.Compare)
	for _, name := range names {
		f.list = append(f.list, Target{Address: own.Join(name), Of: own, Item: e, Rest: f.met[name], Known: f.values})
	}
}

// numbersFor returns the numbers under which a block is searched: its own, and for one that isn't
// in effect those of patterns that number effective blocks. Without numbers it is searched once.
func (f *matcher) numbersFor(e *merge.MergedItem, it source.Item, numbers map[source.Item]int) (list []int) {
	if !f.isNumbered {
		return []int{0}
	}
	own, hasNumber := numbers[it]
	for _, p := range f.patterns.list {
		for _, s := range p.steps {
			isOwn := hasNumber && s.Index == own
			isLive := s.Index < len(e.Live) && !slices.Contains(e.Live, it)
			if s.IsIndex() && (isOwn || isLive) && !slices.Contains(list, s.Index) {
				list = append(list, s.Index)
			}
		}
	}
	return list
}

// numbersOf are the numbers of the blocks of an item: of those in effect, and of those that primary
// files have.
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

// block searches a block, under its number if blocks are numbered. path is its path from the merged
// item.
func (f *matcher) block(path Address, b *source.Block, number int, at Progress) {
	if f.isNumbered {
		path = path.At(number)
		if at = f.step(path, spelling.At(number), at); at == nil {
			return
		}
	}
	counts := map[string]int{}
	for _, it := range b.Items() {
		name := it.Called()
		inner := path.Child(name)
		to := f.step(inner, spelling.Named(name), at)
		switch it := it.(type) {
		case *source.Attr:
			f.value(inner, it, to)
		case *source.Block:
			if to != nil {
				f.block(inner, it, counts[name], to)
			}
		}
		counts[name]++
	}
}

// value looks at the parts of a value.
func (f *matcher) value(path Address, a *source.Attr, at Progress) {
	if at == nil || !f.patterns.MayGoOn(at) {
		return
	}
	v, isKnown := f.values[a]
	if !isKnown {
		v = parts.Of(a)
	}
	before := len(f.met)
	for _, p := range v.Parts {
		inner := path.Step(p.Segment)
		f.value(inner, p.Value, f.step(inner, p.Segment, at))
	}
	if len(f.met) > before {
		f.values[a] = v // it will be needed again
	}
}

// step follows a segment. It returns nil if nothing below can match.
func (f *matcher) step(path Address, s spelling.Segment, at Progress) Progress {
	to := f.patterns.Follow(at, s)
	switch {
	case f.patterns.AreAt(to):
		f.met[path] = path.Segments()
		return nil
	case len(path.text) > maxText:
		return nil
	}
	return to
}

// Named returns everything with the names of a path, anywhere in the module: CostCenter, or
// tags.CostCenter.
func Named(m *merge.Module, path Address) []Target {
	p := Literal(path.Segments())
	p.steps = slices.Insert(p.steps, 0, step{spelling.Named("**"), true})
	return Matching(m, p)
}
