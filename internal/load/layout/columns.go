package layout

import (
	"bytes"
	"unicode/utf8"
)

// A Column is an argument whose equals sign is aligned with those of its neighbours.
type Column struct {
	Name    string
	Single  bool // IsInColumn is true for its value
	Padding int  // blanks after the name
}

// IsInColumn reports whether the formatter aligns an argument with this value: a value of one
// line, or a heredoc, because of its first line.
func IsInColumn(value []byte) bool {
	return bytes.IndexByte(value, '\n') < 0 || bytes.HasPrefix(value, []byte("<<"))
}

// Align sets the padding of n arguments that follow each other without a blank line.
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

// A row is a line that may have an equals sign and a comment in columns. All offsets but start are
// relative to the start of the line; 0 means there is none.
type row struct {
	start        int // of the line in the text
	name, equals int // end of the name, and the equals sign
	end, comment int // end of the content, and the comment after it
}

// inColumns aligns the equals signs and the comments of consecutive rows: each stands one blank
// after the longest text in front of it. It returns text itself if they are aligned.
func inColumns(text []byte, rows []row) []byte {
	isMoved := false
	moved := make([]int, len(rows)) // how far each equals sign moves
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
	also := make([]int, len(rows)) // how far each comment moves in addition to that
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

// chains calls do for each run of consecutive rows, from i up to j, for which isIn is true.
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
