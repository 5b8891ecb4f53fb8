//go:build !unix

package input

import (
	"io"
)

const openNonblocking = 0

// openToRead opens a regular file to read it once, and returns its size.
func openToRead(path string) (io.ReadCloser, int64, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}
