//go:build unix

package input

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// Nonblocking is the flag with which opening a FIFO or a device doesn't wait.
const Nonblocking = syscall.O_NONBLOCK

// maxRead is how many bytes are requested from the system at once at most.
const maxRead = 1 << 30

// openToRead opens a regular file to read it once, and returns its size. It does what Open does without an
// os.File: with many small files, registering each with the poller and describing it to package os takes as
// long as reading it.
func openToRead(path string) (io.ReadCloser, int64, error) {
	fd, err := retryInterrupted(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|Nonblocking, 0)
	})
	if err != nil {
		return nil, 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	f := descriptor(fd)
	var stat syscall.Stat_t
	if _, err = retryInterrupted(func() (int, error) { return 0, syscall.Fstat(fd, &stat) }); err != nil {
		err = &fs.PathError{Op: "stat", Path: path, Err: err}
	} else {
		err = errorIfIrregular(modeOf(uint32(stat.Mode)))
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, stat.Size, nil
}

// modeOf returns the kind of a file from the mode bits of the system.
func modeOf(mode uint32) fs.FileMode {
	switch mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return 0
	case syscall.S_IFDIR:
		return fs.ModeDir
	case syscall.S_IFIFO:
		return fs.ModeNamedPipe
	}
	return fs.ModeIrregular
}

// retryInterrupted makes a system call, again if a signal interrupts it.
func retryInterrupted(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}

// A descriptor reads an open file as os.File does, but fails if there is nothing to read yet, as in
// some files of the kernel that are reported as regular.
type descriptor int

// Read implements io.Reader. A read that would wait is an error: it may wait forever.
func (d descriptor) Read(p []byte) (int, error) {
	n, err := retryInterrupted(func() (int, error) { return syscall.Read(int(d), p[:min(len(p), maxRead)]) })
	switch {
	case err == syscall.EAGAIN: // files of the kernel that wait for events, such as trace_pipe
		return 0, errors.New("it has no end")
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (d descriptor) Close() error { return syscall.Close(int(d)) }
