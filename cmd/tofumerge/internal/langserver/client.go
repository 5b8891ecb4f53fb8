package langserver

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// Requests to the client: to watch files, to send settings, to refresh its display, and to show
// progress.

// clientPatience is how long the client has to answer.
const clientPatience = 30 * time.Second

// call sends the client a request and waits for the answer.
func (s *server) call(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), clientPatience)
	defer cancel()
	err := s.conn.Call(ctx, method, params, result)
	if err != nil {
		s.trace("%s: %v", method, err)
	}
	return err
}

// tell sends the client a request whose answer doesn't matter.
func (s *server) tell(method string, params any) {
	go func() { _ = s.call(method, params, nil) }()
}

// watched are the patterns of the files that the client should watch on disk, besides those that
// hold settings.
var watched = []string{
	"**/*.{tf,tofu}", "**/*.{tf,tofu}.json", "**/.terraform.lock.hcl",
}

// initialized asks the client to report changes of files and settings, and requests the settings: only now may the
// server send requests.
func (s *server) initialized(struct{}) error {
	s.mutex.Lock()
	client := s.client.Workspace
	settings := "**/{" + strings.Join(s.analyst.Governing(), ",") + "}"
	s.mutex.Unlock()
	var wanted []protocol.Registration // only what the client can report
	if client.DidChangeWatchedFiles.DynamicRegistration {
		var watchers []protocol.FileSystemWatcher
		for _, glob := range slices.Concat(watched, []string{settings}) {
			watchers = append(watchers, protocol.FileSystemWatcher{GlobPattern: glob})
		}
		wanted = append(wanted, protocol.Registration{
			ID: "tofumerge-watched", Method: "workspace/didChangeWatchedFiles",
			RegisterOptions: protocol.DidChangeWatchedFilesRegistrationOptions{Watchers: watchers},
		})
	}
	if client.Configuration && client.DidChangeConfiguration.DynamicRegistration {
		wanted = append(wanted, protocol.Registration{
			ID: "tofumerge-configuration", Method: "workspace/didChangeConfiguration",
			RegisterOptions: protocol.ConfigurationItem{Section: section},
		})
	}
	if len(wanted) > 0 {
		s.tell("client/registerCapability", protocol.RegistrationParams{Registrations: wanted})
	}
	if client.Configuration {
		go s.fetchSettings()
	}
	return nil
}

// section is the name of the server's settings in a client.
const section = "tofumerge"

// fetchSettings requests the client's settings and puts them into force. If it has none, those in its initialization
// options stay in force.
func (s *server) fetchSettings() {
	defer s.recoverGoroutine()
	s.fetching.Lock() // so that answers are used in the order of the requests
	defer s.fetching.Unlock()
	var list []json.RawMessage
	params := protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: section}}}
	if s.call("workspace/configuration", params, &list) == nil && len(list) == 1 {
		s.applySettings(list[0])
	}
}

// didChangeConfiguration requests the new settings. A client that can't be asked sends them: p holds either all
// settings, with ours in a section, or only ours.
func (s *server) didChangeConfiguration(p protocol.DidChangeConfigurationParams) error {
	s.mutex.Lock()
	asks := s.client.Workspace.Configuration
	s.mutex.Unlock()
	if asks {
		go s.fetchSettings()
		return nil
	}
	// Take our section if there is one; otherwise all settings are ours.
	var sections map[string]json.RawMessage
	if json.Unmarshal(p.Settings, &sections) == nil && sections[section] != nil {
		p.Settings = sections[section]
	}
	s.applySettings(p.Settings)
	return nil
}

