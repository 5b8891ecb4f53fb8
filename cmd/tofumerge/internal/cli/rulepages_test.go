package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// examples are the files that a page shows: blocks of code that start with a
// comment which names the file.
var examples = regexp.MustCompile("(?ms)^```hcl\n# ([^\n]+)\n(.*?)^```$")

// TestRulePages checks the example of each rule's page: the rule finds something
// in it.
func TestRulePages(t *testing.T) {
	for _, r := range check.Rules {
		t.Run(r.ID, func(t *testing.T) {
			page, err := os.ReadFile("../../../../docs/rules/" + r.ID + ".md")
			if err != nil {
				t.Skip("the test of the rules tells: ", err)
			}
			dir := t.TempDir()
			for _, m := range examples.FindAllSubmatch(page, -1) {
				text := bytes.ReplaceAll(m[2], []byte(`\xe9`), []byte("\xe9"))
				if err := os.WriteFile(filepath.Join(dir, string(m[1])), text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			args := []string{"check", "--format", "json", "--enable", r.ID, dir}
			var checking func(string)
			switch r.ID {
			case "unreadable":
				if err := os.Symlink("nowhere.tf", filepath.Join(dir, "lost_override.tf")); err != nil {
					t.Skip("this system has no links: ", err)
				}
			case "internal-error":
				checking = func(string) { panic("a defect") }
			case "denied-override":
				args = append(args, "--deny", "terraform.backend")
			case "new-ignore":
				emptyRevision(t, dir)
				args = append(args, "--only-new", "HEAD", "-C", dir)
			case "untracked-override":
				emptyRevision(t, dir)
				args = append(args, "-C", dir)
			case "ignored-override":
				emptyRevision(t, dir)
				ignoreAndTrack(t, dir)
				args = append(args, "--tracked", "-C", dir)
			}
			var out strings.Builder
			Run(args, Streams{Out: &out, Err: &strings.Builder{}, Env: func(string) string { return "" }, Seams: workspace.Seams{Checking: checking}})
			var doc report.Report
			if err := json.Unmarshal([]byte(out.String()), &doc); err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(doc.Findings, func(f report.FindingRecord) bool { return f.Rule == r.ID }) {
				t.Errorf("the example shows nothing of the rule:\n%s", out.String())
			}
		})
	}
}

// ignoreAndTrack adds files to the index of a repository that its .gitignore names.
func ignoreAndTrack(t *testing.T, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*_override.tf\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("git", "-C", dir, "add", "-f", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// emptyRevision makes a repository of a directory, with a revision that has none of its files.
func emptyRevision(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "none"}} {
		git := exec.Command("git", append([]string{"-C", dir}, args...)...)
		git.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if text, err := git.CombinedOutput(); err != nil {
			t.Skipf("git is not on this machine, or fails: %v\n%s", err, text)
		}
	}
}
