package langserver

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// An openDocument is a document that is open in the editor.
type openDocument struct {
	uri     protocol.DocumentURI
	version int32
	text    *view.Text    // nil if unknown: too large, or after invalid edits
	saved   *view.Text    // as the file was when the document was opened or saved; nil if unknown
	isGone  bool          // the file isn't there any more
	path    string        // empty if it can't be part of a module
	placed  chan struct{} // closed when the module is known
	module  *module       // nil if it isn't part of one, or not known to be
	name    string        // in the module
	edits   uint64        // increases with every edit of any document, to find the newest
	// governs is the directory to which a settings file applies, or empty for other files.
	governs string
}

// counts reports whether the document stands for its file: the text is known, and it isn't that of a file that was
// removed or renamed outside of the editor.
func (d *openDocument) counts() bool { return d.text != nil && (!d.isGone || d.text != d.saved) }

var errNotOpen = errors.New("the document is not open")

// maxNamed is the maximum length of a name in the log.
const maxNamed = 200

// named quotes a name for the log.
func named[T ~string](name T) string { return fmt.Sprintf("%.*q", maxNamed, string(name)) }

func (s *server) didOpen(p protocol.DidOpenTextDocumentParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	given := p.TextDocument
	if earlier := s.docs[given.URI]; earlier != nil {
		s.drop(earlier)
	}
	doc := &openDocument{uri: given.URI, version: given.Version, placed: make(chan struct{})}
	s.docs[given.URI] = doc
	path, isFile := view.PathOf(given.URI)
	dir, isSettings := s.analyst.Governed(path)
	if !isFile || !isSettings && !s.analyst.IsPart(filepath.Base(path)) {
		close(doc.placed)
		return nil
	}
	doc.path = path
	if isSettings {
		doc.governs = dir
	}
	if int64(len(given.Text)) <= s.MaxFileSize {
		doc.text = view.NewText([]byte(given.Text))
	}
	s.edited(doc)
	go s.place(doc, doc.text)
	return nil
}

func (s *server) didChange(p protocol.DidChangeTextDocumentParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	doc := s.docs[p.TextDocument.URI]
	if doc == nil {
		return fmt.Errorf("%s: %w", named(p.TextDocument.URI), errNotOpen)
	}
	doc.version = p.TextDocument.Version
	if doc.path == "" {
		return nil
	}
	if doc.text == nil && (len(p.ContentChanges) == 0 || p.ContentChanges[0].Range != nil) {
		return nil // only a whole text makes it known again
	}
	if doc.text == nil {
		doc.text = view.NewText(nil)
	}
	text, err := doc.text.Apply(p.ContentChanges, s.encoding, s.MaxFileSize)
	doc.text = text
	s.edited(doc)
	if err != nil {
		return fmt.Errorf("%s: %w; the file on disk is used until the document is opened again", named(doc.uri), err)
	}
	return nil
}

func (s *server) didSave(p protocol.TextDocumentParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if doc := s.docs[p.Document()]; doc != nil && doc.module != nil {
		doc.saved, doc.isGone = doc.text, false
		doc.module.changed()
		return nil
	}
	stale := map[*module]bool{}
	if path, isFile := view.PathOf(p.Document()); isFile {
		s.touchedBy(path, stale)
		s.surveyed(path)
	}
	for m := range stale {
		m.changed()
	}
	return nil
}

func (s *server) didClose(p protocol.TextDocumentParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if doc := s.docs[p.Document()]; doc != nil {
		s.drop(doc)
		return nil
	}
	return fmt.Errorf("%s: %w", named(p.Document()), errNotOpen)
}

// edited records an edit of a document. The server is locked.
func (s *server) edited(doc *openDocument) {
	s.edits++
	doc.edits = s.edits
	if doc.module != nil { // or else place does this
		doc.module.edited(doc)
		s.governed(doc)
	}
}

// drop closes a document, and its module if that was the last one. The server is locked.
func (s *server) drop(doc *openDocument) {
	delete(s.docs, doc.uri)
	m := doc.module
	if m == nil {
		return
	}
	delete(m.docs, doc.uri)
	s.governed(doc)
	if len(m.docs) > 0 {
		m.changed()
		return
	}
	m.close()
	delete(s.modules, m.key)
	s.publishAll(m, nil)
	s.surveyed(filepath.Join(m.dir, doc.name))
	s.surveyAgain()
}
