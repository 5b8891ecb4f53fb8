// Package input reads regular files of bounded size, and no others: a named pipe, a device or a
// directory is refused before anything is read from it.
//
// Given a path and a limit in bytes, it returns the bytes, or an error that explains the refusal.
package input

import (
	"container/list"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"time"

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

// Open opens a regular file for reading. For any other file, such as a directory, it returns an error. Opening a FIFO
// or a device could wait forever; Nonblocking prevents that.
func Open(path string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|Nonblocking, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = errorIfIrregular(info.Mode())
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// errorIfIrregular returns an error that says what a file is if it isn't a regular file, and otherwise nil.
func errorIfIrregular(mode fs.FileMode) error {
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

// Read returns the contents of a regular file of at most limit bytes. Files of the kernel claim to have a size of 0,
// and may be endless: of such a file, at most maxUnsized bytes are accepted.
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

// readAll reads r to the end, and fails if it is longer than limit. size is what the system reports, but the file may
// be longer: it may be growing, or be a file of the kernel, which has no size. So readAll reads until nothing more
// comes. To save that last read, it stops when a read returns less than requested and completes exactly size bytes.
func readAll(r io.Reader, size, limit int64) ([]byte, error) {
	src := make([]byte, 0, size+1)
	for {
		n, err := r.Read(src[len(src):cap(src)])
		src = src[:len(src)+n]
		isShortRead := n > 0 && len(src) < cap(src)
		switch {
		case int64(len(src)) > limit:
			return nil, TooLargeError(limit)
		case err == io.EOF, err == nil && isShortRead && int64(len(src)) == size:
			return src, nil
		case err != nil:
			return nil, err
		case len(src) == cap(src):
			src = append(src, 0)[:len(src)] // grows only the capacity
		}
	}
}

// A TooLargeError says that a file is larger than a limit, in bytes.
type TooLargeError int64

// Error says how large a file may be.
func (limit TooLargeError) Error() string {
	return fmt.Sprintf("it is larger than %d bytes", int64(limit))
}

// StripPath returns an error of package os without the path in it, because callers name the file the way users know
// it.
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

// NoTempDir returns the error that no temporary directory can be made because of err. It tells users which variable
// to set.
func NoTempDir(err error) error {
	variable := "TMPDIR"
	if runtime.GOOS == "windows" {
		variable = "TMP"
	}
	return fmt.Errorf("no temporary directory can be made in %s (%w); set %s to a directory that can be written to",
		diag.Escape(os.TempDir()), StripPath(err), variable)
}

// A Cache reads files again only if they have changed, for programs that run long. Its results must
// not be changed. Several goroutines may use it.
type Cache struct {
	limit int64 // bytes that are kept

	mutex  sync.Mutex
	files  map[string]*list.Element // of *cacheEntry, by path
	recent *list.List               // most recently used first
	size   int64
	read   func(path string, limit int64) ([]byte, os.FileInfo, error)
}

// A cacheEntry is a file as it was when it was read.
type cacheEntry struct {
	path string
	info os.FileInfo
	at   time.Time // when it was read
	text []byte
}

// NewCache makes a cache that keeps at most limit bytes, but at least the last file.
func NewCache(limit int64) *Cache {
	return &Cache{limit: limit, files: map[string]*list.Element{}, recent: list.New(), read: readWithInfo}
}

// Read does what the function Read does, but returns the text from the cache if the file hasn't changed.
func (c *Cache) Read(path string, limit int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil {
		if text, ok := c.lookUp(path, info); ok && int64(len(text)) <= limit {
			return text, nil
		}
	}
	at := time.Now() // before reading: lookUp compares it with the time of the last change
	text, info, err := c.read(path, limit)
	if err != nil {
		c.forget(path)
		return Read(path, limit) // which words the error
	}
	if info == nil { // the file changed meanwhile
		c.forget(path)
	} else {
		c.keep(&cacheEntry{path: path, info: info, at: at, text: text})
	}
	return text, nil
}

// readWithInfo returns the contents of a file and the system's information about it, by which a change is noticed
// later. The information is nil if the file changed while it was read.
func readWithInfo(path string, limit int64) ([]byte, os.FileInfo, error) {
	before, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	text, err := Read(path, limit)
	if err != nil {
		return nil, nil, err
	}
	after, err := os.Stat(path)
	if err != nil || !isSame(before, after) {
		return text, nil, nil
	}
	return text, before, nil
}

// isSame reports whether two descriptions of a file by the system are the same: then it probably hasn't changed.
func isSame(a, b os.FileInfo) bool {
	hasSameData := a.Mode().IsRegular() && a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
	// On Windows, SameFile would have to open the files.
	return hasSameData && (runtime.GOOS == "windows" || os.SameFile(a, b))
}

// lookUp returns the cached text of a file if the file surely hasn't changed since it was read. info describes it
// now.
func (c *Cache) lookUp(path string, info os.FileInfo) (text []byte, ok bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	at := c.files[path]
	if at == nil {
		return nil, false
	}
	k := at.Value.(*cacheEntry)
	// A file that was written just before it was read may change again without a new time.
	wasSettled := k.at.Sub(k.info.ModTime()) > settled
	if !wasSettled || !isSame(info, k.info) || info.Size() != int64(len(k.text)) {
		return nil, false
	}
	c.recent.MoveToFront(at)
	return k.text, true
}

// settled is how old the last change of a file must be when it is read, so that a later change gets another
// time: some file systems count in steps of two seconds.
const settled = 2 * time.Second

// keep adds a file to the cache, and drops the least recently used ones until the rest fits.
func (c *Cache) keep(k *cacheEntry) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.drop(c.files[k.path])
	c.files[k.path] = c.recent.PushFront(k)
	c.size += int64(len(k.text))
	for c.size > c.limit && c.recent.Len() > 1 {
		c.drop(c.recent.Back())
	}
}

// forget removes a file from the cache, if it is there.
func (c *Cache) forget(path string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.drop(c.files[path])
}

// drop removes an entry of c.recent from the cache, or does nothing if it is nil. The caller must hold the mutex.
func (c *Cache) drop(at *list.Element) {
	if at == nil {
		return
	}
	k := c.recent.Remove(at).(*cacheEntry)
	delete(c.files, k.path)
	c.size -= int64(len(k.text))
}
