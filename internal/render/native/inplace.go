package native

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Formatting a block costs as much as parsing it several times. A replacement that keeps the lines
// around it unchanged, whatever their layout, is settled: the layout of the block needs no check,
// before or after.

// exchangeInPlace makes an exchange if it can be settled, and reports whether it did.
func (ed *editor) exchangeInPlace(a plan.ItemAction, around []source.Trivia, i int, indent string) bool {
	if ed.eol != "\n" || a.Entry.Value != nil {
		return false
	}
	if old, ok := a.Item.(*source.Attr); ok {
		return ed.exchangeValueInPlace(a.Entry, old, around, i)
	}
	return ed.exchangeBlocksInPlace(a, around[i], indent)
}

// exchangeValueInPlace replaces a value of one line by another, or one of several lines by another
// such. The equals sign keeps its position; a comment behind the value is aligned separately if no
// neighbour has one.
func (ed *editor) exchangeValueInPlace(e *merge.MergedItem, old *source.Attr, around []source.Trivia, i int) bool {
	attr, ok := e.Live[0].(*source.Attr)
	if !ok || len(e.Live) > 1 {
		return false
	}
	t, nt := around[i], source.TriviaOf(attr)
	if isCommented(old, t) || isCommented(attr, nt) || nt.HasLead() {
		return false
	}
	if lead, _ := earlierLead(e, attr); len(lead) > 0 {
		return false // these comments stay
	}
	value := attr.File.Native[attr.Value().Start.Byte:nt.End]
	was := ed.file.Native[old.Value().Start.Byte:t.End]
	if wide := isWide(value); wide != isWide(was) ||
		!wide && (bytes.IndexByte(value, '\n') >= 0 || bytes.IndexByte(was, '\n') >= 0) {
		return false
	}
	comments := nt.End > attr.Value().End.Byte || t.End > old.Value().End.Byte
	if comments && (ed.isTrailed(old.Within(), around, i-1) || ed.isTrailed(old.Within(), around, i+1)) {
		return false
	}
	from := textedit.IndentAt(attr.File.Native, nt.Start)
	if !layout.IsClean([]byte("x = " + textedit.Relocate(value, from, "", ed.eol) + ed.eol)) {
		return false
	}
	end := textedit.LineBlanks(ed.file.Native, t.End)
	indent := textedit.IndentAt(ed.file.Native, t.Start)
	ed.edits = append(
		ed.edits, textedit.Replace(old.Value().Start.Byte, end, textedit.Relocate(value, from, indent, ed.eol)),
	)
	return true
}

// isWide reports whether the first line of a value of several lines ends with an open
// bracket. The name of such a value takes no part in columns.
func isWide(value []byte) bool {
	first, _, more := bytes.Cut(value, []byte("\n"))
	return more && len(first) > 0 && bytes.IndexByte([]byte("{[("), first[len(first)-1]) >= 0
}

// isTrailed reports whether an item of a block has a comment behind it; index -1 is the
// opening brace, and that behind the last item the closing one.
func (ed *editor) isTrailed(b *source.Block, around []source.Trivia, i int) bool {
	switch {
	case i < 0:
		return openEnd(b) > b.OpenBrace().End.Byte
	case i == len(around):
		return source.TriviaOf(b).End > b.Extent().End.Byte
	}
	return around[i].End > b.Items()[i].Extent().End.Byte
}

// exchangeBlocksInPlace replaces nested blocks by others, which share no columns with their
// surroundings.
func (ed *editor) exchangeBlocksInPlace(a plan.ItemAction, around source.Trivia, indent string) bool {
	for _, it := range a.Entry.Live {
		b, ok := it.(*source.Block)
		if !ok || b.File.Native[source.TriviaOf(b).End-1] != '}' {
			return false
		}
	}
	if ed.file.Native[around.End-1] != '}' {
		return false
	}
	if c := textOf(a.Entry, a.Entry.Live[0]); c.Lead > 0 || hasInlineLead(a.Entry.Live[0]) {
		return false
	}
	if !layout.IsClean([]byte(ed.joined(a.Entry, "") + "\n")) {
		return false
	}
	end := textedit.LineBlanks(ed.file.Native, around.End)
	ed.edits = append(ed.edits, textedit.Replace(a.Item.Header().Start.Byte, end, ed.joined(a.Entry, indent)))
	return true
}

// areLaidOut reports whether added blocks can stand at the end of a body without
// a look at its layout.
func (ed *editor) areLaidOut(blocks []string, indent string) bool {
	for _, text := range blocks {
		if ed.eol != "\n" || !layout.IsClean([]byte(textedit.Relocate([]byte(text), indent, "", "\n")+"\n")) {
			return false
		}
	}
	return true
}
