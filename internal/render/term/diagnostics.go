package term

import (
	"fmt"
	"io"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/excerpt"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Diagnostics writes diagnostics, each with its location, the source line with a mark below the
// range, and the second location if there is one. Of equal ones it writes some, and the locations
// of the others; of very many similar ones the number of the rest.
func Diagnostics(w io.Writer, diags hcl.Diagnostics, m *load.Module, to screen.Screen) {
	explained := false
	for i, d := range excerpt.Grouped(diags) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		diagnostic(w, d.Diagnostic, m, to)
		if len(d.Also) > 0 {
			writeDetail(w, otherPlaces(d, m), to)
		}
		if !explained && isWithheld(d.Diagnostic, m) {
			explained = true
			writeDetail(w, linesAreHidden, to)
		}
	}
}

// linesAreHidden explains how to show hidden source lines.
const linesAreHidden = "Source lines of files that can't be parsed may hold secrets and are hidden. To show them, use --show-source."

// isWithheld reports whether a source line of a diagnostic is hidden.
func isWithheld(d *hcl.Diagnostic, m *load.Module) bool {
	isHidden := func(r hcl.Range) bool {
		f := m.File(r.Filename)
		return f != nil && !f.Outside && r.Start.Line > 0 && m.Secrets().Withholds(f)
	}
	related, hasRelated := diag.RelatedOf(d)
	return d.Subject != nil && isHidden(*d.Subject) || hasRelated && isHidden(related.Range)
}

func diagnostic(w io.Writer, d *hcl.Diagnostic, m *load.Module, to screen.Screen) {
	head, colored := WarningHead, to.Warning
	if diag.IsError(d) {
		head, colored = ErrorHead, to.Error
	}
	summary := strings.ReplaceAll(safetext.Printable(excerpt.Cut(d.Summary)), "\n", `\n`)
	summary = screen.WrapAfter(len(head), " "+summary, to.Width, screen.Hang)
	fmt.Fprintf(w, "%s%s\n", colored(head), eachLine(summary, to.Place))
	if d.Subject != nil {
		writeSource(w, placeOf(d, *d.Subject, m), *d.Subject, "", colored, m, to)
	}
	if r, ok := diag.RelatedOf(d); ok {
		writeSource(w, placeOf(d, r.Range, m), r.Range, r.Note, colored, m, to)
	}
	if d.Detail != "" {
		writeDetail(w, safetext.Printable(excerpt.Cut(d.Detail)), to)
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

// Message writes a message without a location in a file, behind its first word, which may be empty.
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
	first, more, isMore := strings.Cut(text, "\n")
	fmt.Fprint(w, screen.WrapAfter(len(head), first, to.Width, screen.Hang))
	if isMore {
		fmt.Fprint(w, "\n"+screen.Wrap(more, to.Width, screen.Hang))
	}
	fmt.Fprintln(w)
}

// Aside writes a message that people need not read, dim on a terminal.
func Aside(w io.Writer, text string, to screen.Screen) {
	fmt.Fprintln(w, eachLine(screen.Wrap(safetext.Printable(text), to.Width, screen.Hang), to.Dim))
}

// The words that messages start with.
const (
	ErrorHead   = "Error:"
	WarningHead = "Warning:"
)

// writeDetail writes the detail below a headline, indented.
func writeDetail(w io.Writer, text string, to screen.Screen) {
	indented := screen.Hang + strings.ReplaceAll(text, "\n", "\n"+screen.Hang)
	fmt.Fprintln(w, screen.Wrap(indented, to.Width, ""))
}

// otherPlaces words where else a diagnostic is true.
func otherPlaces(g *excerpt.Group, m *load.Module) string {
	places := make([]string, len(g.Also))
	for i, d := range g.Also {
		places[i] = placeOf(d, *d.Subject, m)
		if own, _, isNamed := strings.Cut(d.Detail, ": "); isNamed && !strings.Contains(own, " ") {
			places[i] += " (" + safetext.Printable(own) + ")"
		}
	}
	if g.More > 0 {
		places = append(places, wording.Count(g.More, "more location"))
	}
	return "Also at " + diag.Joined(places, "and") + "."
}

// placeOf is FILE:LINE:COLUMN in a diagnostic, or FILE for a file as a whole.
func placeOf(d *hcl.Diagnostic, r hcl.Range, m *load.Module) string {
	place := diag.Escape(m.ShownIn(d, r.Filename))
	if r.Start.Line > 0 {
		place += fmt.Sprintf(":%d:%d", r.Start.Line, r.Start.Column)
	}
	return place
}

// writeSource writes a location: FILE:LINE:COLUMN, the line, and a coloured mark below it.
func writeSource(w io.Writer, place string, r hcl.Range, note string, colored func(string) string, m *load.Module, to screen.Screen) {
	if note != "" {
		note = screen.WrapAfter(len(screen.Hang)+screen.Columns(place), ": "+note, to.Width, screen.Hang+screen.Hang)
	}
	fmt.Fprintf(w, "%s%s%s\n", screen.Hang, to.Place(place), note)
	line, at, length, ok := excerpt.Line(r, m)
	if !ok {
		return
	}
	number := fmt.Sprintf("%4d", r.Start.Line)
	width := 0
	if to.IsTerminal { // which would break the line, away from its mark
		width = to.Width - len(screen.Hang+number+" | ")
	}
	text, mark := excerpt.Marked(line, at, length, width)
	fmt.Fprintf(w, "  %s %s\n", to.Dim(number+" |"), text)
	fmt.Fprintf(w, "  %s %s\n", to.Dim(strings.Repeat(" ", len(number))+" |"), colored(mark))
}
