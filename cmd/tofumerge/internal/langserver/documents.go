package langserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"golang.org/x/text/unicode/norm"
)

// An openDocument is a document that is open in the editor.
type openDocument struct {
	uri     protocol.DocumentURI
	version int32
	text    *view.Text    // nil if unknown: too large, or after invalid edits
	saved   *view.Text    // as the file was when the document was opened or saved; nil if unknown
	isGone  bool          // the file isn't on disk any more
	path    string        // empty if it can't be part of a module
	placed  chan struct{} // closed when placeDocument is done, so that module is known
	module  *module       // nil if it isn't part of one, or not known to be
	name    string        // in the module
	edits   uint64        // increases with every edit of any document, to find the newest
	// governs is the directory to which a settings file applies, or empty for other files.
	governs string
}

// standsForFile reports whether the document's text is used in place of the file on disk. It isn't if the text is
// unknown, or if the file was removed or renamed outside of the editor while the text was unedited.
func (d *openDocument) standsForFile() bool { return d.text != nil && (!d.isGone || d.text != d.saved) }

var errNotOpen = errors.New("the document is not open")

// maxNamed is the maximum length of a name in the log.
const maxNamed = 200

// quoted quotes a name for the log.
func quoted[T ~string](name T) string { return fmt.Sprintf("%.*q", maxNamed, string(name)) }

// didOpen keeps a document, and has its module looked up if it can be part of one or holds settings. The text of a
// document that is too large stays unknown, so that the file on disk is used.
func (s *server) didOpen(p protocol.DidOpenTextDocumentParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	given := p.TextDocument
	if earlier := s.docs[given.URI]; earlier != nil { // the client didn't close it
		s.closeDocument(earlier)
	}
	doc := &openDocument{uri: given.URI, version: given.Version, placed: make(chan struct{})}
	s.docs[given.URI] = doc
	path, isFile := view.PathOf(given.URI)
	isSettings := slices.Contains(s.analyst.Governing(), filepath.Base(path))
	matters := isFile && (isSettings || s.analyst.IsPart(filepath.Base(path)))
	if !matters {
		close(doc.placed) // it belongs to no module
		return nil
	}
	doc.path = path
	if isSettings {
		doc.governs = filepath.Dir(path)
	}
	if int64(len(given.Text)) <= s.MaxFileSize {
		doc.text = view.NewText([]byte(given.Text))
	}
	s.edited(doc)
	go s.placeDocument(doc, doc.text)
	return nil
}

// didChange edits a document. After invalid edits its text is unknown, and the file on disk is used until the client
// sends a whole text.
func (s *server) didChange(p protocol.DidChangeTextDocumentParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	doc := s.docs[p.TextDocument.URI]
	if doc == nil {
		return fmt.Errorf("%s: %w", quoted(p.TextDocument.URI), errNotOpen)
	}
	doc.version = p.TextDocument.Version
	if doc.path == "" {
		return nil // it can't be part of a module
	}
	// A change without a range replaces the whole text.
	hasWholeText := len(p.ContentChanges) > 0 && p.ContentChanges[0].Range == nil
	if doc.text == nil && !hasWholeText {
		return nil // only a whole text makes it known again
	}
	if doc.text == nil {
		doc.text = view.NewText(nil)
	}
	text, err := doc.text.Apply(p.ContentChanges, s.encoding, s.MaxFileSize)
	doc.text = text // nil after an error
	s.edited(doc)
	if err != nil {
		return fmt.Errorf("%s: %w; the file on disk is used until the document is opened again", quoted(doc.uri), err)
	}
	return nil
}

// didSave starts new analyses after a document was saved: of its module if it is in one, otherwise of all modules
// that the file may affect.
func (s *server) didSave(p protocol.TextDocumentParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if doc := s.docs[p.Document()]; doc != nil && doc.module != nil {
		doc.saved, doc.isGone = doc.text, false
		doc.module.changed()
		return nil
	}
	stale := map[*module]bool{} // those with open documents
	if path, isFile := view.PathOf(p.Document()); isFile {
		s.addAffected(path, stale)
		s.invalidateSurvey(path)
	}
	for m := range stale {
		m.changed()
	}
	return nil
}

// didClose forgets a document: from now on its file on disk is used.
func (s *server) didClose(p protocol.TextDocumentParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if doc := s.docs[p.Document()]; doc != nil {
		s.closeDocument(doc)
		return nil
	}
	return fmt.Errorf("%s: %w", quoted(p.Document()), errNotOpen)
}

// edited records an edit of a document, and has the modules analysed that it affects. The server is locked.
func (s *server) edited(doc *openDocument) {
	s.edits++
	doc.edits = s.edits
	if doc.module != nil { // or else placeDocument does this
		doc.module.edited(doc)
		s.settingsChanged(doc)
	}
}