// applySettings puts settings into force, if there are any, and analyses all modules again. If they are
// wrong, it shows an error and the earlier ones stay in force.
func (s *server) applySettings(settings json.RawMessage) {
	if len(settings) == 0 || string(settings) == "null" {
		return
	}
	analyst, err := s.Analyst.With(settings)
	if err != nil {
		s.show(protocol.MessageError, fmt.Sprintf("tofumerge keeps its earlier settings: %v", err))
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.analyst = analyst
	// What was found with the earlier settings is invalid.
	s.survey.dirs, s.survey.found, s.survey.epoch = nil, nil, s.survey.epoch+1
	for _, m := range s.modules {
		m.changed()
	}
}

// recoverGoroutine reports a panic in a goroutine that answers no request, so that the server survives it.
func (s *server) recoverGoroutine() {
	if p := recover(); p != nil {
		s.Crashed(p)
	}
}

// didChangeFolders updates the list of workspace folders, and enters the first one if there was none. Folders matter
// only to the diagnostics of the workspace: a module with an open document is analysed wherever it is.
func (s *server) didChangeFolders(p protocol.DidChangeWorkspaceFoldersParams) error {
	s.enterFirst(p.Event.Added)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.folders = slices.DeleteFunc(s.folders, func(f protocol.WorkspaceFolder) bool {
		return slices.ContainsFunc(p.Event.Removed, func(gone protocol.WorkspaceFolder) bool { return gone.URI == f.URI })
	})
	s.folders = append(s.folders, p.Event.Added...)
	s.surveyAgain()
	return nil
}

// enterFirst calls Enter, if it is set, with the first folder that has a path, unless it was called before. Relative
// paths and the search for settings start there, as they do for check.
func (s *server) enterFirst(folders []protocol.WorkspaceFolder) {
	for _, f := range folders {
		path, isFile := view.PathOf(f.URI)
		if !isFile || s.Enter == nil {
			continue
		}
		s.mutex.Lock()
		isFirst := !s.isInFolder
		s.isInFolder = true
		s.mutex.Unlock()
		if isFirst {
			s.Enter(path)
		}
		return
	}
}

// refreshPause is how long changes must pause before a refresh. With one for every key, the
// client would keep asking for everything on the screen.
const refreshPause = 200 * time.Millisecond

// afterPause calls do, with the server locked, once refreshPause has passed without a further call of afterPause.
// timer is what the last call returned, or nil at first; pass the result to the next call.
func (s *server) afterPause(timer *time.Timer, do func()) *time.Timer {
	if timer != nil {
		timer.Reset(refreshPause)
		return timer
	}
	return time.AfterFunc(refreshPause, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		do()
	})
}

// refreshSoon makes the client ask again for inlay hints and code lenses, once changes pause; see askAgain for
// diagnostics.
// The server is locked.
func (s *server) refreshSoon() {
	s.refresh = s.afterPause(s.refresh, func() {
		client := s.client.Workspace
		for method, can := range map[string]protocol.RefreshSupport{
			"workspace/inlayHint/refresh": client.InlayHint, "workspace/codeLens/refresh": client.CodeLens,
		} {
			if can.RefreshSupport && s.phase == phaseInitialized {
				s.tell(method, nil)
			}
		}
	})
}

// againPause is how long the server collects reasons for new diagnostics before it tells the
// client. One edit of a settings file may affect many modules.
const againPause = 50 * time.Millisecond

// askAgain makes the client ask again for diagnostics after a pause. Further calls during the pause do nothing, since
// one request covers them all. The server is locked.
func (s *server) askAgain() {
	if s.asksAgain {
		return
	}
	s.asksAgain = true
	time.AfterFunc(againPause, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.asksAgain = false
		if s.phase == phaseInitialized {
			s.tell("workspace/diagnostic/refresh", nil)
		}
	})
}

// slow is how long an operation may take before the client shows progress.
const slow = time.Second

var progresses atomic.Int64

// progress makes the client show that an operation is under way, if it gets slow, until done is called.
func (s *server) progress(title string) (done func()) {
	if !s.client.Window.WorkDoneProgress {
		return func() {}
	}
	token := fmt.Sprintf("tofumerge-%d", progresses.Add(1))
	// Once the operation is slow, ask the client for a progress bar. begun gets whether the client shows one.
	begun := make(chan bool, 1)
	timer := time.AfterFunc(slow, func() {
		ok := s.call("window/workDoneProgress/create", protocol.ProgressToken{Token: token}, nil) == nil
		if ok {
			s.notify("$/progress", protocol.ProgressParams{Token: token, Value: protocol.WorkDoneProgress{Kind: "begin", Title: title}})
		}
		begun <- ok
	})
	return func() {
		if timer.Stop() {
			return // it didn't get slow
		}
		go func() { // the client's answer may be outstanding, and done must not wait for that
			if <-begun {
				s.notify("$/progress", protocol.ProgressParams{Token: token, Value: protocol.WorkDoneProgress{Kind: "end"}})
			}
		}()
	}
}

// Commands, for clients that can't send the server's own requests.

