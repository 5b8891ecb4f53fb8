package report

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// A FixRecord is what would fix a finding, for formats that have a place for it.
type FixRecord struct {
	Text  string // what it does, in the imperative
	Edits []FixEdit
	// Quotes says that it writes values of the configuration.
	Quotes bool
}

// A FixEdit exchanges a stretch of a file for a text.
type FixEdit struct {
	Path       string
	Start, End FixPos
	Text       string
}

// A FixPos is a place in a file. Lines and columns count from 1.
type FixPos struct {
	Line   int
	Column int // in code points
	Byte   int // in bytes of the line
}

// FixEdits places edits of a file.
func FixEdits(path string, text []byte, edits []textedit.Edit) []FixEdit {
	starts := lineStarts(text)
	at := func(offset int) FixPos {
		line := sort.SearchInts(starts, offset+1)
		before := text[starts[line-1]:offset]
		return FixPos{line, utf8.RuneCount(before) + 1, len(before) + 1}
	}
	var list []FixEdit
	for _, e := range edits {
		list = append(list, FixEdit{path, at(e.Start), at(e.End), e.Text})
	}
	return list
}

// lineStarts are the offsets at which the lines of a text start.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return starts
		}
		at += n + 1
		starts = append(starts, at)
	}
}

// byteColumn is the column of an offset in bytes of its line, from 1; 0 for an offset
// that is not in the text.
func byteColumn(text []byte, at int) int {
	if at < 0 || at > len(text) {
		return 0
	}
	return at - textedit.LineStart(text, at) + 1
}
