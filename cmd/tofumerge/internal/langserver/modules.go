package langserver

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// When modules are looked at: at most one look at a module is under way, one that a change
// makes old is given up, and the next one waits until the changes pause.

const (
	// quiet is how long no change may come before a module is looked at, so that a burst of
	// changes costs one look. Nobody notices that it passes.
	quiet = 5 * time.Millisecond
	// maxAnalyses is how many modules are looked at at once.
	maxAnalyses = 2
)

// A module is a module of which documents are open. Its fields are guarded by the server.
type module struct {
	server *server
	key    string // the one name of its directory
	dir    string // as the client calls it
	docs   map[protocol.DocumentURI]*openDocument

	state    uint64    // goes up with every change
	last     time.Time // of the last one
	awaited  bool      // a request waits for the view
	isActive bool      // a goroutine sees to it that the view becomes that of the state
	cancel   func()    // gives up the look that is under way
	isClosed bool
	view     *view.View
	seen     uint64        // the state that view is of; 0 for none
	arrived  chan struct{} // closed when there is another view
}

// moduleOf is the module that a file is in, and its name there. The server is locked.
func (s *server) moduleOf(path string) (m *module, name string) {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	key := identity(dir)
	m = s.modules[key]
	if m == nil {
		m = &module{server: s, key: key, dir: dir, docs: map[protocol.DocumentURI]*openDocument{}, arrived: make(chan struct{})}
		s.modules[key] = m
	}
	return m, m.nameOf(path, name)
}

// identity is the one name of a directory, whatever links lead to it.
func identity(dir string) string {
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		return target
	}
	return dir
}

// nameOf is the name that a directory has for a file that may be called by another one.
func (m *module) nameOf(path, name string) string {
	if _, err := os.Lstat(path); err != nil {
		return name // it is still to be saved
	}
	entries, _ := os.ReadDir(m.dir)
	same := name
	for _, e := range entries {
		switch {
		case e.Name() == name:
			return name
		case strings.EqualFold(norm.NFC.String(e.Name()), norm.NFC.String(name)):
			same = e.Name()
		}
	}
	return same
}

// changed notes that the module is not what it was. The server is locked.
func (m *module) changed() {
	m.state++
	m.last = time.Now()
	if m.cancel != nil {
		m.cancel()
	}
	m.activate()
}

// activate sees to it that the view becomes that of the state. The server is locked.
func (m *module) activate() {
	if !m.isActive && !m.isClosed && (m.seen != m.state || m.view == nil) {
		m.isActive = true
		go m.follow()
	}
}

// close ends all work on the module. The server is locked.
func (m *module) close() {
	m.isClosed = true
	if m.cancel != nil {
		m.cancel()
	}
	close(m.arrived)
	m.arrived = make(chan struct{})
}

// follow looks at the module until the view is that of the state.
func (m *module) follow() {
	s := m.server
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for !m.isClosed && (m.seen != m.state || m.view == nil) {
		if left := quiet - time.Since(m.last); left > 0 && !m.awaited {
			s.mutex.Unlock()
			time.Sleep(left)
			s.mutex.Lock()
			continue
		}
		m.look()
	}
	m.isActive = false
}

// look looks at the module once. The server is locked before and after, not meanwhile.
func (m *module) look() {
	s := m.server
	state, request, open, versions := m.state, m.request(), m.uris(), m.versions()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m.cancel = cancel
	analyst, encoding := s.Analyst, s.encoding
	s.mutex.Unlock()
	s.analyses <- struct{}{}
	begun := time.Now()
	v, err := s.analysed(ctx, analyst, request)
	<-s.analyses
	s.trace("analysed %s: %v", named(m.dir), time.Since(begun).Round(time.Microsecond))
	s.mutex.Lock()
	m.cancel = nil
	if m.isClosed || m.state != state {
		return
	}
	if v == nil {
		v = &view.View{Dir: m.dir}
		if !errors.Is(err, context.Canceled) {
			s.trace("can't analyse %s: %v", named(m.dir), err)
		}
	}
	v.Encoding, v.Open = encoding, open
	m.view, m.seen, m.awaited = v, state, false
	s.post(m, diagnosticsOf(v, versions))
	close(m.arrived)
	m.arrived = make(chan struct{})
}

// analysed is the view of a module; a panic is an error.
func (s *server) analysed(ctx context.Context, a view.Analyst, r view.Request) (v *view.View, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Crashed(p)
			v, err = nil, errCrashed
		}
	}()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return a.Analyse(ctx, r)
}

// newestLast are the open documents of the module whose text is known, so that the newest of
// two that are the same file is the last.
func (m *module) newestLast() []*openDocument {
	docs := slices.Collect(maps.Values(m.docs))
	docs = slices.DeleteFunc(docs, func(d *openDocument) bool { return d.text == nil })
	slices.SortFunc(docs, func(a, b *openDocument) int { return cmp.Compare(a.edits, b.edits) })
	return docs
}

// request is what is to be looked at. The server is locked.
func (m *module) request() view.Request {
	r := view.Request{Dir: m.dir, Open: map[string][]byte{}}
	for _, doc := range m.newestLast() {
		r.Open[doc.name] = doc.text.Bytes()
	}
	return r
}

// uris are how the client calls the open files.
func (m *module) uris() map[string]protocol.DocumentURI {
	uris := map[string]protocol.DocumentURI{}
	for _, doc := range m.newestLast() {
		uris[doc.name] = doc.uri
	}
	return uris
}

// versions are those of the open documents.
func (m *module) versions() map[protocol.DocumentURI]int32 {
	versions := map[protocol.DocumentURI]int32{}
	for uri, doc := range m.docs {
		versions[uri] = doc.version
	}
	return versions
}

var errModified = errors.New("the document was edited meanwhile")

// A wanted view is that of a module as it is when a request arrives.
type wanted struct {
	server *server
	doc    *openDocument // nil for a document that is not open
	text   any           // of it
	module *module       // nil for a document outside of any
	name   string
	state  uint64
}

// ask notes what the view is to be of.
func (s *server) ask(uri protocol.DocumentURI) *wanted {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	w := &wanted{server: s}
	if w.doc = s.docs[uri]; w.doc != nil && w.doc.module != nil && w.doc.text != nil {
		w.module, w.name, w.text = w.doc.module, w.doc.name, w.doc.text
		w.state = w.module.state
	}
	return w
}

// wait waits for the view, and for nothing else than that: nil where there is none.
func (w *wanted) wait(ctx context.Context) (*view.View, string, error) {
	m := w.module
	if m == nil {
		return nil, "", nil
	}
	w.server.mutex.Lock()
	defer w.server.mutex.Unlock()
	for !m.isClosed {
		switch {
		case w.doc.text != w.text || w.server.docs[w.doc.uri] != w.doc:
			return nil, "", errModified
		case m.view != nil && m.seen >= w.state:
			return m.view, w.name, nil
		}
		m.awaited = true
		m.activate()
		arrived := m.arrived
		w.server.mutex.Unlock()
		select {
		case <-arrived:
		case <-ctx.Done():
		}
		w.server.mutex.Lock()
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
	}
	return nil, "", errModified
}
