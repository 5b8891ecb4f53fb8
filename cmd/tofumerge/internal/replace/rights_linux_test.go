package replace

import (
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

// An empty directory that may not be read can't be replaced by one like it.
func TestMakeDirUnreadable(t *testing.T) {
	enter(t, nil)
	asUser(t, func() {
		if err := os.Mkdir("out", 0); err != nil {
			t.Error(err)
		}
		err := MakeDir("out", silent(t), fillOut)
		if want := "can't write out: permission denied"; errText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	})
	if n := len(found(t, ".")); n != 1 {
		t.Errorf("%d names are there", n)
	}
}

// A directory that may be written to but not read is not synced, which is not an error.
func TestOutputDirUnreadable(t *testing.T) {
	enter(t, nil)
	if err := os.Chmod(".", 0o333); err != nil {
		t.Fatal(err)
	}
	asUser(t, func() {
		if err := outputTo("x", "text"); err != nil {
			t.Error(err)
		}
	})
	_ = os.Chmod(".", 0o755)
	if diff := cmp.Diff(map[string]string{"x": "text"}, found(t, ".")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
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

// A file that can't get the same owner and group loses their rights, and the user is warned.
func TestOwnerLost(t *testing.T) {
	needRoot(t)
	for _, c := range []struct{ mode, want os.FileMode }{
		{0o674 | os.ModeSetuid | os.ModeSetgid, 0o644},
		{0o646, 0o646},
		{0o657, 0o657},
		{0o664 | os.ModeSetgid, 0o644},
		{0o626, 0o626},
		{0o667, 0o667},
		{0o640, 0o600}, // which may not be read
		{0o620 | os.ModeSetuid, 0o600},
	} {
		enter(t, map[string]string{"x": "old"})
		if err := os.Chmod("x", c.mode); err != nil {
			t.Fatal(err)
		}
		var told []string
		asUser(t, func() {
			o, err := FindOutput("x")
			if err == nil {
				err = o.Write([]byte("new"), Options{Warn: func(text string) { told = append(told, text) }})
			}
			if err != nil {
				t.Error(err)
			}
		})
		checkOwner(t, "x", nobody, nobody, c.want)
		want := []string{
			"x was replaced by a new file; the system does not let it keep the group (gid 0)",
			"x was replaced by a new file; the system does not let it keep the owner (uid 0)",
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
