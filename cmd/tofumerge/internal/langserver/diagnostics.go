package langserver

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// Which diagnostics the client has. Two modules may report on one document, such as a settings
// file above both.

// A publication holds the published diagnostics of a document.
type publication struct {
	byModule map[*module][]protocol.Diagnostic
	version  *int32
	list     []protocol.Diagnostic
}

// A docReport holds the diagnostics of a document.
type docReport struct {
	version *int32 // nil if the document isn't open
	list    []protocol.Diagnostic
}

// report publishes the diagnostics of a module, or makes the client ask for them. The server is
// locked.
func (m *module) report(now map[protocol.DocumentURI]docReport) {
	s := m.server
	for uri, before := range m.reported {
		if _, isStill := now[uri]; !isStill && len(before.list) > 0 && !m.isOfAnother(uri) {
			now[uri] = docReport{} // which removes the diagnostics
		}
	}
	push, isNews := map[protocol.DocumentURI]docReport{}, false
	for uri, x := range now {
		isPulled := s.pulls() && (x.version != nil || s.takesRelated() || s.survey.isAsked)
		if !isPulled {
			push[uri] = x
			continue
		}
		before := m.reported[uri]
		isAsked := x.version != nil && (before.version == nil || *before.version != *x.version)
		isNews = isNews || !isAsked && !reflect.DeepEqual(before.list, x.list)
	}
	m.reported = now
	s.publishAll(m, push)
	if isNews {
		s.askAgain()
	}
}

// publishAll publishes the reports of a module, and removes its diagnostics of other documents.
// The server is locked.
func (s *server) publishAll(m *module, all map[protocol.DocumentURI]docReport) {
	for uri, p := range s.published {
		if _, isStill := all[uri]; !isStill && p.has(m) {
			s.publish(m, uri, docReport{})
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(all)) {
		s.publish(m, uri, all[uri])
	}
}

// publish publishes a module's report on a document, unless the client has it already. An empty
// list for a new version of an open document is published also.
func (s *server) publish(m *module, uri protocol.DocumentURI, now docReport) {
	p := s.published[uri]
	switch {
	case p == nil && len(now.list) == 0 && now.version == nil:
		return
	case p == nil:
		p = &publication{byModule: map[*module][]protocol.Diagnostic{}}
		s.published[uri] = p
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
		delete(s.published, uri)
	}
	if !isSame {
		s.notify("textDocument/publishDiagnostics", protocol.PublishDiagnosticsParams{URI: uri, Version: version, Diagnostics: list})
	}
}

// has reports whether a module contributed to a publication, if only the version.
func (p *publication) has(m *module) bool {
	_, ok := p.byModule[m]
	return ok
}

// all returns the diagnostics of all modules, each once.
func (p *publication) all() []protocol.Diagnostic {
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

// diagnosticsOf returns the diagnostics of a view by document.
func diagnosticsOf(v *view.View) map[protocol.DocumentURI][]protocol.Diagnostic {
	all := map[protocol.DocumentURI][]protocol.Diagnostic{}
	for name, list := range feature.Diagnostics(v) {
		uri := v.URI(name)
		if name == "" {
			uri = moduleDocument(v)
		}
		all[uri] = append(all[uri], list...)
	}
	return all
}

// moduleDocument is the document that shows diagnostics about the module as a whole: the first
// one that is open, or else the directory.
func moduleDocument(v *view.View) protocol.DocumentURI {
	for _, name := range slices.Sorted(maps.Keys(v.Open)) {
		return v.Open[name]
	}
	return v.URI("")
}

// Pull diagnostics. If the client asks for diagnostics, the server publishes none about open
// documents, and none at all if the client supports related documents.

// pulls reports whether the client asks for diagnostics. A client that can't refresh them doesn't
// qualify: it would show old ones after a change of another file.
func (s *server) pulls() bool {
	return s.client.TextDocument.Diagnostic != nil && s.client.Workspace.Diagnostics.RefreshSupport
}

// takesRelated reports whether an answer may have the diagnostics of other documents also.
func (s *server) takesRelated() bool {
	return s.pulls() && s.client.TextDocument.Diagnostic.RelatedDocumentSupport
}

// diagnostic answers with the diagnostics of a document, and of others of its module.
func (s *server) diagnostic(p protocol.DocumentDiagnosticParams) (answer, error) {
	w := s.ask(p.Document())
	w.isWhole = true
	return func(ctx context.Context, t *turn) (any, error) {
		now, err := w.wait(ctx, t)
		if err != nil {
			return nil, err
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if now == nil {
			return reportOf(nil, p.PreviousResultID), nil
		}
		reported := w.module.reported
		report := reportOf(reported[p.Document()].list, p.PreviousResultID)
		for uri, other := range reported {
			if uri != p.Document() && s.takesRelated() && !s.survey.isAsked {
				if report.RelatedDocuments == nil {
					report.RelatedDocuments = map[protocol.DocumentURI]protocol.DocumentDiagnosticReport{}
				}
				report.RelatedDocuments[uri] = reportOf(other.list, "")
			}
		}
		return report, nil
	}, nil
}

// reportOf makes a report, without the diagnostics if they are the same as in the previous one.
func reportOf(list []protocol.Diagnostic, previous string) protocol.DocumentDiagnosticReport {
	if list == nil {
		list = []protocol.Diagnostic{}
	}
	sum := fnv.New64a()
	_ = json.NewEncoder(sum).Encode(list)
	id := fmt.Sprintf("%x", sum.Sum64())
	if id == previous {
		return protocol.DocumentDiagnosticReport{Kind: protocol.UnchangedReport, ResultID: id}
	}
	return protocol.DocumentDiagnosticReport{Kind: protocol.FullReport, ResultID: id, Items: &list}
}
