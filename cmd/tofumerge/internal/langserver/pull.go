package langserver

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// Clients that ask for diagnostics. They get none of open documents sent: only of others, if
// they take no related documents.

// pulls reports whether the client asks for diagnostics. One that can't be told to ask again
// would show old ones where another file changes.
func (s *server) pulls() bool {
	return s.client.TextDocument.Diagnostic != nil && s.client.Workspace.Diagnostics.RefreshSupport
}

// takesRelated reports whether the client takes those of other documents with the answer.
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
		said := w.module.said
		report := reportOf(said[p.Document()].list, p.PreviousResultID)
		for uri, other := range said {
			if uri != p.Document() && s.takesRelated() {
				if report.RelatedDocuments == nil {
					report.RelatedDocuments = map[protocol.DocumentURI]protocol.DocumentDiagnosticReport{}
				}
				report.RelatedDocuments[uri] = reportOf(other.list, "")
			}
		}
		return report, nil
	}, nil
}

// reportOf is a report of diagnostics, unless they are those of an earlier one.
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
