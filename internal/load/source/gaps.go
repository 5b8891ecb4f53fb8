package source

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/comments"
)

// HasLead reports whether there are whole-line comments directly above the item.
func (t Trivia) HasLead() bool { return t.Lead < t.Start }

// Around returns the trivia of each item of a block of a native file, in order.
func Around(b *Block) []Trivia {
	y := b.content()
	if known := y.trivia.Load(); known != nil {
		return *known
	}
	found := around(b.File.Native, y.items, int(y.opening.Byte)+1, int(b.end.Byte)-1)
	y.trivia.Store(&found)
	return found
}

// TriviaOf returns the trivia of one item of a native file.
func TriviaOf(it Item) Trivia {
	in := it.Within()
	if in == nil {
		return aroundTop(it)
	}
	i, _ := slices.BinarySearchFunc(in.Items(), startByte(it), func(o Item, at int) int {
		return startByte(o) - at
	})
	return Around(in)[i]
}

// aroundTop returns the trivia of a top-level block, which ends where the trivia of its neighbours
// starts.
func aroundTop(it Item) Trivia {
	f, prev := it.Source(), 0
	next := len(f.Native)
	i := f.index(startByte(it))
	if i > 0 {
		prev = int(f.stubs[i-1].end.Byte)
	}
	if i+1 < f.Len() {
		next = int(f.stubs[i+1].start.Byte)
	}
	return around(f.Native, []Item{it}, prev, next)[0]
}

func around(src []byte, items []Item, open, closing int) []Trivia {
	all := make([]Trivia, len(items))
	from := open
	for i, it := range items {
		r := it.Extent()
		before := comments.Between(src, from, r.Start.Byte)
		if i > 0 {
			all[i-1].End = comments.Trailing(src, from, before)
		}
		all[i].Lead, all[i].Start = comments.Leading(src, before, r.Start.Byte)
		from = r.End.Byte
	}
	if n := len(items); n > 0 {
		all[n-1].End = comments.Trailing(src, from, comments.Between(src, from, closing))
	}
	// A comment trails one item or leads the next, never both.
	for i := 1; i < len(all); i++ {
		all[i].Start = max(all[i].Start, all[i-1].End)
		all[i].Lead = max(all[i].Lead, all[i-1].End)
	}
	return all
}
