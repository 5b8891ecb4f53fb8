package merge_test

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// Remedies are tried in proportion to the size of the module. Messages with other remedies state
// that nobody tried them.
func TestUntriedRemedies(t *testing.T) {
	const n = 8
	long := strings.Repeat("  # what a long block holds\n", 10_000)
	files := map[string]string{
		"main.tf":     "resource \"a_b\" \"c\" {\n" + long + "}\n",
		"override.tf": strings.Repeat("resource \"a_b\" \"c\" {\n  lifecycle {\n    replace_triggered_by = [a_b.d]\n  }\n}\n", n),
	}
	src, _, err := load.Dir(".", mergetest.InMemory(files, engine.Default()))
	if err != nil {
		t.Fatal(err)
	}
	_, diags := merge.Files(src, merge.Options{})
	tried, untried := 0, 0
	for _, d := range diags {
		switch {
		case strings.Contains(d.Detail, "Move it to the resource block at main.tf:1, if the engine accepts it there: in a module this large, not every remedy is tried."):
			untried++
		case strings.HasSuffix(d.Detail, "Move it to the resource block at main.tf:1."):
			tried++
		default:
			t.Error(d)
		}
	}
	if tried == 0 || untried == 0 || tried+untried != n {
		t.Errorf("%d were tried and %d not, of %d", tried, untried, n)
	}
}
