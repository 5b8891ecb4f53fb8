package writeback

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

const settings = ".tofumerge.hcl"

const module = `
-- m/main.tf --
locals {
  a = 1
}
-- m/override.tf --
locals {
  a = 2
}
-- m/tests/x.tftest.hcl --
-- m/notes.txt --
notes
-- m/.terraform/x --
-- m/templates/a.tpl --
text
`

// merged loads the module of a directory.
func merged(t *testing.T, dir string) *merge.Module {
	t.Helper()
	src, diags, err := load.Dir(dir, load.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	m, _ := merge.Files(src, merge.Options{})
	return m
}

// flatten rewrites the module of a directory in place, up to a step that fails.
func flatten(t *testing.T, dir string, step func(int) error) (warned []string, err error) {
	t.Helper()
	m := merged(t, dir)
	diffs, _ := rewrite.Diff(m)
	warn := func(text string) { warned = append(warned, text) }
	set := replace.NewSet(replace.Options{Warn: warn, Step: step})
	defer set.Close()
	if err := InPlace(set, m, diffs, load.Options{}); err != nil {
		return warned, err
	}
	return warned, set.Run()
}

func TestInPlace(t *testing.T) {
	dir := filepath.Join(clitest.Tree(t, module), "m")
	if removed, err := Removed(merged(t, dir).Source); err != nil || len(removed) != 1 || removed[0].Name != "override.tf" {
		t.Errorf("removed are %v, %v", removed, err)
	}
	want := clitest.Files(t, dir)
	delete(want, "override.tf")
	want["main.tf"] = "locals {\n  a = 2\n}\n"
	if warned, err := flatten(t, dir, nil); err != nil || warned != nil {
		t.Fatal(err, warned)
	}
	if diff := cmp.Diff(want, clitest.Files(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Wherever a run is interrupted, the module keeps its meaning, and the next run finishes the work.
func TestInPlaceCutShort(t *testing.T) {
	broke := errors.New("it broke")
	for at := 0; ; at++ {
		dir := filepath.Join(clitest.Tree(t, module), "m")
		_, err := flatten(t, dir, func(i int) error {
			if i == at {
				return broke
			}
			return nil
		})
		var text bytes.Buffer
		native, _ := render.Native(merged(t, dir), render.Options{})
		if failed := native.Write(&text); failed != nil || text.String() != "locals {\n  a = 2\n}\n" {
			t.Errorf("after step %d it is %s, %v", at, &text, failed)
		}
		if err == nil {
			if at < 2 {
				t.Errorf("a run has %d steps", at)
			}
			return
		}
		if _, again := flatten(t, dir, nil); again != nil || !errors.Is(err, broke) {
			t.Errorf("step %d: %v, %v", at, err, again)
		}
		files := clitest.Files(t, dir)
		for name := range files {
			if strings.HasPrefix(name, replace.Prefix) {
				delete(files, name) // it may be a saved text
			}
		}
		if len(files) != len(clitest.Files(t, filepath.Join(clitest.Tree(t, module), "m")))-1 {
			t.Errorf("step %d leaves %v", at, files)
		}
	}
}

// Override files without effect leave no module.
func TestInPlaceNothing(t *testing.T) {
	dir := clitest.Tree(t, "-- override.tf --\n# nothing\n")
	if _, err := flatten(t, dir, nil); err != nil || len(clitest.Files(t, dir)) > 0 {
		t.Errorf("%v, %v", err, clitest.Files(t, dir))
	}
}

// A module that would be another one half-way is not written.
func TestInPlaceHalfWay(t *testing.T) {
	dir := filepath.Join(clitest.Tree(t, "-- m/main.tf --\nvariable \"v\" {\n  type    = number\n  default = 2\n}\n"+
		"-- m/a_override.tf --\nvariable \"v\" {\n  default = \"01\"\n}\n-- m/b_override.tf --\nvariable \"v\" {\n  type = string\n}\n"), "m")
	before := clitest.Files(t, dir)
	_, err := flatten(t, dir, nil)
	if err == nil || !strings.Contains(err.Error(), "while only some of the files are written") || !maps.Equal(before, clitest.Files(t, dir)) {
		t.Errorf("%v, %v", err, clitest.Files(t, dir))
	}
}

// No file outside of the module's directory is written, whatever link points there.
func TestInPlaceLink(t *testing.T) {
	dir := clitest.Tree(t, module)
	outside := filepath.Join(dir, "outside.tf")
	if err := os.Rename(filepath.Join(dir, "m", "main.tf"), outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "m", "main.tf")); err != nil {
		t.Skip(err)
	}
	_, err := flatten(t, filepath.Join(dir, "m"), nil)
	if text, _ := os.ReadFile(outside); err == nil || !strings.Contains(err.Error(), "main.tf is a link to a file outside the directory") || string(text) != "locals {\n  a = 1\n}\n" {
		t.Errorf("%v, %s", err, text)
	}
}

// An output must not be an input of the result, or a file that engines would read.
func TestOutputCheck(t *testing.T) {
	dir := clitest.Tree(t, module+"-- .tofumerge.hcl --\n-- m/schema.json --\n{}\n-- x.tf --\n")
	src := merged(t, filepath.Join(dir, "m")).Source
	for name, want := range map[string]string{
		"m/new.tf":              "would become part of the module",
		"m/new.tofu":            "would become part of the module",
		"m/new.tf.json":         "would become part of the module",
		"m/main.tf":             "would become part of the module",
		"m/terraform.tfvars":    "would be read as variables of the module",
		"m/x.tftest.hcl":        "would be read as a test of the module",
		"m/terraform.tfstate":   "would be read as the state of the module",
		"m/.terraform.lock.hcl": "would be read as the dependency lock file of the module",
		"m/tests/b.tftest.hcl":  "would be read as a test of the module",
		".terraform-version":    "would be read as the version file of the module",
		".tofumerge.hcl":        "would be read as the configuration file of the module",
		"m/schema.json":         "would overwrite the schema",
		"m/out.txt":             "",
		"out.tf":                "",
		"x.tf":                  "",
	} {
		o, err := FindOutput(dir, "-o", name)
		if err != nil {
			t.Fatal(err)
		}
		err = o.Check(src, settings, Input{Path: filepath.Join(dir, "m", "schema.json"), What: "the schema"})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "-o "+name)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	for name, want := range map[string]string{
		"":  "-o needs the name of a file; for standard output, leave it out",
		"-": "-o needs the name of a file; for standard output, leave it out",
		"m": "can't write " + filepath.Join(dir, "m") + ": it is a directory",
	} {
		if _, err := FindOutput(dir, "-o", name); err == nil || err.Error() != want {
			t.Errorf("%q is the name of a file: %v, want %s", name, err, want)
		}
	}
	o, err := FindOutput(dir, "-o", "out.txt")
	if err != nil || o.Write([]byte("text"), func(string) {}) != nil {
		t.Fatal(err)
	}
	src.Engine = engine.Release{Product: engine.Terraform}
	if o, err := FindOutput(dir, "-o", "m/new.tofu"); err != nil || o.Check(src, settings) == nil {
		t.Errorf("a file of another engine is no part of the module: %v", err)
	}
	if o.Write([]byte("more"), func(string) {}) == nil {
		t.Error("a file that changed since is replaced")
	}
	if text := clitest.Files(t, dir)["out.txt"]; text != "text" {
		t.Errorf("it holds %q", text)
	}
}

// A link in a repository must not choose which file outside is overwritten.
func TestForeignLink(t *testing.T) {
	dir := clitest.Tree(t, "-- repo/a.txt --\n-- out.txt --\n")
	clitest.Commit(t, filepath.Join(dir, "repo"))
	for name, to := range map[string]string{
		"repo/out": "../out.txt", "repo/own": "a.txt", "repo/git": ".git/x", "repo/loop": "loop", "repo/open": "/dev/fd/1", "repo/none": "none/x",
		"above": filepath.Join(t.TempDir(), "x"),
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]bool{
		"repo/out": true, "repo/own": false, "repo/git": true, "repo/a.txt": false, "repo/new": false, "out.txt": false,
		"repo/loop": false, "repo/open": false, "repo/.git/new": false, "above": false,
	} {
		if got := IsForeignLink(filepath.Join(dir, name)); got != want {
			t.Errorf("%s leads out: %v", name, got)
		}
	}
	if _, err := FindOutput(dir, "-o", "repo/out"); err == nil || !strings.Contains(err.Error(), "points outside the repository") {
		t.Errorf("%v", err)
	}
}

func TestCheckNewDir(t *testing.T) {
	dir := clitest.Tree(t, module+"-- empty/x --\n")
	if err := os.Remove(filepath.Join(dir, "empty", "x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("empty", filepath.Join(dir, "link")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"new": "", "empty": "", "m": "is not empty", "m/new": "is inside the module", "none/new": "no such directory", "link": "is a link",
		"m/notes.txt": "can't write", "m/notes.txt/new": "can't write",
	} {
		err := CheckNewDir(filepath.Join(dir, name), filepath.Join(dir, "m"), "the module")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// Everything but the configuration comes along, with its mode, and links as links.
func TestCopy(t *testing.T) {
	top := clitest.Tree(t, module)
	dir, out := filepath.Join(top, "m"), filepath.Join(top, "new")
	for name, to := range map[string]string{"near": "notes.txt", "up": "../x", "back": filepath.Join(dir, "notes.txt")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	// No umask takes away the mode of the file.
	if err := errors.Join(os.Chmod(filepath.Join(dir, "notes.txt"), 0o700), os.Chmod(filepath.Join(dir, "templates"), 0o710)); err != nil {
		t.Fatal(err)
	}
	m := merged(t, dir)
	diffs, _ := rewrite.Diff(m)
	var warned []string
	err := replace.MakeDir(out, replace.Options{Warn: func(string) {}}, func(b *replace.Building) error {
		if err := WriteFiles(b, filepath.Join(b.Path, "none"), m.Source, diffs); err == nil || !strings.HasPrefix(err.Error(), "can't write main.tf: ") {
			t.Errorf("files are written into no directory: %v", err)
		}
		if err := WriteFiles(b, b.Path, m.Source, diffs); err != nil {
			return err
		}
		rest := DirCopy{To: b, At: b.Path, From: dir, Warn: func(text string) { warned = append(warned, text) },
			IsWritten: func(rel string) bool {
				return slices.ContainsFunc(m.Source.Names, func(e load.DirEntry) bool { return e.Name == rel && IsPart(e) })
			}}
		return rest.Copy()
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"main.tf": "locals {\n  a = 2\n}\n", "tests/x.tftest.hcl": "", "notes.txt": "notes\n", "templates/a.tpl": "text\n"}
	if diff := cmp.Diff(want, clitest.Files(t, out)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if to, err := os.Readlink(filepath.Join(out, "up")); err != nil || to != "../x" {
		t.Errorf("the link leads to %s, %v", to, err)
	}
	if info, err := os.Stat(filepath.Join(out, "notes.txt")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if info, err := os.Stat(filepath.Join(out, "templates")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o710 {
		t.Errorf("%v, %v", info, err)
	}
	if len(warned) != 2 || !strings.Contains(strings.Join(warned, "\n"), "up is a link to ../x, which points elsewhere") ||
		!strings.Contains(strings.Join(warned, "\n"), "still points into the module's directory") {
		t.Errorf("warned is %q", warned)
	}
}

// TestMirror checks the contents of a copy for programs, with links and on a system without any.
func TestMirror(t *testing.T) {
	for _, hasLinks := range []bool{true, false} {
		if !hasLinks {
			links := symlink
			symlink = func(string, string) error { return errors.ErrUnsupported }
			t.Cleanup(func() { symlink = links })
		}
		dir, temp := t.TempDir(), t.TempDir()
		clitest.Unpack(t, dir, module)
		from := filepath.Join(dir, "m")
		if err := errors.Join(
			os.MkdirAll(filepath.Join(from, ".terraform/providers/x"), 0o700),
			os.WriteFile(filepath.Join(from, ".terraform/providers/x/exe"), []byte("program"), 0o700),
			os.WriteFile(filepath.Join(from, "terraform.tfstate"), nil, 0o600),
			os.Symlink("notes.txt", filepath.Join(from, "link")), os.Symlink("none", filepath.Join(from, "dangling")),
		); err != nil {
			t.Skip(err)
		}
		t.Setenv("TMPDIR", temp)
		to, err := replace.NewTempDir(false, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		mirror := &Mirror{
			In:       func(path string) string { return path },
			IsLinked: func(_ string, d os.DirEntry) bool { return d.Name() == "providers" },
		}
		var warned []string
		if err := to.Fill(func(b *replace.Building) error {
			c := DirCopy{
				To: b, At: b.Path, From: from, Mirror: mirror, IsWritten: func(string) bool { return false },
				Warn: func(text string) { warned = append(warned, text) },
			}
			return c.Copy()
		}); err != nil {
			t.Fatal(err)
		}
		for name, isThere := range map[string]bool{
			"main.tf": true, ".terraform/providers/x/exe": true, ".terraform/x": true, "link": true, "terraform.tfstate": false, "dangling": false,
		} {
			if _, err := os.Stat(filepath.Join(to.Path, name)); (err == nil) != isThere {
				t.Errorf("with links %v: %s is there: %v", hasLinks, name, err == nil)
			}
		}
		info, err := os.Lstat(filepath.Join(to.Path, ".terraform/providers"))
		if err != nil || info.IsDir() == hasLinks || (len(warned) == 0) != hasLinks {
			t.Errorf("with links %v: %v, %v, %q", hasLinks, info, err, warned)
		}
		if err := to.Remove(); err != nil {
			t.Error(err)
		}
	}
}
