package replace

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestTempDirs checks that a run removes the directory of a killed run, and neither that of a
// running one nor a kept one.
func TestTempDirs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	warn := func(string) {}
	running, err := NewTempDir(false, warn)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := NewTempDir(true, warn)
	if err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(os.TempDir(), tempPrefix+"1")
	if err := os.MkdirAll(filepath.Join(left, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	kept.file.Close()
	next, err := NewTempDir(false, warn)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{running.Path: true, kept.Path: true, next.Path: true, left: runtime.GOOS == "windows"} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", path, err == nil, want)
		}
	}
	if info, err := os.Stat(next.Path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("others may read it: %v, %v", info, err)
	}
	closed := filepath.Join(next.Path, "closed")
	if err := os.MkdirAll(filepath.Join(closed, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := next.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(next.Path); err == nil {
		t.Error("it is still there")
	}
}
