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
// know negative ids; package protocol fixes that, and declares the types of the protocol that the server needs.
package langserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"path/filepath"
	"slices"
	"strings"
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
	ready  chan struct{} // closed when conn is set
	exit   chan struct{} // closed on the exit notification

	ctx      context.Context // done when the session ends
	orphaned chan struct{}   // closed when the process of the client has ended

	// The handlers of messages by method.
	requests      map[string]handler
	notifications map[string]func(*server, json.RawMessage) error

	fetching   sync.Mutex // held while settings are fetched
	mutex      sync.Mutex // guards the fields below; not held while a module is analysed
	phase      phase
	endedEarly bool // exit came before shutdown
	client     protocol.ClientCapabilities
	features   feature.Client // the abilities of the client on which answers depend
	analyst    view.Analyst   // with the settings of the client
	encoding   protocol.PositionEncodingKind
	pending    map[jsonrpc2.ID]*pendingRequest // without an answer yet
	docs       map[protocol.DocumentURI]*openDocument
	modules    map[string]*module                    // those with open documents, by module.key
	published  map[protocol.DocumentURI]*publication // diagnostics sent unasked
	analyses   semaphore                             // of maxAnalyses
	answers    semaphore                             // of maxAnswers
	edits      uint64                                // number of edits so far
	refresh    *time.Timer                           // see refreshSoon; nil before the first one
	asksAgain  bool                                  // see askAgain
	folders    []protocol.WorkspaceFolder
	survey     survey
	placing    semaphore // of maxPlacing
	isClosed   bool      // closeAll was called

	isInFolder     bool // Enter was called
	showsEffective bool // the client has asked for an effective configuration
}

// maxMessage is the maximum size of a message in bytes.
const maxMessage = 256 << 20

// Serve serves a client until it ends the connection. The error is the reason why the session did not end
// properly: errEndedEarly, errOrphaned, protocol.ErrNotRead or protocol.ErrHeader.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		Options: o,
		stream:  protocol.NewStream(in, out, maxMessage),
		exit:    make(chan struct{}),

		ctx:      ctx,
		orphaned: make(chan struct{}),

		ready:         make(chan struct{}),
		requests:      map[string]handler{},
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
	s.userPatience = cmp.Or(s.userPatience, defaultUserPatience)
	for _, m := range methods() {
		s.requests[m.name] = m.handle
	}
	// From here on, messages are handled; those that arrive early wait for ready.
	s.conn = jsonrpc2.NewConn(ctx, s.stream, s, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	close(s.ready)
	select { // one of these ends the session
	case <-s.exit: // the client says so
	case <-s.conn.DisconnectNotify(): // the input ended
	case <-s.stream.Failed(): // nobody reads the output, for example
	case <-s.orphaned: // the client's process ended
	}
	_ = s.conn.Close()   // returns at once if the connection is closing already
	_ = s.stream.Close() // so this waits until everything is sent
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closeAll()
	// Tell why the session did not end properly.
	switch err := s.stream.Err(); {
	case isDone(s.orphaned):
		return errOrphaned
	case errors.Is(err, protocol.ErrNotRead), errors.Is(err, protocol.ErrHeader):
		return err
	case s.phase < phaseShutDown, s.endedEarly: // without the request shutdown
		return errEndedEarly
	}
	return nil // even if nobody is left to read the last answer
}

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

// logf logs a line for people.
func (s *server) logf(format string, args ...any) { s.Log(fmt.Sprintf(format, args...)) }

// trace logs a line if Options.Traces is set.
func (s *server) trace(format string, args ...any) {
	if s.Traces {
		s.logf(format, args...)
	}
}

// The start and the end of a session.

