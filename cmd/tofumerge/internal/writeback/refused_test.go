//go:build unix

package writeback

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

// A copied is a directory m on its way to another one.
type copied struct {
	DirCopy
	warned []string
	// before is called with the path of a file or directory before it is copied.
	before func(path string)
}

// copyTo copies the directory below root, as a copy for programs or for people, after prepare.
func copyTo(root string, isMirror bool, prepare func(c *copied)) (warned []string, err error) {
	c := &copied{before: func(string) {}}
	err = replace.MakeDir(filepath.Join(root, "new"), replace.Options{}, func(b *replace.Building) error {
		c.DirCopy = DirCopy{
			To: b, At: b.Path, From: filepath.Join(root, "m"), Warn: func(text string) { c.warned = append(c.warned, text) },
			IsWritten: func(rel string) bool { c.before(filepath.Join(root, "m", rel)); return false },
		}
		if isMirror {
			c.Mirror = &Mirror{
				In:       func(path string) string { return path },
				IsLinked: func(rel string, _ fs.DirEntry) bool { c.before(filepath.Join(root, "m", rel)); return false },
			}
		}
		prepare(c)
		return c.Copy()
	})
	return c.warned, err
}

// A copy for people is complete, or isn't made.
func TestCopyRefused(t *testing.T) {
	no := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Skip(err)
		}
	}
	for name, test := range map[string]struct {
		isMirror bool
		prepare  func(t *testing.T, c *copied)
		want     string // the error; or the only warning, after a ?
	}{
		"no directory": {false, func(t *testing.T, c *copied) { c.From += "/none" }, "can't copy .: no such file or directory"},
		"no directory any more": {true, func(t *testing.T, c *copied) { c.From += "/none" },
			"?. is left out of the copy: no such file or directory"},
		"below a file": {true, func(t *testing.T, c *copied) { c.From += "/notes.txt/x" }, "can't copy .: not a directory"},
		"pipe": {false, func(t *testing.T, c *copied) { no(t, exec.Command("mkfifo", c.From+"/pipe").Run()) },
			"can't copy pipe: it is not a regular file"},
		"pipe that no program needs": {true, func(t *testing.T, c *copied) { no(t, exec.Command("mkfifo", c.From+"/pipe").Run()) },
			"?pipe is left out: it is not a regular file"},
		"file that is there": {false, func(t *testing.T, c *copied) { no(t, os.WriteFile(c.At+"/notes.txt", nil, 0o600)) },
			"can't copy notes.txt: file exists"},
		"link that is there": {false, func(t *testing.T, c *copied) { no(t, os.Symlink("x", c.At+"/link")) }, "can't copy link: file exists"},
		"nowhere to put it":  {false, func(t *testing.T, c *copied) { c.At += "/none" }, "can't copy empty: no such file or directory"},
		"link that becomes a file": {false, func(t *testing.T, c *copied) {
			c.before = func(path string) {
				if filepath.Base(path) == "link" {
					no(t, errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)))
				}
			}
		}, "can't copy link: invalid argument"},
		"file that goes": {false, func(t *testing.T, c *copied) {
			c.before = func(path string) {
				if filepath.Base(path) == "notes.txt" {
					no(t, os.Remove(path))
				}
			}
		}, "can't copy notes.txt: no such file or directory"},
		"directory that goes": {true, func(t *testing.T, c *copied) {
			c.before = func(path string) {
				if filepath.Base(path) == "empty" {
					no(t, os.Remove(path))
				}
			}
		}, "?empty is left out of the copy: no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			root := clitest.Tree(t, "-- m/notes.txt --\nnotes\n")
			no(t, errors.Join(os.Mkdir(filepath.Join(root, "m/empty"), 0o700), os.Symlink("notes.txt", filepath.Join(root, "m/link"))))
			warned, err := copyTo(root, test.isMirror, func(c *copied) { test.prepare(t, c) })
			got := "?" + strings.Join(warned, "\n")
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			if _, there := os.Stat(filepath.Join(root, "new")); (there == nil) != (err == nil) {
				t.Errorf("with the error %v, the copy is there: %v", err, there == nil)
			}
		})
	}
}

// A file has changed if its size or its time is another one.
func TestIsUnchanged(t *testing.T) {
	path := filepath.Join(clitest.Tree(t, "-- x --\ntext\n"), "x")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for text, later := range map[string]time.Duration{"text\n": 0, "other\n": 0, "t3xt\n": time.Second} {
		after := before.ModTime().Add(later)
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, after, after)); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || isUnchanged(before, info, before.Size()) != (text == "text\n") {
			t.Errorf("%q: %v, %v", text, info, err)
		}
	}
}

// A memory holds the files of a directory that may be anywhere.
type memory map[string]string

func (m memory) Names() (names []string, links map[string]bool, err error) {
	if len(m) == 0 {
		return nil, nil, errors.New("it is gone")
	}
	for name := range m {
		names = append(names, name)
	}
	return names, nil, nil
}

