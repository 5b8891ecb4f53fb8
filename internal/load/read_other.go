//go:build !unix

package load

import (
	"io"
	"os"
)

const openNonblocking = 0

func withoutWaiting(f *os.File) io.Reader { return f }
