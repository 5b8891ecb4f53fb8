package input

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// A cache returns the same as ReadFile, whatever happens to the file in between, and reads only
// changed files.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "main.tf")
	c := NewCache(1 << 20)
	reads := 0
	inner := c.read
	c.read = func(path string, limit int64) ([]byte, os.FileInfo, error) {
		reads++
		return inner(path, limit)
	}
	long := time.Now().Add(-time.Hour)
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		name  string
		do    func()
		reads int // of three calls
	}{
		{"missing", func() {}, 3},
		{"new", func() { write("a", long) }, 1},
		{"same", func() {}, 0},
		{"longer", func() { write("ab", long) }, 1},
		{"later", func() { write("xy", long.Add(time.Second)) }, 1},
		{"just written", func() { write("zz", time.Now().Add(time.Minute)) }, 3}, // for a machine that is slow to read it
		{"old again", func() { write("a", long) }, 1},
		{"another file of the same size and time", func() { replace(t, path, "b", long) }, 1},
		{"empty", func() { write("", long) }, 1},
		{"gone", func() { _ = os.Remove(path) }, 3},
		{"a directory", func() { _ = os.Mkdir(path, 0o700) }, 3},
	}
	for _, s := range steps {
		if runtime.GOOS == "windows" && s.name == "another file of the same size and time" {
			continue
		}
		s.do()
		reads = 0
		for range 3 {
			want, wantErr := Read(path, 10)
			got, err := c.Read(path, 10)
			if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s: %q, %v, want %q, %v", s.name, got, err, want, wantErr)
			}
		}
		if reads != s.reads {
			t.Errorf("%s: read %d times, want %d", s.name, reads, s.reads)
		}
	}
}

// replace exchanges a file for another one.
func replace(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	other := path + ".new"
	if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(other, at, at); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
}

// The whole cache has a limit, and so has each file in it.
func TestCacheLimits(t *testing.T) {
	dir := t.TempDir()
	c := NewCache(100)
	long := time.Now().Add(-time.Hour)
	for i := range 50 {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, make([]byte, 30), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(path, 30); err != nil {
			t.Error(err)
		}
		if _, err := c.Read(path, 29); err == nil {
			t.Error("no error for a file that is too large")
		}
		if _, err := c.Read(path, 30); err != nil {
			t.Error(err)
		}
	}
	if c.size > 100 || len(c.files) != c.recent.Len() || len(c.files) > 3 {
		t.Errorf("%d bytes and %d files are kept", c.size, len(c.files))
	}
}
