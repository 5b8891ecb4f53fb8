package promises_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// committed and edited are a module before and after an edit that extract --write moves.
var (
	committed = map[string]string{
		"main.tf":       "resource \"shop_till\" \"front\" {\n  drawers = 1\n}\n",
		"stock.tf":      "locals {\n  boards = 3\n}\n",
		"a_override.tf": "locals {\n  boards = 4\n}\n",
	}
	edited = map[string]string{
		"main.tf":       "resource \"shop_till\" \"front\" {\n  # since May\n  drawers = 5\n}\n",
		"stock.tf":      "locals {\n  boards = 3 # more\n}\n",
		"a_override.tf": "locals {\n  boards = 9\n}\n",
	}
)

// editedRepo is a repository with the edit, in a directory of its own.
func editedRepo(t *testing.T, template string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestExtractSavedMeanwhile saves a file before each step of extract --write, or ends the run there. The
// saved text is there afterwards, and a run that fails has changed nothing. One that is ended leaves
// the meaning of the module, and the comments, as they were.
func TestExtractSavedMeanwhile(t *testing.T) {
	template := clitest.Write(t, committed)
	clitest.Commit(t, template)
	for name, text := range edited {
		if err := os.WriteFile(filepath.Join(template, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const into = "z_override.tf"
	run := func(dir string, at int, save func() error) (status, steps int, errs string) {
		return savingAt(t, dir, at, save, "extract", "--engine", "opentofu", "--since", "HEAD", "-o", filepath.Join(dir, into), "--write")
	}
	status, steps, errs := run(editedRepo(t, template), -1, nil)
	if status != cli.ExitOK || steps < 3 {
		t.Fatalf("status %d after %d steps\n%s", status, steps, errs)
	}
	meaning := meaningOf(t, template)
	ways := slices.Sorted(maps.Keys(saves))
	for i, name := range append(slices.Sorted(maps.Keys(edited)), into, "") {
		for at := range steps {
			dir := editedRepo(t, template)
			want := maps.Clone(edited)
			status, _, errs := run(dir, at, func() error {
				if name == "" {
					return errInterrupted
				}
				want[name] = edited[name] + savedText
				return saves[ways[(i+at)%len(ways)]](filepath.Join(dir, name), []byte(want[name]))
			})
			about := fmt.Sprintf("%q before step %d of %d, status %d\n%s", name, at, steps, status, errs)
			if name != "" {
				checkSaved(t, dir, about, status, want)
			} else if diff := cmp.Diff(meaning, meaningOf(t, dir)); diff != "" || !strings.Contains(everything(t, dir), "# since May") {
				t.Errorf("%s (-want +got):\n%s", about, diff)
			}
		}
	}
}

// checkSaved fails unless what was saved is there, and unless all is as it was after a run that failed.
func checkSaved(t *testing.T, dir, about string, status int, want map[string]string) {
	t.Helper()
	if !strings.Contains(everything(t, dir), savedText) {
		t.Errorf("%s: what was saved is lost", about)
	}
	if status == cli.ExitOK {
		return
	}
	if diff := cmp.Diff(want, clitest.Files(t, dir)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", about, diff)
	}
}
