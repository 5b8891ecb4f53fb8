package patch

import (
	"bytes"

	"github.com/aymanbagabas/go-udiff"
)

// IgnoreBlanks takes out of a diff the lines that differ only in blanks, as "diff -w" does.
// Such lines are printed as they are in the old text, so that the diff still is a patch for
// it; what the patch makes of it then lacks these changes.
func (d *File) IgnoreBlanks() {
	var runs []run
	old := linesOf(d.Old)
	for _, r := range d.Runs {
		runs = append(runs, withoutBlanks(r, old[r.From:r.To])...)
	}
	d.Runs = runs
}

// withoutBlanks returns the parts of a run that differ in more than blanks. old are the lines
// that it exchanges.
func withoutBlanks(r run, old [][]byte) []run {
	var runs []run
	before := unblanked(old)
	from, line, at := r.From, 0, 0 // from and line are the next lines of the old and the new text
	for _, e := range udiff.Lines(before, unblanked(r.Lines)) {
		same := bytes.Count([]byte(before[at:e.Start]), newline)
		from, line, at = from+same, line+same, e.End
		gone, come := bytes.Count([]byte(before[e.Start:e.End]), newline), bytes.Count([]byte(e.New), newline)
		runs = append(runs, run{from, from + gone, r.Lines[line : line+come]})
		from, line = from+gone, line+come
	}
	return runs
}

// unblanked returns lines without their blanks, each with a line end.
func unblanked(lines [][]byte) string {
	var out bytes.Buffer
	for _, line := range lines {
		for _, c := range line {
			if c != ' ' && (c < '\t' || c > '\r') {
				out.WriteByte(c)
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}
