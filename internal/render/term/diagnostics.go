package term

import (
	"fmt"
	"io"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Diagnostics writes diagnostics about module m, each with its location, the source line with a mark below the range,
// and a second location if it has one. Of similar diagnostics it writes only some, and then the locations or the
// number of the others. The first one whose source line is withheld gets a note on how to show it.
func Diagnostics(w io.Writer, diags hcl.Diagnostics, m *load.Module, to screen.Screen) {
	isExplained := false // whether the note on withheld source lines is written
	for i, d := range report.Grouped(diags) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		writeDiagnostic(w, d.Diagnostic, m, to)
		if len(d.Also) > 0 {
			writeDetail(w, otherPlaces(d, m), to)
		}
		if !isExplained && isWithheld(d.Diagnostic, m) {
			isExplained = true
			writeDetail(w, linesAreHidden, to)
		}
	}
}

// linesAreHidden explains how to show hidden source lines.
const linesAreHidden = "Source lines of files that can't be parsed may hold secrets and are hidden. To show them, use --show-source."

// isWithheld reports whether a source line of a diagnostic is hidden because secrets in its file can't be
// located, so that --show-source would show it.
func isWithheld(d *hcl.Diagnostic, m *load.Module) bool {
	isHidden := func(r hcl.Range) bool {
		f := m.File(r.Filename)
		// No flag shows a file outside of the repository.
		return f != nil && !f.Outside && r.Start.Line > 0 && m.Secrets().Withholds(f)
	}
	if d.Subject != nil && isHidden(*d.Subject) {
		return true
	}
	related, hasRelated := diag.RelatedOf(d)
	return hasRelated && isHidden(related.Range)
}

// writeDiagnostic writes one diagnostic: the severity with the summary, the source line, the line of the
// related range, and the detail.
func writeDiagnostic(w io.Writer, d *hcl.Diagnostic, m *load.Module, to screen.Screen) {
	head, colored := WarningHead, to.Warning
	if diag.IsError(d) {
		head, colored = ErrorHead, to.Error
	}
	// The summary on one line, and then what belongs to it.
	summary := strings.ReplaceAll(safetext.Printable(report.CutText(d.Summary)), "\n", `\n`)
	summary = screen.WrapAfter(len(head), " "+summary, to.Width, screen.Hang)
	fmt.Fprintf(w, "%s%s\n", colored(head), eachLine(summary, to.Place))
	if d.Subject != nil {
		writeSource(w, placeOf(*d.Subject, m), *d.Subject, "", colored, m, to)
	}
	if r, ok := diag.RelatedOf(d); ok {
		writeSource(w, placeOf(r.Range, m), r.Range, r.Note, colored, m, to)
	}
	if d.Detail != "" {
		writeDetail(w, safetext.Printable(report.CutText(d.Detail)), to)
	}
}

// eachLine colours a text line by line, since pagers start each line without colours.
func eachLine(text string, colored func(string) string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = colored(line)
	}
	return strings.Join(lines, "\n")
}

// Message writes a message that isn't about a location in a file. head is its first word, such as ErrorHead;
// it may be empty.
func Message(w io.Writer, head, text string, to screen.Screen) {
	colored := to.Warning
	if head == ErrorHead {
		colored = to.Error
	}
	text = safetext.Printable(text)
	if head != "" {
		fmt.Fprint(w, colored(head))
		text = " " + text
	}
	// Only the first line starts behind the head.
	first, more, isMore := strings.Cut(text, "\n")
	fmt.Fprint(w, screen.WrapAfter(len(head), first, to.Width, screen.Hang))
	if isMore {
		fmt.Fprint(w, "\n"+screen.Wrap(more, to.Width, screen.Hang))
	}
	fmt.Fprintln(w)
}

// Aside writes a message that people may skip, dim on a terminal.
func Aside(w io.Writer, text string, to screen.Screen) {
	fmt.Fprintln(w, eachLine(screen.Wrap(safetext.Printable(text), to.Width, screen.Hang), to.Dim))
}

// The words that messages start with.
const (
	ErrorHead   = "Error:"
	WarningHead = "Warning:"
)

// writeDetail writes the indented text below the headline of a diagnostic. Wrap indents the further lines of a
// wrapped line as that line.
func writeDetail(w io.Writer, text string, to screen.Screen) {
	indented := screen.Hang + strings.ReplaceAll(text, "\n", "\n"+screen.Hang)
	fmt.Fprintln(w, screen.Wrap(indented, to.Width, ""))
}

