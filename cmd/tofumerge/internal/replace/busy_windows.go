package replace

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isBusy reports whether an error is about a file which another program has open. On replacing a
// file, that is the error about missing permissions.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) ||
		errors.Is(err, windows.ERROR_USER_MAPPED_FILE) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
