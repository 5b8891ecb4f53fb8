package input

import (
	"os"
	"path/filepath"
	"testing"
)

// Regular files are read up to the limit; nothing else is waited for or read.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "main.tf")
	if err := os.WriteFile(file, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty.tf")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.tf")
	if err := os.Symlink(file, link); err != nil {
		t.Skip("there are no links here")
	}
	for _, c := range []struct {
		name, path string
		limit      int64
		want       string // the content, or the error
		fails      bool
	}{
		{"as large as allowed", file, 3, "abc", false},
		{"larger", file, 2, "it is larger than 2 bytes", true},
		{"empty", empty, 3, "", false},
		{"behind a link", link, 3, "abc", false},
		{"directory", dir, 3, "it is a directory, not a file", true},
		{"device", os.DevNull, 3, "it is not a regular file", true},
		{"missing", filepath.Join(dir, "none"), 3, "no such file or directory", true},
	} {
		got, err := Read(c.path, c.limit)
		switch {
		case c.fails && (err == nil || StripPath(err).Error() != c.want):
			t.Errorf("%s: %q, %v, want the error %q", c.name, got, err, c.want)
		case !c.fails && (err != nil || string(got) != c.want):
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}
