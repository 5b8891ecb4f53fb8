package langserver

import (
	"context"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// How a connection begins and ends.

// initialize notes what the client can do, and says what the server can.
func (s *server) initialize(p protocol.InitializeParams) (answer, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.phase = phaseInitialized
	s.client = p.Capabilities
	s.encoding = encodingFor(p.Capabilities.General.PositionEncodings)
	result := protocol.InitializeResult{
		ServerInfo: protocol.Info{Name: "tofumerge", Version: s.Version},
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: s.encoding,
			TextDocumentSync: protocol.TextDocumentSyncOptions{OpenClose: true, Change: protocol.SyncIncremental, Save: true},
		},
	}
	for _, m := range methods() {
		if m.offer != nil {
			m.offer(&result.Capabilities)
		}
	}
	return func(context.Context) (any, error) { return result, nil }, nil
}

// encodingFor is how positions are counted with a client: in bytes, as files are, if it can.
func encodingFor(offered []protocol.PositionEncodingKind) protocol.PositionEncodingKind {
	for _, kind := range []protocol.PositionEncodingKind{protocol.UTF8, protocol.UTF16, protocol.UTF32} {
		if slices.Contains(offered, kind) {
			return kind
		}
	}
	return protocol.UTF16
}

// initialized is when the server may ask the client for something.
func (s *server) initialized(struct{}) error { return nil }

// shutdown ends all work. Only exit may follow.
func (s *server) shutdown(struct{}) (answer, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.phase = phaseShutDown
	s.closeAll()
	return nil, nil
}

// closeAll has nothing looked at any more. The server is locked.
func (s *server) closeAll() {
	for _, p := range s.pending {
		p.cancel()
	}
	for _, m := range s.modules {
		m.close()
	}
}