// executeCommand runs a command of package feature. RunEffective and RunExplain take an argument like the parameters
// of tofumerge/effective. ShowOverrides is answered at once, since the user may take long to choose a location: a
// goroutine asks the user, and then makes the client show the location.
func (s *server) executeCommand(p protocol.ExecuteCommandParams) (answer, error) {
	switch p.Command {
	case feature.RunEffective:
		return s.aboutArgument(p, `{"textDocument": {"uri": …}}`, func(q *query, about protocol.EffectiveParams) (any, error) {
			return feature.Effective(q.view, q.lastWhole, q.name, about), nil
		})
	case feature.RunExplain:
		return s.aboutArgument(p, `{"textDocument": {"uri": …}, "position": …}`, func(q *query, about protocol.EffectiveParams) (any, error) {
			if about.Position == nil || q.view.Merged == nil {
				return nil, nil // the module could not be merged, so there is nothing to explain
			}
			return feature.Hover(q.view.Shown(), q.name, *about.Position, protocol.PlainText), nil
		})
	case feature.ShowOverrides:
		var places []protocol.Location
		if len(p.Arguments) < 3 || json.Unmarshal(p.Arguments[2], &places) != nil || len(places) == 0 {
			return nil, invalid("%s needs three arguments: the URI of a document, a position, and a list of locations", p.Command)
		}
		if !s.features.ServerShowsOverrides() { // the server didn't offer the command
			return nil, invalid("the client runs %s, or can't show documents", p.Command)
		}
		go func() {
			defer s.recoverGoroutine()
			if place := s.chooseLocation(places); place != nil {
				_ = s.call("window/showDocument", protocol.ShowDocumentParams{URI: place.URI, TakeFocus: true, Selection: &place.Range}, nil)
			}
		}()
		return nil, nil
	case "":
		return nil, nil // a lens without locations: some clients run it nevertheless
	}
	return nil, invalid("the server has no command %.100q", p.Command)
}

// invalid returns the error of a request with wrong parameters.
func invalid(format string, args ...any) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// aboutArgument runs a command that is about the document in its first argument: do makes the answer. An error shows
// the form that the argument should have.
func (s *server) aboutArgument(
	p protocol.ExecuteCommandParams, form string, do func(*query, protocol.EffectiveParams) (any, error),
) (answer, error) {
	var about protocol.EffectiveParams
	hasDocument := len(p.Arguments) > 0 && json.Unmarshal(p.Arguments[0], &about) == nil && about.TextDocument.URI != ""
	lacksPosition := p.Command == feature.RunExplain && about.Position == nil
	if !hasDocument || lacksPosition {
		return nil, invalid("%s needs an argument that names a document: %s", p.Command, form)
	}
	w := s.requestSnapshot(about.TextDocument.URI)
	w.isWhole = true // an edit while it waits doesn't fail the request
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

const (
	// maxChoices is how many locations a message offers: some clients show a button for each.
	maxChoices = 8
	// defaultUserPatience is how long the user has to choose.
	defaultUserPatience = 10 * time.Minute
)

// chooseLocation asks the user to choose a location, by file name and line. It returns the first location if there is
// only one choice, or if the client can't ask. It returns nil if the user chooses none, or doesn't answer within
// userPatience: by then the user is busy elsewhere.
func (s *server) chooseLocation(places []protocol.Location) *protocol.Location {
	var choices []protocol.MessageAction
	byTitle := map[string]*protocol.Location{}
	for i, place := range places {
		path, _ := view.PathOf(place.URI)
		title := fmt.Sprintf("%s:%d", diag.Escape(filepath.Base(path)), place.Range.Start.Line+1)
		if byTitle[title] == nil && len(choices) < maxChoices { // the answer is a title, so titles must differ
			byTitle[title] = &places[i]
			choices = append(choices, protocol.MessageAction{Title: title})
		}
	}
	if len(choices) == 1 || s.client.Window.ShowMessage == nil {
		return &places[0]
	}
	// Ask, and wait for the answer for a while.
	ctx, cancel := context.WithTimeout(s.ctx, s.userPatience)
	defer cancel()
	var choice *protocol.MessageAction
	params := protocol.ShowMessageRequestParams{Type: protocol.MessageInfo, Message: "Go to", Actions: choices}
	err := s.conn.Call(ctx, "window/showMessageRequest", params, &choice)
	if err != nil {
		s.trace("window/showMessageRequest: %v", err)
	}
	switch {
	case ctx.Err() != nil: // no answer in time, or the session ended
		return nil
	case err != nil: // the client can't ask after all
		return &places[0]
	case choice == nil: // the user closed the message
		return nil
	}
	return byTitle[choice.Title]
}
