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

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/document"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
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

	state    uint64          // goes up with every change
	last     time.Time       // of the last one
	changes  []*openDocument // that were edited since the view, nil for anything else that changed
	used     time.Time       // when the view was asked for
	isActive bool            // a goroutine sees to it that the view becomes that of the state
	cancel   func()          // gives up the look that is under way
	isClosed bool
	now      *seen // nil if it was let go of
	said     map[protocol.DocumentURI]said
	arrived  chan struct{} // closed when there is another view
}

// A seen is what was seen at a look.
type seen struct {
	state     uint64 // that the module was in
	view      *view.View
	versions  map[protocol.DocumentURI]int32 // of the documents that were open
	lastWhole *view.View                     // the last view with an effective configuration; may be nil
}

// moduleOf is the module that a file is in, and its name there. The server is locked.
func (s *server) moduleOf(path string) (m *module, name string) {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if m = s.known(dir); m == nil {
		m = &module{
			server: s, key: identity(dir), dir: dir,
			docs: map[protocol.DocumentURI]*openDocument{}, arrived: make(chan struct{}),
		}
		s.modules[m.key] = m
	}
	return m, m.nameOf(path, name)
}

// known is the module of a directory of which documents are open; nil if none is. Some file
// systems know a directory by several names, of which the system makes nothing.
func (s *server) known(dir string) *module {
	if m := s.modules[identity(dir)]; m != nil {
		return m
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil
	}
	for _, m := range s.modules {
		if strings.EqualFold(norm.NFC.String(m.key), norm.NFC.String(identity(dir))) {
			if other, err := os.Stat(m.dir); err == nil && os.SameFile(info, other) {
				return m
			}
		}
	}
	return nil
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
func (m *module) changed() { m.edited(nil) }

// edited is changed for an edit of an open document.
func (m *module) edited(doc *openDocument) {
	if !slices.Contains(m.changes, doc) {
		m.changes = append(m.changes, doc)
	}
	m.state++
	m.last = time.Now()
	if m.cancel != nil {
		m.cancel()
	}
	m.activate()
}

// activate sees to it that the view becomes that of the state. The server is locked.
func (m *module) activate() {
	if !m.isActive && !m.isClosed {
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
	for !m.isClosed && (m.now == nil || m.now.state != m.state) {
		if left := quiet - time.Since(m.last); left > 0 {
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
	state, request, versions := m.state, m.request(), m.versions()
	open, settings := m.uris()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m.cancel = cancel
	analyst, encoding := s.analyst, s.encoding
	s.mutex.Unlock()
	s.analyses <- struct{}{}
	begun := time.Now()
	done := s.progress("Merging " + filepath.Base(m.dir))
	v, all, err := s.analysed(ctx, analyst, request, func(v *view.View) { v.Encoding, v.Open, v.Settings = encoding, open, settings })
	done()
	<-s.analyses
	s.trace("analysed %s: %v", named(m.dir), time.Since(begun).Round(time.Microsecond))
	s.mutex.Lock()
	m.cancel = nil
	if m.isClosed || m.state != state {
		return
	}
	if err != nil {
		s.trace("can't analyse %s: %v", named(m.dir), err)
	}
	next := &seen{state: state, view: v, versions: versions}
	switch {
	case feature.IsWhole(v):
		next.lastWhole = v
	case m.now != nil:
		next.lastWhole = m.now.lastWhole
	}
	m.now = next
	maps.DeleteFunc(all, func(uri protocol.DocumentURI, _ []protocol.Diagnostic) bool { return m.isOfAnother(uri) })
	m.report(withVersions(all, versions))
	close(m.arrived)
	m.arrived = make(chan struct{})
	m.spread()
	s.makeRoom(m)
}

// spread has the client ask again for what the changes of some documents mean to others.
func (m *module) spread() {
	isOfOne := len(m.changes) == 1 && m.changes[0] != nil && len(m.docs) == 1
	if len(m.changes) > 0 && !isOfOne {
		m.server.refreshSoon()
	}
	m.changes = nil
	if m.server.showsEffective {
		m.server.notify("tofumerge/effectiveChanged", protocol.EffectiveChangedParams{Directory: view.URIOf(m.dir)})
	}
}

// How many views are kept, and of how many bytes of configuration.
const (
	maxViews = 32
	maxBytes = 256 << 20
)

// makeRoom lets go of the views that were not used for longest. Who asks for one gets it
// made again. The server is locked.
func (s *server) makeRoom(newest *module) {
	newest.used = time.Now()
	var with []*module
	for _, m := range s.modules {
		if m.now != nil {
			with = append(with, m)
		}
	}
	slices.SortFunc(with, func(a, b *module) int { return b.used.Compare(a.used) })
	size := 0
	for i, m := range with {
		if size += m.now.view.Size(); i > 0 && (i >= maxViews || size > maxBytes) {
			m.now = nil
		}
	}
}

// analysed is the view of a module, completed by a function, and what there is to say of its
// documents. With an error, such as a panic, both are empty.
func (s *server) analysed(
	ctx context.Context, a view.Analyst, r view.Request, complete func(*view.View),
) (v *view.View, all map[protocol.DocumentURI][]protocol.Diagnostic, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Crashed(p)
			err = errCrashed
		}
		if err != nil {
			v, all = &view.View{Dir: r.Dir}, nil
			complete(v)
		}
	}()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if v, err = a.Analyse(ctx, r); err != nil {
		return nil, nil, err
	}
	complete(v)
	return v, diagnosticsOf(v), nil
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
	r := view.Request{Dir: m.dir, Open: map[string][]byte{}, Settings: map[string][]byte{}}
	if m.now != nil {
		r.Before = m.now.view
	}
	for _, doc := range m.newestLast() {
		if doc.governs == "" {
			r.Open[doc.name] = doc.text.Bytes()
		}
	}
	for _, doc := range m.governing() {
		r.Settings[doc.governs] = doc.text.Bytes()
	}
	return r
}

// versions are those of the open documents.
func (m *module) versions() map[protocol.DocumentURI]int32 {
	versions := map[protocol.DocumentURI]int32{}
	for _, doc := range m.newestLast() {
		versions[doc.uri] = doc.version
	}
	return versions
}

var errModified = errors.New("the document was edited meanwhile")

// A wanted view is that of a module as it is when a request arrives.
type wanted struct {
	server *server
	doc    *openDocument  // nil for a document that is not open
	text   *document.Text // of it
	module *module        // nil for a document outside of any
	name   string
	state  uint64
	// isWhole is set where the answer is about all of the document, so that it may be
	// about a later text.
	isWhole bool
}

// ask notes what the view is to be of.
func (s *server) ask(uri protocol.DocumentURI) *wanted {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	w := &wanted{server: s, doc: s.docs[uri]}
	switch path, isFile := view.PathOf(uri); {
	case w.doc != nil && w.doc.text != nil:
		w.module, w.name, w.text = w.doc.module, w.doc.name, w.doc.text
	case w.doc == nil && isFile:
		w.module, w.name = s.known(filepath.Dir(path)), filepath.Base(path)
	}
	if w.module != nil {
		w.state = w.module.state
	}
	return w
}

// wait waits for the view, nil where there is none, and for the turn of the request. What
// was edited while it waited for the turn is not worked out.
func (w *wanted) wait(ctx context.Context, t *turn) (*seen, error) {
	if w.module == nil {
		return nil, nil
	}
	if _, err := w.see(ctx); err != nil {
		return nil, err
	}
	if err := t.take(ctx); err != nil {
		return nil, err
	}
	return w.see(ctx)
}

// see waits for the view.
func (w *wanted) see(ctx context.Context) (*seen, error) {
	m := w.module
	w.server.mutex.Lock()
	defer w.server.mutex.Unlock()
	for !m.isClosed {
		switch {
		case w.isModified():
			return nil, errModified
		case m.now != nil && m.now.state >= w.state:
			m.used = time.Now()
			return m.now, nil
		}
		m.activate()
		arrived := m.arrived
		w.server.mutex.Unlock()
		select {
		case <-arrived:
		case <-ctx.Done():
		}
		w.server.mutex.Lock()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, errModified
}

// isModified reports whether an answer would be about another text than the one that the
// client had. The server is locked.
func (w *wanted) isModified() bool {
	return w.doc != nil && (w.server.docs[w.doc.uri] != w.doc || !w.isWhole && w.doc.text != w.text)
}
