package load

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// readFile reads a regular file of at most limit bytes. It never blocks on a
// FIFO or a device: those are opened without waiting and refused.
func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblocking, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return nil, errors.New("it is a directory, not a file")
	case info.Mode()&os.ModeNamedPipe != 0:
		return nil, errors.New("it is a FIFO, not a regular file")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > limit:
		return nil, tooLarge(limit)
	}
	return readAll(f, info.Size(), limit)
}

// readAll reads to the end; size is a hint, since a file may grow meanwhile.
func readAll(r io.Reader, size, limit int64) ([]byte, error) {
	src := make([]byte, 0, size+1)
	for {
		n, err := r.Read(src[len(src):cap(src)])
		src = src[:len(src)+n]
		switch {
		case err == io.EOF:
			return src, nil
		case err != nil:
			return nil, err
		case int64(len(src)) > limit:
			return nil, tooLarge(limit)
		case len(src) == cap(src):
			src = append(src, 0)[:len(src)]
		}
	}
}

func tooLarge(limit int64) error {
	return fmt.Errorf("it is larger than %d bytes; --max-file-size raises the limit", limit)
}
