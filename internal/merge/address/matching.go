package address

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

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
func (f *matcher) numbersFor(e *merge.MergedItem, it source.Item, numbers map[source.Item]int) []int {
	if !f.isNumbered {
		return []int{0}
	}
	own, hasNumber := numbers[it]
	var list []int
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
