package term

import (
	"fmt"
	"io"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/excerpt"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// Diagnostics writes diagnostics, each with its place, the source line with the
// place marked below it, and the second place where there is one. Of very many
// alike it writes some, and how many more there are.
func Diagnostics(w io.Writer, diags hcl.Diagnostics, m *load.Module, colors palette.Palette) {
	explained := false
	for i, d := range excerpt.Bounded(diags) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		diagnostic(w, d, m, colors)
		if !explained && isWithheld(d, m) {
			explained = true
			fmt.Fprintf(w, "  %s\n", linesAreHidden)
		}
	}
}

// linesAreHidden says what to do about source lines that are not there.
const linesAreHidden = "Source lines of files that can't be parsed are hidden, since there may be secrets on them; --show-source shows them."

// isWithheld reports whether a source line of a diagnostic is hidden.
func isWithheld(d *hcl.Diagnostic, m *load.Module) bool {
	isHidden := func(r hcl.Range) bool {
		f := m.File(r.Filename)
		return f != nil && !f.Outside && r.Start.Line > 0 && m.Secrets().Withholds(f)
	}
	related, hasRelated := diag.RelatedOf(d)
	return d.Subject != nil && isHidden(*d.Subject) || hasRelated && isHidden(related.Range)
}

func diagnostic(w io.Writer, d *hcl.Diagnostic, m *load.Module, colors palette.Palette) {
	head := colors.Error("Error: ")
	if d.Severity == hcl.DiagWarning {
		head = colors.Warning("Warning: ")
	}
	summary := strings.ReplaceAll(safetext.Printable(excerpt.Cut(d.Summary)), "\n", `\n`)
	fmt.Fprintf(w, "%s%s\n", head, colors.Place(summary))
	if d.Subject != nil {
		writeSource(w, *d.Subject, "", m, colors)
	}
	if r, ok := diag.RelatedOf(d); ok {
		writeSource(w, r.Range, r.Note, m, colors)
	}
	if d.Detail != "" {
		fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(safetext.Printable(excerpt.Cut(d.Detail)), "\n", "\n  "))
	}
}

// writeSource writes a place: FILE:LINE:COLUMN, the line, and a mark below it.
func writeSource(w io.Writer, r hcl.Range, note string, m *load.Module, colors palette.Palette) {
	if note != "" {
		note = ": " + note
	}
	place := diag.Escape(m.Prefix + r.Filename)
	if r.Start.Line > 0 {
		place += fmt.Sprintf(":%d:%d", r.Start.Line, r.Start.Column)
	}
	fmt.Fprintf(w, "  %s%s\n", colors.Place(place), note)
	line, at, length, ok := excerpt.Line(r, m)
	if !ok {
		return
	}
	number := fmt.Sprintf("%4d", r.Start.Line)
	text, mark := excerpt.Marked(line, at, length)
	fmt.Fprintf(w, "  %s %s\n", colors.Dim(number+" |"), text)
	fmt.Fprintf(w, "  %s %s\n", colors.Dim("     |"), colors.Error(mark))
}
