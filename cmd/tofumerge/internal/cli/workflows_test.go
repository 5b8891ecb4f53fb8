package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// Actions are named by a commit, which nobody can move, and the version of it; workflows
// begin with no rights but to read.
func TestWorkflows(t *testing.T) {
	paths, err := filepath.Glob("../../../../.github/workflows/*.yaml")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d workflows: %v", len(paths), err)
	}
	uses := regexp.MustCompile(`(?m)^\s*(?:- )?uses: *(.*)$`)
	pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+$`)
	commits := map[string]string{}
	for _, path := range append(paths, "../../../../action.yml") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range uses.FindAllStringSubmatch(string(text), -1) {
			name, commit, _ := strings.Cut(m[1], "@")
			switch {
			case strings.HasPrefix(name, "./"):
			case !pinned.MatchString(m[1]):
				t.Errorf("%s: %s isn't pinned by a commit and its version", path, m[1])
			case commits[name] != "" && commits[name] != commit:
				t.Errorf("%s: %s is pinned to several commits", path, name)
			}
			commits[name] = commit
		}
		if filepath.Base(path) != "action.yml" && !strings.Contains(string(text), "\npermissions:\n  contents: read\n") {
			t.Errorf("%s: permissions don't begin with contents: read alone", path)
		}
	}
}

// The notes of a release are the section of its version, which must be there.
func TestNotes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("bash is missing")
	}
	out, err := exec.Command("bash", "../../../../.ci/notes", "Unreleased").Output()
	if err != nil || !strings.Contains(string(out), "### Added") || strings.Contains(string(out), "[Unreleased]") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.Command("bash", "../../../../.ci/notes", "v99.0.0").Output(); err == nil || len(out) > 0 {
		t.Errorf("a version that isn't there: %q", out)
	}
}
