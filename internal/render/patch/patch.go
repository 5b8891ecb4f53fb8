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
	Old    []byte
	// Title, if set, is used for the names in headers instead of a file's.
	Title [2]string
	Runs  []run

	edits []textedit.Edit
}

// New returns the text of the file after the merge. It is made each time, since a file takes far
// less memory than all files of a module.
func (d *File) New() []byte { return textedit.Apply(d.Old, 0, len(d.Old), d.edits) }

// Removed returns the change of a file that is removed. Even an empty one changes.
func Removed(name string, text []byte) *File {
	d := Diff(name, text, []textedit.Edit{textedit.Replace(0, len(text), "")})
	d.IsGone = true
	return d
}

// A run is a stretch of lines that is exchanged for others. Lines count from 0.
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
	line, at := 0, 0
	for len(edits) > 0 {
		n, from, to := region(src, edits)
		line += bytes.Count(src[at:from], newline)
		at = from
		d.compare(line, src[from:to], textedit.Apply(src, from, to, edits[:n]))
		edits = edits[n:]
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

// region returns the whole lines that the first edits are in, and how many edits those are.
func region(src []byte, edits []textedit.Edit) (n, from, to int) {
	from = textedit.LineStart(src, edits[0].Start)
	for n < len(edits) && (n == 0 || edits[n].Start <= to) {
		if edits[n].End >= to { // to is the end of a line, which may be very long
			to = textedit.AfterLine(src, edits[n].End)
		}
		n++
	}
	return n, from, to
}

// compare records the lines that differ between two stretches; the old one starts at line.
func (d *File) compare(line int, old, changed []byte) {
	at := 0
	for _, e := range udiff.Lines(string(old), string(changed)) {
		line += bytes.Count(old[at:e.Start], newline)
		at = e.Start
		d.Runs = append(d.Runs, run{line, line + len(linesOf(old[e.Start:e.End])), linesOf([]byte(e.New))})
	}
}

// linesOf cuts text into lines with their line ends.
func linesOf(text []byte) [][]byte {
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
	from, to int // lines of the old text
	shift    int // how many lines later the hunk starts in the new text
}

// hunks groups the runs, with context lines around each.
func (d *File) hunks(context, total int) (list []hunk) {
	shift := 0
	context = min(context, total)
	for _, r := range d.Runs {
		if n := len(list); n > 0 && r.From-list[n-1].to <= context {
			list[n-1].runs = append(list[n-1].runs, r)
			list[n-1].to = min(r.To+context, total)
		} else {
			list = append(list, hunk{[]run{r}, max(0, r.From-context), min(r.To+context, total), shift})
		}
		shift += len(r.Lines) - (r.To - r.From)
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
	was, changed := "a/"+d.Name, "b/"+d.Name
	if d.Title[0] != "" {
		was, changed = d.Title[0], d.Title[1]
	}
	was, changed = headerName(was), headerName(changed)
	if d.IsNew {
		was = "/dev/null"
	}
	if d.IsGone {
		changed = "/dev/null"
	}
	fmt.Fprintln(out, pw.Palette.Place("--- "+was))
	fmt.Fprintln(out, pw.Palette.Place("+++ "+changed))
	total := bytes.Count(d.Old, newline)
	if len(d.Old) > 0 && !bytes.HasSuffix(d.Old, newline) {
		total++
	}
	old := cursor{rest: d.Old}
	for _, h := range d.hunks(pw.Context, total) {
		old.moveTo(h.from)
		pw.writeHunk(out, h, &old)
	}
}

// A cursor is at the start of a line of a text, most of which is passed by.
type cursor struct {
	rest []byte
	line int
}

// moveTo moves the cursor to a line further down, and returns the text before it.
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
		return patchName(name) + "\t"
	}
	return patchName(name)
}

// patchName returns a name as patch and git read it: one with characters that end a line or a quotation is
// in quotes.
func patchName(name string) string {
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

// writeHunk writes a hunk. old must be at its first line, and moves behind its last.
func (pw Writer) writeHunk(out *bytes.Buffer, h hunk, old *cursor) {
	count := h.to - h.from
	for _, r := range h.runs {
		count += len(r.Lines) - (r.To - r.From)
	}
	fmt.Fprintln(
		out, pw.Palette.Hunk(fmt.Sprintf("@@ -%s +%s @@", stretch(h.from, h.to-h.from), stretch(h.from+h.shift, count))),
	)
	for _, r := range h.runs {
		pw.writeLines(out, ' ', linesOf(old.moveTo(r.From)))
		pw.writeLines(out, '-', linesOf(old.moveTo(r.To)))
		pw.writeLines(out, '+', r.Lines)
	}
	pw.writeLines(out, ' ', linesOf(old.moveTo(h.to)))
}

// stretch words a range of lines for the header of a hunk. from starts at 0. An empty range names the line
// before.
func stretch(from, count int) string {
	switch count {
	case 0:
		return strconv.Itoa(from) + ",0"
	case 1:
		return strconv.Itoa(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, count)
}

// writeLines writes lines of a hunk behind a sign. As in every patch, a note follows a last line without an end.
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

// Inserted returns the difference with texts inserted into the new text. Their offsets are in New,
// in ascending order. It costs as much as Diff: the texts become part of the edits around them.
func (d *File) Inserted(texts []textedit.Edit) *File {
	edits := slices.Clone(d.edits)
	slices.SortStableFunc(edits, func(a, b textedit.Edit) int { return a.Start - b.Start })
	var out []textedit.Edit
	old, now := 0, 0 // how far both texts are read
	next := 0
	for _, e := range edits {
		if e.Start > old {
			for ; next < len(texts) && texts[next].Start < now+e.Start-old; next++ {
				at := old + texts[next].Start - now
				out = append(out, textedit.Replace(at, at, texts[next].Text))
			}
			now, old = now+e.Start-old, e.Start
		}
		from := next
		for next < len(texts) && texts[next].Start <= now+len(e.Text) {
			next++
		}
		within := slices.Clone(texts[from:next])
		for i := range within {
			within[i].Start, within[i].End = within[i].Start-now, within[i].Start-now
		}
		now += len(e.Text)
		e.Text = string(textedit.Apply([]byte(e.Text), 0, len(e.Text), within))
		old = max(old, e.End)
		out = append(out, e)
	}
	for _, t := range texts[next:] {
		at := old + t.Start - now
		out = append(out, textedit.Replace(at, at, t.Text))
	}
	made := Diff(d.Name, d.Old, out)
	made.IsNew, made.IsGone, made.Title = d.IsNew, d.IsGone, d.Title
	return made
}
