package promises_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// Commands that show the same facts in different ways agree.

// withMixed runs a property on modules with some files in JSON.
func withMixed(t *testing.T, property func(tb testing.TB, rt *rapid.T, files map[string]string)) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		if rapid.Bool().Draw(rt, "mixed") {
			files = loadtest.Mixed(t, loadtest.NewGenerator(rapid.Uint64().Draw(rt, "twins")), files)
		}
		property(tb, rt, files)
	})
}

// read returns the files of a directory.
func read(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

// Flatten writes the result of applying diff's patch to the primary files. It prints as the module
// does, and nothing is left to merge.
func TestFlattenIsPatch(t *testing.T) {
	withMixed(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		out := filepath.Join(tb.TempDir(), "out")
		got := runOn(tb, files, "flatten", "--only-config", "--output", out, "-C")
		patch := runOn(tb, files, "diff", "-C")
		if got.status != cli.ExitOK {
			return // flatten refuses modules that it can't write exactly
		}
		if patch.status != cli.ExitOK {
			rt.Fatalf("diff has status %d\n%s", patch.status, patch.errs)
		}
		flat := read(tb, out)
		want, err := mergetest.Patch(mergetest.Primary(files), patch.out)
		if err != nil {
			rt.Fatalf("%v\n%s", err, patch.out)
		}
		if diff := cmp.Diff(want, flat); diff != "" {
			rt.Errorf("(-patched +flattened):\n%s", diff)
		}
		for _, args := range [][]string{{"diff"}, {"changes"}} {
			if got := runIn(tb, out, append(args, "--detailed-exitcode")...); got.status != cli.ExitOK {
				rt.Errorf("%v of what is flattened: status %d\n%s%s", args, got.status, got.out, got.errs)
			}
		}
		if hasJSON(files) {
			return // text written to a file in the other syntax is worded anew
		}
		dir := clitest.Write(tb, files)
		for _, args := range [][]string{{}, {"--json"}, {"--sort"}} {
			whole, again := runIn(tb, dir, args...), runIn(tb, out, args...)
			if slices.Contains(args, "--json") {
				whole.out, again.out = canonical(whole.out), canonical(again.out)
			}
			if whole.status == cli.ExitOK && whole.out != again.out {
				rt.Errorf("%v, status %d (-module +flattened):\n%s\n%s", args, again.status, cmp.Diff(whole.out, again.out), again.errs)
			}
		}
		if got := runIn(tb, out, "diff", "--detailed-exitcode", "--from", dir); got.status != cli.ExitOK {
			rt.Errorf("a difference to the module: status %d\n%s%s", got.status, got.out, got.errs)
		}
	})
}

func hasJSON(files map[string]string) bool {
	for name := range files {
		if strings.HasSuffix(name, ".json") {
			return true
		}
	}
	return false
}

// A saidOf is the record of list or explain about one line of an override file.
type saidOf struct{ address, place, status, by, rule string }

type place struct {
	Filename string
	Start    struct{ Line, Column int }
}

func (p *place) String() string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", p.Filename, p.Start.Line, p.Start.Column)
}

// The records of list and explain about each line of an override file agree.
func TestListIsExplained(t *testing.T) {
	type step struct {
		Address string
		Range   place
		Status  string
		By      *place
		Rule    struct{ Path string }
	}
	said := func(address string, s step) saidOf {
		return saidOf{address, s.Range.String(), s.Status, s.By.String(), s.Rule.Path}
	}
	withMixed(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		var list struct{ Files []struct{ Effects []step } }
		var all struct {
			Histories []struct {
				Address string
				Steps   []step
			}
		}
		listed, explained := runOn(tb, files, "list", "--json"), runOn(tb, files, "explain", "--all", "--json", "-C")
		if listed.status != explained.status {
			rt.Fatalf("status %d of list, %d of explain\n%s%s", listed.status, explained.status, listed.errs, explained.errs)
		}
		if listed.status != cli.ExitOK {
			return
		}
		for text, into := range map[string]any{listed.out: &list, explained.out: &all} {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				rt.Fatal(err, text)
			}
		}
		known := map[saidOf]bool{}
		for _, h := range all.Histories {
			for _, s := range h.Steps {
				known[said(h.Address, s)] = true
			}
		}
		for _, f := range list.Files {
			for _, e := range f.Effects {
				if x := said(e.Address, e); !known[x] {
					rt.Errorf("explain does not say so: %+v", x)
				}
			}
		}
	})
}

// Fixes: once all are written, no more are offered, and the module is the same, except that dropped
// parts are back. Blocks are repeated by the patch only.
func TestFixesAreAtRest(t *testing.T) {
	withMixed(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		dir := clitest.Write(tb, files)
		fix := func(args ...string) outcome {
			return runIn(tb, dir, slices.Concat([]string{"check", "--fix", "--disable", "block-replace-drops-blocks"}, args, []string{"-C"})...)
		}
		patch := fix()
		if patch.status == cli.ExitFailed {
			return
		}
		want, err := mergetest.Patch(files, patch.out)
		if err != nil {
			rt.Fatalf("%v\n%s", err, patch.out)
		}
		fix("--write")
		fixed := read(tb, dir)
		if diff := cmp.Diff(want, fixed); diff != "" {
			rt.Errorf("(-patched +fixed):\n%s", diff)
		}
		if again := fix(); again.out != "" {
			rt.Errorf("there is more to fix:\n%s", again.out)
		}
		fix("--write")
		if diff := cmp.Diff(fixed, read(tb, dir)); diff != "" {
			rt.Errorf("fixed again (-first +again):\n%s", diff)
		}
	})
}
