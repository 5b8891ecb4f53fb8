package langserver

import (
	"context"
	"encoding/json"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// A method is a request that the server answers.
type method struct {
	name   string
	handle handler
	offer  func(*protocol.ServerCapabilities) // says that the server has it; may be nil
}

// methods are all of them. What answers is in package feature.
func methods() []method {
	return []method{
		{"initialize", request((*server).initialize), nil},
		{"shutdown", request((*server).shutdown), nil},
		{"textDocument/diagnostic", request((*server).diagnostic), nil},
	}
}

// requests are the methods by their names.
func requests() map[string]handler {
	byName := map[string]handler{}
	for _, m := range methods() {
		byName[m.name] = m.handle
	}
	return byName
}

// notifications are those that the server acts on.
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

// notification makes one of a function that takes its parameters.
func notification[P any](do func(*server, P) error) func(*server, json.RawMessage) error {
	return func(s *server, params json.RawMessage) error {
		var p P
		if params != nil {
			if err := decode(params, &p); err != nil {
				return err
			}
		}
		return do(s, p)
	}
}

// request makes one of a function that takes its parameters.
func request[P any](do func(*server, P) (answer, error)) handler {
	return func(s *server, params json.RawMessage) (answer, error) {
		var p P
		if params != nil {
			if err := decode(params, &p); err != nil {
				return nil, err
			}
		}
		return do(s, p)
	}
}

// A documentParams names the document that it is about.
type documentParams interface{ Document() protocol.DocumentURI }

// about answers a request about a document by a function that reads the view of its module.
// For a document outside of any module, or one that can't be read, the answer is null.
func about[P documentParams, R any](do func(v *view.View, name string, p P) R) handler {
	return request(func(s *server, p P) (answer, error) {
		w := s.ask(p.Document())
		return func(ctx context.Context) (any, error) {
			v, name, err := w.wait(ctx)
			if err != nil || v == nil || v.Merged == nil || v.Text(name) == nil {
				return nil, err
			}
			return do(v, name, p), nil
		}, nil
	})
}

// atPosition is about for a function that is asked about a point of the document.
func atPosition[R any](do func(v *view.View, name string, p protocol.Position) R) handler {
	return about(func(v *view.View, name string, p protocol.TextDocumentPositionParams) R {
		return do(v, name, p.Position)
	})
}

// inRange is about for a function that is asked about a stretch of the document.
func inRange[R any](do func(v *view.View, name string, r protocol.Range) R) handler {
	return about(func(v *view.View, name string, p protocol.TextDocumentRangeParams) R { return do(v, name, p.Range) })
}

// inWhole is about for a function that is asked about the document as a whole.
func inWhole[R any](do func(v *view.View, name string) R) handler {
	return about(func(v *view.View, name string, _ protocol.TextDocumentParams) R { return do(v, name) })
}
