package langserver

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// The start and the end of a session.

// initialize stores the client's capabilities and settings, and returns the server's
// capabilities.
func (s *server) initialize(p protocol.InitializeParams) (answer, error) {
	folders := foldersOf(p)
	s.enter(folders)
	s.use(p.InitializationOptions)
	if p.ProcessID != nil && s.WaitFor != nil {
		go s.watchClient(*p.ProcessID)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.phase, s.folders = phaseInitialized, folders
	s.client, s.features = p.Capabilities, clientOf(p)
	s.encoding = encodingFor(p.Capabilities.General.PositionEncodings)
	result := protocol.InitializeResult{
		ServerInfo: protocol.Info{Name: "tofumerge", Version: s.Version},
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: s.encoding,
			Workspace: protocol.WorkspaceCapabilities{
				WorkspaceFolders: protocol.WorkspaceFoldersCapabilities{Supported: true, ChangeNotifications: true},
			},
			TextDocumentSync: protocol.TextDocumentSyncOptions{OpenClose: true, Change: protocol.SyncIncremental, Save: true},
		},
	}
	for _, m := range methods() {
		if m.offer != nil {
			m.offer(&result.Capabilities)
		}
	}
	result.Capabilities.ExecuteCommandProvider = protocol.ExecuteCommandOptions{Commands: s.commands()}
	if s.pulls() {
		result.Capabilities.DiagnosticProvider = &protocol.DiagnosticOptions{Identifier: "tofumerge", InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
	return func(context.Context, *turn) (any, error) { return result, nil }, nil
}

// watchClient ends the session when the process of the client has ended: another process may
// keep the connection open.
func (s *server) watchClient(pid int) {
	defer s.caughtAside()
	if s.WaitFor(s.ctx, pid) {
		close(s.orphaned)
	}
}

// foldersOf returns the workspace folders of a client. Older clients have one at most.
func foldersOf(p protocol.InitializeParams) []protocol.WorkspaceFolder {
	switch {
	case len(p.WorkspaceFolders) > 0:
		return p.WorkspaceFolders
	case p.RootURI != nil:
		return []protocol.WorkspaceFolder{{URI: *p.RootURI}}
	case p.RootPath != nil && filepath.IsAbs(*p.RootPath):
		return []protocol.WorkspaceFolder{{URI: view.URIOf(*p.RootPath)}}
	}
	return nil
}

// encodingFor chooses a position encoding from those that a client offers: bytes if possible,
// since offsets in files are bytes.
func encodingFor(offered []protocol.PositionEncodingKind) protocol.PositionEncodingKind {
	for _, kind := range []protocol.PositionEncodingKind{protocol.UTF8, protocol.UTF16, protocol.UTF32} {
		if slices.Contains(offered, kind) {
			return kind
		}
	}
	return protocol.UTF16
}

// shutdown ends all work. After it, only exit is valid.
func (s *server) shutdown(struct{}) (answer, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.phase = phaseShutDown
	s.closeAll()
	return nil, nil
}

// closeAll cancels all requests and closes all modules. The server is locked.
func (s *server) closeAll() {
	s.isClosed = true
	for _, p := range s.pending {
		p.cancel()
	}
	for _, m := range s.modules {
		m.close()
	}
	if s.refresh != nil {
		s.refresh.Stop()
	}
}
