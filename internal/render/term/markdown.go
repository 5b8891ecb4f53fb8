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
	// maxSize is the maximum size of a comment in bytes. GitHub accepts 65,536 characters.
	maxSize = 60_000
	// maxLine is the maximum number of characters in a line or heading.
	maxLine = 300
	// smallSection is the maximum number of lines in a section that isn't folded.
	smallSection = 12
	// reserve is the space, in bytes, for closing the last section and for the line about omitted ones.
	reserve = 500
)

// A Comment is a comment for a pull request, in Markdown: the overrides' changes in modules, which are added
// one by one. It keeps only their text.
type Comment struct {
	text                      strings.Builder
	openAt                    int            // where Write may open the first folded section; 0 if none is folded
	shown, unchanged, leftOut int            // numbers of modules
	headingEnd                int            // where the total goes
	isBetween                 bool           // the changes are between two states of modules, not by overrides
	counts                    changes.Counts // of all modules

	// Skipped are the directories that the search for modules skipped.
	Skipped report.SkipCounts
}

// NewComment returns a comment without modules. comparison tells what they are compared with, such as "since
// main"; "" if the changes are those by overrides.
func NewComment(comparison string) *Comment {
	relation, against, isBetween := strings.Cut(comparison, " ") // "since" and "main"
	d := &Comment{isBetween: isBetween}
	heading := "What the override files change"
	if isBetween {
		heading = "Changes " + relation + " <code>" + html.EscapeString(cut(diag.Escape(against))) + "</code>"
	}
	d.text.WriteString("### " + heading + "\n\n")
	d.headingEnd = d.text.Len()
	return d
}

// Add adds the section of a module. If the comment is full, it only counts the module.
func (d *Comment) Add(m report.ModuleChanges) {
	d.counts.AddBlocks(m.Blocks...)
	switch {
	case len(m.Blocks) == 0:
		d.unchanged++
	case d.text.Len() > maxSize-2*reserve: // no room for another section
		d.leftOut++
	default:
		d.shown++
		d.writeModule(m)
	}
}

// Write completes the comment and writes it. A section that is the only one, or small, is open; others are
// folded.
func (d *Comment) Write(w io.Writer) error {
	// Below the sections: the modules without one.
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
	text := d.text.String() // what follows depends on the number of modules, known only now
	switch {
	case changed == 1 && d.openAt > 0: // open the only section
		text = text[:d.openAt] + " open" + text[d.openAt:]
	case changed > 1: // insert the total below the heading
		total := fmt.Sprintf("%s in %s:\n\n", report.Kinds(d.counts, d.isBetween), wording.Count(changed, "module"))
		text = text[:d.headingEnd] + total + text[d.headingEnd:]
	}
	return safetext.WriteText(w, text)
}

// writeModule writes the section of a module: a foldable part with the summary as its title, the changes that fit as
// a diff, and the number of those that don't.
func (d *Comment) writeModule(m report.ModuleChanges) {
	title := ""
	if m.Title != "" {
		title = "<code>" + html.EscapeString(cut(diag.Escape(m.Title))) + "</code>: "
	}
	// The opening tag, with the summary.
	lines, left := d.linesThatFit(m)
	d.text.WriteString("<details")
	switch {
	case len(lines) <= smallSection:
		d.text.WriteString(" open")
	case d.shown == 1: // Write opens it if it stays the only one
		d.openAt = d.text.Len()
	}
	fmt.Fprintf(&d.text, "><summary>%s%s</summary>\n\n", title, html.EscapeString(cut(m.Count())))
	// The changes.
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

// linesThatFit returns the lines about a module's changes that fit into the comment, and the number of changes of
// which not all lines do.
func (d *Comment) linesThatFit(m report.ModuleChanges) (list []string, left int) {
	size := d.text.Len() // of the comment with the list
	isFull := false
	add := func(line string) {
		line = cut(line)
		size += len(line) + 1 // and its line end
		isFull = isFull || size > maxSize-reserve
		if !isFull {
			list = append(list, line)
		}
	}
	for _, b := range m.Blocks {
		add("# " + b.Address.String() + report.BlockNote(b))
		shown := 0 // how many of the block's changes fit with all their lines
		for l := range m.GroupedLines(b) {
			for _, line := range linesOf(l) {
				add(line)
			}
			if isFull {
				break
			}
			if !l.IsGroup { // the line of a group is no change
				shown++
			}
		}
		left += len(b.Shown()) - shown
	}
	return list, left
}

// signs start the lines of a diff that GitHub colours.
var signs = map[changes.Kind]string{changes.Changed: "!", changes.Added: "+", changes.Dropped: "-"}

// linesOf returns the line of a change and the lines of its value, as a diff: first the sign, then the
// indentation by depth.
func linesOf(l report.ChangeLine) []string {
	indent := " " + strings.Repeat("  ", l.Depth)
	start := signs[l.Kind] + indent
	line := start
	for _, part := range []string{l.Name, l.Value, l.By} { // a value as a whole has no name
		if part != "" && line != start {
			line += "  "
		}
		line += part
	}
	lines := []string{line}
	for _, below := range l.Below {
		sign := signs[below.Kind]
		if below.Kind == changes.Changed { // words about lines that are not shown
			sign = " "
		}
		lines = append(lines, sign+indent+"  "+below.Text)
	}
	return lines
}

// cut makes a text one line, and shortens it to maxLine characters.
func cut(line string) string { return wording.Shorten(safetext.OneLine(line), maxLine) }

// fenceFor returns a fence of backticks that is longer than any run of backticks in lines, so that none of
// them ends the code block.
func fenceFor(lines []string) string {
	longest := 2 // a fence has at least three
	for _, l := range lines {
		run := 0 // the length of the run that ends at c
		for _, c := range []byte(l) {
			if c == '`' {
				run++
			} else {
				run = 0
			}
			longest = max(longest, run)
		}
	}
	return strings.Repeat("`", longest+1)
}
