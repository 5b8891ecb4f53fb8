package address

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
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// maxText is the length in bytes up to which an address is searched for parts: output must stay in
// proportion to the module, however long its keys are.
const maxText = 4096

// Matching returns everything that a pattern matches, in load order: items, the contents of blocks
// that are replaced as a whole, keys and elements, of every layer. The contents of a match are not
// listed separately.
func Matching(m *merge.Module, p Pattern) []Target {
	f := matcher{patterns: NewPatterns(p), values: values{}}
	WalkSome(m, f.patterns.Leading(m), func(own Address, e *merge.MergedItem) {
		if n := len(f.list); n > 0 {
			if _, isIn := own.In(f.list[n-1].Address); isIn {
				return
			}
		}
		at := f.patterns.Reach(own)
		switch {
		case f.patterns.AreAt(at):
			f.list = append(f.list, Target{Address: own, Of: own, Item: e, values: f.values})
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
	f := matcher{patterns: ps, values: values{}}
	f.inside(Address{}, e, at)
	return len(f.list) > 0
}

// MatchValue reports whether a pattern matches a part of an argument's value, given the match state
// of the argument.
func (ps *Patterns) MatchValue(a *source.Attr, at Progress) bool {
	f := matcher{patterns: ps, values: values{}, met: map[Address][]spelling.Segment{}}
	f.value(Address{}, a, at)
	return len(f.met) > 0
}

// A matcher gathers what patterns match.
type matcher struct {
	patterns   *Patterns
	values     values
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
		t := Target{Of: own, Item: e, rest: f.met[name], values: f.values}
		if t.exists() {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, Address.Compare)
	for _, name := range names {
		f.list = append(f.list, Target{Address: own.Join(name), Of: own, Item: e, rest: f.met[name], values: f.values})
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
	p := literalOf(path.Segments())
	p.steps = slices.Insert(p.steps, 0, step{spelling.Named("**"), true})
	return Matching(m, p)
}

// Parts lists the addresses of the parts that the value in effect of an argument has, as far as
// they are known: the argument whose address ends where the last segment of a text starts.
func Parts(m *merge.Module, text string) []Address {
	var around Address
	for err := errors.ErrUnsupported; err != nil; {
		i := strings.LastIndexAny(text, ".[")
		if i <= 0 {
			return nil
		}
		text = text[:i]
		around, err = Parse(text)
	}
	var list []Address
	for _, t := range Find(m, around) {
		for _, it := range t.Effective() {
			if arg, ok := it.(*source.Attr); ok {
				for _, p := range t.values.of(arg).Parts {
					list = append(list, t.Address.Step(p.Segment))
				}
			}
		}
	}
	return list
}

// Find returns the targets of an address, in load order. Several objects may share one address, as
// the version constraints of several files do. An address that names nothing isn't an error; there
// is no target then.
func Find(m *merge.Module, a Address) []Target {
	f := finder{module: m, aliases: AliasIndex{}, wanted: a.Segments(), values: values{}}
	if len(f.wanted) == 0 {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(f.wanted), spelling.Segment.IsIndex)
	WalkSome(m, NewPatterns(literalOf(names)).Leading(m), f.try)
	return f.found
}

// Top returns everything that the top level declares, in load order.
func Top(m *merge.Module) []Target {
	var all []Target
	known := values{}
	WalkAll(m, func(own Address, e *merge.MergedItem) {
		if isTop(e) {
			all = append(all, Target{Address: own, Of: own, Item: e, values: known})
		}
	})
	return all
}

// A finder looks for the longest addresses of merged items that an address starts with.
type finder struct {
	module  *merge.Module
	aliases AliasIndex // of the items visited so far
	wanted  []spelling.Segment
	found   []Target
	depth   int // segments of the address that those found use up
	values  values
}

func (f *finder) try(own Address, e *merge.MergedItem) {
	for _, name := range f.names(own, e) {
		if !strings.HasPrefix(name.text, spelling.AppendPath("", f.wanted[0])) {
			continue
		}
		rest, ok := leadsOn(name.Segments(), f.wanted)
		depth := len(f.wanted) - len(rest)
		if !ok || depth < f.depth {
			continue
		}
		if e.Inner() != nil && len(rest) == 1 && rest[0] == spelling.At(0) {
			rest = nil // there is one at most
		}
		t := Target{Of: own, Item: e, rest: rest, values: f.values}
		if len(rest) > 0 && (e.Inner() != nil || !t.exists()) {
			continue
		}
		t.Address = own.with(rest)
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

func isTop(e *merge.MergedItem) bool { return !strings.Contains(e.Path, "/") }

// names are the ways to address a merged item.
func (f *finder) names(own Address, e *merge.MergedItem) []Address {
	names := []Address{own}
	if e.Key.Space == merge.Body && own.Last() == spelling.AppendPath("", spelling.Named(e.Key.Name)) {
		names = append(names, own.Parent().Child(source.EscapeBlock, e.Key.Name))
	}
	return append(names, f.aliases.Add(f.module, own, e)...)
}

// leadsOn reports whether an address starts with a path, and returns the rest. An address may omit
// an index, and may have the index 0 after a name that needs none.
func leadsOn(way, wanted []spelling.Segment) ([]spelling.Segment, bool) {
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

// A concern reports which diagnostics are about targets.
type concern struct {
	items cover // the items in the targets' histories
	tops  cover // the top-level blocks around that
}

// NewConcern makes the Concern of targets.
func NewConcern(targets []Target) *concern {
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

// IsAbout reports whether a diagnostic, with ranges as users see them, is about the items in the
// targets' histories; for an error, about one of the top-level blocks around them.
func (c *concern) IsAbout(d *hcl.Diagnostic) bool {
	in := c.items
	if d.Severity == hcl.DiagError {
		in = c.tops
	}
	related, ok := diag.RelatedOf(d)
	return d.Subject != nil && in.has(*d.Subject) || ok && !related.IsHint && in.has(related.Range)
}

// A cover is stretches of files, by their names.
type cover map[string][]stretch

// A stretch is bytes of a file as it is given.
type stretch struct{ from, to int }

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

// has reports whether a range starts in one of the stretches.
func (c cover) has(r hcl.Range) bool {
	list, at := c[r.Filename], r.Start.Byte
	i := sort.Search(len(list), func(i int) bool { return at < list[i].to })
	return i < len(list) && list[i].from <= at
}
