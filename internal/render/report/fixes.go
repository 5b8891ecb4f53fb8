package report

import (
	"sort"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// A FixRecord describes a fix for a finding, for formats that can contain one.
type FixRecord struct {
	Text  string // its effect, in the imperative
	Edits []fixEdit
	// Quotes is set if it writes values of the configuration.
	Quotes bool
}

// A fixEdit exchanges a stretch of a file for a text.
type fixEdit struct {
	Path       string
	Start, End fixPos
	Text       string
}

// A fixPos is a position in a file. Lines and columns start at 1.
type fixPos struct {
	Line   int
	Column int // in code points
}

// FixEdits computes the positions of a file's edits.
func FixEdits(path string, text []byte, edits []textedit.Edit) []fixEdit {
	starts := textedit.LineStarts(text)
	at := func(offset int) fixPos {
		line := sort.SearchInts(starts, offset+1)
		return fixPos{line, utf8.RuneCount(text[starts[line-1]:offset]) + 1}
	}
	var list []fixEdit
	for _, e := range edits {
		list = append(list, fixEdit{path, at(e.Start), at(e.End), e.Text})
	}
	return list
}
