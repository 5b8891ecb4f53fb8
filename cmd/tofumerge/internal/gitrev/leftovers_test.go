package gitrev_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
)

// Files that git is given are gone once it has read them: a process that is killed later leaves none.
func TestNothingIsLeft(t *testing.T) {
	r := newRepo(t)
	r.write(".gitattributes", "*.tf eol=crlf\n")
	r.write("a.tf", "a\n")
	r.write("m/.gitattributes", "*.tf -text\n")
	r.write("m/b.tf", "b\n")
	r.commit()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp) // on Windows
	rev := r.open("HEAD")
	for name, text := range map[string]string{"a.tf": "a\r\n", "m/b.tf": "b\n"} {
		r.isReadAs(rev, name, text)
		if left := leftIn(t, temp); len(left) > 0 {
			t.Errorf("behind %s: %v", name, left)
		}
	}
	rev.Close()
	if left := leftIn(t, temp); len(left) > 0 {
		t.Errorf("at the end: %v", left)
	}
}

func leftIn(t *testing.T, dir string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// If git doesn't take the files that it is given, closing the revision takes them away.
func TestNothingIsLeftBehindAFailure(t *testing.T) {
	r := newRepo(t)
	r.write(".gitattributes", "*.tf eol=crlf\n")
	r.write("a.tf", "a\n")
	r.commit()
	git, err := exec.LookPath("git")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("a program is put in the place of git here")
	}
	bin, temp := t.TempDir(), t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncase \" $* \" in *\" update-index \"*) exit 1;; esac\nexec %q \"$@\"\n", git)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp) // on Windows
	rev := r.open("HEAD")
	d, err := rev.Directory("")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := d.Read("a.tf", 100); err == nil {
		t.Errorf("a.tf is %q without its attributes", text)
	}
	rev.Close()
	if left := leftIn(t, temp); len(left) > 0 {
		t.Errorf("%v", left)
	}
}

// A tree with names that git refuses to write, or that is cut off, is malformed.
func TestOddTrees(t *testing.T) {
	id := strings.Repeat("i", 20)
	for text, want := range map[string]bool{
		"":                                       true,
		"100644 a.tf\x00" + id:                   true,
		"100644 a\x00" + id + "40000 b\x00" + id: true,
		"40000 ..\x00" + id:                      false,
		"40000 .\x00" + id:                       false,
		"40000 a/b\x00" + id:                     false,
		"40000 \x00" + id:                        false,
		"40000\x00" + id:                         false,
		"100644 a.tf\x00" + id[1:]:               false,
		"100644 a.tf":                            false,
	} {
		if err := gitrev.ParseTree([]byte(text)); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
