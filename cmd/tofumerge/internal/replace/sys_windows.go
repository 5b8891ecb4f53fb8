package replace

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock returns nil: without locks no run knows whether another one uses a directory, so none is removed.
func lock(string, bool) *os.File              { return nil }
func idsOf(os.FileInfo) (uid, gid, links int) { return 0, 0, 1 }
func openDescriptor(int) (*os.File, error)    { return nil, errors.ErrUnsupported }

// die ends the program after an interrupt, with the status that shells report for one. Windows has no signal that a
// program could send to itself.
func die(os.Signal) { os.Exit(130) }

// isBusy reports whether an error is about a file which another program has open. On replacing a
// file, that is the error about missing permissions.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) ||
		errors.Is(err, windows.ERROR_USER_MAPPED_FILE) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