func (m memory) Read(name string, _ int64) ([]byte, error) {
	if text, ok := m[name]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func (m memory) EscapesRepo(string) bool { return false }

const (
	plain    = "locals {\n  a = 1\n}\n"
	other    = "locals {\n  a = 2\n}\n"
	provider = "provider \"a\" {\n}\n"
)

// Nothing is written if the module would change, or if a file can't be written.
func TestInPlaceRefused(t *testing.T) {
	for name, test := range map[string]struct {
		files   memory
		prepare func(dir string) error
		change  func(dir string, diffs []*patch.File) []*patch.File
		gone    memory // what is read instead of the directory, which is gone
		want    string
	}{
		"other changes": {files: memory{"main.tf": plain, "override.tf": other},
			change: func(string, []*patch.File) []*patch.File { return nil },
			want:   "nothing was written: without the override files, the module would change"},
		"a broken file": {files: memory{"main.tf": plain, "override.tf": other},
			change: func(string, []*patch.File) []*patch.File {
				return []*patch.File{patch.Diff("main.tf", []byte(plain), []textedit.Edit{textedit.Replace(0, len(plain), other+"x = 1\n")})}
			},
			want: "nothing was written: without the override files, the module would change"},
		"a module that goes": {files: memory{"main.tf": plain, "override.tf": other}, gone: memory{}, want: "it is gone"},
		"a name that is taken": {files: memory{"override.tf": provider},
			change: func(dir string, diffs []*patch.File) []*patch.File {
				_ = os.WriteFile(filepath.Join(dir, "main.tf"), nil, 0o600)
				return diffs
			},
			want: "nothing was written: main.tf already exists; remove or rename it"},
		"a new file in no directory": {files: memory{"override.tf": provider}, gone: memory{"override.tf": provider},
			want: "can't write main.tf: no such file or directory"},
		"a changed file in no directory": {files: memory{"main.tf": plain, "override.tf": other}, gone: memory{"main.tf": plain},
			want: "can't write main.tf: no such file or directory"},
		"an override in no directory": {files: memory{"main.tf": plain, "override.tf": plain}, gone: memory{"main.tf": plain},
			want: "can't write override.tf: no such file or directory"},
		"a hidden link to itself": {files: memory{"main.tf": plain, "override.tf": plain, "override.tofu": other},
			prepare: func(dir string) error {
				path := filepath.Join(dir, "override.tf")
				return errors.Join(os.Remove(path), os.Symlink("override.tf", path))
			},
			want: "nothing was written: can't read override.tf: too many levels of symbolic links"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range test.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if test.prepare != nil {
				if err := test.prepare(dir); err != nil {
					t.Skip(err)
				}
			}
			m := merged(t, dir)
			diffs, _ := rewrite.Diff(m)
			if test.change != nil {
				diffs = test.change(dir, diffs)
			}
			var loading load.Options
			if test.gone != nil {
				loading.From = test.gone
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
			}
			set := replace.NewSet(replace.Options{Warn: func(text string) { t.Error(text) }})
			defer set.Close()
			err := InPlace(set, m, diffs, loading)
			if err == nil || !strings.HasSuffix(strings.ReplaceAll(err.Error(), dir+"/", ""), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
			if _, err := Removed(m.Source); (err == nil) == (name == "a hidden link to itself") {
				t.Errorf("removed files are read: %v", err)
			}
		})
	}
}

// A link to nothing that another override file hides is removed like others.
func TestInPlaceHiddenLink(t *testing.T) {
	dir := filepath.Join(clitest.Tree(t, module+"-- m/override.tofu --\nlocals {\n  a = 3\n}\n"), "m")
	path := filepath.Join(dir, "override.tf")
	if err := errors.Join(os.Remove(path), os.Symlink("none", path)); err != nil {
		t.Skip(err)
	}
	if warned, err := flatten(t, dir, nil); err != nil || warned != nil {
		t.Fatal(err, warned)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the link is left")
	}
}

// A target that can't be found isn't taken for one in the directory.
func TestTargetInside(t *testing.T) {
	dir := clitest.Tree(t, module)
	for name, in := range map[string]string{"m/none.tf": "m", "m/main.tf": "none"} {
		_, err := TargetInside(filepath.Join(dir, in), filepath.Join(dir, name), name)
		if err == nil || err.Error() != "can't write "+name+": no such file or directory" {
			t.Errorf("%s in %s: %v", name, in, err)
		}
	}
}

// An override file that changes while the steps are judged may change the module half-way.
func TestInPlaceChangedMeanwhile(t *testing.T) {
	dir := clitest.Tree(t, "-- main.tf --\n"+plain+"-- a_override.tf --\n"+plain+"-- b_override.tf --\n"+plain)
	m := merged(t, dir)
	diffs, _ := rewrite.Diff(m)
	var first, second atomic.Int32
	loading := load.Options{Read: func(path string, _ int64) ([]byte, error) {
		switch filepath.Base(path) {
		case "a_override.tf":
			first.Add(1)
		case "b_override.tf":
			if second.Add(1) == 2 { // after the first one is gone
				return []byte(other), nil
			}
		}
		return os.ReadFile(path)
	}}
	set := replace.NewSet(replace.Options{Warn: func(text string) { t.Error(text) }})
	defer set.Close()
	err := InPlace(set, m, diffs, loading)
	if err == nil || !strings.Contains(err.Error(), "while only some of the files are written") || first.Load() != 1 {
		t.Errorf("%v; the first override file is read %d times", err, first.Load())
	}
}
