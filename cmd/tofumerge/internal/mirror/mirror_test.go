//go:build unix

package mirror

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

var given = map[string]string{
	"web/main.tf":                             "variable \"v\" {\n  default = 1\n}\n",
	"web/a_override.tf":                       "variable \"v\" {\n  default = 2\n}\n",
	"web/same.tf":                             "locals {}\n",
	"web/.tflint.hcl":                         "# settings\n",
	"web/terraform.tfstate":                   "{}",
	"web/.terraform/terraform.tfstate":        "{\"backend\": {}}",
	"web/.terraform/modules/modules.json":     "{}",
	"web/.terraform/providers/registry/x/exe": "program",
	"notes.txt":                               "notes\n",
	"long.txt":                                strings.Repeat("long\n", 1<<18),
}

// realDir is a new directory; no link is on the way to it.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// original makes the files to copy.
func original(t *testing.T) (root string) {
	t.Helper()
	root = realDir(t)
	t.Setenv("TMPDIR", t.TempDir())
	for name, text := range given {
		put(t, filepath.Join(root, name), text)
	}
	put(t, filepath.Join(root, ".git/HEAD"), "ref: refs/heads/main\n")
	return root
}

// begin begins the copy of a directory. It is filled by fill, which flattens a module in it.
func begin(t *testing.T, root string) (tr *Tree, fill func(module string) error, warned *[]string) {
	t.Helper()
	warned = &[]string{}
	tr, err := New(root, false, func(text string) { *warned = append(*warned, text) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Remove() })
	return tr, func(module string) error {
		src, diags, err := load.Dir(filepath.Join(tr.Base, module), load.Options{})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		m, _ := merge.Files(src, merge.Options{})
		files, _ := rewrite.Diff(m)
		return tr.Fill(func(b *replace.Building) error {
			return tr.Add(b, m, files)
		})
	}, warned
}

// tree makes a copy of files in which web is flattened.
func tree(t *testing.T) (tr *Tree, root string, warned *[]string) {
	t.Helper()
	tr, fill, warned := begin(t, filepath.Join(original(t), "web"))
	if err := fill("web"); err != nil {
		t.Fatal(err)
	}
	return tr, tr.Base, warned
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		return "none"
	}
	return string(text)
}

