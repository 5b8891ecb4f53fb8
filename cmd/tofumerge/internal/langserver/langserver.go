// Package langserver is a server for the Language Server Protocol: it keeps the documents that an
// editor has open, has their modules analysed, and answers requests from the results.
//
// The server decides when to analyse a module, and knows nothing about configuration: a
// view.Analyst analyses modules, and the functions of package feature make the answers. An answer
// is about the text that the client had when it sent the request, or about a later one if it is
// about a whole document. The server never publishes diagnostics about an older text.
//
// # The library
//
// These were compared in 2026. The size is a program's that only imports the library.
//
//	sourcegraph/jsonrpc2 0.2.3    1.5 MB  standard library only; handlers in the order of
//	                                      messages, which edits need; own streams possible
//	go.lsp.dev/jsonrpc2 1.0.1     1.9 MB  its own JSON parser; needs Go 1.26
//	golang.org/x/exp/jsonrpc2     1.6 MB  no releases; allocates what a header announces
//	creachadair/jrpc2 1.3.6       4.0 MB  needs expvar, and so net/http; needs Go 1.26
//	go.lsp.dev/protocol 0.12.0            LSP 3.16 of 2022: no inlay hints, no pull
//	                                      diagnostics; needs zap
//
// The server uses sourcegraph/jsonrpc2. With its own streams, it ends the connection at the first
// invalid message, blocks while a client doesn't read, accepts messages of any length, and doesn't
// know negative ids; package transport fixes that. Package protocol declares the types of the
// protocol that the server needs.
package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"path/filepath"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// Options configure a server.
type Options struct {
	Analyst view.Analyst
	Version string // of the program
	// MaxFileSize is the maximum size of a document in bytes.
	MaxFileSize int64
	// Enter, if set, is called with the first workspace folder.
	Enter func(dir string)
	// Log writes a line for people. Several goroutines may call it.
	Log func(line string)
	// Crashed is called with the value of a panic in a request. The request gets an error.
	Crashed func(recovered any)
	// Traces logs every message with the time that it took.
	Traces bool
	// WaitFor waits for the end of a process. It reports false if ctx is done first, or if it can't
	// find out. If it is nil, the server doesn't watch the client's process.
	WaitFor func(ctx context.Context, pid int) bool
	// EvalSymlinks is filepath.EvalSymlinks if it isn't set.
	EvalSymlinks func(path string) (string, error)

	userPatience time.Duration // how long the user has to choose; defaultUserPatience if it isn't set
}

// errEndedEarly is the error if the client ends the connection without a shutdown request.
var errEndedEarly = errors.New("the client ended the connection without a shutdown request")

// errOrphaned is the error if the process of the client ends, and the connection doesn't.
var errOrphaned = errors.New("the editor ended without a shutdown request")

// A server serves one client.
type server struct {
	Options
	conn   *jsonrpc2.Conn
	stream *protocol.Stream
	exit   chan struct{} // closed on the exit notification

	ctx      context.Context // done when the session ends
	orphaned chan struct{}   // closed when the process of the client has ended

	requests      map[string]handler
	notifications map[string]func(*server, json.RawMessage) error

	fetching   sync.Mutex // held while settings are fetched
	mutex      sync.Mutex // guards the fields below; not held while a module is analysed
	phase      phase
	endedEarly bool // exit came before shutdown
	client     protocol.ClientCapabilities
	features   feature.Client
	analyst    view.Analyst // with the settings of the client
	encoding   protocol.PositionEncodingKind
	pending    map[jsonrpc2.ID]*pendingRequest
	docs       map[protocol.DocumentURI]*openDocument
	modules    map[string]*module
	published  map[protocol.DocumentURI]*publication
	analyses   semaphore   // of maxAnalyses
	answers    semaphore   // of maxAnswers
	edits      uint64      // number of edits so far
	refresh    *time.Timer // see refreshSoon; nil before the first one
	asksAgain  bool        // see askAgain
	folders    []protocol.WorkspaceFolder
	survey     survey
	placing    semaphore // of maxPlacing
	isClosed   bool      // closeAll was called

	isInFolder     bool // Enter was called
	showsEffective bool // the client has asked for an effective configuration
}

// maxMessage is the maximum size of a message in bytes.
const maxMessage = 256 << 20

// Serve serves a client until it ends the connection. The error is the reason why the session did
// not end properly: errEndedEarly, errOrphaned, transport.ErrNotRead or transport.ErrHeader.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		Options: o,
		stream:  protocol.NewStream(in, out, maxMessage),
		exit:    make(chan struct{}),

		ctx:      ctx,
		orphaned: make(chan struct{}),

		requests:      requests(),
		notifications: notifications(),

		encoding:  protocol.UTF16,
		pending:   map[jsonrpc2.ID]*pendingRequest{},
		docs:      map[protocol.DocumentURI]*openDocument{},
		modules:   map[string]*module{},
		published: map[protocol.DocumentURI]*publication{},
		analyst:   o.Analyst,
		analyses:  make(semaphore, maxAnalyses),
		answers:   make(semaphore, maxAnswers),
		placing:   make(semaphore, maxPlacing),
		survey:    survey{turn: make(semaphore, 1)},
	}
	if s.EvalSymlinks == nil {
		s.EvalSymlinks = filepath.EvalSymlinks
	}
	if s.userPatience == 0 {
		s.userPatience = defaultUserPatience
	}
	ready := make(chan struct{})
	handler := handlerFunc(func(ctx context.Context, r *jsonrpc2.Request) { <-ready; s.handle(ctx, r) })
	s.conn = jsonrpc2.NewConn(ctx, s.stream, handler, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	close(ready)
	select {
	case <-s.exit:
	case <-s.conn.DisconnectNotify():
	case <-s.stream.Failed():
	case <-s.orphaned:
	}
	_ = s.conn.Close()   // returns at once if the connection is closing already
	_ = s.stream.Close() // so this waits until everything is sent
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closeAll()
	switch err := s.stream.Err(); {
	case isDone(s.orphaned):
		return errOrphaned
	case errors.Is(err, protocol.ErrNotRead), errors.Is(err, protocol.ErrHeader):
		return err
	case s.phase < phaseShutDown, s.endedEarly:
		return errEndedEarly
	}
	return nil // even if nobody is left to read the last answer
}

type handlerFunc func(ctx context.Context, r *jsonrpc2.Request)

func (f handlerFunc) Handle(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) { f(ctx, r) }

// notify sends a notification.
func (s *server) notify(method string, params any) {
	if err := s.conn.Notify(context.Background(), method, params); err != nil {
		s.trace("can't send %s: %v", method, err)
	}
}

// show shows the user a message.
func (s *server) show(kind protocol.MessageType, message string) {
	s.notify("window/showMessage", protocol.ShowMessageParams{Type: kind, Message: message})
}

func (s *server) logf(format string, args ...any) { s.Log(fmt.Sprintf(format, args...)) }

// trace logs a line if Options.Traces is set.
func (s *server) trace(format string, args ...any) {
	if s.Traces {
		s.logf(format, args...)
	}
}
