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

// A row is a line that may have an equals sign and a comment in columns. Its places are
// columns of bytes behind its start, 0 for none.
type row struct {
	start        int // of the line in the text
	name, equals int // where the name ends, and where its equals sign is
	end, comment int // where the content ends, and where the comment behind it is
}

// inColumns moves the equals signs and the comments of rows that follow each other to one
// blank behind the longest of what is before them.
func inColumns(text []byte, rows []row) []byte {
	isMoved := false
	moved := make([]int, len(rows)) // by how much the equals signs are
	chains(rows, func(r *row) bool { return r.equals > 0 }, func(i, j int) {
		at := 0
		for _, r := range rows[i:j] {
			at = max(at, r.name+1)
		}
		for k := i; k < j; k++ {
			moved[k] = at - rows[k].equals
			isMoved = isMoved || moved[k] != 0
		}
	})
	also := make([]int, len(rows)) // by how much the comments are behind their contents
	chains(rows, func(r *row) bool { return r.comment > 0 }, func(i, j int) {
		at := 0
		for k := i; k < j; k++ {
			at = max(at, rows[k].end+moved[k]+1)
		}
		for k := i; k < j; k++ {
			also[k] = at - rows[k].comment - moved[k]
			isMoved = isMoved || also[k] != 0
		}
	})
	if !isMoved {
		return text
	}
	out, done := make([]byte, 0, len(text)+len(text)/8), 0
	shift := func(at, by int) {
		out = append(out, text[done:at+min(by, 0)]...)
		for range by {
			out = append(out, ' ')
		}
		done = at
	}
	for k, r := range rows {
		if moved[k] != 0 {
			shift(r.start+r.equals, moved[k])
		}
		if also[k] != 0 {
			shift(r.start+r.comment, also[k])
		}
	}
	return append(out, text[done:]...)
}

// chains calls do with each stretch of rows that are in the column.
func chains(rows []row, isIn func(*row) bool, do func(i, j int)) {
	for i := 0; i < len(rows); i++ {
		j := i
		for j < len(rows) && isIn(&rows[j]) {
			j++
		}
		if j > i {
			do(i, j)
			i = j
		}
	}
}
