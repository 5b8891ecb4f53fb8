package cli

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// buildWatch builds .ci/watch, and returns a function that runs it.
func buildWatch(t *testing.T) func(args ...string) outcome {
	t.Helper()
	path := filepath.Join(t.TempDir(), "watch.exe")
	build := exec.Command("go", "build", "-o", path, "./.ci/watch")
	build.Dir = repository
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(args ...string) outcome {
		var out, errs strings.Builder
		cmd := exec.Command(path, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = repository, &out, &errs
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	}
}

// Of each minor version the newest release is asked that is newer than the known one. Tags that are no
// versions go nowhere, and a list that isn't complete is an error.
func TestWatchReleases(t *testing.T) {
	watch := buildWatch(t)
	tofu, terraform := engine.OpenTofu.Observed(), engine.Terraform.Observed()
	for name, c := range map[string]struct {
		tags []string // of OpenTofu, besides the known ones
		want string
	}{
		"nothing new": {[]string{"v1.5.99", "v1.6.0", "v" + engine.Default().Minor() + ".0-rc1"}, "[]\n"},
		"new":         {[]string{"v1.6.90", "v1.90.0-beta1", "v1.90.0-rc2", "v1.91.0-alpha20260101"}, `["opentofu@1.6.90","opentofu@1.90.0-rc2","opentofu@1.91.0-alpha20260101"]` + "\n"},
		"final":       {[]string{"v1.90.0-rc2", "v1.90.0"}, `["opentofu@1.90.0"]` + "\n"},
		"no versions": {[]string{"v1.90.0;id", "v1.90.0-$(id)", "v1.90", "v01.90.0", "1.90.0", "v1.90.0+x", "sdk/v1.90.0", "v1.90.0-" + strings.Repeat("a", 99)}, "[]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := watch("-list", "-tags", tagsOf(t, tofu, terraform, c.tags...)); got.status != 0 || got.out != c.want {
				t.Errorf("status %d, %q, want %q\n%s", got.status, got.out, c.want, got.errs)
			}
		})
	}
	for i, e := range tofu {
		lacking := slices.Delete(slices.Clone(tofu), i, i+1)
		if got := watch("-list", "-tags", tagsOf(t, lacking, terraform, "v1.90.0")); got.status != 2 || !strings.Contains(got.errs, "it lacks "+e.String()) {
			t.Errorf("without %s: status %d, %q", e, got.status, got.out+got.errs)
		}
	}
	for _, name := range []string{"opentofu@1.90", "opentofu", "opentofu@v1.90.0", "opentofu@1.90.0+x", "tofu@1.90.0", "opentofu@1.90.0;id", "opentofu@1.2.3"} {
		if got := watch("-list", name); got.status != 2 {
			t.Errorf("%s is asked: %q", name, got.out)
		}
	}
}

// tagsOf writes the tags of two products as "git ls-remote" prints them.
func tagsOf(t *testing.T, tofu, terraform []engine.Release, more ...string) string {
	t.Helper()
	dir := t.TempDir()
	for p, list := range map[engine.Product][]engine.Release{engine.OpenTofu: tofu, engine.Terraform: terraform} {
		text := ""
		for _, e := range list {
			text += "0123456789abcdef\trefs/tags/v" + string(e.Version) + "\n"
		}
		if p == engine.OpenTofu {
			for _, tag := range more {
				text += "0123456789abcdef\trefs/tags/" + tag + "\n"
			}
		}
		if err := os.WriteFile(filepath.Join(dir, string(p)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A report names each difference once, with both releases, and the rules that no answer is about. Without
// a difference it is a patch, which puts the release in place of the known one of its minor version,
// or behind the one before it.
func TestWatchReport(t *testing.T) {
	watch := buildWatch(t)
	answers := func(list ...loadtest.Answer) string {
		path := filepath.Join(t.TempDir(), "answers")
		text := `{"Module": "testdata/documentation/a.txtar"}` + "\n"
		for _, a := range list {
			line, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			text += string(line) + "\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	known := engine.Default()
	same := loadtest.Answer{Module: "testdata/live/locals.txtar", Rows: []string{"locals", "locals/*"}}
	rule := loadtest.Answer{Module: "testdata/rules/a.txtar"}
	differs := loadtest.Answer{Module: "testdata/rules/a.txtar", Rows: []string{"variable", "variable/type"}, Claimed: "a: 1", Given: "a: 2\nb: \x1b[31m"}

	got := watch("-as", known.String(), "-answers", answers(same, differs, differs), "opentofu@1.90.0-beta1")
	want := "opentofu@1.90.0-beta1, followed as " + known.String() + "\n4 answers about 3 modules; differences: 1\n\nvariable/type\n  testdata/rules/a.txtar\n" +
		"    " + known.String() + ": a: 1\n    opentofu@1.90.0-beta1: a: 2\n      b: \\x1b[31m\n\nNo module lets it be asked about these rules:\n"
	if !strings.HasPrefix(got.out, want) || got.status != 1 || strings.Contains(got.out, "products.go") {
		t.Errorf("status %d, want %q:\n%s%s", got.status, want, got.out, got.errs)
	}
	for path, isListed := range map[string]bool{"locals": false, "locals.*": false, "variable.type": false, "variable.default": true} {
		if r := rules.Of(strings.ReplaceAll(path, ".", "/"), known); strings.Contains(got.out, "  "+path+": "+r.Why+"\n") != isListed {
			t.Errorf("%s is listed: %t\n%s", path, !isListed, got.out)
		}
	}
	quoted := `"` + string(known.Version) + `"`
	for name, with := range map[string]string{known.Minor() + ".99": `"` + known.Minor() + `.99"`, "1.90.0-beta1": `", "1.90.0-beta1"`} {
		got := watch("-answers", answers(same, rule), "opentofu@"+name)
		_, patch, ok := strings.Cut(got.out, "Nothing differs.")
		added := slices.DeleteFunc(strings.Split(patch, "\n"), func(line string) bool { return !strings.HasPrefix(line, "+\t") })
		if !ok || got.status != 0 || len(added) != 1 || !strings.Contains(added[0], with) || strings.Contains(added[0], quoted) == strings.HasSuffix(name, ".99") {
			t.Errorf("%s: status %d, %q\n%s%s", name, got.status, added, got.out, got.errs)
		}
	}
	if got := watch("-answers", answers(same, rule), known.String()); got.status != 0 || strings.Contains(got.out, "products.go") {
		t.Errorf("a known release: status %d\n%s%s", got.status, got.out, got.errs)
	}
	if got := watch("-answers", answers(rule), known.String()); got.status != 2 || !strings.Contains(got.errs, "nothing about testdata/live/") {
		t.Errorf("few answers: status %d\n%s%s", got.status, got.out, got.errs)
	}
}