// otherPlaces words where the other diagnostics of a group are: "Also at a.tf:3:1 and a.tf:9:1."
func otherPlaces(g *report.Group, m *load.Module) string {
	places := make([]string, len(g.Also))
	for i, d := range g.Also {
		places[i] = placeOf(*d.Subject, m)
		// A detail may start with a name: "NAME: …".
		if name, _, isCut := strings.Cut(d.Detail, ": "); isCut && !strings.Contains(name, " ") {
			places[i] += " (" + safetext.Printable(name) + ")"
		}
	}
	if g.More > 0 {
		places = append(places, wording.Count(g.More, "more location"))
	}
	return "Also at " + diag.Joined(places, "and") + "."
}

// placeOf returns FILE:LINE:COLUMN of a range in module m; FILE alone for a whole file.
func placeOf(r hcl.Range, m *load.Module) string {
	return report.FullPlace(m.Shown(r.Filename), report.PosRecord(r.Start))
}

// writeSource writes a location, place, with a note if there is one, and below it the source line of r with a
// coloured mark under the range.
func writeSource(w io.Writer, place string, r hcl.Range, note string, colored func(string) string, m *load.Module, to screen.Screen) {
	if note != "" {
		note = screen.WrapAfter(len(screen.Hang)+screen.Columns(place), ": "+note, to.Width, screen.Hang+screen.Hang)
	}
	fmt.Fprintf(w, "%s%s%s\n", screen.Hang, to.Place(place), note)
	if line := report.SourceLine(r, m); line != nil {
		line.Write(w, screen.Hang, fmt.Sprintf("%4d", r.Start.Line), colored, to)
	}
}

// Flow breaks the paragraphs of a text at the width of the screen. A blank line or the next list item ends a
// paragraph. Indented lines outside of list items stay unchanged.
func Flow(text string, s screen.Screen) string {
	var out strings.Builder
	paragraph := "" // its lines so far, joined
	endParagraph := func() {
		if paragraph != "" {
			hang := ""
			if strings.HasPrefix(paragraph, "- ") { // indent the item's further lines as its text
				hang = "  "
			}
			out.WriteString(screen.Wrap(paragraph, s.Width, hang) + "\n")
		}
		paragraph = ""
	}
	isInItem := false // the paragraph is a list item, which indented lines continue
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		isIndented, startsItem := strings.HasPrefix(line, " "), strings.HasPrefix(line, "- ")
		switch {
		case line == "":
			endParagraph()
			out.WriteString("\n")
			isInItem = false
		case isIndented && !isInItem: // such as code, which stays as it is
			endParagraph()
			out.WriteString(line + "\n")
		case startsItem:
			endParagraph()
			paragraph, isInItem = line, true
		default: // the paragraph goes on, or a new one begins
			paragraph = strings.TrimSpace(paragraph + " " + strings.TrimSpace(line))
		}
	}
	endParagraph()
	return out.String()
}

var (
	markdownLink = lazyregexp.New(`\[([^\]]*)\]\([^)]*\)`)
	markdownBold = lazyregexp.New(`\*\*([^*]+)\*\*`)
)

// Markdown formats a page of the docs for a screen: headings and bold text in the palette's way, links as
// their texts, and code blocks indented by four blanks, so that Flow leaves them alone.
func Markdown(page string, s screen.Screen) string {
	var out strings.Builder
	isCode := false
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"): // the fence itself isn't written
			isCode = !isCode
		case isCode && strings.TrimSpace(line) != "":
			out.WriteString("    " + line)
		case isCode:
			out.WriteString(line)
		case strings.HasPrefix(line, "#"):
			out.WriteString(s.Place(strings.TrimSpace(strings.TrimLeft(line, "#"))) + "\n")
		default:
			line = markdownLink().ReplaceAllString(line, "$1")
			out.WriteString(markdownBold().ReplaceAllStringFunc(line, func(bold string) string {
				return s.Place(strings.Trim(bold, "*"))
			}))
		}
	}
	return Flow(out.String(), s)
}

// Rules returns the table of check's rules for people. isOn reports whether a rule is on.
func Rules(rules []*check.Rule, isOn func(*check.Rule) bool, s screen.Screen) string {
	width := 0
	for _, r := range rules {
		width = max(width, len(r.ID))
	}
	var out strings.Builder
	for _, r := range rules {
		state := "on "
		if !isOn(r) {
			state = "off"
		}
		title, column := r.Title, width+16 // 16 for the severity, the state and three gaps
		if s.IsTerminal {
			title = screen.WrapAfter(column, title, s.Width, strings.Repeat(" ", column))
		}
		fmt.Fprintf(&out, "%s  %-7s  %s  %s\n", s.Place(screen.Pad(r.ID, width)), r.Severity, state, title)
	}
	return out.String()
}
