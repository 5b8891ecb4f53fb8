//go:build unix

package process

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isRunning reports whether there is a process with this number, of whatever user.
func isRunning(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
