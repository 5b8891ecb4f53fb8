// Package langserver is a server of the Language Server Protocol: it keeps the documents
// that an editor has open, has the modules analysed that they are part of, and answers
// requests from what was found.
//
// In go the messages of a client; out come answers and diagnostics. The server decides when
// a module is looked at, and knows nothing of configuration: a view.Analyst looks, and the
// functions of package feature answer. An answer is always about the text that the client
// had when it asked, and nothing about an older text is ever published.
//
// # The library
//
// What was looked at in 2026. The size is that of a program that does nothing but import it.
//
//	sourcegraph/jsonrpc2 0.2.3    1.5 MB  standard library only; handlers in the order of
//	                                      messages, which edits need; own streams possible
//	go.lsp.dev/jsonrpc2 1.0.1     1.9 MB  a JSON parser of its own; needs Go 1.26
//	golang.org/x/exp/jsonrpc2     1.6 MB  no releases; allocates what a header announces
//	creachadair/jrpc2 1.3.6       4.0 MB  needs expvar, and so net/http; needs Go 1.26
//	go.lsp.dev/protocol 0.12.0            LSP 3.16 of 2022: no inlay hints, no diagnostics on
//	                                      request; needs zap
//
// So messages are carried by sourcegraph/jsonrpc2. By itself it ends the connection at the
// first message that makes no sense, waits while a client does not read, takes any length,
// and knows no negative ids: package transport is a stream without these. The types of the
// protocol are in package protocol, as far as they are sent or read.
package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/transport"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// Options are what a server works with.
type Options struct {
	Analyst view.Analyst
	Version string // of the program
	// MaxFileSize is how many bytes a document has at most.
	MaxFileSize int64
	// Enter runs the program in a directory, that of a workspace; it may be nil.
	Enter func(dir string)
	// Log gets lines for people. Several goroutines may call it.
	Log func(line string)
	// Crashed gets what was panicked with in a request, which is answered with an error.
	Crashed func(recovered any)
	// Traces has every message logged, with the time that it took.
	Traces bool
}

// ErrEndedEarly is the error of a client that ends the connection without a shutdown.
var ErrEndedEarly = errors.New("the client ended the connection without a shutdown request")

// A server serves one client.
type server struct {
	Options
	conn   *jsonrpc2.Conn
	stream *transport.Stream
	exit   chan struct{} // closed by the notification exit

	requests      map[string]handler
	notifications map[string]func(*server, json.RawMessage) error

	fetching   sync.Mutex // of settings
	mutex      sync.Mutex // guards what follows, and is never held while a module is looked at
	phase      phase
	endedEarly bool // exit came before a shutdown
	client     protocol.ClientCapabilities
	features   feature.Client
	analyst    view.Analyst // with the settings of the client
	encoding   protocol.PositionEncodingKind
	pending    map[jsonrpc2.ID]*pending
	docs       map[protocol.DocumentURI]*openDocument
	modules    map[string]*module
	board      map[protocol.DocumentURI]*posted
	analyses   chan struct{} // has room for those that run at once
	answers    chan struct{} // the same of what is answered
	edits      uint64        // of documents
	refresh    refresh

	isInFolder     bool // the program runs in a folder of the workspace
	showsEffective bool // the client asks for effective configurations
}

// maxMessage is how many bytes a message has at most.
const maxMessage = 256 << 20

// Serve talks to a client until it ends the connection. The error says why that was not as
// it should be.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	s := &server{
		Options: o,
		stream:  transport.New(in, out, maxMessage),
		exit:    make(chan struct{}),

		requests:      requests(),
		notifications: notifications(),

		encoding: protocol.UTF16,
		pending:  map[jsonrpc2.ID]*pending{},
		docs:     map[protocol.DocumentURI]*openDocument{},
		modules:  map[string]*module{},
		board:    map[protocol.DocumentURI]*posted{},
		analyst:  o.Analyst,
		analyses: make(chan struct{}, maxAnalyses),
		answers:  make(chan struct{}, maxAnswers),
	}
	ready := make(chan struct{})
	handler := handlerFunc(func(ctx context.Context, r *jsonrpc2.Request) { <-ready; s.handle(ctx, r) })
	s.conn = jsonrpc2.NewConn(ctx, s.stream, handler, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	close(ready)
	select {
	case <-s.exit:
	case <-s.conn.DisconnectNotify():
	case <-s.stream.Failed():
	}
	_ = s.conn.Close()   // which returns at once where the connection closes already
	_ = s.stream.Close() // so what was sent is waited for here
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closeAll()
	switch err := s.stream.Err(); {
	case errors.Is(err, transport.ErrNotRead):
		return err
	case s.phase == phaseInitialized || s.endedEarly:
		return ErrEndedEarly
	}
	return nil // also where nobody is left to read the last answer
}

type handlerFunc func(ctx context.Context, r *jsonrpc2.Request)

func (f handlerFunc) Handle(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) { f(ctx, r) }

// notify sends a notification.
func (s *server) notify(method string, params any) {
	if err := s.conn.Notify(context.Background(), method, params); err != nil {
		s.trace("can't send %s: %v", method, err)
	}
}

// show shows people a message.
func (s *server) show(kind protocol.MessageType, message string) {
	s.notify("window/showMessage", protocol.ShowMessageParams{Type: kind, Message: message})
}

func (s *server) logf(format string, args ...any) { s.Log(fmt.Sprintf(format, args...)) }

// trace logs what only those want to read who look for a fault.
func (s *server) trace(format string, args ...any) {
	if s.Traces {
		s.logf(format, args...)
	}
}
