package replace

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isBusy reports whether an error is that of a file which another program has open. Where a
// file would be replaced, that is the one of missing permissions.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) ||
		errors.Is(err, windows.ERROR_USER_MAPPED_FILE) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
