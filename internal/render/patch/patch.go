// Package patch compares files line by line and writes the differences as a patch in the unified
// format.
//
// Its input is a text and edits to it, or two texts; only lines that edits touch are compared, so
// files may be of any size. The package does not know which files are compared, or how a merge
// changes them.
package patch

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A File holds the changes of a merge in one file.
type File struct {
	Name  string // relative to the module directory
	IsNew bool   // the file doesn't exist yet
	// IsGone is set if the merge removes the file.
	IsGone bool
	Old    []byte // its text before the merge
	// Title, if set, holds the names before and after in the headers, instead of a file's.
	Title [2]string
	Runs  []run // what differs, in order

	edits []textedit.Edit
}

// New returns the text of the file after the merge. It applies the edits each time, since keeping the texts of all
// files of a module would take far more memory.
func (d *File) New() []byte { return textedit.Apply(d.Old, 0, len(d.Old), d.edits) }

// Removed returns the change that removes a file. Even an empty file's removal is a change.
func Removed(name string, text []byte) *File {
	d := Diff(name, text, []textedit.Edit{textedit.Replace(0, len(text), "")})
	d.IsGone = true
	return d
}

// A run is the lines From up to To of the old text, which Lines replace. Lines count from 0.
type run struct {
	From, To int
	Lines    [][]byte
}

// Diff compares a file with what edits make of it. Only what edits touch
// is compared, so files may be of any size.
func Diff(name string, src []byte, edits []textedit.Edit) *File {
	d := &File{Name: name, Old: src, edits: edits}
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b textedit.Edit) int { return a.Start - b.Start })
	line, at := 0, 0 // the number of the line that starts at offset at
	growth := 0
	for len(edits) > 0 {
		n, from, to := editedLines(src, edits) // the first n edits touch the lines src[from:to]
		line += bytes.Count(src[at:from], newline)
		at = from
		growth += d.addRuns(line, src[from:to], textedit.Apply(src, from, to, edits[:n]))
		edits = edits[n:]
	}
	// A line removed here and an equal one inserted there may leave the same text.
	if growth == 0 && len(d.Runs) > 1 && bytes.Equal(d.New(), src) {
		d.Runs = nil
	}
	return d
}

var newline = []byte("\n")

// Compare compares two texts that aren't files of a module.
func Compare(titles [2]string, old, changed []byte) *File {
	d := Diff("", old, []textedit.Edit{textedit.Replace(0, len(old), string(changed))})
	d.Title = titles
	return d
}

// editedLines finds the stretch src[from:to] of whole lines that the first edit touches. The first n edits belong to
// it: also those that start in the stretch or where it ends.
func editedLines(src []byte, edits []textedit.Edit) (n, from, to int) {
	from = textedit.LineStart(src, edits[0].Start)
	for n < len(edits) && (n == 0 || edits[n].Start <= to) {
		// An edit inside the stretch needn't search for the end of the line again, which may be very long.
		if edits[n].End >= to {
			to = textedit.AfterLine(src, edits[n].End)
		}
		n++
	}
	return n, from, to
}

// addRuns adds the lines that differ between two texts to Runs: old is the stretch of d.Old that starts at line, and
// changed is what replaces it. It returns how many bytes longer that is.
func (d *File) addRuns(line int, old, changed []byte) (growth int) {
	at := 0
	for _, e := range udiff.Lines(string(old), string(changed)) {
		line += bytes.Count(old[at:e.Start], newline)
		at = e.Start
		d.Runs = append(d.Runs, run{line, line + len(splitLines(old[e.Start:e.End])), splitLines([]byte(e.New))})
	}
	return len(changed) - len(old)
}

// splitLines cuts text into lines with their line ends.
func splitLines(text []byte) [][]byte {
	return slices.DeleteFunc(bytes.SplitAfter(text, newline), func(line []byte) bool { return len(line) == 0 })
}

// Changes reports whether the two texts of the file differ.
func (d *File) Changes() bool { return len(d.Runs) > 0 }

