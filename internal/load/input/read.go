package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// How every file is read. A pull request can make a file name a FIFO, a device, an endless file of
// the kernel, or a file of any size.

// The size limits, in bytes: MaxFileSize for the module's configuration and files that flags name, and those of
// other files.
const (
	MaxFileSize     = 256 << 20
	MaxLockSize     = 4 << 20
	MaxSettingsSize = 256 << 10
	MaxVersionSize  = 64 << 10
)

// maxUnsized is how much is read of a file whose reported size is 0, as it is for files of the
// kernel.
const maxUnsized = 1 << 20

// Open opens a regular file to read it. It never waits for a FIFO or a device:
// those are opened without waiting, and refused.
func Open(path string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblocking, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = notRegular(info.Mode())
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

func notRegular(mode fs.FileMode) error {
	switch {
	case mode.IsDir():
		return errors.New("it is a directory, not a file")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("it is a FIFO, not a regular file")
	case !mode.IsRegular():
		return errors.New("it is not a regular file")
	}
	return nil
}

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, size, err := openToRead(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, TooLargeError(limit)
	}
	if size == 0 {
		limit = min(limit, maxUnsized)
	}
	return readAll(f, size, limit)
}

// readAll reads to the end. A file of a known size ends if a read returns exactly that much,
// although one byte more was requested. Any other file is read until nothing more comes, because it
// may be growing, or a file of the kernel, which has no size.
func readAll(r io.Reader, size, limit int64) ([]byte, error) {
	src := make([]byte, 0, size+1)
	for {
		n, err := r.Read(src[len(src):cap(src)])
		src = src[:len(src)+n]
		switch {
		case err == io.EOF, err == nil && n > 0 && int64(len(src)) == size && len(src) < cap(src):
			return src, nil
		case err != nil:
			return nil, err
		case int64(len(src)) > limit:
			return nil, TooLargeError(limit)
		case len(src) == cap(src):
			src = append(src, 0)[:len(src)]
		}
	}
}

// A TooLargeError is the limit that a file is larger than.
type TooLargeError int64

// Error implements error.
func (limit TooLargeError) Error() string {
	return fmt.Sprintf("it is larger than %d bytes", int64(limit))
}

// StripPath is an error without the paths that package os puts into it.
func StripPath(err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		return pathErr.Err
	case errors.As(err, &linkErr):
		return linkErr.Err
	}
	return err
}

// NoTempDir is the error that no temporary directory can be made. It names the variable that sets
// where they are made.
func NoTempDir(err error) error {
	variable := "TMPDIR"
	if runtime.GOOS == "windows" {
		variable = "TMP"
	}
	return fmt.Errorf("no temporary directory can be made in %s (%w); set %s to a directory that can be written to",
		diag.Escape(os.TempDir()), StripPath(err), variable)
}
