package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// How findings are written for people, and what the other formats share.

// writeFindings writes a line for each finding, PATH:LINE:COLUMN: SEVERITY:
// MESSAGE [RULE], and an indented one for each further place that it is about.
// Files as a whole have neither line nor column.
func writeFindings(w io.Writer, r *Report, colors palette.Palette) error {
	var out strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		place := colors.Place(fullPlace(f.Path, f.Range))
		fmt.Fprintf(&out, "%s: %s: %s [%s]\n", place, coloredSeverity(f.level(), colors), safetext.OneLine(f.Message), f.Rule)
		for _, related := range f.Related {
			fmt.Fprintf(&out, "    %s\n", relatedText(related))
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
