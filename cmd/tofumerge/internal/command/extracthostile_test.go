//go:build unix

package command

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// TestExtractHostile has odd directories and files on either side of an edit. No run hangs, those that
// fail print nothing, and messages act on no terminal.
func TestExtractHostile(t *testing.T) {
	const one, two = "resource \"x_y\" \"a\" {\n  one = 1\n}\n", "resource \"x_y\" \"a\" {\n  one = 2\n}\n"
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "main.tf"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("b", one)
	put("e", two)
	put("crlf", strings.ReplaceAll(two, "\n", "\r\n"))
	put("bom", "\ufeff"+two)
	put("bytes", strings.Replace(two, "2", "\"\xff\"", 1))
	put("-x", two)
	put("c\x1b[31m\nd", one+"moved {\n  from = x_y.b\n  to   = x_y.a\n}\n")
	put("deep", strings.Replace(two, "2", strings.Repeat("[", 100_000), 1))
	put("empty", "")
	for link, to := range map[string]string{"link": "e", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	put("links", "")
	if err := os.Symlink("x.tf", filepath.Join(dir, "links", "x.tf")); err != nil {
		t.Fatal(err)
	}
	put("pipes", "")
	for _, pipe := range []string{"pipe", "pipes/x.tf"} {
		if err := syscall.Mkfifo(filepath.Join(dir, pipe), 0o600); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]struct {
		status    int
		out, errs string
	}{
		"e": {0, two, ""}, "link": {0, two, ""}, "./-x": {0, two, ""}, "bom": {0, two, ""},
		"crlf":         {0, strings.ReplaceAll(two, "\n", "\r\n"), ""},
		"empty":        {2, "", "Removed, but still there"},
		"bytes":        {1, "", "UTF-8"},
		"deep":         {1, "", "nest"},
		"loop":         {1, "", "symbolic links"},
		"links":        {1, "", "symbolic links"},
		"pipe":         {1, "", "not a directory"},
		"pipes":        {1, "", "FIFO"},
		"-x":           {1, "", "unknown"},
		"nothing":      {1, "", "no such directory"},
		"c\x1b[31m\nd": {2, "", `c\x1b[31m\nd/main.tf`},
		"b/main.tf":    {1, "", "not a directory"},
	} {
		got := try(t, dir, "extract", "b", name)
		if got.status != want.status || got.out != want.out || !strings.Contains(clitest.OneLine(got.errs), want.errs) || strings.Contains(got.errs, "\x1b") {
			t.Errorf("%q: %+v", name, got)
		}
		if back := try(t, dir, "extract", name, "b"); back.status == 1 && back.out != "" || strings.Contains(back.errs, "\x1b") {
			t.Errorf("%q: %+v", name, back)
		}
	}
}
