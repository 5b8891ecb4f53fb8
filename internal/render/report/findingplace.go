package report

import (
	"fmt"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// fullPlace is PATH:LINE:COLUMN, or PATH for a file as a whole.
func fullPlace(path string, r RangeRecord) string {
	if r.Start.Line == 0 {
		return diag.Escape(path)
	}
	return fmt.Sprintf("%s:%d:%d", diag.Escape(path), r.Start.Line, r.Start.Column)
}

func relatedText(r RelatedRecord) string {
	return safetext.OneLine(r.Note) + ": " + fullPlace(r.Range.Filename, r.Range)
}
