package writeback

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
)

// limit sets a limit of the process for the rest of a test.
func limit(t *testing.T, resource int, to uint64) {
	t.Helper()
	var was syscall.Rlimit
	if err := syscall.Getrlimit(resource, &was); err != nil {
		t.Skip(err)
	}
	if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: to, Max: was.Max}); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(resource, &was); err != nil {
			t.Error(err)
		}
	})
}

// A file in a directory that can't be opened isn't rewritten.
func TestRewriteClosed(t *testing.T) {
	dir := clitest.Tree(t, module)
	set := replace.NewSet(replace.Options{Warn: func(text string) { t.Error(text) }})
	defer set.Close()
	limit(t, syscall.RLIMIT_NOFILE, 0)
	err := Rewrite(set, filepath.Join(dir, "m"), filepath.Join(dir, "m", "main.tf"), "main.tf", nil, []byte("x"))
	if err == nil || err.Error() != "can't write main.tf: too many open files" {
		t.Error(err)
	}
}

// A file that can't be written to its end isn't part of a copy.
func TestCopyFull(t *testing.T) {
	root := clitest.Tree(t, "-- m/x --\n"+strings.Repeat("long\n", 1000))
	signal.Ignore(syscall.SIGXFSZ)
	t.Cleanup(func() { signal.Reset(syscall.SIGXFSZ) })
	limit(t, syscall.RLIMIT_FSIZE, 1000)
	if _, err := copyTo(root, false, func(*copied) {}); !errors.Is(err, syscall.EFBIG) || !strings.HasPrefix(err.Error(), "can't copy x: ") {
		t.Error(err)
	}
}

// A file that shrinks while it is copied is warned of. Files of the kernel have less text than their size says.
func TestCopyShort(t *testing.T) {
	const path = "/sys/devices/system/cpu/online"
	text, err := os.ReadFile(path)
	if info, statErr := os.Stat(path); err != nil || statErr != nil || info.Size() <= int64(len(text)) {
		t.Skip(err, statErr)
	}
	root := clitest.Tree(t, "-- m/x --\n")
	if err := os.Symlink(path, filepath.Join(root, "m/short")); err != nil {
		t.Skip(err)
	}
	defer func(was func(from, to string) error) { symlink = was }(symlink)
	symlink = func(string, string) error { return os.ErrInvalid }
	warned, err := copyTo(root, true, func(*copied) {})
	if err != nil || len(warned) != 1 || !strings.HasSuffix(warned[0], "m/short changed while it was copied; check the copy") {
		t.Errorf("%v, %q", err, warned)
	}
	if copied, _ := os.ReadFile(filepath.Join(root, "new/short")); string(copied) != string(text) {
		t.Errorf("%q is copied, not %q", copied, text)
	}
}
