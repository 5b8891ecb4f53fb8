//go:build !unix

package input

import (
	"io"
)

// Nonblocking is the flag with which opening doesn't wait; this system has none.
const Nonblocking = 0

// openToRead opens a regular file to read it once, and returns its size.
func openToRead(path string) (io.ReadCloser, int64, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}
