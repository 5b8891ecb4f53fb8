package layout

import (
	"bytes"
	"unicode/utf8"
)

// A Column is a name whose equals sign is aligned with those of its
// neighbours.
type Column struct {
	Name    string
	Single  bool // its value takes part, see IsInColumn
	Padding int  // blanks behind the name
}

// IsInColumn reports whether a value takes part in columns as tofu fmt aligns them:
// those of one line, and heredocs, of which the first line does.
func IsInColumn(value []byte) bool {
	return bytes.IndexByte(value, '\n') < 0 || bytes.HasPrefix(value, []byte("<<"))
}

// Align sets the padding of n names that follow each other without a blank line.
func Align(n int, at func(int) *Column) {
	for i := 0; i < n; {
		if !at(i).Single {
			i++
			continue
		}
		j, width := i, 0
		for ; j < n && at(j).Single; j++ {
			width = max(width, utf8.RuneCountInString(at(j).Name))
		}
		for ; i < j; i++ {
			at(i).Padding = width - utf8.RuneCountInString(at(i).Name)
		}
	}
}
