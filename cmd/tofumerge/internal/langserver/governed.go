package langserver

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// Settings files count for the modules in their directories and below, with the text that is
// open. What is wrong with one the module of its own directory says.

// governed has the modules below a settings file looked at again. The server is locked.
func (s *server) governed(doc *openDocument) {
	if doc.governs == "" {
		return
	}
	s.surveyed(doc.governs)
	for _, m := range s.modules {
		if m != doc.module && m.isGovernedBy(doc) {
			m.changed()
		}
	}
}

// governing are the open settings files that count for the module, the newest last.
func (m *module) governing() []*openDocument {
	var docs []*openDocument
	for _, doc := range m.server.docs {
		if doc.governs != "" && doc.text != nil && m.isGovernedBy(doc) {
			docs = append(docs, doc)
		}
	}
	slices.SortFunc(docs, func(a, b *openDocument) int { return cmp.Compare(a.edits, b.edits) })
	return docs
}

// isGovernedBy reports whether a settings file counts for the module, by any name of either.
func (m *module) isGovernedBy(doc *openDocument) bool {
	return isBelow(m.dir, filepath.Dir(doc.governs)) || isBelow(m.key, doc.module.key)
}

// uris are how the client calls the open files, by name, and the settings files, by path.
func (m *module) uris() (open, settings map[string]protocol.DocumentURI) {
	open, settings = map[string]protocol.DocumentURI{}, map[string]protocol.DocumentURI{}
	for _, doc := range m.newestLast() {
		if doc.governs == "" {
			open[doc.name] = doc.uri
		}
	}
	for _, doc := range m.governing() {
		settings[doc.governs] = doc.uri
	}
	return open, settings
}

// isOfAnother reports whether a document is open and part of another module, which says what
// there is to say of it: a settings file above this one.
func (m *module) isOfAnother(uri protocol.DocumentURI) bool {
	doc := m.server.docs[uri]
	return doc != nil && doc.module != nil && doc.module != m
}
