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

	addressed *addressedBlocks // in the last load
	number    int              // increases whenever addressed differs from the load before

	beside map[engine.Release]*Cache // for loads of the directory by other engines
}

// A cachedFile is a file as it was read once, with everything that the result depended on.
type cachedFile struct {
	file *source.File
	// addressed are the blocks that override files may change, nil for an override file; set is the
	// cache's number of them.
	addressed *addressedBlocks
	set       int
	ambiguous jsonsyntax.Ambiguous
	mixed     bool

	diags hcl.Diagnostics
	seen  jsonsyntax.Evidence
}

// NewCache makes a cache for loads of one directory.
func NewCache() *Cache { return &Cache{files: map[string]*cachedFile{}} }

// Beside returns the cache for loads of the same directory by another engine, to which the same files may
// mean something else. It may be called on nil, and then returns nil.
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

// numberOf numbers sets of addressed blocks, so that they compare cheaply for each file: equal sets of two
// consecutive loads have one number.
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

// loadCached loads a native file, or returns it as it was loaded before. The diagnostics are the caller's own.
func (l *loader) loadCached(f *source.File) (*source.File, hcl.Diagnostics) {
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
	if before.isCurrent(l, f) {
		after = before.reused(l, f)
	} else {
		after = l.loadAnew(f, before)
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

// loadAnew loads a file anew, and reuses the blocks that before has. before may be nil.
func (l *loader) loadAnew(f *source.File, before *cachedFile) *cachedFile {
	c := &cachedFile{
		file: f, addressed: l.addressed, set: l.set, mixed: l.mixed, ambiguous: l.ambiguous,
	}
	c.diags = l.understand(f, before.blocksFor(l, f))
	l.mutex.Lock()
	c.seen = l.seen[f]
	l.mutex.Unlock()
	return c
}

// reused returns an unchanged file for another load. If its path changed, or whether messages may quote it,
// it becomes a file of its own, because other modules share the cached one.
func (c *cachedFile) reused(l *loader, f *source.File) *cachedFile {
	next := *c
	if c.file.Path != f.Path || c.file.Outside != f.Outside || c.file.Overlay != f.Overlay {
		f.TakeOver(c.file)
		next.file = f
	}
	l.addEvidence(next.file, c.seen, nil)
	next.addressed, next.set = l.addressed, l.set
	return &next
}

// isCurrent reports whether a file that was just read equals the cached one, and would be understood and judged
// the same.
func (c *cachedFile) isCurrent(l *loader, f *source.File) bool {
	return c != nil && bytes.Equal(c.file.Raw, f.Raw) &&
		c.file.Role == f.Role && c.file.Engine == f.Engine && c.file.Parsed == l.opts.Parsed &&
		c.mixed == l.mixed && maps.Equal(c.ambiguous, l.ambiguous) && c.addressesSame(l)
}

// addressesSame reports whether override files may change the same blocks of the file as before.
func (c *cachedFile) addressesSame(l *loader) bool {
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

// cloned copies diagnostics, because Module.Unquote changes those about files that it may not quote.
func cloned(diags hcl.Diagnostics) hcl.Diagnostics {
	diags = slices.Clone(diags)
	for i, d := range diags {
		diags[i] = new(*d)
	}
	return diags
}
