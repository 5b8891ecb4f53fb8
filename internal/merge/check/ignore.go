package check

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/comments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// Ignore is the edit of File.Native that switches a rule off for an item of a native file: its name
// is added to a comment above the item that switches others off, or to a new comment there. If the
// item does not start its line, the comment is above the block around it.
func Ignore(it source.Item, r *Rule) textedit.Edit {
	for it.Within() != nil && !startsLine(it) {
		it = it.Within()
	}
	src, lead := it.Source().Native, source.TriviaOf(it)
	at := textedit.TextStart(src, lead.Start)
	for _, c := range comments.Between(src, lead.Lead, lead.Start) {
		text := src[c.Start:c.End]
		if end, ok := listIn(text); ok {
			return textedit.Replace(c.Start+end, c.Start+end, ","+r.ID)
		}
		if bytes.HasPrefix(text, []byte(lastInLead)) && c.Alone {
			at = textedit.TextStart(src, c.Start)
			break
		}
	}
	return textedit.Replace(at, at, textedit.IndentAt(src, lead.Start)+"# "+ignoreWord+" "+r.ID+it.Source().LineEnd)
}

// listIn is where the first list of rules ends in a comment that switches rules off for an
// item.
func listIn(text []byte) (end int, ok bool) {
	for _, m := range ignoring().FindAllSubmatchIndex(text, -1) {
		if m[groupFile] < 0 && m[groupNames] >= 0 {
			return m[groupNames+1], true
		}
	}
	return 0, false
}

// lastInLead starts a comment that must stay the last one above an item: the comment that mark
// writes.
const lastInLead = "# overridden: "

// startsLine reports whether only blanks and comments are in front of an item on its line.
func startsLine(it source.Item) bool {
	src, start := it.Source().Native, source.TriviaOf(it).Start
	return len(bytes.TrimSpace(src[textedit.TextStart(src, start):start])) == 0
}
