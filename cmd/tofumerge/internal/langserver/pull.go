package langserver

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

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
