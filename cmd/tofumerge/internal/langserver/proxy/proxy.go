package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/transport"
)

// Options configure a proxy.
type Options struct {
	// Name is the other server's, for people.
	Name string
	// Start starts the other server.
	Start func() (*Process, error)
	// Serve is this server: it serves a client until that ends the connection.
	Serve func(ctx context.Context, in io.Reader, out io.Writer) error
	// ProcessID is the process that the other server belongs to.
	ProcessID int
	// MaxFileSize is the maximum size of a document in bytes that the other server gets again when it
	// is started again.
	MaxFileSize int64
	// Log writes a line for people. Several goroutines may call it.
	Log func(line string)
	// Traces logs each request with the time that its answer took.
	Traces bool

	times times // defaultTimes where it isn't set
}

// times are how long the proxy waits for what.
type times struct {
	start  time.Duration // for the other server to be initialized
	merge  time.Duration // for its answer, when this server has one
	answer time.Duration // for its answer to anything else
	judge  time.Duration // for this server to confirm what to hide
	settle time.Duration // for edits to pause before diagnostics are judged again
	end    time.Duration // for it to end
	again  time.Duration // before it is started again, doubled each time
	// starts is how often it is started within startsWithin.
	starts int
}

var defaultTimes = times{
	start: 20 * time.Second, merge: 2 * time.Second, answer: 5 * time.Minute, judge: 2 * time.Second,
	starts: 5,
	settle: 100 * time.Millisecond, end: 2 * time.Second, again: time.Second,
}

// maxMessage is the maximum size of a message in bytes.
const maxMessage = 256 << 20

// A proxy is one session of an editor.
type proxy struct {
	Options
	editor, ours *peer

	mutex     sync.Mutex // guards the fields below, and the maps of the peers
	ourOffers object
	isEnding  bool
	params    json.RawMessage // of initialize
	session
	documents

	showing sync.Mutex // guards the diagnostics, and is held while some are sent; locked before mutex
	shown   shownDiagnostics
}

func newProxy(o Options) *proxy {
	return &proxy{
		Options:   o,
		documents: documents{open: map[protocol.DocumentURI]*openDocument{}},
		shown:     shownDiagnostics{byDocument: map[string]*documentDiagnostics{}, stale: map[protocol.DocumentURI]bool{}},
	}
}

// Serve serves an editor until it ends the connection. The error is this server's, or describes the
// editor's mistake.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	if o.times == (times{}) {
		o.times = defaultTimes
	}
	p := newProxy(o)
	fromProxy, toOurs := io.Pipe()
	fromOurs, toProxy := io.Pipe()
	p.editor = p.newPeer("the editor", transport.New(in, out, maxMessage))
	p.ours = p.newPeer("tofumerge", transport.New(fromOurs, toOurs, maxMessage))
	ended, gone := make(chan error, 1), make(chan struct{})
	go func() {
		err := o.Serve(ctx, fromProxy, toProxy)
		toProxy.Close()
		fromProxy.Close()
		ended <- err
	}()
	go func() { _ = p.ours.read(p.editor.stream.WaitForRoom, p.fromOurs) }()
	go func() {
		_ = p.editor.read(func() {}, p.fromEditor)
		close(gone)
	}()
	err := p.wait(ended, gone, toOurs)
	p.endTheirs()
	_ = p.editor.stream.Close()
	return err
}

// wait waits for the end of the session.
func (p *proxy) wait(ended <-chan error, gone <-chan struct{}, toOurs io.Closer) error {
	select {
	case err := <-ended:
		return err
	case <-gone:
	case <-p.editor.stream.Failed():
	}
	broken := p.editor.stream.Err()
	_ = p.ours.stream.Close()
	toOurs.Close()
	if err := <-ended; !errors.Is(broken, transport.ErrNotRead) && !errors.Is(broken, transport.ErrHeader) {
		return err
	}
	return broken
}

// fromEditor handles a message of the editor.
func (p *proxy) fromEditor(m message) {
	switch {
	case m.Method == "$/cancelRequest":
		p.editor.cancelled(m.Params)
	case m.ID == nil:
		p.notification(m)
	case m.Method == "initialize":
		p.initialize(m)
	case m.Method == "shutdown":
		p.shutdown(m)
	default:
		p.request(m)
	}
}

// fromOurs handles a request or a notification of this server.
func (p *proxy) fromOurs(m message) {
	switch {
	case m.Method == "$/cancelRequest":
		p.ours.cancelled(m.Params)
	case m.ID != nil:
		p.ours.forward(p.editor, m)
	case m.Method == publishMethod:
		p.publishOurs(m.Params)
	default:
		p.editor.notify(m.Method, m.Params)
	}
}

func (p *proxy) logf(format string, args ...any) { p.Log(fmt.Sprintf(format, args...)) }

// trace logs a line if Options.Traces is set.
func (p *proxy) trace(format string, args ...any) {
	if p.Traces {
		p.logf(format, args...)
	}
}

// show shows the user a message.
func (p *proxy) show(kind protocol.MessageType, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.Log(text)
	p.editor.notify("window/showMessage", encoded(protocol.ShowMessageParams{Type: kind, Message: "tofumerge: " + text}))
}
