package extract

import (
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/comments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// Classification of the parts of a file: expressed by the override, or remaining.

// A span is from where to where something is in a file, in bytes.
type span struct{ from, to int }

// stretches classify the parts of a file.
type stretches struct {
	expressed []place // expressed or made up for by the override, with comments
	left      []place
	has       map[address.Address]bool // differences with an item in the file
}

// A place is the location of an object with an address: of a difference, or of a block.
type place struct {
	span
	own address.Address
}

// union joins overlapping places. The address is the outer one's.
func union(list []place) []place {
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var joined []place
	for _, p := range list {
		if n := len(joined); n > 0 && p.from < joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, p.to)
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

// placesIn returns the places that touch some lines, from a list made by union.
func placesIn(list []place, lines span) []place {
	i, _ := slices.BinarySearchFunc(list, lines.from+1, func(p place, at int) int { return cmp.Compare(p.to, at) })
	j := i
	for j < len(list) && list[j].from < lines.to {
		j++
	}
	if lines.from == lines.to {
		return nil
	}
	return list[i:j]
}

// stretchesOf returns the stretches of a file of one side: 0 is BASE.
func (t *takeback) stretchesOf(f *source.File, side int) stretches {
	s := stretches{has: map[address.Address]bool{}}
	covered := map[source.Item]address.Address{}
	for _, d := range t.Expressed {
		if t.partial[d.Address] {
			continue // comments in it would be lost
		}
		for i, it := range d.Sides[side].Items {
			if it.Source() != f {
				continue
			}
			at := t.around(it)
			switch {
			case side == 0 && !keepsComments(it, d.Sides[1].Items, i):
				at = spread(it)
			case side == 1 && t.isJSON != (f.Syntax == source.JSON) && hasComments(it):
				continue // they stay in the file
			}
			covered[it], s.has[d.Address] = d.Address, true
			s.expressed = append(s.expressed, place{at, d.Address})
			if top, isTied := t.tiedTo(it); isTied {
				t.bind(d.Address, top)
			}
		}
	}
	note := func(own address.Address, items []source.Item) {
		for _, it := range items {
			if it.Source().Name == f.Name && it.Source().Role == source.Primary {
				s.left = append(s.left, place{spread(it), own})
				if top, isTied := t.tiedTo(it); isTied {
					t.stuck[top] = true
				}
			}
		}
	}
	for _, l := range t.Left {
		note(l.Address, l.Sides[side].Items)
	}
	for _, d := range t.Idle {
		note(d.Address, append(slices.Clone(d.Sides[side].Items), d.Sides[side].Passed...))
	}
	for i := range f.Len() {
		if f.Syntax == source.Native && t.mayDiffer(f, i) {
			s.expressed = append(s.expressed, t.wrapper(f.Block(i), covered)...)
		}
	}
	s.expressed, s.left = union(s.expressed), union(s.left)
	return s
}

// tiedTo returns the address of the block that an item is in, if engines judge that as a whole.
func (r *Result) tiedTo(it source.Item) (address.Address, bool) {
	e := r.ownerOf(source.Top(it))
	if e == nil || !e.Rule.IsCheckedByBlock() {
		return address.Address{}, false
	}
	return address.Of(e), true
}

// ownerOf is the merged item of a block of either side.
func (r *Result) ownerOf(b *source.Block) *merge.MergedItem {
	if r.Edited.Source.File(b.File.Name) == b.File {
		return r.Edited.OwnerOf(b)
	}
	return r.Base.OwnerOf(b)
}

// wrapper returns the range of a block that means nothing but its contents, if all of these are
// expressed, and the ranges of such blocks in it. Separate comments in it are left out.
func (t *takeback) wrapper(b *source.Block, covered map[source.Item]address.Address) []place {
	var list []place
	first, isAll := address.Address{}, len(b.Items()) > 0
	for _, it := range b.Items() {
		if inner, isBlock := it.(*source.Block); isBlock {
			list = append(list, t.wrapper(inner, covered)...)
		}
		own, isCovered := covered[it]
		if isAll = isAll && isCovered; isAll {
			first = cmp.Or(first, own)
		}
	}
	if !isAll || !t.isWrapper(b) {
		return list
	}
	covered[b] = first
	count := len(comments.Texts(b.File.Text(b.Extent())))
	for _, it := range b.Items() {
		t.bind(first, covered[it])
		at := t.around(it)
		if inner, isBlock := it.(*source.Block); isBlock && t.isWrapper(inner) {
			at = spread(it) // the comments around it are not written
		}
		count -= len(comments.Texts(b.File.Native[at.from:at.to]))
	}
	if count == 0 {
		return append(list, place{spread(b), first})
	}
	head, foot := span{b.Header().Start.Byte, b.OpenBrace().End.Byte}, span{b.CloseBrace().Start.Byte, b.CloseBrace().End.Byte}
	return append(list, place{head, first}, place{foot, first})
}

// isWrapper reports whether a block means nothing but its contents.
func (r *Result) isWrapper(b *source.Block) bool {
	e := r.ownerOf(b)
	return e != nil && e.Rule.OmitEmpty
}

// spread is where an item is in its file.
func spread(it source.Item) span {
	from, to := source.Spread(it)
	return span{from, to}
}

// hasComments reports whether comments are in an item.
func hasComments(it source.Item) bool {
	f, at := it.Source(), spread(it)
	if f.Syntax == source.Native {
		return len(comments.Texts(f.Native[at.from:at.to])) > 0
	}
	found := false
	if b, isBlock := it.(*source.Block); isBlock {
		b.EachRemark(func([2]uint32) { found = true })
	}
	return found
}

// around is spread with those comments around the item that the override has.
func (t *takeback) around(it source.Item) span {
	if it.Source().Syntax == source.JSON || t.isJSON {
		return spread(it)
	}
	trivia := source.TriviaOf(it)
	return span{trivia.Lead, trivia.End}
}

// keepsComments reports whether EDITED keeps the comments around an item of BASE, or has others
// instead.
func keepsComments(it source.Item, later []source.Item, i int) bool {
	above, behind := commentsOf(it)
	if i >= len(later) {
		return len(above)+len(behind) == 0
	}
	nowAbove, nowBehind := commentsOf(later[i])
	return (len(above) == 0 || len(nowAbove) > 0) && (len(behind) == 0 || len(nowBehind) > 0)
}
