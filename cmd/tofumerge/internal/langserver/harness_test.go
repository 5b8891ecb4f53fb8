package langserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// patience is how long a test waits. Only a failing test takes so long.
const patience = 2 * time.Minute

// A fakeAnalyst reports the text of each open file as a finding, and records the number of
// analyses.
type fakeAnalyst struct {
	mutex sync.Mutex
	looks []string                                             // the texts of each analysis
	look  func(ctx context.Context, r view.Request) error      // runs in each; may be nil
	with  func(settings json.RawMessage) (view.Analyst, error) // may be nil
}

func (f *fakeAnalyst) IsPart(name string) bool { return filepath.Ext(name) == ".tf" }

func (f *fakeAnalyst) Governing() []string { return []string{"settings"} }

func (f *fakeAnalyst) Modules(context.Context, string) ([]string, error) { return nil, nil }

func (f *fakeAnalyst) With(settings json.RawMessage) (view.Analyst, error) {
	if f.with != nil {
		return f.with(settings)
	}
	return f, nil
}

func (f *fakeAnalyst) Analyse(ctx context.Context, r view.Request) (*view.View, error) {
	v := &view.View{Dir: r.Dir}
	var texts []string
	for name, text := range r.Open {
		texts = append(texts, name+"="+string(text))
		v.Keep(name, text)
		if len(text) > 0 {
			found := check.InternalError(string(text))
			found.Range = hcl.Range{Filename: name}
			v.Findings = append(v.Findings, found)
		}
	}
	f.mutex.Lock()
	f.looks = append(f.looks, strings.Join(texts, " "))
	look := f.look
	f.mutex.Unlock()
	if look != nil {
		if err := look(ctx, r); err != nil {
			return nil, err
		}
	}
	return v, ctx.Err()
}

func (f *fakeAnalyst) count() int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return len(f.looks)
}

func (f *fakeAnalyst) last() string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.looks[len(f.looks)-1]
}

// saw reports whether an analysis was of all these texts.
func (f *fakeAnalyst) saw(texts ...string) bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.ContainsFunc(f.looks, func(look string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(look, text) })
	})
}

// A peer is the client of a server.
type peer struct {
	t    *testing.T
	in   io.Writer
	got  chan message
	kept []message // received, but not waited for yet
	next int
	end  chan error // what Serve returns
	log  lines
}

// lines collects the log of the server.
type lines struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (l *lines) add(line string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.text.WriteString(line + "\n")
}

func (l *lines) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// connect starts a server.
func connect(t *testing.T, a view.Analyst) *peer {
	t.Helper()
	return connectWith(t, Options{Analyst: a})
}

// connectWith is connect with some options.
func connectWith(t *testing.T, o Options) *peer {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	p := &peer{t: t, in: toServer, got: make(chan message, 10000), end: make(chan error, 1)}
	go func() {
		o.MaxFileSize, o.Log, o.Crashed = 1<<20, p.log.add, func(r any) { p.log.add(fmt.Sprint("crashed: ", r)) }
		p.end <- Serve(context.Background(), in, out, o)
		out.Close()
	}()
	go p.read(fromServer)
	t.Cleanup(func() { toServer.Close() })
	return p
}

func (p *peer) read(from io.Reader) {
	defer close(p.got)
	in := textproto.NewReader(bufio.NewReader(from))
	for {
		header, err := in.ReadMIMEHeader()
		if err != nil {
			return
		}
		n, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, n)
		var m message
		if _, err := io.ReadFull(in.R, body); err != nil || json.Unmarshal(body, &m) != nil {
			return
		}
		p.got <- m
	}
}

func (p *peer) send(m any) {
	body, err := json.Marshal(m)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(p.in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		p.t.Error(err)
	}
}

func (p *peer) notify(method string, params any) {
	p.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// ask sends a request and returns its id.
func (p *peer) ask(method string, params any) string {
	p.next++
	p.send(map[string]any{"jsonrpc": "2.0", "id": p.next, "method": method, "params": params})
	return strconv.Itoa(p.next)
}

// answer waits for the answer to a request.
func (p *peer) answer(id string) message {
	p.t.Helper()
	return p.wait("the answer to "+id, func(m message) bool { return m.Method == "" && string(m.ID) == id })
}

func (p *peer) call(method string, params any) message {
	p.t.Helper()
	return p.answer(p.ask(method, params))
}

// wait waits for a message.
func (p *peer) wait(what string, isMeant func(message) bool) message {
	p.t.Helper()
	for i, m := range p.kept {
		if isMeant(m) {
			p.kept = append(p.kept[:i:i], p.kept[i+1:]...)
			return m
		}
	}
	for limit := time.After(patience); ; {
		select {
		case m, isOpen := <-p.got:
			switch {
			case !isOpen:
				p.t.Fatalf("the server ended before %s", what)
			case isMeant(m):
				return m
			}
			p.kept = append(p.kept, m)
		case <-limit:
			p.t.Fatalf("no %s", what)
		}
	}
}

// published waits for the next diagnostics of a document: its version, and the messages.
func (p *peer) published(uri string) string {
	p.t.Helper()
	var params protocol.PublishDiagnosticsParams
	p.wait("diagnostics of "+uri, func(m message) bool {
		if m.Method != "textDocument/publishDiagnostics" {
			return false
		}
		params = protocol.PublishDiagnosticsParams{}
		_ = json.Unmarshal(m.Params, &params)
		return string(params.URI) == uri
	})
	version := "-"
	if params.Version != nil {
		version = fmt.Sprint(*params.Version)
	}
	for _, d := range params.Diagnostics {
		version += " " + d.Message
	}
	return version
}

// none fails if a message of a method has arrived that the test hasn't waited for.
func (p *peer) none(method string) {
	p.t.Helper()
	for {
		select {
		case m := <-p.got:
			p.kept = append(p.kept, m)
			continue
		case <-time.After(50 * time.Millisecond):
		}
		break
	}
	for _, m := range p.kept {
		if m.Method == method {
			p.t.Errorf("unexpected %s: %s", method, m.Params)
		}
	}
}

func (p *peer) initialize(capabilities string) {
	p.t.Helper()
	if m := p.call("initialize", map[string]any{"capabilities": json.RawMessage(capabilities)}); m.Error != nil {
		p.t.Fatal(m.Error)
	}
	p.notify("initialized", struct{}{})
}

func (p *peer) open(uri, text string) {
	p.notify("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": uri, "languageId": "terraform", "version": 1, "text": text},
	})
}

func (p *peer) edit(uri string, version int, text string) {
	p.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": version},
		"contentChanges": []any{map[string]any{"text": text}},
	})
}

func (p *peer) close(uri string) { p.notify("textDocument/didClose", about1(uri)) }

func about1(uri string) any { return map[string]any{"textDocument": map[string]any{"uri": uri}} }
