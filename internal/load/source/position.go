package source

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/apparentlymart/go-textseg/v17/textseg"
	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// RawRange returns the range between two offsets of File.Raw, with lines and columns. As in native files, a column
// is a grapheme cluster.
func (f *File) RawRange(at [2]uint32) hcl.Range {
	return hcl.Range{Filename: f.Name, Start: f.rawPos(int(at[0])), End: f.rawPos(int(at[1]))}
}

// before returns the last remembered position at or before an offset. It first computes those that are missing up to
// there.
func (w *waypoints) before(f *File, at int) hcl.Pos {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if len(w.known) == 0 {
		w.known = []hcl.Pos{hcl.InitialPos}
	}
	pos := w.known[len(w.known)-1]
	for pos.Byte+waypointEvery <= at {
		pos = f.step(pos, pos.Byte+waypointEvery)
		w.known = append(w.known, pos)
	}
	i, found := slices.BinarySearchFunc(w.known, at, func(p hcl.Pos, at int) int { return p.Byte - at })
	if !found {
		i--
	}
	return w.known[i]
}

// rawPos returns the position of an offset of File.Raw, by counting from the last waypoint.
func (f *File) rawPos(at int) hcl.Pos {
	at = min(at, len(f.Raw))
	pos := f.step(f.waypoints.before(f, at), at)
	pos.Byte = at // step may have moved on to the end of a character
	return pos
}

// waypointEvery is roughly how many bytes lie between remembered positions.
const waypointEvery = 512

// step moves from one position in File.Raw forward to an offset. Inside a character that consists of several bytes,
// it stops behind that character.
func (f *File) step(pos hcl.Pos, at int) hcl.Pos {
	if n := bytes.Count(f.Raw[pos.Byte:at], []byte("\n")); n > 0 {
		pos = hcl.Pos{Line: pos.Line + n, Column: 1, Byte: bytes.LastIndexByte(f.Raw[:at], '\n') + 1}
	}
	for pos.Byte < at {
		n, _, _ := textseg.ScanGraphemeClusters(f.Raw[pos.Byte:], true)
		pos.Byte += n
		pos.Column++
	}
	return pos
}

// Place converts a range of the file's native text to the range that users see. In a native file that is the range
// itself. The native text of a JSON file is a translation, so Place returns the innermost JSON value or key that the
// range was translated from.
func (f *File) Place(r hcl.Range) hcl.Range {
	if f.Syntax != JSON || f.Len() == 0 || r.Filename != f.Name {
		return r
	}
	// IndexAt finds the first block that starts at the start of the range or behind it.
	i := f.IndexAt(r.Start.Byte)
	if i == f.Len() || int(f.stubs[i].start.Byte) > r.Start.Byte { // the range starts inside the block before that
		i = max(0, i-1)
	}
	// For a range in the header, don't build the block's contents.
	if s := &f.stubs[i]; r.Start.Byte < int(s.start.Byte+s.head) {
		return f.RawRange(f.headerOf(i).headerOrigin(r.Start.Byte, r.End.Byte))
	}
	return f.RawRange(f.Block(i).origin(r))
}

// Where returns where users find the name of an item, for messages.
func Where(it Item) hcl.Range {
	if a, ok := it.(*Attr); ok && a.Origin() != nil && a.Origin().unwritten { // it has no native text
		return a.File.RawRange(a.Origin().Key)
	}
	return it.Source().Place(it.Header())
}

// origin returns the range of JSON text from which a range of the block's native text was translated.
func (b *Block) origin(r hcl.Range) [2]uint32 {
	at, end := r.Start.Byte, r.End.Byte
	if at < b.OpenBrace().Start.Byte { // in the header
		return b.headerOrigin(at, end)
	}
	items := b.Items()
	i, isStart := slices.BinarySearchFunc(items, at, func(it Item, at int) int { return StartByte(it) - at })
	if !isStart {
		i--
	}
	if i < 0 || at >= items[i].Extent().End.Byte { // between items
		return b.From.Value
	}
	if inner, ok := items[i].(*Block); ok {
		return inner.origin(r)
	}
	return items[i].(*Attr).origin(at, end)
}

