package report

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// Findings as text for people, and the common parts of other formats.

// writeFindings writes findings for people: on a terminal below the name of each file, with source
// lines, and anywhere else a line for each. Totals end the report.
func writeFindings(w io.Writer, r *Report, o FormatOptions) error {
	to := o.Screen
	var out strings.Builder
	write := writeLine
	if to.IsTerminal {
		write = newFindingsScreen(r, o).write
	}
	for i := range r.Findings {
		write(&out, &r.Findings[i], to)
		if out.Len() > enough {
			if err := safetext.WriteText(w, out.String()); err != nil {
				return err
			}
			out.Reset()
		}
	}
	if text := r.totals(o); text != "" {
		if len(r.Findings) > 0 {
			out.WriteString("\n")
		}
		out.WriteString(text)
	}
	return safetext.WriteText(w, out.String())
}

// writeLine writes PATH:LINE:COLUMN: SEVERITY: MESSAGE [RULE], and an indented line for each
// further range that the finding is about. Whole files have neither line nor column.
func writeLine(out *strings.Builder, f *FindingRecord, to screen.Screen) {
	place := fullPlace(f.Path, f.Range)
	severity := f.level().String()
	taken := screen.Columns(place) + len(": ") + len(severity) + len(":")
	text := " " + safetext.OneLine(f.Message) + " [" + f.Rule + "]"
	text = to.WrapLine(taken, text, screen.Hang)
	for _, part := range []string{to.Place(place), ": ", coloredSeverity(f.level(), to.Palette), ":", text, "\n"} {
		out.WriteString(part)
	}
	writeRest(out, f, to, "    ")
}

// writeRest writes further ranges that a finding is about, and why it isn't fixed.
func writeRest(out *strings.Builder, f *FindingRecord, to screen.Screen, indent string) {
	for _, related := range f.Related {
		if !names(f.Message, related) {
			fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+relatedText(related), indent+screen.Hang))
		}
	}
	if f.NotFixed != "" {
		fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+"not fixed: "+safetext.OneLine(f.NotFixed), indent+screen.Hang))
	}
}

// enough is how many bytes are written at once.
const enough = 64 << 10

// names reports whether a message itself names a further range, as FILE:LINE.
func names(message string, related relatedRecord) bool {
	at := hcl.Range{Filename: path.Base(related.Range.Filename), Start: hcl.Pos{Line: related.Range.Start.Line}}
	for _, rest := range strings.Split(message, diag.Place(at))[1:] {
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			return true
		}
	}
	return false
}

// coloredSeverity is the coloured name of a severity.
func coloredSeverity(s check.Severity, colors screen.Palette) string {
	switch s {
	case check.Error:
		return colors.Error(s.String())
	case check.Warning:
		return colors.Warning(s.String())
	}
	return colors.Dim(s.String())
}

// fullPlace is PATH:LINE:COLUMN, or PATH for a file as a whole.
func fullPlace(path string, r RangeRecord) string {
	if r.Start.Line == 0 {
		return diag.Escape(path)
	}
	return fmt.Sprintf("%s:%d:%d", diag.Escape(path), r.Start.Line, r.Start.Column)
}

func relatedText(r relatedRecord) string {
	return safetext.OneLine(r.Note) + ": " + fullPlace(r.Range.Filename, r.Range)
}
