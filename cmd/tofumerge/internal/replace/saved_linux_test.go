package replace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// An old system that does not know the call is one that can't exchange names.
func TestSetOldSystem(t *testing.T) {
	dir := put(t, before)
	r := &renaming{fails: func(int) error { return unix.ENOSYS }}
	r.install(t)
	if err := planned(t, dir, Options{}).Run(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(after, found(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file that can't be read any more can't be compared, which ends the run.
func TestSetUnreadable(t *testing.T) {
	enter(t, nil)
	asUser(t, func() {
		for name, text := range before {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Error(err)
			}
		}
		for at, want := range map[int]string{
			1: "nothing was written: can't write a: permission denied",
			3: "nothing was written: can't write a: permission denied",
		} {
			err := planned(t, ".", Options{Step: func(i int) error {
				if i == at {
					return os.Chmod("a", 0)
				}
				return nil
			}}).Run()
			if errText(err) != want {
				t.Errorf("step %d: %v, want %s", at, err, want)
			}
			_ = os.Chmod("a", 0o600)
			if diff := cmp.Diff(before, found(t, ".")); diff != "" {
				t.Errorf("step %d (-want +got):\n%s", at, diff)
			}
		}
	})
}

// If nothing is removed, a file that is saved after it was rewritten is not a reason to restore the
// others.
func TestSetSavedAfterwards(t *testing.T) {
	dir := put(t, before)
	s := NewSet(Options{
		Warn: func(text string) { t.Errorf("told %q", text) },
		Step: func(i int) error {
			if i == 3 {
				save(t, filepath.Join(dir, "a"), "saved")
			}
			return nil
		},
	})
	t.Cleanup(s.Close)
	err := errors.Join(
		s.Rewrite(filepath.Join(dir, "a"), "a", []byte("1"), []byte("one")),
		s.Rewrite(filepath.Join(dir, "b"), "b", []byte("2"), nil),
		s.Run())
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "saved", "b": "", "gone": "3"}, found(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A replaced text that somebody saves under its new name is kept and named.
func TestSetSavedOld(t *testing.T) {
	dir := put(t, before)
	kept := ""
	var told []string
	err := planned(t, dir, Options{
		Warn: func(text string) { told = append(told, text) },
		Step: func(i int) error {
			if i != 7 {
				return nil
			}
			for name, text := range found(t, dir) {
				if text == "3" {
					kept = filepath.Join(dir, name)
				}
			}
			return os.WriteFile(kept, []byte("saved"), 0o600)
		},
	}).Run()
	want := []string{"everything was written, but a version of gone that another program saved is kept in " + kept}
	if diff := cmp.Diff(want, told); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// All files are compared before the first one changes.
func TestSetComparesFirst(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"saved":   func(path string) error { return os.WriteFile(path, []byte("saved"), 0o600) },
		"removed": os.Remove,
	} {
		dir := put(t, before)
		r := &renaming{}
		r.install(t)
		err := planned(t, dir, Options{Step: func(i int) error {
			if i == 2 {
				return change(filepath.Join(dir, "gone"))
			}
			return nil
		}}).Run()
		want := "nothing was written: gone changed on disk after it was read; run the command again"
		if errText(err) != want || r.calls != 0 {
			t.Errorf("%s: %v after %d renamings, want %s", name, err, r.calls, want)
		}
	}
}

// Nothing is removed when a file that was rewritten for it was saved since.
func TestSetSavedBeforeRemoval(t *testing.T) {
	dir := put(t, before)
	err := planned(t, dir, Options{Step: func(i int) error {
		if i == 6 {
			save(t, filepath.Join(dir, "a"), "saved")
		}
		return nil
	}}).Run()
	if want := "a changed on disk after it was read; the rest was undone, but another program saved a meanwhile; "; !strings.HasPrefix(errText(err), want) {
		t.Errorf("%v, want %s…", err, want)
	}
	if got := found(t, dir); got["a"] != "saved" || got["b"] != "2" || got["gone"] != "3" {
		t.Errorf("%v", got)
	}
}

// A file to be removed must exist.
func TestSetRemoveMissing(t *testing.T) {
	s := planned(t, put(t, before), Options{})
	if err := s.Remove(filepath.Join(s.changes[0].dir.Name(), "x"), "x", []byte("5")); err != nil {
		t.Error(err)
	}
	if want := "nothing was written: x changed on disk after it was read; run the command again"; errText(s.Run()) != want {
		t.Errorf("want %s", want)
	}
}

// A full device behind stdout is an error.
func TestOutputStdoutFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	stdout := os.Stdout
	os.Stdout = full
	err = outputTo("/dev/fd/1", "text")
	os.Stdout = stdout
	if want := "can't write /dev/fd/1: no space left on device"; errText(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}
