package proxy

import (
	"encoding/json"
	"strings"
)

// A source is who answers a request that both servers can answer.
type source int

const (
	fromBoth source = iota
	fromTheirs
	fromOurs
)

// A method is a row of the table of the editor's requests: requests that both servers may answer,
// and requests about their answers.
type method struct {
	name string
	// offer is where a server declares in its capabilities that it answers: a path of members.
	offer string
	from  source
	// merge makes one result of two; for fromBoth.
	merge func(ours, theirs json.RawMessage) json.RawMessage
	// marks is set if the editor may send items of the result back.
	marks bool
	// isReport is set if the result holds diagnostics.
	isReport bool
}

// methods is the table. Completion, symbols of the workspace, signatures and formatting are those
// of the other server if it has them. Tokens are, because two servers have two legends.
var methods = []method{
	{name: "textDocument/hover", offer: "hoverProvider", merge: mergeHovers},
	{name: "textDocument/definition", offer: "definitionProvider", merge: mergeLocations},
	{name: "textDocument/declaration", offer: "declarationProvider", merge: mergeLocations},
	{name: "textDocument/implementation", offer: "implementationProvider", merge: mergeLocations},
	{name: "textDocument/typeDefinition", offer: "typeDefinitionProvider", merge: mergeLocations},
	{name: "textDocument/references", offer: "referencesProvider", merge: mergeLists},
	{name: "textDocument/documentHighlight", offer: "documentHighlightProvider", merge: mergeLists},
	{name: "textDocument/documentLink", offer: "documentLinkProvider", merge: mergeResolvable, marks: true},
	{name: "textDocument/codeLens", offer: "codeLensProvider", merge: mergeResolvable, marks: true},
	{name: "textDocument/inlayHint", offer: "inlayHintProvider", merge: mergeResolvable, marks: true},
	{name: "textDocument/codeAction", offer: "codeActionProvider", merge: mergeResolvable, marks: true},
	{name: "textDocument/documentSymbol", offer: "documentSymbolProvider", merge: mergeSymbols},
	{name: "textDocument/diagnostic", offer: "diagnosticProvider", merge: mergeReports, isReport: true},
	{name: "workspace/diagnostic", offer: "diagnosticProvider/workspaceDiagnostics", merge: mergeWorkspaceReports, isReport: true},

	{name: "textDocument/completion", offer: "completionProvider", from: fromTheirs},
	{name: "completionItem/resolve", offer: "completionProvider/resolveProvider", from: fromTheirs},
	{name: "workspace/symbol", offer: "workspaceSymbolProvider", from: fromTheirs},
	{name: "textDocument/semanticTokens/full", offer: "semanticTokensProvider", from: fromTheirs},
	{name: "textDocument/semanticTokens/range", offer: "semanticTokensProvider", from: fromTheirs},

	{name: "workspace/textDocumentContent", offer: "workspace/textDocumentContent", from: fromOurs},
}

// methodOf returns the row of a method, or nil.
func methodOf(name string) *method {
	for i := range methods {
		if methods[i].name == name {
			return &methods[i]
		}
	}
	return nil
}

// isOffered reports whether capabilities contain a path of members that isn't false.
func isOffered(capabilities object, path string) bool {
	first, rest, isLonger := strings.Cut(path, "/")
	v := capabilities[first]
	switch {
	case isEmpty(v) || string(v) == "false":
		return false
	case isLonger:
		return isOffered(objectOf(v), rest)
	}
	return true
}

// isOwn reports whether a method or a command is one of this server's own.
func isOwn(name string) bool {
	return strings.HasPrefix(name, "tofumerge/") || strings.HasPrefix(name, "tofumerge.")
}

// audience decides who answers a request.
func (p *proxy) audience(m message) (ours, theirs bool) {
	row := methodOf(m.Method)
	switch {
	case m.Method == "workspace/executeCommand":
		ours = isOwn(textOf(objectOf(m.Params)["command"]))
		return ours, !ours
	case strings.HasSuffix(m.Method, "/resolve") && isMarked(m.Params):
		return true, false
	case row == nil:
		return isOwn(m.Method), !isOwn(m.Method)
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	ours = isOffered(p.ourOffers, row.offer)
	theirs = p.theirs != nil && (isOffered(p.theirOffers, row.offer) || p.registered.has(m.Method))
	switch {
	case row.from == fromOurs && ours:
		theirs = false
	case row.from == fromTheirs && theirs:
		ours = false
	}
	return ours, theirs || !ours
}