// initialize enters the first folder, stores the client's settings and capabilities, and returns the server's
// capabilities.
func (s *server) initialize(p protocol.InitializeParams) (answer, error) {
	folders := foldersOf(p)
	s.enterFirst(folders)
	s.applySettings(p.InitializationOptions)
	if p.ProcessID != nil && s.WaitFor != nil {
		go s.watchClient(*p.ProcessID)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.phase, s.folders = phaseInitialized, folders
	// Store what the client can do.
	doc, edit := p.Capabilities.TextDocument, p.Capabilities.Workspace.WorkspaceEdit
	s.client, s.features = p.Capabilities, feature.Client{
		Snippets:        doc.Completion.CompletionItem.SnippetSupport,
		DocumentChanges: edit.DocumentChanges,
		CreatesFiles:    edit.DocumentChanges && slices.Contains(edit.ResourceOperations, protocol.CreateFile),
		DisabledActions: doc.CodeAction.DisabledSupport,
		ShowsDocuments:  p.Capabilities.Window.ShowDocument.Support,
		LazyEdits:       doc.CodeAction.DataSupport && slices.Contains(doc.CodeAction.ResolveSupport.Properties, "edit"),
	}
	var options struct {
		Commands []string `json:"commands"`
	}
	if json.Unmarshal(p.InitializationOptions, &options) == nil {
		s.features.Commands = options.Commands
	}
	s.encoding = encodingFor(p.Capabilities.General.PositionEncodings)
	result := protocol.InitializeResult{
		ServerInfo: protocol.Info{Name: "tofumerge", Version: s.Version}, Capabilities: s.capabilities(),
	}
	return func(context.Context, *turn) (any, error) { return result, nil }, nil
}

// capabilities returns what the server offers to the client, whose own capabilities must be stored already: documents
// and folders, the methods, commands, and diagnostics on request. The server is locked.
func (s *server) capabilities() protocol.ServerCapabilities {
	offered := protocol.ServerCapabilities{
		PositionEncoding: s.encoding,
		Workspace: protocol.WorkspaceCapabilities{
			WorkspaceFolders: protocol.WorkspaceFoldersCapabilities{Supported: true, ChangeNotifications: true},
		},
		TextDocumentSync: protocol.TextDocumentSyncOptions{OpenClose: true, Change: protocol.SyncIncremental, Save: true},
	}
	for _, m := range methods() {
		if m.offer != nil {
			m.offer(&offered)
		}
	}
	commands := []string{feature.RunEffective, feature.RunExplain}
	if s.features.ServerShowsOverrides() { // a client that has the command would fail if it were there twice
		commands = append(commands, feature.ShowOverrides)
	}
	offered.ExecuteCommandProvider = protocol.ExecuteCommandOptions{Commands: commands}
	if s.pulls() {
		offered.DiagnosticProvider = &protocol.DiagnosticOptions{Identifier: "tofumerge", InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
	return offered
}

// watchClient ends the session when the client's process pid has ended: the connection may stay open, because another
// process has it, too.
func (s *server) watchClient(pid int) {
	defer s.recoverGoroutine()
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

// Handling messages. Notifications are handled at once, in their order. A request is answered in
// its own goroutine, once the server has recorded which text it is about.

// A phase is a phase of the session.
type phase int

const (
	phaseNew phase = iota
	phaseInitialized
	phaseShutDown
	phaseExited
)

// maxPending is how many requests may wait for their answers.
const maxPending = 1000

// A pendingRequest was not answered yet.
type pendingRequest struct{ cancel context.CancelFunc }

// A handler accepts a request and returns how to answer it. Handlers are called in the order of
// the messages and must not block.
type handler func(s *server, params json.RawMessage) (answer, error)

// An answer makes the result of a request. It runs in its own goroutine and may block.
type answer func(ctx context.Context, t *turn) (any, error)

// maxAnswers is how many answers are made and sent at the same time, since answers about a large
// document take memory.
const maxAnswers = 4

// A semaphore limits how many goroutines do something at the same time, to its capacity.
type semaphore chan struct{}

// acquire waits until fewer goroutines than the capacity have acquired the semaphore, or returns an error when ctx is
// done.
func (s semaphore) acquire(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release must follow each successful acquire.
func (s semaphore) release() { <-s }

// A turn is the right of one request to make its answer, as one of maxAnswers at a time.
type turn struct {
	server  *server
	isTaken bool // end must release it
}

// begin waits until the request may make its answer, or returns an error when ctx is done.
func (t *turn) begin(ctx context.Context) error {
	err := t.server.answers.acquire(ctx)
	t.isTaken = err == nil
	return err
}

// end lets the next request begin. It does nothing if begin wasn't called or failed.
func (t *turn) end() {
	if t.isTaken {
		t.server.answers.release()
	}
}

// Handle handles a message. The next one is not read before it returns.
func (s *server) Handle(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) {
	<-s.ready
	defer s.recoverRequest(r)
	if r.Notif {
		s.handleNotification(r)
	} else {
		s.handleRequest(ctx, r)
	}
}

// handleNotification handles a notification. Before initialize and after shutdown only exit counts, as the
// protocol demands. Errors go to the log, because a notification has no answer.
func (s *server) handleNotification(r *jsonrpc2.Request) {
	s.mutex.Lock()
	phase := s.phase
	if r.Method == "exit" && phase != phaseExited {
		s.endedEarly = phase != phaseShutDown
		s.phase = phaseExited
		close(s.exit)
	}
	s.mutex.Unlock()
	do := s.notifications[r.Method]
	if do == nil || phase != phaseInitialized {
		return
	}
	// do, the handler, runs before the next message is read.
	begun := time.Now()
	if err := do(s, paramsOf(r)); err != nil {
		s.logf("%s: %s", shortened(r.Method), errorOf(err).Message)
	}
	s.trace("%s: %v", shortened(r.Method), time.Since(begun).Round(time.Microsecond))
}

// handleRequest lets the handler of a request record what the request is about, before the next message is read. The
// answer is made in a goroutine of its own, which cancelRequest and closeAll can cancel.
func (s *server) handleRequest(ctx context.Context, r *jsonrpc2.Request) {
	do, err := s.admit(r.Method)
	if err != nil {
		s.reply(r, nil, err)
		return
	}
	// do, the handler, returns the function later, which makes the answer. Without one, the answer is null.
	later, err := do(s, paramsOf(r))
	if err != nil || later == nil {
		s.reply(r, nil, err)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	// Until it is answered, the request can be cancelled.
	own := &pendingRequest{cancel}
	s.mutex.Lock()
	s.pending[r.ID] = own
	s.mutex.Unlock()
	begun := time.Now()
	go func() {
		defer cancel()
		t := &turn{server: s}
		defer t.end()
		result, err := s.makeAnswer(ctx, later, t)
		s.mutex.Lock()
		if s.pending[r.ID] == own { // not a later request with the same id
			delete(s.pending, r.ID)
		}
		s.mutex.Unlock()
		s.reply(r, result, err)
		s.trace("%s: %v", shortened(r.Method), time.Since(begun).Round(time.Microsecond))
	}()
}

// admit returns the handler of a method, or an error if the server can't accept the request now.
func (s *server) admit(method string) (handler, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	do := s.requests[method]
	switch {
	case s.phase == phaseNew && method != "initialize":
		return nil, &jsonrpc2.Error{Code: protocol.CodeNotInitialized, Message: "the first request must be initialize"}
	case s.phase >= phaseShutDown:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is shut down"}
	case do == nil:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "the server has no such method"}
	case s.phase != phaseNew && method == "initialize":
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is initialized"}
	case len(s.pending) >= maxPending:
		return nil, &jsonrpc2.Error{Code: protocol.CodeServerCancelled, Message: "too many requests wait for an answer"}
	}
	return do, nil
}

// makeAnswer makes the answer to a request by calling later. A panic becomes errCrashed. If ctx is done, its error
// replaces the result, even a complete one.
func (s *server) makeAnswer(ctx context.Context, later answer, t *turn) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Crashed(p)
			err = errCrashed
		}
	}()
	result, err = later(ctx, t)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return result, err
}

var errCrashed = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "tofumerge crashed; its log has more"}

// recoverRequest reports a panic while a message is handled, so that the server survives it, and answers a
// request with an error.
func (s *server) recoverRequest(r *jsonrpc2.Request) {
	if p := recover(); p != nil {
		s.Crashed(p)
		if !r.Notif {
			s.reply(r, nil, errCrashed)
		}
	}
}

// reply answers a request.
func (s *server) reply(r *jsonrpc2.Request, result any, err error) {
	if err != nil {
		failed := errorOf(err)
		s.trace("%s: error %d: %s", shortened(r.Method), failed.Code, failed.Message)
		_ = s.conn.ReplyWithError(context.Background(), r.ID, failed)
		return
	}
	if err := s.conn.Reply(context.Background(), r.ID, result); err != nil {
		s.trace("can't answer %s: %v", shortened(r.Method), err)
	}
}

// errorOf converts an error to one that the client understands.
func errorOf(err error) *jsonrpc2.Error {
	failed := (*jsonrpc2.Error)(nil)
	switch {
	case errors.As(err, &failed):
		return failed
	case errors.Is(err, context.Canceled):
		return &jsonrpc2.Error{Code: protocol.CodeRequestCancelled, Message: "the request was cancelled"}
	case errors.Is(err, errModified):
		return &jsonrpc2.Error{Code: protocol.CodeContentModified, Message: err.Error()}
	}
	return &jsonrpc2.Error{Code: protocol.CodeRequestFailed, Message: err.Error()}
}

// paramsOf returns the parameters of a message; nil if it has none.
func paramsOf(r *jsonrpc2.Request) json.RawMessage {
	if r.Params == nil {
		return nil
	}
	return *r.Params
}

// decode decodes the parameters of a message into a struct. Its error goes to the client.
func decode(params json.RawMessage, into any) error {
	if err := json.Unmarshal(params, into); err != nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "invalid parameters: " + strings.TrimPrefix(err.Error(), "json: ")}
	}
	return nil
}