// Counts returns how many lines are inserted and how many are deleted.
func (d *File) Counts() (insertions, deletions int) {
	for _, r := range d.Runs {
		insertions += len(r.Lines)
		deletions += r.To - r.From
	}
	return insertions, deletions
}

// A hunk is runs that are near each other, with the lines around them.
type hunk struct {
	runs     []run
	from, to int // its lines in the old text, including those around the runs
	shift    int // how many lines later the hunk starts in the new text
}

// hunks groups the runs, with up to context unchanged lines around each. Runs whose surroundings would touch share a
// hunk. total is the number of lines of the old text.
func (d *File) hunks(context, total int) (list []hunk) {
	shift := 0                    // how many lines longer the runs so far made the text
	context = min(context, total) // so that a huge one doesn't overflow
	for _, r := range d.Runs {
		// The last hunk's to is behind its context lines, so r's own context reaches it.
		if n := len(list); n > 0 && r.From-list[n-1].to <= context {
			list[n-1].runs = append(list[n-1].runs, r)
			list[n-1].to = min(r.To+context, total)
		} else {
			list = append(list, hunk{[]run{r}, max(0, r.From-context), min(r.To+context, total), shift})
		}
		shift += len(r.Lines) - (r.To - r.From) // inserted minus deleted lines
	}
	return list
}

// Context is the default number of lines around each change in a patch.
const Context = 3

// A Writer writes diffs in the unified format.
type Writer struct {
	Context int // lines around each change
	Palette screen.Palette
}

// Write writes a patch that turns each file into its merged form, by "patch -p1" and by "git
// apply", in the module directory.
func (pw Writer) Write(w io.Writer, diffs []*File) error {
	var out bytes.Buffer
	for _, d := range diffs {
		if d.Changes() {
			pw.writeFile(&out, d)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// writeFile writes the headers of a file and its hunks. The file must have changes.
func (pw Writer) writeFile(out *bytes.Buffer, d *File) {
	before, after := "a/"+d.Name, "b/"+d.Name
	if d.Title[0] != "" { // a comparison of two named sides
		before, after = d.Title[0], d.Title[1]
	}
	before, after = headerName(before), headerName(after)
	if d.IsNew {
		before = "/dev/null"
	}
	if d.IsGone {
		after = "/dev/null"
	}
	fmt.Fprintln(out, pw.Palette.Place("--- "+before))
	fmt.Fprintln(out, pw.Palette.Place("+++ "+after))
	total := bytes.Count(d.Old, newline) // the last line may lack a line end
	if len(d.Old) > 0 && !bytes.HasSuffix(d.Old, newline) {
		total++
	}
	old := cursor{rest: d.Old}
	for _, h := range d.hunks(pw.Context, total) {
		old.moveTo(h.from)
		pw.writeHunk(out, h, &old)
	}
}

// A cursor reads a text line by line, front to back.
type cursor struct {
	rest []byte // the text from the line on
	line int
}

// moveTo moves the cursor down to a line, and returns the text from where it was up to that line.
func (c *cursor) moveTo(line int) []byte {
	end := 0
	for ; c.line < line; c.line++ {
		end = textedit.AfterLine(c.rest, end)
	}
	text := c.rest[:end]
	c.rest = c.rest[end:]
	return text
}

// headerName returns a name as written in the header of a file. A name with blanks ends with a tab, as git
// writes it, because patch would take the text after the first blank for a date.
func headerName(name string) string {
	if strings.Contains(name, " ") {
		return quotedName(name) + "\t"
	}
	return quotedName(name)
}

// quotedName returns a name as patch and git read it: one with characters that end a line or a quotation is
// in quotes.
func quotedName(name string) string {
	var out strings.Builder
	quoted := false
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
			quoted = true
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&out, `\%03o`, c)
			quoted = true
		default:
			out.WriteByte(c)
		}
	}
	if quoted {
		return `"` + out.String() + `"`
	}
	return name
}

