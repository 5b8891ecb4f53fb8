package fix

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/comments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// Items are removed from native files with the comments directly above them and behind them, and a
// blank line if two would meet. An emptied block is removed, too.

// without returns the edits that remove items from a native file.
func without(f *source.File, gone items) []textedit.Edit {
	bodies := collapsed(gone)
	var edits []textedit.Edit
	for b := range bodies {
		edits = append(edits, runsIn(f, b, bodies[b])...)
	}
	return edits
}

// collapsed takes items out of a set that are in blocks which hold nothing else, and
// these into it. It returns the items that are left by the block around them, nil
// for the top level.
func collapsed(gone items) map[*source.Block]items {
	bodies := map[*source.Block]items{}
	var add func(it source.Item)
	add = func(it source.Item) {
		b := it.Within()
		if bodies[b] == nil {
			bodies[b] = items{}
		}
		bodies[b][it] = true
		if b != nil && len(bodies[b]) == len(b.Items()) && !hasFreeComments(b) {
			add(b)
		}
	}
	for it := range gone {
		add(it)
	}
	for b := range bodies {
		for around := b; around != nil; around = around.Within() {
			if bodies[around.Within()][around] {
				delete(bodies, b)
			}
		}
	}
	return bodies
}

// hasFreeComments reports whether a block holds comments that belong to no item.
func hasFreeComments(b *source.Block) bool {
	at := b.OpenBrace().End.Byte
	for _, around := range source.Around(b) {
		if len(comments.Between(b.File.Native, at, around.Lead)) > 0 {
			return true
		}
		at = around.End
	}
	return len(comments.Between(b.File.Native, at, b.CloseBrace().Start.Byte)) > 0
}

// siblings are the items of a body, or the blocks of a file.
func siblings(f *source.File, b *source.Block) ([]source.Item, []source.Trivia) {
	if b != nil {
		return b.Items(), source.Around(b)
	}
	var list []source.Item
	var around []source.Trivia
	for i := range f.Len() {
		list = append(list, f.Block(i))
		around = append(around, source.TriviaOf(f.Block(i)))
	}
	return list, around
}

// runsIn removes items of one body, those together that follow each other.
func runsIn(f *source.File, b *source.Block, gone items) []textedit.Edit {
	list, around := siblings(f, b)
	var edits []textedit.Edit
	for i := 0; i < len(list); i++ {
		if !gone[list[i]] {
			continue
		}
		last := i
		for last+1 < len(list) && gone[list[last+1]] && len(comments.Between(f.Native, around[last].End, around[last+1].Lead)) == 0 {
			last++
		}
		edits = append(edits, run(f, b, around[i].Lead, around[last].End))
		i = last
	}
	return edits
}

// run removes whole lines, and one of the blank lines around them if two would meet or
// one a brace or an end of the file.
func run(f *source.File, b *source.Block, from, to int) textedit.Edit {
	src := f.Native
	if b != nil && sharesLine(b, from, to) {
		return textedit.Replace(from, to, "")
	}
	first, last := 0, len(src)
	if b != nil {
		first, last = textedit.AfterLine(src, b.OpenBrace().Start.Byte), textedit.LineStart(src, b.CloseBrace().Start.Byte)
	}
	start, end := textedit.TextStart(src, from), textedit.AfterLine(src, to)
	opens, closes := len(bytes.TrimSpace(src[min(first, start):start])) == 0, len(bytes.TrimSpace(src[end:max(end, last)])) == 0
	before, after := textedit.IsBlankBefore(src, start), textedit.IsBlankLine(src, end)
	switch {
	case after && (before || opens):
		end = textedit.AfterLine(src, end)
	case before && closes:
		start = textedit.LineStart(src, start-1)
	}
	return textedit.Replace(start, end, "")
}

// sharesLine reports whether a stretch of a block shares a line with one of its braces.
func sharesLine(b *source.Block, from, to int) bool {
	src := b.File.Native
	return textedit.LineStart(src, from) <= b.OpenBrace().Start.Byte || textedit.AfterLine(src, to) > b.CloseBrace().Start.Byte
}
