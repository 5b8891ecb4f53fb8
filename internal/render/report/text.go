package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// How findings are written for people, and what the other formats share.

// writeFindings writes a line for each finding, PATH:LINE:COLUMN: SEVERITY:
// MESSAGE [RULE], and an indented one for each further place that it is about.
// Files as a whole have neither line nor column.
func writeFindings(w io.Writer, r *Report, to screen.Screen) error {
	var out strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		place := fullPlace(f.Path, f.Range)
		severity := f.level().String()
		taken := screen.Columns(place) + len(": ") + len(severity) + len(":")
		text := fmt.Sprintf(" %s [%s]", safetext.OneLine(f.Message), f.Rule)
		text = to.WrapLine(taken, text, screen.Hang)
		fmt.Fprintf(&out, "%s: %s:%s\n", to.Place(place), coloredSeverity(f.level(), to.Palette), text)
		for _, related := range f.Related {
			const indent = "    "
			fmt.Fprintf(&out, "%s\n", to.WrapLine(0, indent+relatedText(related), indent+screen.Hang))
		}
	}
	return safetext.WriteText(w, out.String())
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
