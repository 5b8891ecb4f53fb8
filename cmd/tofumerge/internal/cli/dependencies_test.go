package cli

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// manifests are the files that name dependencies, with the name that Dependabot has for their kind.
var manifests = map[string]string{"go.mod": "gomod", "package.json": "npm", "Dockerfile": "docker"}

// Dependabot knows every directory with dependencies, and proposes updates in groups.
func TestDependabot(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, ".github", "dependabot.yml"))
	if err != nil {
		t.Fatal(err)
	}
	watched := map[string][]string{}
	directories := regexp.MustCompile(`(?m)^    director(?:y|ies): \[?([^\]\n]*)`)
	for part := range strings.SplitSeq(string(text), "  - package-ecosystem: ") {
		kind := regexp.MustCompile(`^[a-z-]+`).FindString(part)
		if kind == "version" {
			continue
		}
		for _, m := range directories.FindAllStringSubmatch(part, -1) {
			watched[kind] = append(watched[kind], strings.Split(m[1], ", ")...)
		}
		for _, want := range []string{"\n    schedule: ", "\n    cooldown: ", "\n    groups:\n"} {
			if kind != "" && !strings.Contains(part, want) {
				t.Errorf("%s lacks %q", kind, strings.TrimSpace(want))
			}
		}
	}
	there := map[string][]string{"github-actions": {"/"}}
	for _, name := range trackedFiles(t) {
		if kind, ok := manifests[path.Base(name)]; ok && !strings.Contains(name, "testdata/") {
			there[kind] = append(there[kind], path.Clean("/"+path.Dir(name)))
		}
	}
	delete(watched, "")
	for kind, dirs := range watched {
		slices.Sort(dirs)
		slices.Sort(there[kind])
		if !slices.Equal(dirs, there[kind]) {
			t.Errorf("dependabot.yml watches %q for %s, and the dependencies are in %q", dirs, kind, there[kind])
		}
	}
	if len(watched) != len(there) {
		t.Errorf("dependabot.yml watches %d kinds of dependencies, and there are %d", len(watched), len(there))
	}
}

// trackedFiles are the files of the repository, as Git knows them.
func trackedFiles(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "-C", repository, "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("the files of the repository can't be listed: %v", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// TestModuleZip fails if "go install" could not install a release: one file that a module zip refuses
// breaks a tag for good. Windows refuses most of the same names.
func TestModuleZip(t *testing.T) {
	folded := map[string]string{}
	for _, name := range trackedFiles(t) {
		if err := module.CheckFilePath(name); err != nil {
			t.Errorf("rename the file: %v", err)
		}
		lower := strings.ToLower(name)
		if other := folded[lower]; other != "" {
			t.Errorf("rename %s: a system that ignores case takes it for %s", name, other)
		}
		folded[lower] = name
	}
	clone := t.TempDir() // package zip knows no linked work tree
	if out, err := exec.Command("git", "clone", "-q", "--shared", "--no-checkout", repository, clone).CombinedOutput(); err != nil {
		t.Skipf("the repository can't be cloned: %v\n%s", err, out)
	}
	at := module.Version{Path: "github.com/tofumerge/tofumerge", Version: "v0.99.0"}
	if err := zip.CreateFromVCS(io.Discard, at, clone, "HEAD", ""); err != nil {
		t.Errorf("a tag on this commit can't be installed: %v", err)
	}
}

// CODEOWNERS names files that are there.
func TestCodeOwners(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, ".github", "CODEOWNERS"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^(/\S+) +@tofumerge/maintainers$`).FindAllStringSubmatch(string(text), -1) {
		if _, err := fs.Stat(os.DirFS(repository), strings.Trim(m[1], "/")); err != nil {
			t.Error(err)
		}
	}
	if !regexp.MustCompile(`(?m)^\* +@tofumerge/maintainers$`).Match(text) {
		t.Error("not every file has an owner")
	}
}

// Scripts have the line ends that a shell reads, also in a checkout on Windows.
func TestLineEnds(t *testing.T) {
	out, err := exec.Command("git", "-C", repository, "check-attr", "eol", "docs/install.sh", "action.yml", ".github/action/install", ".ci/version").Output()
	if err != nil {
		t.Skipf("git can't read its attributes: %v", err)
	}
	if strings.Count(string(out), ": eol: lf\n") != 4 {
		t.Errorf("%s", out)
	}
}
