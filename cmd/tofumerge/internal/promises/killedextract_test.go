//go:build unix

package promises_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// The files of a module in which every argument was edited, with a comment.
const editedFiles = 12

func editFiles(t *testing.T, dir string, value int) {
	t.Helper()
	for i := range editedFiles {
		text := fmt.Sprintf("resource \"shop_box\" \"b%d\" {\n  size = %d # edit %d of %d\n}\n", i, value, value, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.tf", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKilledExtract kills runs of extract --write at random moments, while an editor saves a file.
// Afterwards the directory still means the same, and each comment of the edit is in one of the
// files.
func TestKilledExtract(t *testing.T) {
	typical := time.Duration(0)
	counts := map[string]int{}
	for i := range kills(10) {
		dir := t.TempDir()
		editFiles(t, dir, 1)
		clitest.Commit(t, dir)
		editFiles(t, dir, 2)
		want := meaningOf(t, dir)
		cmd := exec.Command("tofumerge", "-C", dir, "extract", "--since", "HEAD", "-o", "z_override.tf", "--write", "--engine", "opentofu")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		start := time.Now()
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		if i > 0 {
			saved := filepath.Join(dir, "f3.tf")
			if text, err := os.ReadFile(saved); err == nil && i%3 == 1 {
				time.Sleep(rand.N(typical))
				if now, err := os.ReadFile(saved); err == nil && bytes.Equal(text, now) {
					text = append(text, savedText...)
					if err := os.WriteFile(saved, text, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			time.Sleep(rand.N(typical))
			_ = cmd.Process.Signal([]syscall.Signal{syscall.SIGKILL, syscall.SIGTERM}[i%2])
		}
		err := cmd.Wait()
		if i == 0 {
			typical = time.Since(start)
		}
		counts[fmt.Sprint(err)]++
		checkEdits(t, dir, fmt.Sprintf("%v\n%s", err, &errs), want)
	}
	t.Log(counts)
}

// checkEdits fails if something of an edit is lost.
func checkEdits(t *testing.T, dir, about string, want []string) {
	t.Helper()
	all := everything(t, dir)
	for i := range editedFiles {
		if comment := fmt.Sprintf("# edit 2 of %d\n", i); !strings.Contains(all, comment) {
			t.Errorf("%s: %q is lost", about, comment)
		}
	}
	got := meaningOf(t, dir)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-before +after):\n%s", about, diff)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.tf"))
	isAll := slices.ContainsFunc(files, func(path string) bool { return filepath.Base(path) == "z_override.tf" })
	if strings.Contains(about, "nothing was") && isAll {
		t.Errorf("%s: an override is left", about)
	}
}
