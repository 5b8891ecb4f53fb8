package langserver

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// What the client has been told of each document. Two modules may have something to say of
// one, such as a settings file above both.

// A posted is what was published of a document.
type posted struct {
	byModule map[*module][]protocol.Diagnostic
	version  *int32
	list     []protocol.Diagnostic
}

// A said is what there is to say of a document.
type said struct {
	version *int32 // nil for one that is not open
	list    []protocol.Diagnostic
}

// report tells the client what there is to say of the documents of a module. The server is
// locked.
func (m *module) report(now map[protocol.DocumentURI]said) {
	s := m.server
	for uri, before := range m.said {
		if _, isStill := now[uri]; !isStill && len(before.list) > 0 && !m.isOfAnother(uri) {
			now[uri] = said{} // which takes it back
		}
	}
	push, isNews := map[protocol.DocumentURI]said{}, false
	for uri, x := range now {
		isPulled := s.pulls() && (x.version != nil || s.takesRelated() || s.survey.isAsked)
		if !isPulled {
			push[uri] = x
			continue
		}
		before := m.said[uri]
		isAsked := x.version != nil && (before.version == nil || *before.version != *x.version)
		isNews = isNews || !isAsked && !reflect.DeepEqual(before.list, x.list)
	}
	m.said = now
	s.post(m, push)
	if isNews {
		s.tell("workspace/diagnostic/refresh", nil)
	}
}

// post publishes what there is to say of a module, and takes back what was said before. The
// server is locked.
func (s *server) post(m *module, all map[protocol.DocumentURI]said) {
	for uri, p := range s.board {
		if _, isStill := all[uri]; !isStill && p.has(m) {
			s.postOne(m, uri, said{})
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(all)) {
		s.postOne(m, uri, all[uri])
	}
}

// postOne publishes what there is to say of a document, unless it was said: also that there
// is nothing to say of another version of one that is open.
func (s *server) postOne(m *module, uri protocol.DocumentURI, now said) {
	p := s.board[uri]
	switch {
	case p == nil && len(now.list) == 0 && now.version == nil:
		return
	case p == nil:
		p = &posted{byModule: map[*module][]protocol.Diagnostic{}}
		s.board[uri] = p
	}
	p.byModule[m] = now.list
	list, version := p.all(), now.version
	if m.isOfAnother(uri) {
		version = p.version
	}
	isSame := p.list != nil && reflect.DeepEqual(p.version, version) && reflect.DeepEqual(p.list, list)
	p.list, p.version = list, version
	if len(now.list) == 0 && now.version == nil {
		delete(p.byModule, m)
	}
	if len(p.byModule) == 0 {
		delete(s.board, uri)
	}
	if !isSame {
		s.notify("textDocument/publishDiagnostics", protocol.PublishDiagnosticsParams{URI: uri, Version: version, Diagnostics: list})
	}
}

// has reports whether a module had something to say, if only of the version.
func (p *posted) has(m *module) bool {
	_, ok := p.byModule[m]
	return ok
}

// all is what the modules say, each thing once.
func (p *posted) all() []protocol.Diagnostic {
	list := []protocol.Diagnostic{}
	modules := slices.SortedFunc(maps.Keys(p.byModule), func(a, b *module) int { return strings.Compare(a.key, b.key) })
	for i, m := range modules {
		if i == 0 {
			list = append(list, p.byModule[m]...)
			continue
		}
		for _, d := range p.byModule[m] {
			if !slices.ContainsFunc(list, func(other protocol.Diagnostic) bool { return reflect.DeepEqual(d, other) }) {
				list = append(list, d)
			}
		}
	}
	return list
}

// diagnosticsOf is what there is to say of the documents of a module.
func diagnosticsOf(v *view.View) map[protocol.DocumentURI][]protocol.Diagnostic {
	all := map[protocol.DocumentURI][]protocol.Diagnostic{}
	for name, list := range feature.Diagnostics(v) {
		uri := v.URI(name)
		if name == "" {
			uri = mouthpiece(v)
		}
		all[uri] = append(all[uri], list...)
	}
	return all
}

// withVersions adds the documents that are open, and leaves out others of which there is
// nothing to say.
func withVersions(
	all map[protocol.DocumentURI][]protocol.Diagnostic, versions map[protocol.DocumentURI]int32,
) map[protocol.DocumentURI]said {
	now := map[protocol.DocumentURI]said{}
	for uri, list := range all {
		if len(list) > 0 {
			now[uri] = said{list: list}
		}
	}
	for uri, version := range versions {
		now[uri] = said{version: &version, list: all[uri]}
	}
	return now
}

// mouthpiece is the document that shows what is about the module as a whole: the first one
// that is open.
func mouthpiece(v *view.View) protocol.DocumentURI {
	for _, name := range slices.Sorted(maps.Keys(v.Open)) {
		return v.Open[name]
	}
	return v.URI("")
}
