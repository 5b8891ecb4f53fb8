package markdown

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

const (
	// maxSize is how many bytes are written at most. GitHub takes 65,536 characters.
	maxSize = 60_000
	// maxLine is how many characters a line or a heading has at most.
	maxLine = 300
	// reserve is what closing the last section and counting what is left out takes.
	reserve = 500
)

// Changes writes what overrides change in modules.
func Changes(w io.Writer, modules []wording.ModuleChanges) error {
	d := &document{}
	d.text.WriteString("### What the override files change\n\n")
	left, unchanged := 0, 0
	for _, m := range modules {
		if len(m.Blocks) == 0 {
			unchanged++
		}
	}
	d.isOnly = len(modules)-unchanged == 1
	for _, m := range modules {
		switch {
		case len(m.Blocks) == 0:
		case d.text.Len() > maxSize-2*reserve:
			left++
		default:
			d.module(m)
		}
	}
	switch {
	case unchanged == len(modules):
		d.text.WriteString("Nothing.\n")
	case unchanged > 0:
		fmt.Fprintf(&d.text, "Nothing in %s.\n", wording.Count(unchanged, "other module"))
	}
	if left > 0 {
		fmt.Fprintf(&d.text, "\nToo long for a comment: %s not shown.\n", wording.Count(left, "more module"))
	}
	return safetext.WriteText(w, d.text.String())
}

type document struct {
	text   strings.Builder
	isOnly bool // one module has changes, so that its section need not be folded
}

// module writes the section of a module, as far as there is room.
func (d *document) module(m wording.ModuleChanges) {
	title := ""
	if m.Title != "" {
		title = "<code>" + html.EscapeString(cut(diag.Escape(m.Title))) + "</code>: "
	}
	open := ""
	if d.isOnly {
		open = " open"
	}
	fmt.Fprintf(&d.text, "<details%s><summary>%s%s</summary>\n\n", open, title, wording.ChangeCount(m.Blocks))
	lines, left := d.lines(m)
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

// lines are those of a module that fit, and how many do not.
func (d *document) lines(m wording.ModuleChanges) (list []string, left int) {
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
		head := "# " + diag.Escape(b.Address.String())
		if b.IsNew {
			head += " (new)"
		}
		add(head)
		shown := 0
		for l := range wording.ChangeLines(m.Redact, b) {
			if add(fmt.Sprintf("%s %s  %s  %s", signs[l.Kind], l.Name, l.Value, l.By)); isFull {
				break
			}
			shown++
		}
		left += len(b.Changes) - shown
	}
	return list, left
}

// signs are those that GitHub colours in a diff.
var signs = map[changes.Kind]string{changes.Changed: "!", changes.Added: "+", changes.Dropped: "-"}

// cut is a line without what makes it too long.
func cut(line string) string {
	line = safetext.OneLine(line)
	if utf8.RuneCountInString(line) <= maxLine {
		return line
	}
	return string([]rune(line)[:maxLine-1]) + "…"
}

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
