package replace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fillOut is the content that the tests of MakeDir write to a directory.
func fillOut(b *Building) error {
	return b.Step(func() error { return os.WriteFile(filepath.Join(b.Path, "main.tf"), []byte("text"), 0o600) })
}

func silent(t *testing.T) Options {
	return Options{Warn: func(text string) { t.Errorf("told %q", text) }}
}

// A directory is made, or replaces an empty one and gets its mode.
func TestMakeDir(t *testing.T) {
	for _, isThere := range []bool{false, true} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		if isThere {
			if err := errors.Join(os.Mkdir(out, 0o700), os.Chmod(out, 0o751)); err != nil {
				t.Fatal(err)
			}
		}
		synced := 0
		sync = func(f *os.File) error {
			if filepath.Clean(f.Name()) == dir {
				synced++
			}
			return f.Sync()
		}
		err := MakeDir(out, silent(t), fillOut)
		sync = (*os.File).Sync
		if err != nil || synced != 1 {
			t.Fatalf("%v, synced %d times", err, synced)
		}
		if diff := cmp.Diff(map[string]string{"main.tf": "text"}, found(t, out)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if n := len(found(t, dir)); n != 1 {
			t.Errorf("%d names are beside it", n-1)
		}
		if info, err := os.Stat(out); err != nil || isThere && info.Mode().Perm() != 0o751 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	}
}

// If it can't be made as a whole, everything is as it was.
func TestMakeDirFails(t *testing.T) {
	full := errors.New("the disk is full")
	file := func(name string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte("precious"), 0o700) }
	}
	for name, c := range map[string]struct {
		prepare func(dir string) error
		out     string
		fill    error
		want    string
	}{
		"not filled":   {func(string) error { return nil }, "out", full, "the disk is full"},
		"empty before": {func(dir string) error { return os.Mkdir(filepath.Join(dir, "out"), 0o700) }, "out", full, "the disk is full"},
		"a file":       {file("out"), "out", nil, "can't write DIR/out: not a directory"},
		"not empty": {func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "out"), 0o700), file("out/x")(dir))
		}, "out", nil, "can't write DIR/out: directory not empty"},
		"a link": {func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "empty"), 0o700), os.Symlink("empty", filepath.Join(dir, "out")))
		}, "out", nil, "can't write DIR/out: not a directory"},
		"no parent": {func(string) error { return nil }, "not/out", nil, "can't write DIR/not/out: no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := c.prepare(dir); err != nil {
				t.Skip(err)
			}
			before := listing(t, dir)
			err := MakeDir(filepath.Join(dir, c.out), silent(t), func(b *Building) error {
				return errors.Join(fillOut(b), c.fill)
			})
			if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
			if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// listing names all that is below a directory, with its mode and text.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if info.Mode().IsRegular() {
			var b []byte
			b, err = os.ReadFile(path)
			text = string(b)
		}
		all[strings.TrimPrefix(path, dir)] = info.Mode().String() + " " + text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The working directory can't be replaced, which has a separate message.
func TestMakeDirInUse(t *testing.T) {
	t.Chdir(t.TempDir())
	err := MakeDir(".", silent(t), fillOut)
	if want := "can't write .: the directory is in use; name a new one"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if n := len(found(t, ".")); n != 0 {
		t.Errorf("%d names are left", n)
	}
}

// A directory that can't be synced exists, and the error mentions that. A system that syncs no
// directories is not an error.
func TestMakeDirNotSynced(t *testing.T) {
	t.Cleanup(func() { sync = (*os.File).Sync })
	for _, fails := range []error{syscall.EIO, syscall.EINVAL, errors.ErrUnsupported} {
		t.Chdir(t.TempDir())
		sync = func(*os.File) error { return &os.PathError{Op: "sync", Path: "somewhere", Err: fails} }
		want := "<nil>"
		if fails == syscall.EIO {
			want = "out is written, but its parent directory can't be synced: input/output error"
		}
		if err := MakeDir("out", silent(t), fillOut); errText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
		if diff := cmp.Diff(map[string]string{"main.tf": "text"}, found(t, "out")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return "<nil>"
	}
	return err.Error()
}
