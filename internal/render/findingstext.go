package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// How findings are written for people, and what the other formats share.

// WriteFindings writes a line for each finding, PATH:LINE:COLUMN: SEVERITY:
// MESSAGE [RULE], and an indented one for each further place that it is about.
// Files as a whole have neither line nor column.
func WriteFindings(w io.Writer, r *Report, p Palette) error {
	var out strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		place := p.Place(fullPlace(f.Path, f.Range))
		fmt.Fprintf(&out, "%s: %s: %s [%s]\n", place, coloredSeverity(f.level(), p), oneLine(f.Message), f.Rule)
		for _, related := range f.Related {
			fmt.Fprintf(&out, "    %s\n", relatedText(related))
		}
	}
	return writeText(w, out.String())
}

// coloredSeverity is the coloured name of a severity.
func coloredSeverity(s merge.Severity, p Palette) string {
	switch s {
	case merge.Error:
		return p.Error(s.String())
	case merge.Warning:
		return p.Warning(s.String())
	}
	return p.Dim(s.String())
}

// fullPlace is PATH:LINE:COLUMN, or PATH for a file as a whole.
func fullPlace(path string, r RangeRecord) string {
	if r.Start.Line == 0 {
		return load.Escape(path)
	}
	return fmt.Sprintf("%s:%d:%d", load.Escape(path), r.Start.Line, r.Start.Column)
}

func relatedText(r RelatedRecord) string {
	return oneLine(r.Note) + ": " + fullPlace(r.Range.Filename, r.Range)
}

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// oneLine makes text safe to print, on one line.
func oneLine(s string) string { return Printable(lineEnds.Replace(s)) }

// exactName is a file's name for a program that looks for the file: as it is,
// but for characters that a terminal would act on or that XML can't hold, which
// are written as in a Go string. Blanks and line ends of all kinds stay.
func exactName(name string) string {
	var out strings.Builder
	for _, r := range name {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			out.WriteRune(r)
		case unicode.IsControl(r) || r == '\ufffe' || r == '\uffff':
			quoted := strconv.QuoteRune(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
