package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// The first process of a container is not ended by its own signal, so Go falls back on the status
// 2. Everything else works as usual.
func TestFirstProcess(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"main.tf", "override.tf"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"overflow"}, 128 + int(syscall.SIGABRT)},
		{[]string{"tofumerge", dir}, ExitOK},
		{[]string{"tofumerge", "check", filepath.Join(dir, "missing")}, ExitFailed},
		{[]string{"tofumerge", "check", "--deny-overrides", dir}, ExitFound},
	} {
		cmd := &exec.Cmd{Path: self, Args: test.args, SysProcAttr: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}}
		switch err := cmd.Run(); {
		case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.EINVAL):
			t.Skip("may not make a first process:", err)
		case cmd.ProcessState == nil:
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != test.want {
			t.Errorf("%v: status %d, want %d", test.args, got, test.want)
		}
	}
}
