package replace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// A file that became something else since it was read stops a run, whatever it became.
func TestSetOtherKinds(t *testing.T) {
	changed := "nothing was written: a changed on disk after it was read; run the command again"
	for name, c := range map[string]struct {
		become func() error
		want   string
	}{
		"directory":   {func() error { return os.Mkdir("a", 0o700) }, changed},
		"FIFO":        {func() error { return unix.Mkfifo("a", 0o600) }, changed},
		"link":        {func() error { return os.WriteFile("x", []byte("1"), 0o600) }, changed},
		"other text":  {func() error { return os.WriteFile("a", []byte("7"), 0o600) }, changed},
		"longer text": {func() error { return os.WriteFile("a", []byte("11"), 0o600) }, changed},
		"nothing":     {func() error { return nil }, "nothing was written: can't write a: no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(put(t, before))
			s := planned(t, ".", Options{Warn: func(string) {}})
			err := errors.Join(os.Remove("a"), c.become())
			if name == "link" {
				err = errors.Join(err, os.Symlink("x", "a"))
			}
			if err != nil {
				t.Skip(err)
			}
			all := listing(t, ".")
			if err := s.Run(); errText(err) != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
			if diff := cmp.Diff(all, listing(t, ".")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A link itself is removed, restored as a link, and not removed if its target has changed.
func TestSetLink(t *testing.T) {
	for _, c := range []struct {
		change func() error
		syncs  int // which sync fails
		want   string
		stays  string // the target of the link afterwards
	}{
		{nil, 0, "<nil>", ""},
		{nil, 2, "nothing was written: can't sync the directory .: input/output error", "x"},
		{func() error { return errors.Join(os.Remove("link"), os.Symlink("y", "link")) }, 0,
			"nothing was written: link changed on disk after it was read; run the command again", "y"},
		{func() error { return errors.Join(os.Remove("link"), os.WriteFile("link", []byte("5"), 0o600)) }, 0,
			"nothing was written: link changed on disk after it was read; run the command again", ""},
	} {
		t.Chdir(put(t, map[string]string{"x": "5", "y": "5"}))
		if err := os.Symlink("x", "link"); err != nil {
			t.Skip(err)
		}
		s := NewSet(silent(t))
		t.Cleanup(s.Close)
		if err := s.Remove("link", "link", []byte("5")); err != nil {
			t.Fatal(err)
		}
		if c.change != nil {
			if err := c.change(); err != nil {
				t.Fatal(err)
			}
		}
		failSync(t, c.syncs)
		if err := s.Run(); errText(err) != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		if target, _ := os.Readlink("link"); target != c.stays {
			t.Errorf("it leads to %q, want %q", target, c.stays)
		}
		for name := range found(t, ".") {
			if strings.HasPrefix(name, Prefix) {
				t.Errorf("%s is left", name)
			}
		}
	}
}

// failSync has sync number n fail.
func failSync(t *testing.T, n int) {
	syncs := 0
	sync = func(*os.File) error {
		if syncs++; syncs == n {
			return unix.EIO
		}
		return nil
	}
	t.Cleanup(func() { sync = (*os.File).Sync })
}

// An expected file must exist with its text, as a file or behind a link.
func TestSetExpectsKinds(t *testing.T) {
	for name, fails := range map[string]bool{"other": false, "link": false, "directory": true, "missing": true, "b": true, "longer": true} {
		t.Chdir(put(t, map[string]string{"a": "1", "b": "2", "gone": "3", "other": "5", "longer": "55"}))
		if err := errors.Join(os.Mkdir("directory", 0o700), os.Symlink("other", "link")); err != nil {
			t.Skip(err)
		}
		s := planned(t, ".", Options{})
		s.Expect(name, name, []byte("5"))
		want := "<nil>"
		if fails {
			want = "nothing was written: " + name + " changed on disk after it was read; run the command again"
		}
		if err := s.Run(); errText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A directory stays the same one when it gets another name.
func TestSetDirectoryRenamed(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Rename(put(t, before), "old"); err != nil {
		t.Skip(err)
	}
	s := planned(t, "old", Options{Step: func(i int) error {
		if i == 4 {
			return errors.Join(os.Rename("old", "moved"), os.Mkdir("old", 0o700))
		}
		return nil
	}})
	if err := s.Run(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(after, found(t, "moved")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := s.Rewrite("not/there", "there", nil, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// The result is written to a FIFO, to a device and to descriptors, which stay open.
func TestOutputKinds(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := unix.Mkfifo("pipe", 0o600); err != nil {
		t.Skip(err)
	}
	r, err := os.OpenFile("pipe", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fd := strconv.Itoa(int(r.Fd()))
	stdout, stderr := os.Stdout, os.Stderr
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()
	os.Stdout, os.Stderr = r, r
	pid := strconv.Itoa(os.Getpid())
	for _, name := range []string{"pipe", "/dev/fd/" + fd, "/proc/self/fd/" + fd, "/proc/" + pid + "/task/" + pid + "/fd/" + fd, "/dev/fd/1", "/dev/fd/2"} {
		if err := outputTo(name, "text"); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b := make([]byte, 10)
		_ = r.SetReadDeadline(time.Now().Add(time.Minute))
		if n, err := r.Read(b); err != nil || string(b[:n]) != "text" {
			t.Errorf("%s: %q, %v", name, b[:n], err)
		}
	}
	if err := outputTo("/dev/full", "text"); errText(err) != "can't write /dev/full: no space left on device" {
		t.Errorf("%v", err)
	}
	if err := outputTo("/dev/fd/999", "text"); errText(err) != "can't write /dev/fd/999: bad file descriptor" {
		t.Errorf("%v", err)
	}
}

// An output that can't be found is refused under the given name.
func TestFindOutputFails(t *testing.T) {
	t.Chdir(put(t, map[string]string{"file": ""}))
	if err := errors.Join(os.Symlink("circle", "circle"), os.Symlink("not/there", "away"), os.Mkdir("dir", 0o700), os.Symlink("dir", "link")); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{
		"dir":                    "can't write dir: it is a directory",
		"link":                   "can't write link: it is a directory",
		"circle":                 "can't write circle: its links form a loop",
		"away":                   "can't write away: no such file or directory",
		"not/x":                  "can't write not/x: no such file or directory",
		"file/x":                 "can't write file/x: not a directory",
		"no\xff/":                "can't write no\uFFFD/: no such file or directory",
		strings.Repeat("x", 300): "can't write " + strings.Repeat("x", 300) + ": file name too long",
	} {
		if _, err := FindOutput(name); errText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	other := fmt.Sprintf("/proc/%d/fd/1", os.Getppid())
	if o, err := FindOutput(other); err == nil && o.Path == "" {
		t.Errorf("%s is taken for a descriptor of this process", other)
	}
	abs, err := filepath.Abs("file")
	if err == nil {
		err = os.Symlink(abs, "dir/far")
	}
	if err == nil {
		err = outputTo("dir/far", "text")
	}
	if text, _ := os.ReadFile("file"); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
}

// A file of the same length that was saved since is recognised by its time, and another one of the
// same length and time by its identity.
func TestOutputSavedAlike(t *testing.T) {
	then := time.Now().Add(-time.Hour)
	for name, meanwhile := range map[string]func() error{
		"time":     func() error { return os.WriteFile("x", []byte("owl"), 0o600) },
		"identity": func() error { return os.Rename("y", "x") },
		"kind":     func() error { return errors.Join(os.Remove("x"), os.Mkdir("x", 0o700)) },
	} {
		t.Chdir(put(t, map[string]string{"x": "old", "y": "owl"}))
		if err := errors.Join(os.Chtimes("x", then, then), os.Chtimes("y", then, then)); err != nil {
			t.Fatal(err)
		}
		o, err := FindOutput("x")
		if err == nil {
			err = meanwhile()
		}
		if err != nil {
			t.Fatal(err)
		}
		all := listing(t, ".")
		if err := o.Write([]byte("new"), silent(t)); errText(err) != "x changed on disk after it was read" {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(all, listing(t, ".")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Files are removed if the right user left them: their user, or root.
func TestIsOurs(t *testing.T) {
	t.Chdir(put(t, map[string]string{"x": ""}))
	info, err := os.Stat("x")
	if err != nil || !isOurs(info) {
		t.Errorf("our own file is not: %v", err)
	}
	if os.Geteuid() == 0 {
		err = os.Chown("x", 1234, 5678)
	}
	other, statErr := os.Stat("x")
	if err := errors.Join(err, statErr); err != nil {
		t.Skip(err)
	}
	if !isOurs(other) {
		t.Error("root may not remove what another user left")
	}
}

// Attributes that a new file gets from the directory's defaults are removed if the old one lacks
// them.
func TestAttributesOfDirectory(t *testing.T) {
	enter(t, map[string]string{"x": "old"})
	// The owner, the user 1234, the group, the mask and the others, with their rights.
	list := []byte{2, 0, 0, 0}
	for _, e := range [][3]int{{1, 7, -1}, {2, 7, 1234}, {4, 5, -1}, {16, 7, -1}, {32, 5, -1}} {
		list = binary.LittleEndian.AppendUint16(list, uint16(e[0]))
		list = binary.LittleEndian.AppendUint16(list, uint16(e[1]))
		list = binary.LittleEndian.AppendUint32(list, uint32(e[2]))
	}
	if err := unix.Setxattr(".", "system.posix_acl_default", list, 0); err != nil {
		t.Skip(err)
	}
	if err := outputTo("x", "new"); err != nil {
		t.Error(err)
	}
	if n, err := unix.Getxattr("x", "system.posix_acl_access", nil); !errors.Is(err, unix.ENODATA) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if info, err := os.Stat("x"); err != nil || info.Mode() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// One warning names the attributes that a new file lacks.
func TestAttributesLost(t *testing.T) {
	enter(t, map[string]string{"x": "old"})
	if err := errors.Join(unix.Setxattr("x", "user.note", []byte("1"), 0), unix.Setxattr("x", "user.more", []byte("2"), 0)); err != nil {
		t.Skip(err)
	}
	var told []string
	o, err := FindOutput("x")
	if err == nil {
		err = o.Write([]byte("new"), Options{Warn: func(text string) { told = append(told, text) }})
	}
	if err != nil || len(told) != 1 || !strings.HasPrefix(told[0], "x was replaced by a new file; these attributes of the old one aren't copied: ") ||
		!strings.Contains(told[0], "user.note") || !strings.Contains(told[0], "user.more") {
		t.Errorf("%v, told %q", err, told)
	}
}

// A running process keeps its temporary directory.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	a := lock(dir, true)
	if a == nil {
		t.Skip("no locks here")
	}
	if lock(dir, true) != nil {
		t.Error("two processes may remove it")
	}
	a.Close()
	a, b := lock(dir, false), lock(dir, false)
	if a == nil || b == nil || lock(dir, true) != nil {
		t.Error("two processes can't use it, or one may remove it")
	}
	a.Close()
	if lock(dir, true) != nil {
		t.Error("one process that uses it is not enough")
	}
	b.Close()
	if a = lock(dir, true); a == nil {
		t.Error("it is still locked")
	}
	a.Close()
}
