package replace

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Without permission nothing is written, and the error names the requested file.
func TestNoPermission(t *testing.T) {
	for name, c := range map[string]struct {
		do   func() error
		want string
	}{
		"set":    {func() error { return planned(t, ".", Options{}).Run() }, "nothing was written: can't write a: permission denied"},
		"output": {func() error { return outputTo("a", "new") }, "can't write a: permission denied"},
		"new":    {func() error { return outputTo("x", "new") }, "can't write x: permission denied"},
		"dir":    {func() error { return MakeDir("out", silent(t), fillOut) }, "can't write out: permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			enter(t, before)
			if err := os.Chmod(".", 0o555); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"a", "b", "gone"} {
				if err := os.Chmod(name, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			asUser(t, func() {
				if err := c.do(); errText(err) != c.want {
					t.Errorf("%v, want %s", err, c.want)
				}
			})
			if diff := cmp.Diff(before, found(t, ".")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			_ = os.Chmod(".", 0o755)
		})
	}
}

func outputTo(name, text string) error {
	o, err := FindOutput(name)
	if err != nil {
		return err
	}
	return o.Write([]byte(text), Options{Warn: func(string) {}})
}

// An unreadable file may be replaced, and stays unreadable.
func TestOutputUnreadable(t *testing.T) {
	enter(t, nil)
	asUser(t, func() {
		if err := os.WriteFile("x", []byte("old"), 0o200); err != nil {
			t.Error(err)
		}
		if err := outputTo("x", "new"); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat("x"); err != nil || info.Mode() != 0o200 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		_ = os.Chmod("x", 0o600)
		if diff := cmp.Diff(map[string]string{"x": "new"}, found(t, ".")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// The new file belongs to whom the old one belonged to.
func TestOwnerKept(t *testing.T) {
	needRoot(t)
	enter(t, map[string]string{"x": "old"})
	for _, mode := range []os.FileMode{0o640, 0o674 | os.ModeSetuid | os.ModeSetgid} {
		if err := os.Chown("x", 1234, 5678); err != nil {
			t.Skip(err)
		}
		if err := os.Chmod("x", mode); err != nil {
			t.Fatal(err)
		}
		o, err := FindOutput("x")
		if err == nil {
			err = o.Write([]byte("new "+mode.String()), silent(t))
		}
		if err != nil {
			t.Error(err)
		}
		checkOwner(t, "x", 1234, 5678, mode)
	}
}

// A file or a directory whose owner or mode the new one can't have is refused, and nothing is written.
func TestOwnerRefused(t *testing.T) {
	needRoot(t)
	for name, do := range map[string]func() error{
		"x": func() error { return outputTo("x", "new") },
		"set": func() error {
			s := NewSet(silent(t))
			defer s.Close()
			return errors.Join(s.Rewrite("y", "y", []byte("mine"), []byte("new")), s.Rewrite("x", "x", []byte("old"), []byte("new")), s.Run())
		},
		"dir": func() error { return MakeDir("dir", silent(t), fillOut) },
	} {
		enter(t, map[string]string{"x": "old", "y": "mine"})
		err := errors.Join(os.Chmod("x", 0o644), os.Chown("y", nobody, nobody), os.Mkdir("dir", 0o755))
		if err != nil {
			t.Fatal(err)
		}
		all := listing(t, ".")
		asUser(t, func() { err = do() })
		want := "can't write " + name + ": you may not make a file of its owner and group (0:0); change them first"
		if name == "set" {
			want = "nothing was written: can't write x: you may not make a file of its owner and group (0:0); change them first"
		}
		if errText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
		if diff := cmp.Diff(all, listing(t, ".")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The same holds for a mode that the system doesn't keep, without an error: only members of a group may
// make files that run with its rights.
func TestModeRefused(t *testing.T) {
	needRoot(t)
	enter(t, nil)
	if err := errors.Join(os.Chown(".", nobody, 5678), os.Chmod(".", 0o777|os.ModeSetgid)); err != nil {
		t.Skip(err)
	}
	if err := errors.Join(os.WriteFile("x", []byte("old"), 0o644), os.Chown("x", nobody, 5678), os.Chmod("x", 0o755|os.ModeSetgid)); err != nil {
		t.Skip(err)
	}
	var err error
	asUser(t, func() { err = outputTo("x", "new") })
	if want := "can't write x: the system doesn't let a new file have its mode (grwxr-xr-x); change it first"; errText(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	checkOwner(t, "x", nobody, 5678, 0o755|os.ModeSetgid)
	if diff := cmp.Diff(map[string]string{"x": "old"}, found(t, ".")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
