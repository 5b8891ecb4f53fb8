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
)

// No tool runs in a copy that isn't whole.
func TestFillRefused(t *testing.T) {
	for name, c := range map[string]struct {
		module string
		taken  string // a path of the original that the copy has before it is filled, a directory if it ends in a slash
		want   string
	}{
		"no room":            {"web", "", "can't write BASE/web: not a directory"},
		"no room for others": {"", "", "can't write BASE: not a directory"},
		"flattened file":     {"web", "web/main.tf/", "can't write main.tf: is a directory"},
		"other file":         {"web", "notes.txt", "can't copy notes.txt: file exists"},
		"module elsewhere":   {"linked", "x", "nothing was run: BASE/linked is a link that points outside BASE"},
	} {
		t.Run(name, func(t *testing.T) {
			root := original(t)
			tr, fill, _ := begin(t, root)
			taken := tr.Copied(filepath.Join(tr.Base, c.taken))
			switch {
			case c.taken == "":
				put(t, filepath.Join(tr.Path(), strings.Split(tr.Base, "/")[1]), "")
			case strings.HasSuffix(c.taken, "/"):
				put(t, filepath.Join(taken, "x"), "")
			default:
				put(t, taken, "")
			}
			fillAll := func() error { return fill(c.module) }
			switch c.module {
			case "":
				fillAll = func() error { return tr.Fill(func(*replace.Building) error { return nil }) }
			case "linked":
				out := t.TempDir()
				put(t, filepath.Join(out, "main.tf"), "locals {}\n")
				if err := os.Symlink(out, filepath.Join(root, "linked")); err != nil {
					t.Skip(err)
				}
			}
			err := fillAll()
			if err == nil || strings.ReplaceAll(strings.ReplaceAll(err.Error(), tr.Path(), ""), tr.Base, "BASE") != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// What is left out of the copy without harm is warned of.
func TestFillWarned(t *testing.T) {
	root, out, nested := original(t), realDir(t), realDir(t)
	above := filepath.Dir(root)
	put(t, filepath.Join(above, ".tflint.hcl"), "")
	put(t, filepath.Join(above, ".tfsec/x"), "")
	put(t, filepath.Join(nested, "sub/x"), "")
	if err := exec.Command("mkfifo", filepath.Join(above, "trivy.yaml")).Run(); err != nil {
		t.Skip(err)
	}
	tr, fill, warned := begin(t, root)
	put(t, filepath.Join(tr.Copied(filepath.Join(above, ".tflint.hcl")), "x"), "")
	put(t, tr.Copied(out), "")
	for _, dir := range []string{out, nested, filepath.Join(nested, "sub")} {
		tr.AddOutside(dir)
	}
	if err := fill("web"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{
		above + "/.tflint.hcl is left out of the copy: is a directory",
		"a module call loads " + out + ", which is not in the copy",
	}, *warned); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{".editorconfig", ".tfsec", "trivy.yaml"} {
		if _, err := os.Lstat(tr.Copied(filepath.Join(above, name))); err == nil {
			t.Errorf("the copy has %s", name)
		}
	}
}

// Links to what is above the original lead to neither it nor too many files.
func TestOutside(t *testing.T) {
	defer func(was int) { mostOutside = was }(mostOutside)
	mostOutside = 2
	root := original(t)
	above := filepath.Dir(root)
	for _, name := range []string{"000/a", "000/b", "000/c"} {
		put(t, filepath.Join(above, name), "")
	}
	for name, to := range map[string]string{"up": above, "down": filepath.Join(root, "notes.txt")} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	tr, fill, _ := begin(t, root)
	if err := fill("web"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"000/b", "000/c"} {
		put(t, filepath.Join(above, name), "by the tool")
	}
	back, err := tr.BringBack(replace.Options{Warn: func(string) {}}, func(_ string, text []byte) []byte { return text }, filepath.Base)
	if diff := cmp.Diff([]string{"b was written by the tool through a link that points outside of the copy"}, back.Lost); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// What a tool does that can't be done to the original, or must not be, is told.
func TestBringBackRefused(t *testing.T) {
	no := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		tool func(t *testing.T, copied, root string)
		want []string
	}{
		"file made a link": {func(t *testing.T, copied, _ string) {
			no(t, errors.Join(os.Remove(copied+"/notes.txt"), os.Symlink("long.txt", copied+"/notes.txt")))
		}, []string{"notes.txt was replaced by the tool in the copy only: it is not a regular file"}},
		"new link": {func(t *testing.T, copied, _ string) { no(t, os.Symlink("/", copied+"/new")) },
			[]string{"new is not a regular file, so it is not copied back"}},
		"large file": {func(t *testing.T, copied, _ string) {
			put(t, copied+"/new", "")
			no(t, os.Truncate(copied+"/new", 256<<20+1))
		}, []string{"new is not copied back: it is larger than 268435456 bytes"}},
		"large state": {func(t *testing.T, copied, _ string) {
			put(t, copied+"/x.tfstate", "")
			no(t, os.Truncate(copied+"/x.tfstate", 256<<20+1))
		}, []string{"x.tfstate is a state that the tool wrote into the copy, and is not copied back"}},
		"link for a state": {func(t *testing.T, copied, _ string) { no(t, os.Symlink("notes.txt", copied+"/x.tfstate")) },
			[]string{"x.tfstate is a state that the tool wrote into the copy, and is not copied back"}},
		"link made a directory": {func(t *testing.T, copied, _ string) {
			no(t, os.Remove(copied+"/out"))
			put(t, copied+"/out/new", "")
		}, []string{"out was removed by the tool from the copy only", "out/new would be outside of the original, so it is not copied back"}},
		"link made a file": {func(t *testing.T, copied, _ string) {
			no(t, os.Remove(copied+"/linked"))
			put(t, copied+"/linked", "x")
		}, []string{"linked was replaced by the tool in the copy only: it is a link in the original"}},
		"file made a directory": {func(t *testing.T, copied, _ string) {
			no(t, os.Remove(copied+"/notes.txt"))
			put(t, copied+"/notes.txt/new", "")
		}, []string{"notes.txt was removed by the tool from the copy only", "notes.txt/new is not copied back: not a directory"}},
		"original removed": {func(t *testing.T, copied, root string) {
			put(t, copied+"/notes.txt", "x")
			no(t, os.Remove(root+"/notes.txt"))
		}, []string{"notes.txt was changed by the tool in the copy only: no such file or directory"}},
		"original removed while it is read": {func(t *testing.T, copied, _ string) { put(t, copied+"/sub/removed", "x") },
			[]string{"sub/removed was changed by the tool in the copy only: no such file or directory"}},
		"flattened file made a link": {func(t *testing.T, copied, _ string) {
			no(t, errors.Join(os.Remove(copied+"/web/main.tf"), os.Symlink("same.tf", copied+"/web/main.tf")))
		}, []string{"web/main.tf was replaced by the tool, but is merged in the copy; change the originals"}},
		"large flattened file": {func(t *testing.T, copied, _ string) { no(t, os.Truncate(copied+"/web/main.tf", 256<<20+1)) },
			[]string{"web/main.tf was replaced by the tool, but is merged in the copy; change the originals"}},
		"hiding file": {func(t *testing.T, copied, _ string) { put(t, copied+"/web/pair.tofu", "") },
			[]string{"web/pair.tofu would override the original, so it is not copied back"}},
		"file behind a link": {func(t *testing.T, copied, _ string) { put(t, copied+"/out/new", "") },
			[]string{"OUT/new was written by the tool through a link that points outside of the copy"}},
		"file removed behind a link": {func(t *testing.T, copied, _ string) { no(t, os.Remove(copied+"/out/x")) },
			[]string{"OUT/x was removed by the tool through a link that points outside of the copy"}},
		"files that go while they are searched": {func(t *testing.T, copied, _ string) { no(t, os.Symlink("/", copied+"/going")) },
			[]string{
				"going is not a regular file, so it is not copied back",
				"notes.txt was removed by the tool from the copy only",
				"sub/removed was removed by the tool from the copy only",
				"? COPY/sub was not searched for changes: no such file or directory",
			}},
	} {
		t.Run(name, func(t *testing.T) {
			root, out := original(t), realDir(t)
			put(t, filepath.Join(root, "sub/removed"), "")
			put(t, filepath.Join(root, "web/pair.tf"), "locals {}\n")
			put(t, filepath.Join(root, "web/pair.tofu"), "locals {}\n")
			put(t, filepath.Join(out, "x"), "x")
			no(t, errors.Join(os.Symlink(out, filepath.Join(root, "out")), os.Symlink(filepath.Join(out, "x"), filepath.Join(root, "linked"))))
			tr, fill, warned := begin(t, root)
			no(t, fill("web"))
			copied := tr.Copied(tr.Base)
			c.tool(t, copied, tr.Base)
			back, err := tr.BringBack(replace.Options{Warn: func(text string) { t.Error(text) }}, func(path string, text []byte) []byte {
				if strings.HasSuffix(path, "/removed") {
					no(t, os.RemoveAll(filepath.Dir(path)))
				}
				return text
			}, func(path string) string {
				if strings.HasSuffix(path, "/going") {
					no(t, errors.Join(os.RemoveAll(copied+"/sub"), os.Remove(copied+"/notes.txt")))
				}
				return strings.Replace(strings.TrimPrefix(path, tr.Base+"/"), out, "OUT", 1)
			})
			no(t, err)
			for _, text := range *warned {
				back.Lost = append(back.Lost, "? "+strings.ReplaceAll(text, copied, "COPY"))
			}
			if diff := cmp.Diff(c.want, back.Lost); diff != "" {
				t.Error(diff)
			}
			if got := read(t, filepath.Join(out, "x")); got != "x" && name != "file removed behind a link" {
				t.Errorf("a file outside is %q", got)
			}
		})
	}
}

// A run that is ended, and a copy that is gone, bring nothing back.
func TestBringBackFails(t *testing.T) {
	same := func(_ string, text []byte) []byte { return text }
	broke := errors.New("it broke")
	tr, root, _ := tree(t)
	put(t, tr.Copied(filepath.Join(root, "notes.txt")), "by the tool")
	_, err := tr.BringBack(replace.Options{Warn: func(string) {}, Step: func(int) error { return broke }}, same, filepath.Base)
	if !errors.Is(err, broke) || read(t, filepath.Join(root, "notes.txt")) != given["notes.txt"] {
		t.Error(err)
	}
	tr, root, warned := tree(t)
	if err := tr.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := tr.BringBack(replace.Options{Warn: func(string) {}}, same, filepath.Base); err == nil || !strings.HasPrefix(err.Error(), "can't read the copy: ") {
		t.Error(err)
	}
	if tr.Keep(root); len(*warned) != 1 || !strings.HasPrefix((*warned)[0], "the next run will remove ") {
		t.Errorf("%q", *warned)
	}
}

// A file keeps the mode that the tool gave it, unless it goes before.
func TestModes(t *testing.T) {
	tr, root, _ := tree(t)
	for name, text := range map[string]string{"a.sh": "new", "b.sh": "new", "notes.txt": "changed", "web/same.tf": given["web/same.tf"]} {
		path := tr.Copied(filepath.Join(root, name))
		put(t, path, text)
		if err := os.Chmod(path, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	back, err := tr.BringBack(replace.Options{Warn: func(string) {}, Step: func(int) error {
		_ = os.Remove(filepath.Join(root, "a.sh"))
		return nil
	}}, func(_ string, text []byte) []byte { return text }, filepath.Base)
	if diff := cmp.Diff([]string{"a.sh keeps its mode: no such file or directory"}, back.Lost); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, name := range []string{"b.sh", "notes.txt", "web/same.tf"} {
		if info, err := os.Stat(filepath.Join(root, name)); err != nil || info.Mode().Perm() != 0o711 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
