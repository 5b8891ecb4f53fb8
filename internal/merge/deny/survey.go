package deny

import (
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// maxText is the length in bytes up to which an address is searched for parts: findings must stay
// in proportion to the files, however long keys are.
const maxText = 4096

// A survey is what patterns match inside of some items, and where only the engine knows.
type survey struct {
	denial *denial
	found  map[address.Address][]source.Item // the outermost items by path, in which only a block that is itself found has a number
	order  []address.Address
	whole  map[address.Address]bool // found as arguments and blocks, which are denied even if they are repeated
	hidden []hiddenPart
}

// A hiddenPart is a value that may have parts that a pattern matches.
type hiddenPart struct {
	path      address.Address
	item      source.Item
	pattern   string
	isTooLong bool
}

// survey looks into items, with which patterns have got so far.
func (d *denial) survey(items []source.Item, at address.Progress) *survey {
	s := &survey{denial: d, found: map[address.Address][]source.Item{}, whole: map[address.Address]bool{}}
	var n counter
	for _, it := range items {
		switch it := it.(type) {
		case *source.Attr:
			s.value(address.Address{}, it, at)
		case *source.Block:
			number := n.next(it)
			s.outermost(it, number, len(items) > 1, d.waysOf(at, number, it))
		}
	}
	return s
}

// outermost examines a block whose number or labels patterns may have.
func (s *survey) outermost(b *source.Block, number int, isOneOf bool, at address.Progress) {
	if !s.denial.AreAt(at) {
		s.block(address.Address{}, b, at)
		return
	}
	path := address.Address{}
	if isOneOf && number >= 0 {
		path = path.At(number)
	}
	s.whole[path] = true
	s.match(path, b)
}

// block examines the blocks that a block makes.
func (s *survey) block(path address.Address, b *source.Block, at address.Progress) {
	counts := counters{}
	for _, it := range source.ContentOf(b).Items() {
		name := it.Called()
		to, isMatch := s.denial.Ways(at, address.New(name), counts.of(name).next(it), it)
		inner := path.Child(name)
		s.whole[inner] = s.whole[inner] || isMatch
		a, isArgument := it.(*source.Attr)
		switch {
		case isMatch:
			s.match(inner, it)
		case isArgument:
			s.value(inner, a, to)
		case !s.isTooLong(inner, it, to):
			s.block(inner, it.(*source.Block), to)
		}
	}
}

// value looks into a value.
func (s *survey) value(path address.Address, a *source.Attr, at address.Progress) {
	if !s.denial.MayGoOn(at) || s.isTooLong(path, a, at) {
		return
	}
	v := s.denial.partsOf(a)
	if !v.IsAll && !s.denial.isSingle(a) {
		s.hide(path, a, at, false)
	}
	for _, p := range v.Parts {
		inner := path.Step(p.Segment)
		if to := s.denial.Follow(at, p.Segment); s.denial.AreAt(to) {
			s.match(inner, p.Value)
		} else {
			s.value(inner, p.Value, to)
		}
	}
}

func (s *survey) match(path address.Address, it source.Item) {
	if s.found[path] == nil {
		s.order = append(s.order, path)
	}
	s.found[path] = append(s.found[path], it)
}

func (s *survey) hide(path address.Address, it source.Item, at address.Progress, isTooLong bool) {
	s.hidden = append(s.hidden, hiddenPart{path, it, s.denial.Going(at), isTooLong})
}

// isTooLong reports whether nothing is looked for inside of an item since its address is too long.
func (s *survey) isTooLong(path address.Address, it source.Item, at address.Progress) bool {
	if len(path.String()) <= maxText {
		return false
	}
	if s.denial.MayGoOn(at) {
		s.hide(path, it, at, true)
	}
	return true
}

// partsOf reads the parts of a value, once.
func (d *denial) partsOf(a *source.Attr) *parts.Value {
	if d.parts[a] == nil {
		d.parts[a] = parts.Of(a)
	}
	return d.parts[a]
}

// waysOf is the match state of the number and the labels of a nested block, which patterns may
// leave out.
func (d *denial) waysOf(at address.Progress, number int, b *source.Block) address.Progress {
	to := d.FollowBlock(at, number)
	if len(b.Labels) > 0 && b.Called() == b.Type {
		labelled := at
		for _, label := range b.Labels {
			labelled = d.Follow(labelled, segments.Named(label))
		}
		to.Join(labelled)
	}
	return to
}
