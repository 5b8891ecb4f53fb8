package replace

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

const (
	openNonblocking = 0
	syncsDirs       = false
)

// Without locks nobody knows whether a directory is in use, and all stay.
func lock(string, bool) *os.File            { return nil }
func ownerOf(os.FileInfo) int               { return 0 }
func links(os.FileInfo) int                 { return 1 }
func keepOwner(*os.File, os.FileInfo) error { return nil }
func die(os.Signal)                         { os.Exit(130) }

func renameOver(from, to string) error {
	err := patiently(func() error { return os.Remove(to) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return patiently(func() error { return os.Rename(from, to) })
}

func openDescriptor(int) (*os.File, error) { return nil, errors.ErrUnsupported }

// isBusy reports whether an error is about a file which another program has open. On replacing a
// file, that is the error about missing permissions.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) ||
		errors.Is(err, windows.ERROR_USER_MAPPED_FILE) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
