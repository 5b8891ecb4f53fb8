package report

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// How findings are written for people, and what the other formats share.

// writeFindings writes a line for each finding, PATH:LINE:COLUMN: SEVERITY:
// MESSAGE [RULE], and an indented one for each further place that it is about.
// Files as a whole have neither line nor column. Totals end the report.
func writeFindings(w io.Writer, r *Report, to screen.Screen) error {
	var out strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		place := fullPlace(f.Path, f.Range)
		severity := f.level().String()
		taken := screen.Columns(place) + len(": ") + len(severity) + len(":")
		text := " " + safetext.OneLine(f.Message) + " [" + f.Rule + "]"
		text = to.WrapLine(taken, text, screen.Hang)
		for _, part := range []string{to.Place(place), ": ", coloredSeverity(f.level(), to.Palette), ":", text, "\n"} {
			out.WriteString(part)
		}
		for _, related := range f.Related {
			if names(f.Message, related) {
				continue
			}
			const indent = "    "
			fmt.Fprintf(&out, "%s\n", to.WrapLine(0, indent+relatedText(related), indent+screen.Hang))
		}
		if f.NotFixed != "" {
			fmt.Fprintf(&out, "%s\n", to.WrapLine(0, "    not fixed: "+safetext.OneLine(f.NotFixed), "    "+screen.Hang))
		}
		if out.Len() > enough {
			if err := safetext.WriteText(w, out.String()); err != nil {
				return err
			}
			out.Reset()
		}
	}
	if text := r.totals(to); text != "" {
		if len(r.Findings) > 0 {
			out.WriteString("\n")
		}
		out.WriteString(text)
	}
	return safetext.WriteText(w, out.String())
}

// enough is how many bytes are written at once.
const enough = 64 << 10

// names reports whether a message names a further place itself, as FILE:LINE.
func names(message string, related RelatedRecord) bool {
	at := hcl.Range{Filename: path.Base(related.Range.Filename), Start: hcl.Pos{Line: related.Range.Start.Line}}
	for _, rest := range strings.Split(message, diag.Place(at))[1:] {
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			return true
		}
	}
	return false
}

// coloredSeverity is the coloured name of a severity.
func coloredSeverity(s check.Severity, colors palette.Palette) string {
	switch s {
	case check.Error:
		return colors.Error(s.String())
	case check.Warning:
		return colors.Warning(s.String())
	}
	return colors.Dim(s.String())
}
