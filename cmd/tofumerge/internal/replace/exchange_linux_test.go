package replace

import (
	"testing"

	"golang.org/x/sys/unix"
)

// withoutExchange has the file system be one that can't exchange names.
func withoutExchange(t *testing.T) {
	renameat2 = func(int, string, int, string, uint) error { return unix.EINVAL }
	t.Cleanup(func() { renameat2 = unix.Renameat2 })
}
