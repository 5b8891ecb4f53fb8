package langserver

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// Commands, for clients that can't send the server's own requests.

// commands are the commands that the server runs. It leaves ShowOverrides to a client that has
// it, since clients fail if a command is there twice.
func (s *server) commands() []string {
	list := []string{feature.RunEffective, feature.RunExplain}
	if s.features.LeavesShowOverrides() {
		list = append(list, feature.ShowOverrides)
	}
	return list
}

// executeCommand runs a command.
func (s *server) executeCommand(p protocol.ExecuteCommandParams) (answer, error) {
	switch p.Command {
	case feature.RunEffective:
		return s.aboutArgument(p, `{"textDocument": {"uri": …}}`, func(q *query, about protocol.EffectiveParams) (any, error) {
			return feature.Effective(q.view, q.lastWhole, q.name, about), nil
		})
	case feature.RunExplain:
		return s.aboutArgument(p, `{"textDocument": {"uri": …}, "position": …}`, func(q *query, about protocol.EffectiveParams) (any, error) {
			if about.Position == nil || q.view.Merged == nil {
				return nil, nil
			}
			return feature.Hover(q.view.Shown(), q.name, *about.Position, protocol.PlainText), nil
		})
	case feature.ShowOverrides:
		return s.showOverrides(p)
	case "":
		return nil, nil // a lens without locations: some clients run it nevertheless
	}
	return nil, invalid("the server has no command %.100q", p.Command)
}

func invalid(format string, args ...any) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// aboutArgument runs a command that is about the document in its first argument. An error shows
// the form of the argument.
func (s *server) aboutArgument(
	p protocol.ExecuteCommandParams, form string, do func(*query, protocol.EffectiveParams) (any, error),
) (answer, error) {
	var about protocol.EffectiveParams
	if len(p.Arguments) == 0 || json.Unmarshal(p.Arguments[0], &about) != nil || about.TextDocument.URI == "" ||
		p.Command == feature.RunExplain && about.Position == nil {
		return nil, invalid("%s needs an argument that names a document: %s", p.Command, form)
	}
	w := s.ask(about.TextDocument.URI)
	w.isWhole = true
	return func(ctx context.Context, t *turn) (any, error) {
		now, err := w.wait(ctx, t)
		if err != nil {
			return nil, err
		}
		if now == nil {
			return nil, fmt.Errorf("%.1000s is in no module", about.TextDocument.URI)
		}
		return do(&query{now, ctx, s, w.name}, about)
	}, nil
}

// showOverrides shows a location of a lens. If there are several, the user chooses one.
func (s *server) showOverrides(p protocol.ExecuteCommandParams) (answer, error) {
	var places []protocol.Location
	if len(p.Arguments) < 3 || json.Unmarshal(p.Arguments[2], &places) != nil || len(places) == 0 {
		return nil, invalid("%s needs three arguments: the URI of a document, a position, and a list of locations", p.Command)
	}
	if !s.features.LeavesShowOverrides() {
		return nil, invalid("the client runs %s, or can't show documents", p.Command)
	}
	go func() {
		defer s.caughtAside()
		if place := s.chosen(places); place != nil {
			_ = s.call("window/showDocument", protocol.ShowDocumentParams{URI: place.URI, TakeFocus: true, Selection: &place.Range}, nil)
		}
	}()
	return nil, nil
}

const (
	// maxChoices is how many locations a message offers: some clients show a button for each.
	maxChoices = 8
	// defaultUserPatience is how long the user has to choose.
	defaultUserPatience = 10 * time.Minute
)

// chosen asks the user to choose a location. It is the first if there is only one, or if the client
// can't ask, and nil if the user chooses none, or doesn't answer: the user is busy elsewhere by
// then.
func (s *server) chosen(places []protocol.Location) *protocol.Location {
	var choices []protocol.MessageAction
	byTitle := map[string]*protocol.Location{}
	for i, place := range places {
		path, _ := view.PathOf(place.URI)
		title := fmt.Sprintf("%s:%d", diag.Escape(filepath.Base(path)), place.Range.Start.Line+1)
		if byTitle[title] == nil && len(choices) < maxChoices {
			byTitle[title] = &places[i]
			choices = append(choices, protocol.MessageAction{Title: title})
		}
	}
	if len(choices) == 1 || s.client.Window.ShowMessage == nil {
		return &places[0]
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.userPatience)
	defer cancel()
	var choice *protocol.MessageAction
	params := protocol.ShowMessageRequestParams{Type: protocol.MessageInfo, Message: "Go to", Actions: choices}
	err := s.conn.Call(ctx, "window/showMessageRequest", params, &choice)
	if err != nil {
		s.trace("window/showMessageRequest: %v", err)
	}
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil: // the client can't ask after all
		return &places[0]
	case choice == nil:
		return nil
	}
	return byTitle[choice.Title]
}
