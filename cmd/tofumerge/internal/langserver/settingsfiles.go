package langserver

import (
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// Open settings files. Their text applies to all modules in their directory and below. Problems
// of a settings file are reported by the module of its directory only.

// governed marks the modules to which a settings file applies as changed. The server is locked.
func (s *server) governed(doc *openDocument) {
	if doc.governs == "" {
		return
	}
	s.outdate(doc.path)
	s.governedAgain()
	for _, m := range s.modules {
		if m != doc.module && m.isGovernedBy(doc) {
			m.changed()
		}
	}
}

// governedAgain makes a client that asks for the whole workspace ask again, once changes pause:
// each time, all modules to which the settings apply are analysed. The server is locked.
func (s *server) governedAgain() {
	if s.survey.isAsked {
		s.survey.again = s.afterPause(s.survey.again, s.askAgain)
	}
}

// settingsDocuments returns the open settings files that apply to the module, the newest last.
func (m *module) settingsDocuments() []*openDocument {
	var docs []*openDocument
	for _, doc := range m.server.docs {
		if doc.governs != "" && doc.counts() && doc.module != nil && m.isGovernedBy(doc) {
			docs = append(docs, doc)
		}
	}
	slices.SortFunc(docs, func(a, b *openDocument) int { return cmp.Compare(a.edits, b.edits) })
	return docs
}

// isGovernedBy reports whether a settings file applies to the module.
func (m *module) isGovernedBy(doc *openDocument) bool {
	return isBelow(m.dir, doc.governs) || isBelow(m.key, doc.module.key)
}

// uris returns the client's URIs of the open files by name, and of the open settings files by
// path.
func (m *module) uris() (open, settings map[string]protocol.DocumentURI) {
	open, settings = map[string]protocol.DocumentURI{}, map[string]protocol.DocumentURI{}
	for _, doc := range m.newestLast() {
		if doc.governs == "" {
			open[doc.name] = doc.uri
		}
	}
	for _, doc := range m.settingsDocuments() {
		settings[doc.path] = doc.uri
	}
	return open, settings
}

// isOfAnother reports whether a document is open and belongs to another module, as a settings
// file above this module does. The other module reports on it.
func (m *module) isOfAnother(uri protocol.DocumentURI) bool {
	doc := m.server.docs[uri]
	return doc != nil && doc.module != nil && doc.module != m
}
