package langserver

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// What the server asks of the client: to watch files, for settings, to ask again for what
// has changed, and to show that something takes long.

// clientPatience is how long the client has to answer.
const clientPatience = 30 * time.Second

// call asks the client for something and waits for the answer.
func (s *server) call(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), clientPatience)
	defer cancel()
	err := s.conn.Call(ctx, method, params, result)
	if err != nil {
		s.trace("%s: %v", method, err)
	}
	return err
}

// tell asks the client for something whose answer does not matter.
func (s *server) tell(method string, params any) {
	go func() { _ = s.call(method, params, nil) }()
}

// watched are the files of which the server wants to hear when they change on the disk.
var watched = []string{
	"**/*.{tf,tofu}", "**/*.{tf,tofu}.json",
	"**/{.tofumerge.hcl,.terraform.lock.hcl}",
	"**/{.opentofu-version,.terraform-version,.tool-versions,.mise.toml,mise.toml,.mise.local.toml,mise.local.toml}",
}

// initialized is when the server may ask the client for something.
func (s *server) initialized(struct{}) error {
	s.mutex.Lock()
	client := s.client.Workspace
	s.mutex.Unlock()
	var wanted []protocol.Registration
	if client.DidChangeWatchedFiles.DynamicRegistration {
		var watchers []protocol.FileSystemWatcher
		for _, glob := range watched {
			watchers = append(watchers, protocol.FileSystemWatcher{GlobPattern: glob})
		}
		wanted = append(wanted, protocol.Registration{
			ID: "watched", Method: "workspace/didChangeWatchedFiles",
			RegisterOptions: protocol.DidChangeWatchedFilesRegistrationOptions{Watchers: watchers},
		})
	}
	if client.Configuration && client.DidChangeConfiguration.DynamicRegistration {
		wanted = append(wanted, protocol.Registration{
			ID: "configuration", Method: "workspace/didChangeConfiguration",
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

// section is what clients call the settings of the server.
const section = "tofumerge"

// fetchSettings asks the client for its settings. One that has none leaves what it said when
// it started.
func (s *server) fetchSettings() {
	defer s.caughtAside()
	s.fetching.Lock() // the answers are to be used in the order of the questions
	defer s.fetching.Unlock()
	var list []json.RawMessage
	params := protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: section}}}
	if s.call("workspace/configuration", params, &list) == nil && len(list) == 1 {
		s.use(list[0])
	}
}

// didChangeConfiguration takes up settings, or asks for them.
func (s *server) didChangeConfiguration(p protocol.DidChangeConfigurationParams) error {
	s.mutex.Lock()
	asks := s.client.Workspace.Configuration
	s.mutex.Unlock()
	if asks {
		go s.fetchSettings()
		return nil
	}
	var sections map[string]json.RawMessage
	if json.Unmarshal(p.Settings, &sections) == nil && sections[section] != nil {
		p.Settings = sections[section]
	}
	s.use(p.Settings)
	return nil
}

// use follows settings, if there are any. Those that make no sense change nothing, and
// people are told.
func (s *server) use(settings json.RawMessage) {
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
	for _, m := range s.modules {
		m.changed()
	}
}

// caughtAside keeps a panic beside a request from ending the server.
func (s *server) caughtAside() {
	if p := recover(); p != nil {
		s.Crashed(p)
	}
}

// didChangeFolders changes nothing: a module is looked at when a document of it is open,
// wherever it is. The first folder is where the program runs.
func (s *server) didChangeFolders(p protocol.DidChangeWorkspaceFoldersParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.enter(p.Event.Added)
	return nil
}

// enter runs the program in the first of some folders, if it is in none. Relative paths and
// the search for settings start there, as they do for check.
func (s *server) enter(folders []protocol.WorkspaceFolder) {
	for _, f := range folders {
		if path, isFile := view.PathOf(f.URI); isFile && !s.isInFolder && s.Enter != nil {
			s.isInFolder = true
			s.Enter(path)
		}
	}
}

// A refresh has the client ask again for what changed, once changes pause: with every key it
// would ask for everything that is on the screen.
type refresh struct {
	timer *time.Timer
}

// refreshPause is how long changes must pause.
const refreshPause = 200 * time.Millisecond

// refreshSoon has the client ask again for all but diagnostics. The server is locked.
func (s *server) refreshSoon() {
	if s.refresh.timer != nil {
		s.refresh.timer.Reset(refreshPause)
		return
	}
	s.refresh.timer = time.AfterFunc(refreshPause, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		client := s.client.Workspace
		for method, can := range map[string]protocol.RefreshSupport{
			"workspace/inlayHint/refresh": client.InlayHint, "workspace/codeLens/refresh": client.CodeLens,
			"workspace/semanticTokens/refresh": client.SemanticTokens,
		} {
			if can.RefreshSupport && s.phase == phaseInitialized {
				s.tell(method, nil)
			}
		}
	})
}

// slow is how long a look at a module takes before people are told that it is under way.
const slow = time.Second

var progresses atomic.Int64

// progress tells people that something takes long, from when it does until the function is
// called that comes back.
func (s *server) progress(title string) (done func()) {
	if !s.client.Window.WorkDoneProgress {
		return func() {}
	}
	token := fmt.Sprintf("tofumerge-%d", progresses.Add(1))
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
			return
		}
		go func() {
			if <-begun {
				s.notify("$/progress", protocol.ProgressParams{Token: token, Value: protocol.WorkDoneProgress{Kind: "end"}})
			}
		}()
	}
}