// cancelRequest cancels a request, which is then answered with an error.
func (s *server) cancelRequest(p protocol.CancelParams) error {
	// The id is a number or a string.
	id := jsonrpc2.ID{IsString: true}
	var number *int64 // nil for null, which is the id of no request
	if json.Unmarshal(p.ID, &number) == nil {
		if number == nil {
			return nil
		}
		id = jsonrpc2.ID{Num: uint64(*number)} // jsonrpc2 stores an id without its sign
	} else if err := decode(p.ID, &id.Str); err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if waiting := s.pending[id]; waiting != nil {
		waiting.cancel()
	}
	return nil
}

// shortened cuts the name of a method for the log: the client can send a name of any length.
func shortened(method string) string { return fmt.Sprintf("%.*s", maxNamed, method) }

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

// methods returns the requests that the server answers, most by functions of package feature. Each has a name, a
// handler, and a function that declares it in the server's capabilities, if they have a field for it.
func methods() []method {
	return []method{
		{"initialize", request((*server).initialize), nil},
		{"shutdown", request((*server).shutdown), nil},
		{"textDocument/diagnostic", request((*server).diagnostic), nil},
		{"workspace/diagnostic", request((*server).workspaceDiagnostic), nil},

		{"textDocument/hover", aboutFile(hover), func(c *offers) { c.HoverProvider = true }},
		{"textDocument/definition", aboutLinks(feature.Definition, func(c *protocol.ClientCapabilities) bool { return c.TextDocument.Definition.LinkSupport }), func(c *offers) { c.DefinitionProvider = true }},
		{"textDocument/declaration", aboutLinks(feature.Definition, func(c *protocol.ClientCapabilities) bool { return c.TextDocument.Declaration.LinkSupport }), func(c *offers) { c.DeclarationProvider = true }},
		{"textDocument/implementation", aboutLinks(feature.Implementation, func(c *protocol.ClientCapabilities) bool { return c.TextDocument.Implementation.LinkSupport }), func(c *offers) { c.ImplementationProvider = true }},
		{"textDocument/references", aboutFile(references), func(c *offers) { c.ReferencesProvider = true }},
		{"textDocument/inlayHint", aboutFile(inlayHints), func(c *offers) { c.InlayHintProvider = true }},
		{"textDocument/codeLens", aboutFile(codeLenses), func(c *offers) { c.CodeLensProvider = struct{}{} }},
		{"textDocument/completion", aboutFile(completion), func(c *offers) { c.CompletionProvider = completions }},
		{"textDocument/codeAction", aboutFile(codeActions), func(c *offers) { c.CodeActionProvider = actions }},
		{"codeAction/resolve", request((*server).resolveAction), nil},
		{"tofumerge/effective", aboutModule(effective), nil},
		{"workspace/textDocumentContent", aboutModule(effectiveContent), func(c *offers) { c.Workspace.TextDocumentContent = &content }},
		{"workspace/executeCommand", request((*server).executeCommand), nil},
	}
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
		p, err := decodeOptional[P](params)
		if err != nil {
			return err
		}
		return do(s, p)
	}
}

// request makes a handler of a function that takes the decoded parameters.
func request[P any](do func(*server, P) (answer, error)) handler {
	return func(s *server, params json.RawMessage) (answer, error) {
		p, err := decodeOptional[P](params)
		if err != nil {
			return nil, err
		}
		return do(s, p)
	}
}

// decodeOptional decodes parameters, which may be missing.
func decodeOptional[P any](params json.RawMessage) (p P, err error) {
	if params != nil {
		err = decode(params, &p)
	}
	return p, err
}
