package langserver

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// When modules are analysed: at most one analysis of a module runs at a time, a change cancels
// it, and the next one starts when the changes pause.

const (
	// quiet is how long changes must pause before an analysis, so that a burst of changes costs
	// one. It is too short to notice.
	quiet = 5 * time.Millisecond
	// maxAnalyses is how many modules are analysed at the same time.
	maxAnalyses = 2
)

// A module is a module with open documents. The server's mutex guards its fields.
type module struct {
	server *server
	key    string // the canonical name of its directory
	dir    string // the client's name of its directory
	docs   map[protocol.DocumentURI]*openDocument

	state    uint64          // number of changes so far
	last     time.Time       // of the last change
	changes  []*openDocument // those edited since the snapshot; a nil element stands for any other change
	used     time.Time       // when the snapshot was used last
	isActive bool            // analyseUntilCurrent is running
	cancel   func()          // cancels the running analysis; nil if there is none
	isClosed bool
	now      *snapshot                          // the newest; nil before the first, or if it was discarded
	reported map[protocol.DocumentURI]docReport // of the newest snapshot
	arrived  chan struct{}                      // closed when there is a new snapshot
}

// newModule returns a module without documents. key is the canonical name of its directory, dir the client's name.
func newModule(s *server, key, dir string) *module {
	return &module{
		server: s, key: key, dir: dir, docs: map[protocol.DocumentURI]*openDocument{}, arrived: make(chan struct{}),
	}
}

// A snapshot is the result of an analysis.
type snapshot struct {
	state     uint64 // of the module
	view      *view.View
	versions  map[protocol.DocumentURI]int32 // of the open documents
	lastWhole *view.View                     // the newest view with an effective configuration, or nil
}

// changed records a change of the module other than an edit, and starts an analysis. The server is locked.
func (m *module) changed() { m.edited(nil) }

// edited records an edit of an open document, or any other change if doc is nil. It cancels the running
// analysis and starts a new one. The server is locked.
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

// activate starts analyseUntilCurrent unless it is running. The server is locked.
func (m *module) activate() {
	if !m.isActive && !m.isClosed {
		m.isActive = true
		go m.analyseUntilCurrent()
	}
}

// close ends all work on the module. Requests that wait for a snapshot fail. The server is locked.
func (m *module) close() {
	m.isClosed = true
	if m.cancel != nil {
		m.cancel()
	}
	close(m.arrived)                // wakes the requests, which see isClosed
	m.arrived = make(chan struct{}) // to be closed next time: closeAll may come twice, and a channel closes only once
}

// analyseUntilCurrent analyses the module until the snapshot is up to date, each time when changes pause.
func (m *module) analyseUntilCurrent() {
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
		m.analyse()
	}
	m.isActive = false
}

// analyse analyses the module once. It keeps and reports the result, unless the module has changed meanwhile. The
// server is locked before and after, but not during the analysis.
func (m *module) analyse() {
	s := m.server
	s.mutex.Unlock()
	m.findGone() // looks at the disk, and locks the server itself
	// Copy everything that the analysis needs.
	s.mutex.Lock()
	state, request, versions := m.state, m.request(), m.versions()
	open, settings := m.uris()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m.cancel = cancel
	analyst, encoding := s.analyst, s.encoding
	s.mutex.Unlock()
	// Analyse the module, when it is its turn.
	_ = s.analyses.acquire(context.Background())
	begun := time.Now()
	done := s.progress("Merging " + filepath.Base(m.dir))
	v, found, err := s.callAnalyst(ctx, analyst, request, func(v *view.View) { v.Encoding, v.Open, v.Settings = encoding, open, settings })
	done()
	s.analyses.release()
	s.trace("analysed %s: %v", quoted(m.dir), time.Since(begun).Round(time.Microsecond))
	s.mutex.Lock()
	m.cancel = nil
	if m.isClosed || m.state != state {
		return // the result is outdated
	}
	if err != nil {
		s.trace("can't analyse %s: %v", quoted(m.dir), err)
	}
	m.keep(&snapshot{state: state, view: v, versions: versions})
	// Report the diagnostics, except for documents on which another module reports.
	maps.DeleteFunc(found, func(uri protocol.DocumentURI, _ []protocol.Diagnostic) bool { return m.belongsToAnother(uri) })
	m.reportDiagnostics(docReportsOf(found, versions))
	close(m.arrived) // wakes all requests that wait for a snapshot
	m.arrived = make(chan struct{})
	m.announceChanges()
	s.discardOldViews(m)
}