// closeDocument forgets a document, and its module if that has no other open document. The server is locked.
func (s *server) closeDocument(doc *openDocument) {
	delete(s.docs, doc.uri)
	m := doc.module
	if m == nil {
		return
	}
	delete(m.docs, doc.uri)
	s.settingsChanged(doc)
	if len(m.docs) > 0 {
		m.changed()
		return
	}
	// It was the module's last open document.
	m.close()
	delete(s.modules, m.key)
	s.publishAll(m, nil)
	// From now on, only the diagnostics of the whole workspace cover it.
	s.invalidateSurvey(filepath.Join(m.dir, doc.name))
	s.surveyAgain()
}

// didChangeWatchedFiles starts new analyses of the modules that changed files on disk may affect.
func (s *server) didChangeWatchedFiles(p protocol.DidChangeWatchedFilesParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	stale := map[*module]bool{} // those with open documents
	for _, change := range p.Changes {
		if path, isFile := view.PathOf(change.URI); isFile {
			s.addAffected(path, stale)
			s.invalidateSurvey(path)
		}
	}
	s.surveyAgain()
	for m := range stale {
		m.changed()
	}
	return nil
}

// addAffected adds the modules with open documents that a file may affect to stale. The server is locked.
func (s *server) addAffected(path string, stale map[*module]bool) {
	mayAffect := s.affectedBy(path)
	for _, m := range s.modules {
		if mayAffect(m.dir) || mayAffect(m.key) { // the path may contain links, or have them resolved
			stale[m] = true
		}
	}
}

// affectedBy returns a function that tells whether the file at path may affect the module of a directory. A file that
// is part of a module affects only that one. Any other file, such as one with settings, affects all modules below its
// directory. path may also be a removed directory: then the modules in it are affected.
func (s *server) affectedBy(path string) func(dir string) bool {
	affected := filepath.Dir(path)
	isPart := s.analyst.IsPart(filepath.Base(path))
	return func(dir string) bool {
		return dir == affected || !isPart && repo.IsWithin(dir, affected) || repo.IsWithin(dir, path)
	}
}

// To which module a document belongs. Only the file system knows, because a directory can have
// several names, and file systems can be slow. So it is never accessed under the mutex, nor by the
// goroutine that reads messages: a document is placed some time after it was opened, and requests
// wait for that.

// maxPlacing is how many documents are placed at the same time.
const maxPlacing = 64

// placeDocument finds, or makes, the module of a document that was opened with a text, and starts its analysis. At
// most maxPlacing calls do so at the same time. It closes doc.placed even after a panic, because requests wait for
// that.
func (s *server) placeDocument(doc *openDocument, text *view.Text) {
	defer s.recoverGoroutine()
	defer close(doc.placed)
	_ = s.placing.acquire(context.Background())
	defer s.placing.release()
	// Ask the disk without the lock, since it may be slow.
	dir, name := filepath.Dir(doc.path), nameOnDisk(doc.path)
	onDisk, err := input.Read(doc.path, s.MaxFileSize)
	key := s.lockKeyOf(dir) // returns with the server locked
	defer s.mutex.Unlock()
	// From a text equal to the file's, findGone can tell later that the document has no unsaved edits.
	isAsOnDisk := err == nil && text != nil && bytes.Equal(onDisk, text.Bytes())
	if isAsOnDisk && doc.saved == nil { // it wasn't saved meanwhile
		doc.saved = text
	}
	if s.docs[doc.uri] != doc || s.isClosed {
		return // it was closed meanwhile
	}
	// Put the document into its module.
	m := s.modules[key]
	if m == nil {
		m = newModule(s, key, dir)
		s.modules[key] = m
	}
	doc.module, doc.name = m, name
	m.docs[doc.uri] = doc
	m.edited(doc)
	s.settingsChanged(doc)
}

// unplacedFor returns the open documents whose module isn't known yet, and that may be in the module of a directory
// or hold settings for it. The server is locked.
func (s *server) unplacedFor(dir string) (list []*openDocument) {
	for _, doc := range s.docs {
		isFor := filepath.Dir(doc.path) == dir || doc.governs != "" && repo.IsWithin(dir, doc.governs)
		if doc.isUnplaced() && isFor {
			list = append(list, doc)
		}
	}
	return list
}

// allUnplaced returns all open documents whose module isn't known yet.
func (s *server) allUnplaced() []*openDocument {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	docs := slices.Collect(maps.Values(s.docs))
	return slices.DeleteFunc(docs, func(d *openDocument) bool { return !d.isUnplaced() })
}

// isUnplaced reports whether the module of a document isn't known yet.
func (d *openDocument) isUnplaced() bool { return !isDone(d.placed) }

