package langserver

import (
	"context"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// Handlers that pass requests to the functions of package feature.

// A query is one request about a document, with the view of its module.
type query struct {
	*snapshot
	ctx    context.Context
	server *server
	name   string // of the document in the module
}

// A documentParams names the document that it is about.
type documentParams interface{ Document() protocol.DocumentURI }

// aboutFile makes the handler of requests about a configuration file of a module that could be loaded: do makes the
// answer. The answer about any other document is null. If the document is edited meanwhile, the request fails.
func aboutFile[P documentParams, R any](do func(q *query, p P) (R, error)) handler {
	return queryHandler(func(q *query, p P) (any, error) {
		if !q.view.IsPart(q.name) {
			return nil, nil
		}
		return do(q, p)
	}, /* isWhole */ false)
}

// aboutModule makes the handler of requests about the module of a document, even if the module could not be loaded.
// The answer may be about a later text than the request.
func aboutModule[P documentParams](do func(q *query, p P) (any, error)) handler {
	return queryHandler(do, true) // isWhole
}

// queryHandler makes a handler that waits for the view of the document's module before it calls do. isWhole is set if
// the answer is about a whole document or module, so it may be about a later text than the request.
func queryHandler[P documentParams](do func(q *query, p P) (any, error), isWhole bool) handler {
	return request(func(s *server, p P) (answer, error) {
		w := s.requestSnapshot(p.Document())
		w.isWhole = isWhole
		return func(ctx context.Context, t *turn) (any, error) {
			now, err := w.wait(ctx, t)
			if err != nil || now == nil {
				return nil, err
			}
			return do(&query{now, ctx, s, w.name}, p)
		}, nil
	})
}

// client returns the client's abilities. Its Version returns the version of an open document that the view is about,
// since edits must name it, and nil for other documents.
func (q *query) client() *feature.Client {
	c := q.server.features
	c.Version = func(uri protocol.DocumentURI) *int32 {
		if version, isOpen := q.versions[uri]; isOpen {
			return &version
		}
		return nil
	}
	return &c
}

// hover answers textDocument/hover, in the kind of markup that the client prefers.
func hover(q *query, p protocol.TextDocumentPositionParams) (*protocol.Hover, error) {
	kind := protocol.PlainText
	if kinds := q.server.client.TextDocument.Hover.ContentFormat; len(kinds) > 0 {
		kind = kinds[0]
	}
	return feature.Hover(q.view.Shown(), q.name, p.Position, kind), nil
}

// aboutLinks makes the handler of requests that find returns links for. A client without support for links, as
// knowsLinks reports, gets locations.
func aboutLinks(
	find func(*view.View, string, protocol.Position) []protocol.LocationLink, knowsLinks func(*protocol.ClientCapabilities) bool,
) handler {
	return aboutFile(func(q *query, p protocol.TextDocumentPositionParams) (any, error) {
		links := find(q.view.Shown(), q.name, p.Position)
		switch {
		case len(links) == 0:
			return nil, nil
		case knowsLinks(&q.server.client):
			return links, nil
		}
		return feature.Locations(links), nil
	})
}

// references answers textDocument/references.
func references(q *query, p protocol.ReferenceParams) ([]protocol.Location, error) {
	return feature.References(q.view.Shown(), q.name, p.Position, p.Context.IncludeDeclaration), nil
}

// inlayHints answers textDocument/inlayHint.
func inlayHints(q *query, p protocol.TextDocumentRangeParams) ([]protocol.InlayHint, error) {
	return feature.InlayHints(q.view.Shown(), q.name, p.Range), nil
}

// codeLenses answers textDocument/codeLens.
func codeLenses(q *query, _ protocol.TextDocumentParams) ([]protocol.CodeLens, error) {
	return feature.CodeLenses(q.view.Shown(), q.client(), q.name), nil
}

// completion answers textDocument/completion.
func completion(q *query, p protocol.TextDocumentPositionParams) (*protocol.CompletionList, error) {
	return feature.Completion(q.view, q.client(), q.name, p.Position), nil
}

// codeActions answers textDocument/codeAction. It leaves out the edits if the client asks for them later.
func codeActions(q *query, p protocol.CodeActionParams) ([]protocol.CodeAction, error) {
	c := q.client()
	list := feature.CodeActions(q.view, c, q.name, p)
	if committer, ok := q.server.currentAnalyst().(feature.Committer); ok {
		list = append(list, feature.MoveChange(q.view, c, committer, q.name, p)...)
	}
	if fixer := q.server.fixer(); !c.LazyEdits && fixer != nil {
		return feature.Resolved(q.ctx, q.view, c, fixer, list)
	}
	return list, nil
}

// fixer returns the analyst if it can fix findings, or else nil.
func (s *server) fixer() feature.Fixer {
	fixer, _ := s.currentAnalyst().(feature.Fixer)
	return fixer
}

// currentAnalyst returns the analyst with the settings in force.
func (s *server) currentAnalyst() view.Analyst {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.analyst
}

// resolveAction makes the edit of an action that the user chose. An action stays as it is if it has no data, if its
// document is in no module, or if the analyst can't fix findings.
func (s *server) resolveAction(action protocol.CodeAction) (answer, error) {
	data, hasData := feature.DataOf(action)
	w, fixer := s.requestSnapshot(data.URI), s.fixer() // without data, the URI is "", which is in no module
	return func(ctx context.Context, t *turn) (any, error) {
		now, err := w.wait(ctx, t)
		if err != nil || now == nil || !hasData || fixer == nil {
			return action, err
		}
		q := &query{now, ctx, s, w.name}
		resolved, err := feature.Resolve(ctx, now.view, q.client(), fixer, action)
		if err == nil && resolved.Disabled != nil {
			s.show(protocol.MessageInfo, "tofumerge: "+resolved.Disabled.Reason)
		}
		return resolved, err
	}, nil
}

// effective answers tofumerge/effective with the effective configuration of the module of a document. From now on,
// the client is told whenever one changes.
func effective(q *query, p protocol.EffectiveParams) (any, error) {
	q.server.mutex.Lock()
	q.server.showsEffective = true
	q.server.mutex.Unlock()
	return feature.Effective(q.view, q.lastWhole, q.name, p), nil
}

// effectiveContent answers workspace/textDocumentContent: with the text of the read-only document that shows the
// effective configuration.
func effectiveContent(q *query, p protocol.TextDocumentContentParams) (any, error) {
	return feature.EffectiveContent(q.view, q.lastWhole, p.URI), nil
}
