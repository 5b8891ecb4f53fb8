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

// A cachedFile is a file from an earlier load, with its diagnostics and everything that they and its items depend on.
type cachedFile struct {
	file *source.File
	// addressed are the blocks that override files may change, nil for an override file; addressedNumber
	// is the cache's number of them.
	addressed       *addressedBlocks
	addressedNumber int
	ambiguous       jsonsyntax.Ambiguous // ambiguous names in the JSON files of the module at that load
	mixed           bool                 // the module had JSON files at that load

	diags    hcl.Diagnostics
	evidence jsonsyntax.Evidence // how the file writes names, for the JSON files of the module
}

// NewCache makes a cache for loads of one directory.
func NewCache() *Cache { return &Cache{files: map[string]*cachedFile{}} }

// Beside returns the cache for loads of the same directory by another engine, e, which may read the same files
// differently. On a nil cache it returns nil: caching is off there too.
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

// numberOf returns a number that identifies a set of addressed blocks: it increases whenever the set differs from the
// one of the load before. So each file compares two numbers instead of two maps. It returns 0 without a cache.
func (c *Cache) numberOf(addressed *addressedBlocks) int {
	if c == nil {
		return 0
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	isFirst := c.number == 0
	if isFirst || !maps.Equal(c.addressed.keys, addressed.keys) {
		c.addressed = addressed
		c.number++
	}
	return c.number
}

// keepOnly removes cached files that the module m no longer has.
func (c *Cache) keepOnly(m *Module) {
	if c == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	maps.DeleteFunc(c.files, func(name string, _ *cachedFile) bool { return m.File(name) == nil })
}

// loadCached loads a native file, or returns it from the cache if nothing that it depends on has changed. The caller
// may change the diagnostics: they are copies.
func (l *loader) loadCached(f *source.File) (*source.File, hcl.Diagnostics) {
	if diags := l.read(f); diags.HasErrors() {
		return f, diags
	}
	cache := l.opts.Cache
	if cache == nil {
		return f, l.analyse(f, nil)
	}
	cache.mutex.Lock()
	before := cache.files[f.Name]
	cache.mutex.Unlock()
	// Load without the lock, so that other files can be loaded meanwhile.
	var after *cachedFile
	if before.isCurrent(l, f) {
		after = before.reused(l, f)
	} else {
		after = l.loadAnew(f, before)
	}
	cache.mutex.Lock()
	defer cache.mutex.Unlock()
	if after.file.Broken {
		// After a syntax error the file lacks blocks, so the next load must not reuse it.
		delete(cache.files, f.Name)
	} else {
		cache.files[f.Name] = after
	}
	return after.file, cloned(after.diags)
}

// loadAnew analyses a file that has changed, and returns its cache entry. It reuses unchanged blocks of before, the
// file's earlier entry, which may be nil.
func (l *loader) loadAnew(f *source.File, before *cachedFile) *cachedFile {
	c := &cachedFile{
		file: f, addressed: l.addressed, addressedNumber: l.addressedNumber, mixed: l.mixed, ambiguous: l.ambiguous,
	}
	c.diags = l.analyse(f, before.blocksFor(l, f))
	l.mutex.Lock()
	c.evidence = l.evidenceOf[f]
	l.mutex.Unlock()
	return c
}

// reused returns the cache entry of an unchanged file for the load of l. If the file itself differs, in its path or
// in whether messages may quote it (Outside), f takes over the blocks: modules loaded earlier still use the cached
// file, which must not change.
func (c *cachedFile) reused(l *loader, f *source.File) *cachedFile {
	next := *c
	isElsewhere := c.file.Path != f.Path || c.file.Outside != f.Outside || c.file.Overlay != f.Overlay
	if isElsewhere {
		f.TakeOver(c.file)
		next.file = f
	}
	l.addEvidence(next.file, c.evidence, nil)
	next.addressed, next.addressedNumber = l.addressed, l.addressedNumber
	return &next
}

// isCurrent reports whether the cached file can stand for f, which was just read: it has the same text, and analysing
// it now would have the same result. c is nil if no file of that name is cached.
func (c *cachedFile) isCurrent(l *loader, f *source.File) bool {
	if c == nil || !bytes.Equal(c.file.Raw, f.Raw) {
		return false
	}
	isReadAlike := c.file.Role == f.Role && c.file.Engine == f.Engine && c.file.Parsed == l.opts.Parsed
	return isReadAlike &&
		// The JSON files need the same evidence from this file as when it was cached.
		c.mixed == l.mixed && maps.Equal(c.ambiguous, l.ambiguous) &&
		c.addressesSame(l)
}

// addressesSame reports whether override files may change the same blocks of this file as at the load that cached it.
// Which blocks they change in other files doesn't matter.
func (c *cachedFile) addressesSame(l *loader) bool {
	if c.addressedNumber == l.addressedNumber {
		return true
	}
	// addressed is nil while override files are loaded, and so in their cache entries: two such loads have the same
	// number. One that is nil means that the file has become an override file, or was one.
	if c.addressed == nil || l.addressed == nil {
		return false
	}
	for i := range c.file.Len() {
		if key := c.file.Key(i); c.addressed.keys[key] != l.addressed.keys[key] {
			return false
		}
	}
	return true
}

// cloned copies diagnostics, because Module.HideQuotes changes those about files that it may not quote, and the cache
// must keep them unchanged.
func cloned(diags hcl.Diagnostics) hcl.Diagnostics {
	diags = slices.Clone(diags)
	for i, d := range diags {
		diags[i] = new(*d)
	}
	return diags
}
