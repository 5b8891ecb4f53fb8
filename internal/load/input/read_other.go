//go:build !unix

package input

import (
	"io"
	"os"
)

const openNonblocking = 0

func withoutWaiting(f *os.File) io.Reader { return f }
