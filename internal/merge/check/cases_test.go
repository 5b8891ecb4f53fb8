package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Each case is a module and its findings, a minus before those that a comment silences, and then
// the findings about comments.
func TestFindings(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		diags = append(diags, more...)
		s := Sieve{Wants: func(Finding) bool { return true }, Comments: CommentsOf(src)}
		var out strings.Builder
		found := Findings(m, diags, func(id string) bool { return id != "unmarked-override" })
		Sort(m, found)
		for _, f := range found {
			before := len(s.Silenced.All(m))
			if s.Take(f); len(s.Silenced.All(m)) > before {
				out.WriteString("-")
			}
			out.WriteString(line(f))
		}
		n := len(s.Left.All(m))
		s.TakeComments(m, true)
		about := slices.DeleteFunc(s.Left.All(m), func(f Finding) bool { return !f.Rule.Unsilenced })
		if n+len(about) != Count(s.Left.All(m)) {
			t.Errorf("%d findings and %d about comments count as %d", n, len(about), Count(s.Left.All(m)))
		}
		for _, f := range about {
			out.WriteString(line(f))
		}
		return map[string]string{"findings": out.String()}
	})
}

// line is a finding as text, with its second range.
func line(f Finding) string {
	text := fmt.Sprintf("%s:%d: %s %s", f.Range.Filename, f.Range.Start.Line, f.Severity, f.Rule.ID)
	if address := f.Address.String(); address != "" {
		text += " " + address
	}
	text += ": " + f.Message
	if f.Related != nil {
		text += fmt.Sprintf(" (%s:%d: %s)", f.Related.Range.Filename, f.Related.Range.Start.Line, f.Related.Note)
	}
	return text + "\n"
}