// isDone reports whether a channel is closed.
func isDone(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// waitPlaced waits until the modules of documents are known, or returns an error when ctx is done.
func waitPlaced(ctx context.Context, docs []*openDocument) error {
	for _, doc := range docs {
		select {
		case <-doc.placed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// findModule sets w.module and w.state, and first waits until every document that was open when the request arrived
// is in its module. It leaves module nil if the document is part of none.
func (w *snapshotRequest) findModule(ctx context.Context) error {
	s := w.server
	if err := waitPlaced(ctx, w.unplaced); err != nil {
		return err
	}
	if w.path == "" {
		return nil // the document can't be part of a module
	}
	if w.module != nil && len(w.unplaced) == 0 {
		return nil // requestSnapshot has set both, and w.state still holds, because nothing was placed meanwhile
	}
	key := ""
	if w.doc == nil { // the document isn't open, so its directory decides
		var err error
		if key, err = s.keyWithin(ctx, filepath.Dir(w.path)); err != nil {
			return err
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case w.doc == nil:
		w.module = s.modules[key]
	case s.docs[w.doc.uri] != w.doc: // it was closed meanwhile
		return errModified
	default: // placeDocument has found its module
		w.module, w.name = w.doc.module, w.doc.name
	}
	if w.module != nil {
		w.state = w.module.state // which includes the documents placed meanwhile
	}
	return nil
}

// keyOf returns the key in s.modules that the module of a directory has, or would have.
func (s *server) keyOf(dir string) string {
	key := s.lockKeyOf(dir) // returns with the server locked
	s.mutex.Unlock()
	return key
}

// keyWithin is keyOf that gives up when ctx is done, as a file system may not answer.
func (s *server) keyWithin(ctx context.Context, dir string) (string, error) {
	found := make(chan string, 1)
	go func() {
		defer s.recoverGoroutine()
		defer close(found) // after a panic, the request must not wait
		found <- s.keyOf(dir)
	}()
	select {
	case key := <-found:
		return key, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// lockKeyOf is keyOf, but leaves the server locked, so that the key stays right until the caller unlocks it.
// canonicalDir doesn't unify all names of a directory, such as those that differ in case. So lockKeyOf asks the disk
// which known module has a similar key for the same directory. It asks without the lock, and again if other such
// modules came up meanwhile.
func (s *server) lockKeyOf(dir string) string {
	key := s.canonicalDir(dir)
	var known []string // names that are like the key, in modules that were looked at
	for {
		s.mutex.Lock()
		like := s.keysLike(key)
		if s.modules[key] != nil || slices.Equal(like, known) { // found, or there is nothing new to ask the disk about
			return key
		}
		s.mutex.Unlock()
		known = like
		if same := sameDir(dir, like); same != "" {
			key = same // the loop goes on: this module may have been closed while the server wasn't locked
		}
	}
}

// keysLike returns the keys of modules that differ from a key at most in case and in how accented letters are
// composed, in order. The server is locked.
func (s *server) keysLike(key string) (like []string) {
	for other := range s.modules {
		if isLike(other, key) {
			like = append(like, other)
		}
	}
	slices.Sort(like)
	return like
}

// isLike reports whether names differ at most in case and in how accented letters are composed. Some file systems
// don't distinguish these.
func isLike(a, b string) bool {
	return a == b || strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
}

// sameDir returns the first of names that denotes the directory dir; "" if none does.
func sameDir(dir string, names []string) string {
	info, err := os.Stat(dir)
	if err != nil {
		return ""
	}
	for _, name := range names {
		if other, err := os.Stat(name); err == nil && os.SameFile(info, other) {
			return name
		}
	}
	return ""
}

// canonicalDir returns the name of a directory with links resolved. A directory that doesn't exist yet has the name
// that it will have.
func (s *server) canonicalDir(dir string) string {
	target, err := s.EvalSymlinks(dir)
	parent := filepath.Dir(dir)
	switch {
	case err == nil:
		return target
	case errors.Is(err, fs.ErrNotExist) && parent != dir:
		return filepath.Join(s.canonicalDir(parent), filepath.Base(dir))
	}
	return dir
}

// nameOnDisk returns the name of a file, without its directory, as the directory has it: the client's may differ in
// case or in how accented letters are composed.
func nameOnDisk(path string) string {
	dir, name := filepath.Split(path)
	if _, err := os.Lstat(path); err != nil {
		return name // it isn't saved yet
	}
	// Prefer the exact name; otherwise take a similar one.
	entries, _ := os.ReadDir(dir)
	same := name
	for _, e := range entries {
		switch {
		case e.Name() == name:
			return name
		case isLike(e.Name(), name):
			same = e.Name()
		}
	}
	return same
}
