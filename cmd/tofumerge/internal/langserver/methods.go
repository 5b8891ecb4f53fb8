package langserver

import (
	"encoding/json"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// A method is a request that the server answers.
type method struct {
	name   string
	handle handler
	offer  func(*offers) // declares it in the server's capabilities; nil if there is nothing to declare
}

type offers = protocol.ServerCapabilities

// The options of capabilities that have some.
var (
	completions = protocol.CompletionOptions{TriggerCharacters: feature.CompletionTriggers}
	content     = protocol.TextDocumentContentOptions{Schemes: []string{protocol.EffectiveScheme}}
	actions     = protocol.CodeActionOptions{CodeActionKinds: feature.ActionKinds, ResolveProvider: true}
)

// methods are the requests that the server answers, most by functions of package feature.
func methods() []method {
	return []method{
		{"initialize", request((*server).initialize), nil},
		{"shutdown", request((*server).shutdown), nil},
		{"textDocument/diagnostic", request((*server).diagnostic), nil},
		{"workspace/diagnostic", request((*server).workspaceDiagnostic), nil},

		{"textDocument/hover", aboutAny(hover), func(c *offers) { c.HoverProvider = true }},
		{"textDocument/definition", linking(feature.Definition, knowsDefinitionLinks), func(c *offers) { c.DefinitionProvider = true }},
		{"textDocument/declaration", linking(feature.Definition, knowsDeclarationLinks), func(c *offers) { c.DeclarationProvider = true }},
		{"textDocument/implementation", linking(feature.Implementation, knowsImplementationLinks), func(c *offers) { c.ImplementationProvider = true }},
		{"textDocument/references", about(references), func(c *offers) { c.ReferencesProvider = true }},
		{"textDocument/documentHighlight", about(highlights), func(c *offers) { c.DocumentHighlightProvider = true }},
		{"textDocument/documentSymbol", about(symbols), func(c *offers) { c.DocumentSymbolProvider = true }},
		{"textDocument/inlayHint", about(inlayHints), func(c *offers) { c.InlayHintProvider = true }},
		{"textDocument/codeLens", about(codeLenses), func(c *offers) { c.CodeLensProvider = struct{}{} }},
		{"textDocument/completion", about(completion), func(c *offers) { c.CompletionProvider = completions }},
		{"textDocument/codeAction", about(codeActions), func(c *offers) { c.CodeActionProvider = actions }},
		{"codeAction/resolve", request((*server).resolveAction), nil},
		{"tofumerge/effective", aboutModule(effective), nil},
		{"workspace/textDocumentContent", aboutModule(effectiveContent), func(c *offers) { c.Workspace.TextDocumentContent = &content }},
		{"workspace/executeCommand", request((*server).executeCommand), nil},
	}
}

// requests returns the handlers of methods by name.
func requests() map[string]handler {
	byName := map[string]handler{}
	for _, m := range methods() {
		byName[m.name] = m.handle
	}
	return byName
}

// notifications returns the handlers of notifications by name.
func notifications() map[string]func(*server, json.RawMessage) error {
	return map[string]func(*server, json.RawMessage) error{
		"initialized":            notification((*server).initialized),
		"$/cancelRequest":        notification((*server).cancelRequest),
		"textDocument/didOpen":   notification((*server).didOpen),
		"textDocument/didChange": notification((*server).didChange),
		"textDocument/didSave":   notification((*server).didSave),
		"textDocument/didClose":  notification((*server).didClose),

		"workspace/didChangeConfiguration":    notification((*server).didChangeConfiguration),
		"workspace/didChangeWatchedFiles":     notification((*server).didChangeWatchedFiles),
		"workspace/didChangeWorkspaceFolders": notification((*server).didChangeFolders),
	}
}

// notification makes a handler of a function that takes the decoded parameters.
func notification[P any](do func(*server, P) error) func(*server, json.RawMessage) error {
	return func(s *server, params json.RawMessage) error {
		p, err := decoded[P](params)
		if err != nil {
			return err
		}
		return do(s, p)
	}
}

// request makes a handler of a function that takes the decoded parameters.
func request[P any](do func(*server, P) (answer, error)) handler {
	return func(s *server, params json.RawMessage) (answer, error) {
		p, err := decoded[P](params)
		if err != nil {
			return nil, err
		}
		return do(s, p)
	}
}

// decoded decodes parameters, which may be missing.
func decoded[P any](params json.RawMessage) (p P, err error) {
	if params != nil {
		err = decode(params, &p)
	}
	return p, err
}