// keep makes a snapshot the module's newest, and sets its lastWhole. The server is locked.
func (m *module) keep(next *snapshot) {
	switch {
	case feature.IsWhole(next.view):
		next.lastWhole = next.view
	case m.now != nil:
		next.lastWhole = m.now.lastWhole // to show while the text has errors
	}
	m.now = next
}

// announceChanges makes the client ask again for hints, lenses and the effective configuration, because the module
// has a new snapshot. The server is locked.
func (m *module) announceChanges() {
	// For hints and lenses, the client asks by itself about a document that it edited. So it needn't be told if that
	// document is the only one, and its edit the only change. Without changes, the snapshot replaces a discarded one.
	isEditOfOnlyDocument := len(m.changes) == 1 && m.changes[0] != nil && len(m.docs) == 1
	if len(m.changes) > 0 && !isEditOfOnlyDocument {
		m.server.refreshSoon()
	}
	m.changes = nil
	if m.server.showsEffective {
		m.server.notify("tofumerge/effectiveChanged", protocol.EffectiveChangedParams{Directory: view.URIOf(m.dir)})
	}
}

// docReportsOf returns the reports on all open documents, which are those with versions, and on others with
// diagnostics.
func docReportsOf(
	all map[protocol.DocumentURI][]protocol.Diagnostic, versions map[protocol.DocumentURI]int32,
) map[protocol.DocumentURI]docReport {
	reports := map[protocol.DocumentURI]docReport{}
	for uri, list := range all {
		if len(list) > 0 {
			reports[uri] = docReport{list: list}
		}
	}
	for uri, version := range versions {
		reports[uri] = docReport{version: &version, list: all[uri]}
	}
	return reports
}

