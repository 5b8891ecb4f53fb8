//go:build unix

package input

import (
	"errors"
	"io"
	"os"
	"syscall"
)

const openNonblocking = syscall.O_NONBLOCK

// maxRead is the most that is asked of the system at once, in bytes.
const maxRead = 1 << 30

// withoutWaiting reads a file as os.File does, but fails where nothing is there to
// be read yet, as in some files of the kernel that count as regular.
func withoutWaiting(f *os.File) io.Reader {
	raw, err := f.SyscallConn()
	if err != nil {
		return f
	}
	return impatient{raw}
}

type impatient struct{ raw syscall.RawConn }

func (r impatient) Read(p []byte) (n int, err error) {
	rawErr := r.raw.Read(func(fd uintptr) (done bool) {
		for {
			n, err = syscall.Read(int(fd), p[:min(len(p), maxRead)])
			if err != syscall.EINTR {
				return true
			}
		}
	})
	switch {
	case rawErr != nil:
		return 0, rawErr
	case err == syscall.EAGAIN:
		return 0, errors.New("it has no end")
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}
