package source

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// Between the items of a native body there are only blanks, line ends and comments.
// A gap is such a stretch; reading gaps finds every comment outside of items
// without lexing anything again.

// A Comment is one comment. A line comment's range ends before the line end.
type Comment struct {
	Start, End int  // byte offsets in the file
	Line       bool // starts with # or //
	Alone      bool // nothing but blanks and comments before it on its line
}

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

// HasLead reports whether TriviaOf finds lead comments for an item in a body, mostly from the text
// between the item and the preceding one.
func HasLead(it Item) bool {
	in := it.Within().content()
	i, _ := slices.BinarySearchFunc(in.items, startByte(it), func(o Item, at int) int { return startByte(o) - at })
	from := int(in.opening.Byte) + 1
	if i > 0 {
		from = endByte(in.items[i-1])
	}
	gap := it.Source().Native[from:startByte(it)]
	if bytes.IndexByte(gap, '#') < 0 && bytes.IndexByte(gap, '/') < 0 {
		return false
	}
	return TriviaOf(it).HasLead()
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
		before := Comments(src, from, r.Start.Byte)
		if i > 0 {
			all[i-1].End = trailing(src, from, before)
		}
		all[i].Lead, all[i].Start = leading(src, before, r)
		from = r.End.Byte
	}
	if n := len(items); n > 0 {
		all[n-1].End = trailing(src, from, Comments(src, from, closing))
	}
	// A comment trails one item or leads the next, never both.
	for i := 1; i < len(all); i++ {
		all[i].Start = max(all[i].Start, all[i-1].End)
		all[i].Lead = max(all[i].Lead, all[i-1].End)
	}
	return all
}

// Comments lists the comments in src[from:to], which must be a gap.
func Comments(src []byte, from, to int) []Comment {
	var found []Comment
	alone := from == 0
	for at := from; at < to; {
		switch c := src[at]; {
		case c == '\n':
			alone = true
			at++
		case c == '#' || bytes.HasPrefix(src[at:to], []byte("//")):
			end := lineEnd(src, at, to)
			found = append(found, Comment{Start: at, End: end, Line: true, Alone: alone})
			at = end
		case bytes.HasPrefix(src[at:to], []byte("/*")):
			end := blockCommentEnd(src, at, to)
			found = append(found, Comment{Start: at, End: end, Alone: alone})
			at = end
		default:
			at++
		}
	}
	return found
}

// CommentsInside lists the comments in src[from:to], which may be any text of native syntax
// that starts with an item: a header, or an argument with its value.
func CommentsInside(src []byte, from, to int) []Comment {
	text := src[from:to:to]
	if bytes.Contains(text, []byte("<<")) {
		text = append(text, '\n') // a heredoc ends with its line
	}
	var found []Comment
	alone := false
	parse.EachToken(text, "", hcl.InitialPos, func(t hclsyntax.Token) {
		switch t.Type {
		case hclsyntax.TokenNewline:
			alone = true
		case hclsyntax.TokenComment:
			c := Comment{Start: from + t.Range.Start.Byte, End: min(to, from+t.Range.End.Byte), Alone: alone}
			c.Line = !bytes.HasPrefix(t.Bytes, []byte("/*"))
			if c.Line { // the token has the line end
				c.End, alone = lineEnd(src, c.Start, c.End), true
			}
			found = append(found, c)
		default:
			alone = false
		}
	})
	return found
}

func lineEnd(src []byte, at, to int) int {
	end := to
	if n := bytes.IndexByte(src[at:to], '\n'); n >= 0 {
		end = at + n
	}
	if src[end-1] == '\r' {
		end--
	}
	return end
}

func blockCommentEnd(src []byte, at, to int) int {
	if n := bytes.Index(src[at+2:to], []byte("*/")); n >= 0 {
		return at + 2 + n + 2
	}
	return to
}

// trailing returns where an item that ends at end ends with the comments that
// start on its last line.
func trailing(src []byte, end int, comments []Comment) int {
	for _, c := range comments {
		if bytes.IndexByte(src[end:c.Start], '\n') >= 0 {
			break
		}
		end = c.End
		if c.Line {
			break
		}
	}
	return end
}

// leading returns the start of the whole-line comments directly above an item, and the start of the
// comments before it on its own line. comments are the comments between the item and the preceding
// one.
func leading(src []byte, comments []Comment, item hcl.Range) (lead, start int) {
	start = item.Start.Byte
	i := len(comments) - 1
	for ; i >= 0 && sameLine(src, comments[i].End, start); i-- {
		start = comments[i].Start
	}
	lead = start
	for next := start; i >= 0; i-- {
		c := comments[i]
		if !c.Alone || newlines(src, c.End, next) != 1 {
			break
		}
		lead, next = c.Start, c.Start
	}
	return lead, start
}

// LeadBefore returns the lead comments of an item at an offset of a native text in which the
// preceding item ends at from.
func LeadBefore(src []byte, from, at int) Trivia {
	lead, start := leading(src, Comments(src, from, at), hcl.Range{Start: hcl.Pos{Byte: at}})
	return Trivia{Lead: lead, Start: start, End: at}
}

func sameLine(src []byte, from, to int) bool {
	return newlines(src, from, to) == 0
}

func newlines(src []byte, from, to int) int {
	return bytes.Count(src[from:to], []byte("\n"))
}