func TestTree(t *testing.T) {
	tr, root, _ := tree(t)
	for name, want := range map[string]string{
		"web/main.tf":                             "variable \"v\" {\n  default = 2\n}\n",
		"web/a_override.tf":                       "none",
		"web/terraform.tfstate":                   "none",
		"web/.terraform/terraform.tfstate":        "{\"backend\": {}}",
		"web/.terraform/providers/registry/x/exe": "program",
		"web/.tflint.hcl":                         "# settings\n",
		"notes.txt":                               "notes\n",
		".git/HEAD":                               "none",
	} {
		if got := read(t, tr.Copied(filepath.Join(root, name))); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	for name, isLink := range map[string]bool{
		"long.txt": true, "notes.txt": false, "web/.terraform/providers": true, "web/.terraform/modules": true, "web/.terraform": false,
	} {
		info, err := os.Lstat(tr.Copied(filepath.Join(root, name)))
		if err != nil || (info.Mode()&os.ModeSymlink != 0) != isLink {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if info, err := os.Stat(tr.Path()); err != nil || info.Mode().Perm() != 0o700 {
		t.Error("others may read it", err)
	}
	if got, ok := tr.Original(tr.Copied(filepath.Join(root, "web"))); !ok || got != filepath.Join(root, "web") {
		t.Errorf("%s, %v", got, ok)
	}
	if path := filepath.Dir(root); tr.Within(path) != path || tr.Within(root) == root {
		t.Error("paths lead elsewhere")
	}
}

func TestKeep(t *testing.T) {
	tr, root, _ := tree(t)
	was := tr.Path()
	kept := tr.Keep(root)
	if _, err := os.Stat(kept); err != nil || tr.Path() == was {
		t.Errorf("%s is not kept: %v", kept, err)
	}
}

// A tool that writes one file, and the fate of the file.
func TestBringBack(t *testing.T) {
	for name, c := range map[string]struct{ path, text, want, why string }{
		"new file":          {"new/report.txt", "x", "X", ""},
		"changed file":      {"notes.txt", "other", "OTHER", ""},
		"unflattened file":  {"web/same.tf", "locals { a = 1 }\n", "LOCALS { A = 1 }\n", ""},
		"long file":         {"long.txt", "short", "short", ""}, // through the link
		"flattened file":    {"web/main.tf", "variable \"v\" {\n  default = 3\n}\n", given["web/main.tf"], "web/a_override.tf:2"},
		"removed override":  {"web/a_override.tf", "x", given["web/a_override.tf"], "would override"},
		"new override":      {"web/b_override.tf", "x", "none", "would override"},
		"new state":         {"web/other.tfstate", "x", "x", ""},
		"new workspace":     {"web/terraform.tfstate.d/a/terraform.tfstate", "x", "x", ""},
		"state of others":   {"web/terraform.tfstate", "x", "{}", "is a state"},
		"new primary file":  {"web/new.tf", "locals {}", "LOCALS {}", ""},
		"unread override":   {"web/.x_override.tf", "x", "X", ""},
		"kept by an engine": {"web/.terraform/x", "x", "none", ""},
		"outside":           {"../x", "x", "none", "was written by the tool outside of the copy, and is not copied back"},
		"state outside":     {"../x.tfstate", "x", "none", "was written by the tool outside of the copy, and is not copied back"},
	} {
		t.Run(name, func(t *testing.T) {
			tr, root, _ := tree(t)
			put(t, filepath.Join(tr.Copied(root), c.path), c.text)
			back, err := tr.BringBack(replace.Options{Warn: func(text string) { t.Error(text) }}, func(_ string, text []byte) []byte {
				return []byte(strings.ToUpper(string(text)))
			}, func(path string) string { return strings.TrimPrefix(path, root+"/") })
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, filepath.Join(root, c.path)); got != c.want {
				t.Errorf("it is %q, not %q", got, c.want)
			}
			if lost := strings.Join(back.Lost, "; "); !strings.Contains(lost, c.why) || (c.why == "") != (lost == "") {
				t.Errorf("%q, not %q", lost, c.why)
			}
			if back.LostState != strings.HasPrefix(name, "state") || back.Left != strings.Count(name, "kept") {
				t.Errorf("a state is lost: %v", back.LostState)
			}
		})
	}
}

// TestBoth checks that nobody's change is lost where the original changed meanwhile.
func TestBoth(t *testing.T) {
	tr, root, _ := tree(t)
	path := filepath.Join(root, "notes.txt")
	put(t, tr.Copied(path), "by the tool")
	put(t, path, "by somebody")
	put(t, filepath.Join(root, "x"), "by somebody")
	put(t, tr.Copied(filepath.Join(root, "x")), "by the tool")
	for _, name := range []string{"web/.tflint.hcl", "long.txt"} {
		if err := os.Remove(tr.Copied(filepath.Join(root, name))); err != nil {
			t.Fatal(err)
		}
	}
	same := func(_ string, text []byte) []byte { return text }
	back, err := tr.BringBack(replace.Options{Warn: func(string) {}}, same, filepath.Base)
	if diff := cmp.Diff([]string{
		".tflint.hcl was removed by the tool from the copy only",
		"long.txt was removed by the tool from the copy only",
		"notes.txt was changed by the tool, and by somebody else in the original meanwhile; the tool's change is not copied back",
		"x is not copied back: the original now has another file of that name",
	}, back.Lost); err != nil || diff != "" || read(t, path) != "by somebody" || read(t, filepath.Join(root, "x")) != "by somebody" {
		t.Errorf("%v, %q, %s", err, read(t, path), diff)
	}
}

// TestLinks checks that links point to the copy if they pointed to the original.
func TestLinks(t *testing.T) {
	root, out := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	put(t, filepath.Join(root, ".git/HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(root, "a/x"), "inside")
	put(t, filepath.Join(out, "y"), "outside")
	put(t, filepath.Join(filepath.Dir(root), ".tflint.hcl"), "# above\n")
	for name, to := range map[string]string{"absolute": filepath.Join(root, "a/x"), "out": filepath.Join(out, "y"), "relative": "a/x"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := exec.Command("mkfifo", filepath.Join(root, "pipe")).Run(); err != nil {
		t.Skip(err)
	}
	var warned []string
	tr, err := New(root, false, func(text string) { warned = append(warned, text) })
	if err != nil {
		t.Fatal(err)
	}
	tr.AddOutside(out)
	if err := tr.Fill(func(*replace.Building) error { return nil }); err != nil {
		t.Fatal(err)
	}
	put(t, tr.Copied(filepath.Join(tr.Base, "a/x")), "changed")
	for name, want := range map[string]string{"absolute": "changed", "relative": "changed", "out": "outside"} {
		if got := read(t, tr.Copied(filepath.Join(tr.Base, name))); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	if got := read(t, tr.Copied(filepath.Join(out, "y"))); got != "outside" {
		t.Errorf("what a call leads to is %q", got)
	}
	if got := read(t, tr.Copied(filepath.Join(filepath.Dir(tr.Base), ".tflint.hcl"))); got != "# above\n" {
		t.Errorf("the settings above are %q", got)
	}
	if diff := cmp.Diff([]string{"pipe is left out: it is not a regular file"}, warned); diff != "" {
		t.Error(diff)
	}
	if err := tr.Remove(); err != nil || read(t, filepath.Join(root, "a/x")) != "inside" {
		t.Error("the original changed", err)
	}
}

// TestHome checks that a home directory is not copied because it is a repository.
func TestHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("TMPDIR", t.TempDir())
	put(t, filepath.Join(home, ".git/HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(home, "web/main.tf"), "locals {}\n")
	tr, err := New(filepath.Join(home, "web"), false, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tr.Remove() }()
	if filepath.Base(tr.Base) != "web" || !isTooMuch("/") {
		t.Errorf("%s is copied", tr.Base)
	}
}

func TestInside(t *testing.T) {
	root := t.TempDir()
	t.Setenv("TMPDIR", root)
	if _, err := New(root, false, func(string) {}); err == nil {
		t.Error("the copy is inside of the original")
	}
	if left, _ := os.ReadDir(root); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
	t.Setenv("TMPDIR", filepath.Join(root, "none"))
	if _, err := New(root, false, func(string) {}); err == nil {
		t.Error("the copy is in no directory")
	}
}
