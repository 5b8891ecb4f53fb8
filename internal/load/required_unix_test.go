//go:build unix

package load_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
)

// A named pipe that is given as a directory is not opened: that would wait for ever.
func TestTofuFilesOfPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if _, _, err := load.Dir(pipe, load.Options{}); err == nil {
		t.Error("a pipe is a directory")
	}
	_ = load.TofuFiles(pipe, load.Options{})
}
