package promises_test

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// What if: an overlay has the effect of the file as the last override file of the directory, and an
// exclusion the effect of its absence.
func TestWhatIf(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		overrides := mergetest.Overrides(files)
		last := overrides[len(overrides)-1]
		rest := maps.Clone(files)
		delete(rest, last)
		elsewhere := filepath.Join(clitest.Write(tb, map[string]string{last: files[last]}), last)
		there, laid := runOn(tb, files), runOn(tb, rest, "--overlay", elsewhere)
		if diff := cmp.Diff(there.out, laid.out); diff != "" || there.status != laid.status {
			rt.Errorf("--overlay (-there +laid over):\n%s%s", diff, laid.errs)
		}
		gone, excluded := runOn(tb, rest, "-C"), runOn(tb, files, "--exclude-override", last, "-C")
		if diff := cmp.Diff(gone, excluded, cmp.AllowUnexported(outcome{})); diff != "" {
			rt.Errorf("--exclude-override (-gone +excluded):\n%s", diff)
		}
	})
}
