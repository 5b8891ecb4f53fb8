package check

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// Ignore is the edit of File.Native that switches a rule off for an item of a native file: its name
// is added to a comment at the item that switches others off, or to a new comment there. That is
// above an argument, on the header line of a block, and at the end of a block with one line whose
// argument the item is.
func Ignore(it source.Item, r *Rule) textedit.Edit {
	src, isAbove := it.Source(), isArgument(it) && startsLine(it)
	if isArgument(it) && !isAbove && isOneLine(it.Within()) {
		it = it.Within()
	}
	for _, k := range commentsOf(src) {
		if (k.reach == itsItem || k.reach == itsHeader) && len(k.names) > 0 && k.isOn(it) && k.isAt(it) {
			return textedit.Replace(k.Range.End.Byte, k.Range.End.Byte, ","+r.ID)
		}
	}
	comment := ignoreWord + " " + r.ID
	if isAbove {
		start := source.TriviaOf(it).Start
		at := textedit.TextStart(src.Native, start)
		return textedit.Replace(at, at, textedit.IndentAt(src.Native, start)+"# "+comment+src.LineEnd)
	}
	b, isBlock := it.(*source.Block)
	if !isBlock {
		at := source.TriviaOf(it).Start
		return textedit.Replace(at, at, "/* "+comment+" */ ")
	}
	at := b.OpenBrace().End.Byte
	if isOneLine(b) {
		at = b.CloseBrace().End.Byte
	}
	if line, _, _ := bytes.Cut(src.Native[at:], []byte("\n")); len(bytes.TrimSpace(line)) > 0 {
		return textedit.Replace(at, at, " /* "+comment+" */")
	}
	return textedit.Replace(at, at, " # "+comment)
}

// startsLine reports whether only blanks and comments are in front of an item on its line.
func startsLine(it source.Item) bool {
	src, start := it.Source().Native, source.TriviaOf(it).Start
	return len(bytes.TrimSpace(src[textedit.TextStart(src, start):start])) == 0
}
