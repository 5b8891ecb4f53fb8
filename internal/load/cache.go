package load

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Cache keeps the declarations and diagnostics of native files from one load of a directory to
// the next. Only files that changed, or whose blocks an override file newly addresses or no longer
// addresses, are analysed again; modules share the others. Several goroutines may load with one cache.
type Cache struct {
	mutex sync.Mutex
	files map[string]*cachedFile

	addressed *addressedBlocks // of the last load
	number    int              // of that set

	beside map[engine.Release]*Cache // for loads of the directory by other engines
}

// A cachedFile is a file as it was read once, and all that it depended on.
type cachedFile struct {
	file *source.File
	// addressed are the blocks of the module that override files may change, nil for a file that
	// is one of these; set is the number of that set.
	addressed *addressedBlocks
	set       int
	ambiguous jsonsyntax.Ambiguous
	mixed     bool

	diags hcl.Diagnostics
	seen  jsonsyntax.Evidence
}

// NewCache makes a cache for loads of one directory.
func NewCache() *Cache { return &Cache{files: map[string]*cachedFile{}} }

// Beside returns the cache for loads of the same directory by another engine, which understands files
// in its own way; nil without a cache.
func (c *Cache) Beside(e engine.Release) *Cache {
	if c == nil {
		return nil
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.beside[e] == nil {
		if c.beside == nil {
			c.beside = map[engine.Release]*Cache{}
		}
		c.beside[e] = NewCache()
	}
	return c.beside[e]
}

// numberOf numbers sets of blocks, so that equal sets compare cheaply for each file.
func (c *Cache) numberOf(addressed *addressedBlocks) int {
	if c == nil {
		return 0
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.number == 0 || !maps.Equal(c.addressed.keys, addressed.keys) {
		c.addressed = addressed
		c.number++
	}
	return c.number
}

// keepOnly removes the files that are no longer in a module.
func (c *Cache) keepOnly(m *Module) {
	if c == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	maps.DeleteFunc(c.files, func(name string, _ *cachedFile) bool { return m.File(name) == nil })
}

// cached loads a native file, or returns it as it was loaded before.
func (l *loader) cached(f *source.File) (*source.File, hcl.Diagnostics) {
	if diags := l.read(f); diags.HasErrors() {
		return f, diags
	}
	cache := l.opts.Cache
	if cache == nil {
		return f, l.understand(f, nil)
	}
	cache.mutex.Lock()
	before := cache.files[f.Name]
	cache.mutex.Unlock()
	var after *cachedFile
	if before.holds(l, f) {
		after = before.again(l, f)
	} else {
		after = l.first(f, before)
	}
	cache.mutex.Lock()
	defer cache.mutex.Unlock()
	if after.file.Broken {
		delete(cache.files, f.Name)
	} else {
		cache.files[f.Name] = after
	}
	return after.file, cloned(after.diags)
}

// first loads a file that has changed since it was read before.
func (l *loader) first(f *source.File, before *cachedFile) *cachedFile {
	c := &cachedFile{
		file: f, addressed: l.addressed, set: l.set, mixed: l.mixed, ambiguous: l.ambiguous,
	}
	c.diags = l.understand(f, before.blocksFor(l, f))
	l.mutex.Lock()
	c.seen = l.seen[f]
	l.mutex.Unlock()
	return c
}

// again is a file that has not changed; elsewhere, or quoted otherwise, it is another one.
func (c *cachedFile) again(l *loader, f *source.File) *cachedFile {
	next := *c
	if c.file.Path != f.Path || c.file.Outside != f.Outside || c.file.Overlay != f.Overlay {
		f.TakeOver(c.file)
		next.file = f
	}
	l.note(next.file, c.seen, nil)
	next.addressed, next.set = l.addressed, l.set
	return &next
}

// holds reports whether a file that was just read is as it was, and would be understood
// and judged as it was.
func (c *cachedFile) holds(l *loader, f *source.File) bool {
	return c != nil && bytes.Equal(c.file.Raw, f.Raw) &&
		c.file.Role == f.Role && c.file.Engine == f.Engine && c.file.Parsed == l.opts.Parsed &&
		c.mixed == l.mixed && maps.Equal(c.ambiguous, l.ambiguous) && c.addresses(l)
}

// addresses reports whether override files may change the same blocks of the file.
func (c *cachedFile) addresses(l *loader) bool {
	if c.set == l.set || c.addressed == nil || l.addressed == nil {
		return c.set == l.set
	}
	for i := range c.file.Len() {
		if key := c.file.Key(i); c.addressed.keys[key] != l.addressed.keys[key] {
			return false
		}
	}
	return true
}

// cloned are copies of diagnostics, which are changed where they may not quote a file.
func cloned(diags hcl.Diagnostics) hcl.Diagnostics {
	diags = slices.Clone(diags)
	for i, d := range diags {
		diags[i] = new(*d)
	}
	return diags
}
