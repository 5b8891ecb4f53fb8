package replace

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// withoutExchange has the file system be one that can't exchange names.
func withoutExchange(t *testing.T) {
	renameat2 = func(int, string, int, string, uint) error { return unix.EINVAL }
	t.Cleanup(func() { renameat2 = unix.Renameat2 })
}

// A file keeps its extended attributes, and gets none of the directory's.
func TestSetAttributes(t *testing.T) {
	dir := put(t, before)
	path := filepath.Join(dir, "a")
	if err := unix.Setxattr(path, "user.note", []byte("kept"), 0); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod(path, 0o604|os.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	if err := planned(t, dir, Options{}).Run(); err != nil {
		t.Fatal(err)
	}
	value := make([]byte, 10)
	n, err := unix.Getxattr(path, "user.note", value)
	if err != nil || string(value[:n]) != "kept" {
		t.Errorf("%q, %v", value[:max(n, 0)], err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o604|os.ModeSetgid {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