// findGone looks on disk for the files of documents without unsaved edits. If another program removed or renamed such
// a file, the document no longer stands for it. findGone reports whether the module changed, because a file is gone
// or back.
func (m *module) findGone() bool {
	s := m.server
	s.mutex.Lock()
	// List the documents without unsaved edits, and look for their files without the lock.
	docs := slices.DeleteFunc(slices.Collect(maps.Values(m.docs)), func(d *openDocument) bool { return d.saved == nil || d.text != d.saved })
	s.mutex.Unlock()
	isGone := make([]bool, len(docs))
	for i, doc := range docs {
		_, err := os.Stat(doc.path)
		isGone[i] = errors.Is(err, fs.ErrNotExist)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	// Note which files disappeared or came back.
	isChanged := false
	for i, doc := range docs {
		isChanged = isChanged || doc.isGone != isGone[i]
		doc.isGone = isGone[i]
	}
	if isChanged {
		m.changed()
	}
	return isChanged
}

// How many snapshots are kept, and of how many bytes of configuration.
const (
	maxViews = 32
	maxBytes = 256 << 20
)

// discardOldViews discards the snapshots that were not used for the longest time, if there are more than maxViews or
// maxBytes, but never that of newest. A later request has a discarded one made again. The server is locked.
func (s *server) discardOldViews(newest *module) {
	newest.used = time.Now()
	var with []*module // those with a snapshot, the last used first
	for _, m := range s.modules {
		if m.now != nil {
			with = append(with, m)
		}
	}
	slices.SortFunc(with, func(a, b *module) int { return b.used.Compare(a.used) })
	size := 0 // of the snapshots up to this one
	for i, m := range with {
		size += m.now.view.Size()
		isNewest := i == 0
		if !isNewest && (i >= maxViews || size > maxBytes) {
			m.now = nil
		}
	}
}

// callAnalyst has a module analysed. It returns the view, to which complete adds what the analyst doesn't know, and
// the diagnostics of the module's documents. After an error or a panic, the view has only its directory and what
// complete adds, and there are no diagnostics.
func (s *server) callAnalyst(
	ctx context.Context, a view.Analyst, r view.Request, complete func(*view.View),
) (v *view.View, all map[protocol.DocumentURI][]protocol.Diagnostic, err error) {
	defer func() { // after an error or a panic, makes the result from r alone
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

// documentsInUse returns the open documents of the module that stand for their files, in the order of their last
// edits: if two of them are the same file under different names, the newer one wins. The server is locked.
func (m *module) documentsInUse() []*openDocument {
	docs := slices.Collect(maps.Values(m.docs))
	docs = slices.DeleteFunc(docs, func(d *openDocument) bool { return !d.standsForFile() })
	slices.SortFunc(docs, func(a, b *openDocument) int { return cmp.Compare(a.edits, b.edits) })
	return docs
}

// request returns the request for an analysis of the current texts: those of open documents, and of open settings
// files that apply to the module. The server is locked.
func (m *module) request() view.Request {
	r := view.Request{Dir: m.dir, Open: map[string][]byte{}, Settings: map[string][]byte{}}
	if m.now != nil {
		r.Before = m.now.view
	}
	for _, doc := range m.documentsInUse() {
		if doc.governs == "" {
			r.Open[doc.name] = doc.text.Bytes()
		}
	}
	for _, doc := range m.settingsDocuments() {
		r.Settings[doc.path] = doc.text.Bytes()
	}
	return r
}

// versions returns the versions of the open documents. The server is locked.
func (m *module) versions() map[protocol.DocumentURI]int32 {
	versions := map[protocol.DocumentURI]int32{}
	for _, doc := range m.documentsInUse() {
		versions[doc.uri] = doc.version
	}
	return versions
}

var errModified = errors.New("the document was edited meanwhile")

// A snapshotRequest describes the snapshot that a request needs: of the module as it was when the request
// arrived, or later.
type snapshotRequest struct {
	server   *server
	doc      *openDocument   // nil if the document isn't open
	text     *view.Text      // of doc when the request arrived
	path     string          // of the document; empty if it can't be part of a module
	unplaced []*openDocument // documents that may be in the module, which isn't known yet: see findModule
	module   *module         // nil if the document isn't part of one
	name     string          // of the document in the module
	state    uint64          // the module's state that the snapshot must have at least
	// isWhole is set if the answer is about the whole document, so it may be about a later text.
	isWhole bool
}

// requestSnapshot notes what a request about a document needs: the module, if it is known already, and its state. It
// doesn't wait, so it can be called while messages are handled in order.
func (s *server) requestSnapshot(uri protocol.DocumentURI) *snapshotRequest {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	w := &snapshotRequest{server: s, doc: s.docs[uri]}
	// An open document that matches no case is part of no module, or its text is unknown: it gets no answer.
	switch path, isFile := view.PathOf(uri); {
	case w.doc != nil && w.doc.text != nil:
		w.path, w.module, w.name, w.text = w.doc.path, w.doc.module, w.doc.name, w.doc.text
	case w.doc == nil && isFile:
		w.path, w.name = path, filepath.Base(path)
	}
	// Documents that were just opened may turn out to be in the module.
	if w.path != "" {
		w.unplaced = s.unplacedFor(filepath.Dir(w.path))
	}
	if w.module != nil {
		w.state = w.module.state
	}
	return w
}

// wait waits for the snapshot, which is nil if there is no module, and then for the turn of the request. It fails if
// the document is edited while it waits.
func (w *snapshotRequest) wait(ctx context.Context, t *turn) (*snapshot, error) {
	if err := w.findModule(ctx); err != nil {
		return nil, err
	}
	if w.module == nil {
		return nil, nil
	}
	if _, err := w.snapshot(ctx); err != nil {
		return nil, err
	}
	if err := t.begin(ctx); err != nil {
		return nil, err
	}
	return w.snapshot(ctx) // waiting for the turn may have taken long
}

// snapshot waits for a snapshot of the state that the request needs, or of a later one, and starts an analysis if
// none runs. It fails with errModified if the document is edited meanwhile or the module is closed, and with the
// error of ctx when ctx is done.
func (w *snapshotRequest) snapshot(ctx context.Context) (*snapshot, error) {
	m := w.module
	isOutdated := m.findGone()
	w.server.mutex.Lock()
	defer w.server.mutex.Unlock()
	if isOutdated { // a file is gone or back, so an earlier snapshot doesn't do
		w.state = m.state
	}
	for !m.isClosed {
		switch {
		case w.isModified():
			return nil, errModified
		case m.now != nil && m.now.state >= w.state:
			m.used = time.Now()
			return m.now, nil
		}
		// Wait without the lock until a snapshot arrives, which may still be too old.
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

// isModified reports whether the document was closed or edited since the request, so that an answer would be about
// another text. Edits don't matter if isWhole is set. The server is locked.
func (w *snapshotRequest) isModified() bool {
	if w.doc == nil {
		return false
	}
	wasClosed := w.server.docs[w.doc.uri] != w.doc
	wasEdited := w.doc.text != w.text
	return wasClosed || wasEdited && !w.isWhole
}