// headerOrigin returns the JSON key from which the text from at to end, in the block's header, was translated: the
// key of the label that it's in, or else the last of the keys that name the block. For the header of the resource in
//
//	{"resource": {"aws_instance": {"web": [{}, {}]}}}
//
// that is "aws_instance" for the first label, otherwise "web". But the two elements of the array share these keys, so
// for the whole header of an element it returns the element's opening brace.
func (b *Block) headerOrigin(at, end int) [2]uint32 {
	key := b.From.Key[0]
	for i := range min(len(b.Labels), len(b.From.Labels)) {
		if b.From.Labels[i] == 0 {
			break // no further label is from a key
		}
		key = b.From.Labels[i]
		if l := b.labelSpan(i); at >= int(l.Start.Byte) && end <= int(l.End.Byte) {
			break // the text is in this label
		}
	}
	// Text that ends with the type isn't the whole header if labels follow it.
	isWholeHeader := at == int(b.start.Byte) && (end > int(b.typeEnd[1]) || len(b.Labels) == 0)
	if isWholeHeader && b.From.Element {
		return [2]uint32{b.From.Value[0], b.From.Value[0] + 1}
	}
	return b.File.Translator.KeyAt(key)
}

// origin returns the range of JSON text from which the native text between two offsets, in the argument, was
// translated: the key for text before the value.
func (a *Attr) origin(at, end int) [2]uint32 {
	if at < int(a.value.Start.Byte) {
		return a.Origin().Key
	}
	// If a is a part of another argument's value (see Part), ask about that, whose text is read once for all parts.
	whole := cmp.Or(a.rareOrZero().whole, a)
	start := int(whole.value.Start.Byte)
	return a.File.Translator.ValuePart(whole, at-start, end-start)
}

// Wheres returns where users find the name of each item: see Where.
func Wheres[T Item](items []T) []hcl.Range {
	list := make([]hcl.Range, len(items))
	for i, it := range items {
		list[i] = Where(it)
	}
	return list
}

// HasLead reports whether there are whole-line comments directly above the item.
func (t Trivia) HasLead() bool { return t.Lead < t.Start }

// AllTrivia returns the comments around each item of a block of a native file, in order. It finds them once.
func AllTrivia(b *Block) []Trivia {
	contents := b.content()
	if known := contents.trivia.Load(); known != nil {
		return *known
	}
	found := findTrivia(b.File.Native, contents.items, int(contents.opening.Byte)+1, int(b.end.Byte)-1)
	contents.trivia.Store(&found)
	return found
}

// TriviaOf returns the comments around one item of a native file.
func TriviaOf(it Item) Trivia {
	in := it.Within()
	if in == nil {
		return topTrivia(it)
	}
	i, _ := slices.BinarySearchFunc(in.Items(), StartByte(it), func(o Item, at int) int {
		return StartByte(o) - at
	})
	return AllTrivia(in)[i]
}

// topTrivia returns the comments around a top-level block, between the blocks before and behind it.
func topTrivia(it Item) Trivia {
	f, prev := it.Source(), 0
	next := len(f.Native)
	i := f.IndexAt(StartByte(it))
	if i > 0 {
		prev = int(f.stubs[i-1].end.Byte)
	}
	if i+1 < f.Len() {
		next = int(f.stubs[i+1].start.Byte)
	}
	return findTrivia(f.Native, []Item{it}, prev, next)[0]
}

// findTrivia returns the comments around each of consecutive items. open and closing are the offsets between which
// they may be: after an opening brace or the preceding block, and before the closing brace or the next block.
func findTrivia(src []byte, items []Item, open, closing int) []Trivia {
	all := make([]Trivia, len(items))
	from := open // the end of the preceding item
	for i, it := range items {
		r := it.Extent()
		// The comments before the item may trail the preceding one or lead this one.
		before := parse.CommentsBetween(src, from, r.Start.Byte)
		if i > 0 {
			all[i-1].End = parse.TrailingComment(src, from, before)
		}
		all[i].Lead, all[i].Start = parse.LeadingComments(src, before, r.Start.Byte)
		from = r.End.Byte
	}
	if n := len(items); n > 0 {
		all[n-1].End = parse.TrailingComment(src, from, parse.CommentsBetween(src, from, closing))
	}
	// A comment that starts behind one item and ends before the next one, on its line, trails the former. So the next
	// one starts behind that, whether with the comments on its line (Start) or those above it (Lead).
	for i := 1; i < len(all); i++ {
		all[i].Start = max(all[i].Start, all[i-1].End)
		all[i].Lead = max(all[i].Lead, all[i-1].End)
	}
	return all
}
