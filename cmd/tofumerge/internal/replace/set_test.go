package replace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func put(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// found returns the contents of a directory.
func found(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			text = []byte(err.Error())
		}
		files[e.Name()] = string(text)
	}
	return files
}

var (
	before = map[string]string{"a": "1", "b": "2", "gone": "3"}
	after  = map[string]string{"a": "one", "b": "two", "new": "four"}
)

// planned is a set that makes after of before.
func planned(t *testing.T, dir string, opts Options) *Set {
	t.Helper()
	if opts.Warn == nil {
		opts.Warn = func(text string) { t.Errorf("told %q", text) }
	}
	s := NewSet(opts)
	t.Cleanup(s.Close)
	err := errors.Join(
		s.Rewrite(filepath.Join(dir, "a"), "a", []byte("1"), []byte("one")),
		s.Rewrite(filepath.Join(dir, "b"), "b", []byte("2"), []byte("two")),
		s.Create(filepath.Join(dir, "new"), "new", []byte("four")),
		s.Remove(filepath.Join(dir, "gone"), "gone", []byte("3")))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eachWay runs a test with names that can be exchanged, and without.
func eachWay(t *testing.T, test func(t *testing.T)) {
	t.Run("exchange", test)
	t.Run("links", func(t *testing.T) {
		withoutExchange(t)
		test(t)
	})
}

func TestSet(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		dir := put(t, before)
		if err := planned(t, dir, Options{}).Run(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(after, found(t, dir)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("mode %v (%v)", info.Mode(), err)
		}
	})
}

// A text that somebody saves before any step is there afterwards, and the others are unchanged.
func TestSetSavedMeanwhile(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for _, name := range []string{"a", "b", "gone", "new"} {
			for at := range 8 {
				dir := put(t, before)
				var told []string
				s := planned(t, dir, Options{
					Warn: func(text string) { told = append(told, text) },
					Step: func(i int) error {
						if i != at {
							return nil
						}
						return os.WriteFile(filepath.Join(dir, name), []byte("saved"), 0o600)
					},
				})
				err := s.Run()
				got := found(t, dir)
				if got[name] != "saved" {
					t.Errorf("%s before step %d: %v, %q\n%v", name, at, err, told, got)
				}
				if err == nil {
					continue
				}
				for other, text := range before {
					if other != name && got[other] != text {
						t.Errorf("%s before step %d: %v, but %s is %q", name, at, err, other, got[other])
					}
				}
			}
		}
	})
}

// Without permission, as where a directory can't be written to or synced, nothing is
// done.
func TestSetTakenBack(t *testing.T) {
	fails := errors.New("the disk is on fire")
	eachWay(t, func(t *testing.T) {
		for failing := 1; failing <= 2; failing++ {
			dir, n := put(t, before), 0
			sync = func(*os.File) error {
				if n++; n == failing {
					return fails
				}
				return nil
			}
			err := planned(t, dir, Options{}).Run()
			sync = (*os.File).Sync
			if !errors.Is(err, fails) || !strings.HasPrefix(err.Error(), "nothing was written: ") {
				t.Errorf("sync %d fails: %v", failing, err)
			}
			if diff := cmp.Diff(before, found(t, dir)); diff != "" {
				t.Errorf("sync %d fails (-want +got):\n%s", failing, diff)
			}
		}
	})
}

// Changed files stop a run before it begins.
func TestSetExpects(t *testing.T) {
	dir := put(t, map[string]string{"a": "1", "b": "2", "gone": "3", "other": "5"})
	s := planned(t, dir, Options{})
	s.Expect(filepath.Join(dir, "other"), "other", []byte("4"))
	err := s.Run()
	if want := "nothing was written: other changed on disk after it was read; run the command again"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A removal waits for the texts that were added before it, and not for those of other modules, which come
// later.
func TestSetModules(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		old := map[string]string{"a": "1", "gone a": "2", "b": "3", "gone b": "4"}
		dir := put(t, old)
		s := NewSet(Options{Warn: func(text string) { t.Errorf("told %q", text) }})
		t.Cleanup(s.Close)
		for _, name := range []string{"a", "b"} {
			err := errors.Join(
				s.Rewrite(filepath.Join(dir, name), name, []byte(old[name]), []byte("new "+name)),
				s.Remove(filepath.Join(dir, "gone "+name), "gone "+name, []byte(old["gone "+name])))
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Run(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(map[string]string{"a": "new a", "b": "new b"}, found(t, dir)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Attributes of a file that the new one can't have are reported.
func TestSetHardLink(t *testing.T) {
	dir := put(t, before)
	if err := os.Link(filepath.Join(dir, "a"), filepath.Join(t.TempDir(), "other")); err != nil {
		t.Skip(err)
	}
	var told []string
	if err := planned(t, dir, Options{Warn: func(text string) { told = append(told, text) }}).Run(); err != nil {
		t.Fatal(err)
	}
	want := []string{"a was replaced by a new file; other hard links to the old file keep the old text"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Files that a killed run may have left are named once, and stay.
func TestReportLeft(t *testing.T) {
	files := map[string]string{".tofumerge-part-00000001": "resour", ".tofumerge.hcl": "", ".tofumerge-baseline.json": "", "main.tf": ""}
	dir := put(t, files)
	t.Chdir(dir)
	want := dir + "/.tofumerge-part-00000001 may be left from a killed run, or hold the old text of a file; check and remove it"
	var told []string
	opts := Options{Warn: func(text string) { told = append(told, strings.ReplaceAll(text, filepath.ToSlash(dir), dir)) }}
	s := NewSet(opts)
	defer s.Close()
	s.ReportLeft(dir)
	s.ReportLeft(".")
	if err := s.Rewrite("main.tf", "main.tf", nil, nil); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{want}, told); diff != "" {
		t.Errorf("a set (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(files, found(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	told = nil
	if err := MakeDir(filepath.Join(dir, "out"), opts, func(*Building) error { return nil }); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{want}, told); diff != "" {
		t.Errorf("a directory (-want +got):\n%s", diff)
	}
	told = nil
	o, err := FindOutput(filepath.Join(dir, "x"))
	if err == nil {
		err = o.Write(nil, opts)
	}
	if diff := cmp.Diff([]string{want}, told); diff != "" || err != nil {
		t.Errorf("an output: %v (-want +got):\n%s", err, diff)
	}
}
