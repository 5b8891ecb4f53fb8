package term

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

const (
	// maxSize is how many bytes are written at most. GitHub takes 65,536 characters.
	maxSize = 60_000
	// maxLine is how many characters a line or a heading has at most.
	maxLine = 300
	// smallSection is the maximum number of lines in a section that isn't folded.
	smallSection = 12
	// reserve is the room for closing the last section and for the line about the omitted ones.
	reserve = 500
)

// A Comment is Markdown of the overrides' changes in modules, which are added one by one. It keeps only
// their text.
type Comment struct {
	text                      strings.Builder
	first                     int // the position in the first section for " open"
	shown, unchanged, leftOut int // modules
	start                     int // behind the heading
	isBetween                 bool
	counts                    changes.Counts // of all modules

	// Skipped are the directories that the search for modules skipped.
	Skipped report.SkipCounts
}

// NewComment returns a document without modules, which are compared with another side, as "since
// main"; if that is empty, with their primary files alone.
func NewComment(comparison string) *Comment {
	relation, against, isBetween := strings.Cut(comparison, " ")
	d := &Comment{isBetween: isBetween}
	heading := "What the override files change"
	if isBetween {
		heading = "Changes " + relation + " <code>" + html.EscapeString(cut(diag.Escape(against))) + "</code>"
	}
	d.text.WriteString("### " + heading + "\n\n")
	d.start = d.text.Len()
	return d
}

// Add adds the section of a module.
func (d *Comment) Add(m report.ModuleChanges) {
	d.counts.AddBlocks(m.Blocks...)
	switch {
	case len(m.Blocks) == 0:
		d.unchanged++
	case d.text.Len() > maxSize-2*reserve:
		d.leftOut++
	default:
		d.shown++
		d.module(m)
	}
}

// Write ends the document and writes it. The section of a single module is not folded, and neither is a
// small one.
func (d *Comment) Write(w io.Writer) error {
	changed := d.shown + d.leftOut
	switch {
	case changed == 0:
		d.text.WriteString("Nothing.\n")
	case d.unchanged > 0:
		fmt.Fprintf(&d.text, "Nothing in %s.\n", wording.Count(d.unchanged, "other module"))
	}
	if d.leftOut > 0 {
		fmt.Fprintf(&d.text, "\nToo long for a comment: %s not shown.\n", wording.Count(d.leftOut, "more module"))
	}
	if skipped := d.Skipped.String(); skipped != "" {
		d.text.WriteString("\n" + skipped + ".\n")
	}
	text := d.text.String()
	switch {
	case changed == 1 && d.first > 0:
		text = text[:d.first] + " open" + text[d.first:]
	case changed > 1:
		total := fmt.Sprintf("%s in %s:\n\n", report.Kinds(d.counts, d.isBetween), wording.Count(changed, "module"))
		text = text[:d.start] + total + text[d.start:]
	}
	return safetext.WriteText(w, text)
}

// module writes the section of a module, as far as there is room.
func (d *Comment) module(m report.ModuleChanges) {
	title := ""
	if m.Title != "" {
		title = "<code>" + html.EscapeString(cut(diag.Escape(m.Title))) + "</code>: "
	}
	lines, left := d.lines(m)
	d.text.WriteString("<details")
	switch {
	case len(lines) <= smallSection:
		d.text.WriteString(" open")
	case d.shown == 1:
		d.first = d.text.Len()
	}
	fmt.Fprintf(&d.text, "><summary>%s%s</summary>\n\n", title, html.EscapeString(cut(m.Count())))
	fence := fenceFor(lines)
	d.text.WriteString(fence + "diff\n")
	for _, l := range lines {
		d.text.WriteString(l + "\n")
	}
	d.text.WriteString(fence + "\n\n")
	if left > 0 {
		fmt.Fprintf(&d.text, "Too long for a comment: %s not shown.\n\n", wording.Count(left, "more change"))
	}
	d.text.WriteString("</details>\n\n")
}

// lines returns the lines of a module that fit, and the number of the others.
func (d *Comment) lines(m report.ModuleChanges) (list []string, left int) {
	size := d.text.Len()
	isFull := false
	add := func(line string) {
		line = cut(line)
		size += len(line) + 1
		if isFull = isFull || size > maxSize-reserve; !isFull {
			list = append(list, line)
		}
	}
	for _, b := range m.Blocks {
		add("# " + b.Address.String() + report.BlockNote(b))
		shown := 0
		for l := range m.GroupedLines(b) {
			for _, line := range linesOf(l) {
				add(line)
			}
			if isFull {
				break
			}
			if !l.IsGroup {
				shown++
			}
		}
		left += len(b.Shown()) - shown
	}
	return list, left
}

// signs are those that GitHub colours in a diff.
var signs = map[changes.Kind]string{changes.Changed: "!", changes.Added: "+", changes.Dropped: "-"}

// linesOf returns the line of a change and the lines of its value. Those inside of others are set in behind the sign.
func linesOf(l report.ChangeLine) []string {
	indent := " " + strings.Repeat("  ", l.Depth)
	line := signs[l.Kind] + indent
	for i, part := range []string{l.Name, l.Value, l.By} {
		if part != "" && i > 0 && l.Name != "" {
			line += "  "
		}
		line += part
	}
	lines := []string{line}
	for _, below := range l.Below {
		sign := signs[below.Kind]
		if below.Kind == changes.Changed {
			sign = " "
		}
		lines = append(lines, sign+indent+"  "+below.Text)
	}
	return lines
}

// cut shortens a line that is too long.
func cut(line string) string { return wording.Shorten(safetext.OneLine(line), maxLine) }

// fenceFor is a fence that is longer than any run of backticks in lines.
func fenceFor(lines []string) string {
	most := 2
	for _, l := range lines {
		run := 0
		for _, c := range []byte(l) {
			if run++; c != '`' {
				run = 0
			}
			most = max(most, run)
		}
	}
	return strings.Repeat("`", most+1)
}
