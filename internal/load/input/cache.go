package input

import (
	"container/list"
	"os"
	"runtime"
	"sync"
	"time"
)

// A Cache reads files again only if they have changed, for programs that run long. Its results must
// not be changed. Several goroutines may use it.
type Cache struct {
	limit int64 // bytes that are kept

	mutex  sync.Mutex
	files  map[string]*list.Element // of *cached, by path
	recent *list.List               // most recently used first
	size   int64
	read   func(path string, limit int64) ([]byte, os.FileInfo, error)
}

// A cacheEntry file is one as it was when it was read.
type cacheEntry struct {
	path string
	info os.FileInfo
	at   time.Time // when it was read
	text []byte
}

// NewCache makes a cache that keeps so many bytes, or the last file.
func NewCache(limit int64) *Cache {
	return &Cache{limit: limit, files: map[string]*list.Element{}, recent: list.New(), read: readWithInfo}
}

// Read reads a file as the function Read does, unless it is known.
func (c *Cache) Read(path string, limit int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil {
		if text, ok := c.known(path, info); ok && int64(len(text)) <= limit {
			return text, nil
		}
	}
	at := time.Now()
	text, info, err := c.read(path, limit)
	if err != nil {
		c.forget(path)
		return Read(path, limit) // which words the error
	}
	if info == nil {
		c.forget(path)
	} else {
		c.keep(&cacheEntry{path: path, info: info, at: at, text: text})
	}
	return text, nil
}

// readWithInfo reads a file, and returns the system's information about it; nil if that changed
// meanwhile.
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

// isSame reports whether the system described a file identically twice.
func isSame(a, b os.FileInfo) bool {
	return a.Mode().IsRegular() && a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) &&
		(runtime.GOOS == "windows" || os.SameFile(a, b)) // which opens files there
}

// known is the text of a file that has not changed since it was read.
func (c *Cache) known(path string, info os.FileInfo) (text []byte, ok bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	at := c.files[path]
	if at == nil {
		return nil, false
	}
	k := at.Value.(*cacheEntry)
	if !k.isAsIn(info) {
		return nil, false
	}
	c.recent.MoveToFront(at)
	return k.text, true
}

// settled is how old a change must be when a file is read, so that a later one has another
// time: some file systems count in steps of two seconds.
const settled = 2 * time.Second

// isAsIn reports whether a file is certainly unchanged since it was read.
func (k *cacheEntry) isAsIn(info os.FileInfo) bool {
	return isSame(info, k.info) && info.Size() == int64(len(k.text)) && k.at.Sub(k.info.ModTime()) > settled
}

// keep adds a file, and drops those that were unused for longest.
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

func (c *Cache) forget(path string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.drop(c.files[path])
}

// drop lets go of a file. The cache is locked.
func (c *Cache) drop(at *list.Element) {
	if at == nil {
		return
	}
	k := c.recent.Remove(at).(*cacheEntry)
	delete(c.files, k.path)
	c.size -= int64(len(k.text))
}
