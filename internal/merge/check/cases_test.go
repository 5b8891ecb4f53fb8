package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// Each case is a module and its findings, a minus before those that a comment silences, and then
// the findings about comments.
func TestFindings(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		diags = append(diags, more...)
		comments := check.CommentsOf(src)
		var errors check.Errors
		var out strings.Builder
		found := check.Findings(m, diags, func(id string) bool { return id != "unmarked-override" })
		check.Sort(m, found)
		for _, f := range found {
			errors.Note(&f)
			if comments.Silence(&f) {
				out.WriteString("-")
			}
			out.WriteString(line(f))
		}
		about := append(comments.Misnamed(m), comments.Unused(m, errors, func(*check.Rule) bool { return true })...)
		check.Sort(m, about)
		for _, f := range about {
			out.WriteString(line(f))
		}
		if n := check.Count(found); n != len(found) {
			t.Errorf("%d findings count as %d", len(found), n)
		}
		return map[string]string{"findings": out.String()}
	})
}

// line is a finding as text, with its second range.
func line(f check.Finding) string {
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
