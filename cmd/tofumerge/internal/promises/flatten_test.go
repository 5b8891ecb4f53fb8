package promises_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// meaningOf is the meaning of the module in a directory.
func meaningOf(t testing.TB, dir string) []string {
	t.Helper()
	src, diags, err := load.Dir(dir, load.Options{Engine: clitest.EngineOf(t)})
	if err != nil {
		t.Fatal(err)
	}
	mod, more := merge.Files(src, merge.Options{})
	if diags.HasErrors() || more.HasErrors() {
		return []string{"refused: " + append(diags, more...).Error()}
	}
	return compare.Meaning(mod, nil)
}

var errInterrupted = errors.New("interrupted")

// flattenUntil flattens a directory in place, and stops before a step.
func flattenUntil(t testing.TB, dir string, last int) (status, steps int, errs string) {
	var out, report bytes.Buffer
	s := cli.Streams{Out: &out, Err: &report, Env: func(string) string { return "" }}
	s.Interrupt = func(step int) error {
		if step == last {
			return errInterrupted
		}
		steps = step + 1
		return nil
	}
	status = cli.Run(slices.Concat([]string{"--engine", "opentofu"}, clitest.EngineFlag(t), []string{"flatten", "--write", dir}), s)
	return status, steps, report.String()
}

// Flatten: wherever it is cut short, the directory holds the same module, and at
// the end it does without override files.
func TestFlattenInterrupted(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		dir := clitest.Write(tb, files)
		want := meaningOf(tb, dir)
		status, steps, errs := flattenUntil(tb, dir, -1)
		if status != cli.ExitOK {
			rt.Skip("refused: " + errs)
		}
		if diff := cmp.Diff(want, meaningOf(tb, dir)); diff != "" {
			rt.Errorf("at the end (-want +got):\n%s", diff)
		}
		last := rapid.IntRange(0, steps-1).Draw(rt, "step")
		cut := clitest.Write(tb, files)
		flattenUntil(tb, cut, last)
		if diff := cmp.Diff(want, meaningOf(tb, cut)); diff != "" {
			rt.Errorf("cut short before step %d of %d (-want +got):\n%s", last, steps, diff)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			rt.Fatal(err)
		}
		if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return mergetest.IsOverride(e.Name()) || e.Name()[0] == '.' }) {
			rt.Errorf("files are left: %v", entries)
		}
	})
}

// TestFlattenEveryStep cuts flatten short before each of its steps, on a module of both syntaxes
// with two override files, of which one shadows another file.
func TestFlattenEveryStep(t *testing.T) {
	files := map[string]string{
		"main.tf":              "resource \"shop_till\" \"front\" {\n  drawers = 1\n  lock {\n    keys = 2\n  }\n}\n",
		"stock.tf.json":        `{"locals": {"boards": 3}, "provider": {"shop": {"town": "Ulm"}}}`,
		"a_override.tf.json":   `{"locals": {"boards": 4}, "resource": {"shop_till": {"front": {"drawers": 5}}}}`,
		"b_override.tf":        "resource \"shop_till\" \"front\" {\n  drawers = 6\n}\n",
		"b_override.tofu":      "resource \"shop_till\" \"front\" {\n  lock {\n    keys = 7\n  }\n}\n",
		"c_override.tofu.json": `{"provider": {"shop": {"town": "Bonn"}}, "terraform": {"backend": {"local": {}}}}`,
	}
	want := meaningOf(t, clitest.Write(t, files))
	_, steps, _ := flattenUntil(t, clitest.Write(t, files), -1)
	if steps < 8 {
		t.Fatalf("%d steps are too few", steps)
	}
	for last := range steps + 1 {
		dir := clitest.Write(t, files)
		if status, _, errs := flattenUntil(t, dir, last); (status == cli.ExitOK) != (last == steps) {
			t.Errorf("before step %d: status %d\n%s", last, status, errs)
		}
		if diff := cmp.Diff(want, meaningOf(t, dir)); diff != "" {
			t.Errorf("before step %d (-want +got):\n%s", last, diff)
		}
	}
}
