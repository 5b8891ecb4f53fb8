package replace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asideSet changes a file in a directory and one below it, and keeps both aside.
func asideSet(t *testing.T, dir string, opts Options) *Set {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(dir, "sub", "c")
	if err := os.WriteFile(below, []byte("5"), 0o604); err != nil {
		t.Fatal(err)
	}
	s := planned(t, dir, opts)
	if err := s.Rewrite(below, "sub/c", []byte("5"), []byte("five")); err != nil {
		t.Fatal(err)
	}
	return withAside(t, s, dir)
}

func withAside(t *testing.T, s *Set, dir string) *Set {
	t.Helper()
	if err := s.KeepAside(dir, 0); err != nil {
		t.Fatal(err)
	}
	return s
}

// Moving back all files that are aside after a kill restores the module, whichever step came next.
func TestAsideLeadsBack(t *testing.T) {
	killed := errors.New("killed")
	for at := 5; at < 11; at++ {
		dir := put(t, before)
		s := asideSet(t, dir, Options{Step: func(i int) error {
			if i == at {
				return killed
			}
			return nil
		}})
		if err := s.Run(); !errors.Is(err, killed) || err.Error() != "killed" {
			t.Fatalf("step %d: %v", at, err)
		}
		aside := filepath.Join(dir, AsideName)
		if text, err := os.ReadFile(filepath.Join(aside, "c")); err != nil || string(text) != "5" {
			t.Errorf("step %d: %q, %v", at, text, err)
		}
		if info, err := os.Stat(filepath.Join(aside, "c")); err != nil || info.Mode() != 0o604 {
			t.Errorf("step %d: %v, %v", at, info, err)
		}
		back := found(t, dir)
		for name, text := range found(t, aside) {
			back[name] = text
		}
		for name, text := range before {
			if back[name] != text {
				t.Errorf("step %d: %s is %q", at, name, back[name])
			}
		}
	}
}

// When all is done, nothing is left aside.
func TestAsideBelow(t *testing.T) {
	dir := put(t, before)
	s := asideSet(t, dir, Options{})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for name, text := range listing(t, dir) {
		mode, text, _ := strings.Cut(text, " ")
		if mode[0] != 'd' {
			all[filepath.ToSlash(name)] = text
		}
	}
	want := map[string]string{"/a": "one", "/b": "two", "/new": "four", "/sub/c": "five"}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Files that somebody else puts aside, or changes there, stay and are named.
func TestAsideOfSomebody(t *testing.T) {
	dir := put(t, before)
	if err := os.Mkdir(filepath.Join(dir, AsideName), 0o700); err != nil {
		t.Fatal(err)
	}
	err := asideSet(t, dir, Options{}).Run()
	if want := "nothing was written: can't make " + filepath.Join(dir, AsideName) + ": file exists"; errText(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := os.Stat(filepath.Join(dir, AsideName)); err != nil {
		t.Error(err)
	}

	dir = put(t, before)
	aside := filepath.Join(dir, AsideName)
	err = asideSet(t, dir, Options{Step: func(i int) error {
		if i != 6 {
			return nil
		}
		return errors.Join(os.WriteFile(filepath.Join(aside, "x"), nil, 0o600), os.WriteFile(filepath.Join(dir, "gone"), []byte("saved"), 0o600))
	}}).Run()
	if want := "gone changed on disk after it was read; the rest was undone, but " + aside + " is not empty"; errText(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := os.Stat(filepath.Join(aside, "x")); err != nil {
		t.Error(err)
	}
}