// writeHunk writes a hunk. The cursor old is in the old text: it must be at the hunk's first line, and moves behind
// its last.
func (pw Writer) writeHunk(out *bytes.Buffer, h hunk, old *cursor) {
	count := h.to - h.from // lines of the hunk, first in the old text, after the loop in the new one
	for _, r := range h.runs {
		count += len(r.Lines) - (r.To - r.From)
	}
	fmt.Fprintln(
		out, pw.Palette.Hunk(fmt.Sprintf("@@ -%s +%s @@", hunkRange(h.from, h.to-h.from), hunkRange(h.from+h.shift, count))),
	)
	for _, r := range h.runs { // the unchanged lines before the run, the deleted ones, and the inserted ones
		pw.writeLines(out, ' ', splitLines(old.moveTo(r.From)))
		pw.writeLines(out, '-', splitLines(old.moveTo(r.To)))
		pw.writeLines(out, '+', r.Lines)
	}
	pw.writeLines(out, ' ', splitLines(old.moveTo(h.to))) // the unchanged lines behind the last run
}

// hunkRange words a range of lines for the header of a hunk, where lines count from 1: 4,2 for the two lines from
// index 3. An empty range names the line before it.
func hunkRange(from, count int) string {
	switch count {
	case 0:
		return strconv.Itoa(from) + ",0"
	case 1:
		return strconv.Itoa(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, count)
}

// writeLines writes lines of a hunk behind a sign: a blank, - or +. As in every patch, a note follows a last line
// that lacks a line end.
func (pw Writer) writeLines(out *bytes.Buffer, sign byte, lines [][]byte) {
	for _, line := range lines {
		text, whole := bytes.CutSuffix(line, newline)
		signed := string(sign) + string(text)
		switch sign {
		case '-':
			signed = pw.Palette.Deleted(signed)
		case '+':
			signed = pw.Palette.Inserted(signed)
		}
		out.WriteString(signed + "\n")
		if !whole {
			out.WriteString("\\ No newline at end of file\n")
		}
	}
}

// Inserted returns the difference with texts inserted into the new text. Their offsets are in New, in ascending
// order. It makes edits of the old text that also insert them: a text within what an edit inserts, or at either end
// of it, becomes part of that edit, and a text elsewhere becomes an edit of its own. If an edit makes "abc" of "ac",
// a text before c belongs to that edit, one behind c doesn't.
func (d *File) Inserted(texts []textedit.Edit) *File {
	edits := slices.Clone(d.edits)
	slices.SortStableFunc(edits, func(a, b textedit.Edit) int { return a.Start - b.Start })
	var out []textedit.Edit
	old, now := 0, 0 // how far the old text and New are read: where one ends up in the other
	next := 0        // the first of texts that isn't inserted yet
	for _, e := range edits {
		if e.Start > old { // the unchanged text up to the edit
			editStart := now + e.Start - old // in the new text
			for ; next < len(texts) && texts[next].Start < editStart; next++ {
				at := old + texts[next].Start - now
				out = append(out, textedit.Replace(at, at, texts[next].Text))
			}
			now, old = editStart, e.Start // both are at the edit now
		}
		from := next // texts inside what the edit inserts
		for next < len(texts) && texts[next].Start <= now+len(e.Text) {
			next++
		}
		within := slices.Clone(texts[from:next])
		for i := range within { // with offsets in e.Text
			within[i].Start, within[i].End = within[i].Start-now, within[i].Start-now
		}
		now += len(e.Text) // before e.Text grows, since New doesn't have the texts
		e.Text = string(textedit.Apply([]byte(e.Text), 0, len(e.Text), within))
		old = max(old, e.End)
		out = append(out, e)
	}
	for _, t := range texts[next:] { // in the unchanged text behind all edits
		at := old + t.Start - now
		out = append(out, textedit.Replace(at, at, t.Text))
	}
	made := Diff(d.Name, d.Old, out)
	made.IsNew, made.IsGone, made.Title = d.IsNew, d.IsGone, d.Title
	return made
}
