package check

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// What every command calls an error is one to check, and nothing else is: no diagnostic is
// an error here and a warning there.
func TestSeverityOfDiagnostics(t *testing.T) {
	errors, silent := 0, 0
	loadtest.Each(t, "../../../testdata/rules", func(t *testing.T, c *loadtest.Case) {
		src, diags := c.Load(t, load.Options{})
		_, more := merge.Files(src, merge.Options{})
		for _, d := range append(diags, more...) {
			f, isFound := findingOf(src, d)
			if isFound && (f.Severity == Error) != diag.IsError(d) {
				t.Errorf("%s at %s: check reports %v, other commands an error: %v", d.Summary, d.Subject, f.Severity, diag.IsError(d))
			}
			if diag.IsError(d) {
				errors++
			}
			if diag.IsError(d) && d.Severity != hcl.DiagError {
				silent++
			}
		}
	})
	if errors == silent || silent == 0 {
		t.Errorf("%d errors, of which the engine reports %d, want both kinds", errors, errors-silent)
	}
}
