package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Each case is a module, and what its override files do, a line for each effect. Counting them
// comes to the same numbers.
func TestOf(t *testing.T) {
	loadtest.Run(t, "testdata/effects", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		diags = append(diags, more...)
		all := Effects(m, diags)
		sameCounts(t, m, diags, all)
		var out strings.Builder
		for _, f := range src.Files {
			for _, e := range all[f] {
				out.WriteString(line(e))
			}
		}
		return map[string]string{"effects": out.String()}
	})
}

// line formats an effect: its location, its verb and address, and the notes for people and
// programs.
func line(e *Effect) string {
	text := fmt.Sprintf("%s:%d: %s %s, %s", e.Range.Filename, e.Range.Start.Line, e.Verb, e.Address, e.Status)
	if e.By != nil {
		text += fmt.Sprintf(" by %s:%d", e.By.Filename, e.By.Start.Line)
	}
	if e.Note != "" {
		text += " (" + e.Note + ")"
	}
	if len(e.Drops) > 0 {
		text += " drops " + strings.Join(e.Drops, ", ")
	}
	if e.Rule.Path != "" {
		text += " [" + e.Rule.Path + "]"
	}
	return text + ": " + e.Rule.Summary + "\n"
}

// sameCounts fails unless Counts equals the totals of Of.
func sameCounts(t *testing.T, m *merge.Module, diags hcl.Diagnostics, all map[*source.File][]*Effect) {
	t.Helper()
	counts := EffectCounts(m, diags)
	for f, list := range all {
		for verb, n := range counts[f] {
			got := len(slices.DeleteFunc(slices.Clone(list), func(e *Effect) bool { return e.Verb != verb }))
			if got != n {
				t.Errorf("%s: %d effects %s, counted as %d", f.Name, got, verb, n)
			}
		}
		total := 0
		for _, n := range counts[f] {
			total += n
		}
		if total != len(list) {
			t.Errorf("%s: %d effects, counted as %d", f.Name, len(list), total)
		}
	}
}
