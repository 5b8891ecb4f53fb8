package proxy

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/transport"
)

// raw is a server that writes arbitrary text once it is initialized.
func (s *testSession) raw(write func(out io.Writer)) *Process {
	in, toTheirs := io.Pipe()
	fromTheirs, out := io.Pipe()
	ended := make(chan struct{})
	var once sync.Once
	end := func() {
		once.Do(func() {
			in.CloseWithError(io.ErrClosedPipe)
			out.Close()
			close(ended)
		})
	}
	go func() {
		_, _ = in.Read(make([]byte, 1)) // it is being asked
		go func() {
			_, _ = io.Copy(io.Discard, in)
			end()
		}()
		body := `{"jsonrpc":"2.0","id":1,"result":{"capabilities":{` + theirOffers + `}}}`
		fmt.Fprintf(out, "Content-Length: %d\r\n\r\n%s", len(body), body)
		write(out)
	}()
	return &Process{In: toTheirs, Out: fromTheirs, Kill: end, Ended: ended, Why: func() string { return "killed" }}
}

// Text that isn't a message is skipped, and after an invalid header the server is started again.
func TestMalformed(t *testing.T) {
	good := `{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":4,"message":"good"}}`
	frame := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	for _, bad := range []string{
		frame(`{"jsonrpc"`), frame(`[]`), frame(`{}`), frame(`{"id":99,"result":1}`), frame(`{"id":"x","error":{}}`), frame(`{"method":1}`),
		frame(`{"method":"textDocument/publishDiagnostics","params":[1]}`), frame(`{"method":"textDocument/publishDiagnostics"}`),
		frame(`{"method":"textDocument/publishDiagnostics","params":{"uri":5,"diagnostics":{"a":1}}}`),
		frame(`{"id":1,"method":"client/registerCapability","params":5}`), frame(`{"id":2,"method":"client/registerCapability","params":{"registrations":[1,null]}}`),
		frame(`{"id":3,"method":"client/unregisterCapability","params":{"unregisterations":[{"id":"none"}]}}`),
		frame(`{"method":"$/cancelRequest","params":{"id":null}}`), frame(`{"method":"$/cancelRequest"}`),
		"Content-Length: x\r\n\r\n",
	} {
		s := join(t, quick, ourDouble(nil), same(nil))
		calls := 0
		s.starter = func() *Process {
			if calls++; calls > 1 {
				return nil
			}
			return s.raw(func(out io.Writer) { _, _ = io.WriteString(out, bad+frame(good)) })
		}
		s.initialize("{}")
		if strings.HasPrefix(bad, "Content-Length: x") {
			s.logs("impossible header")
			s.other(0).method(t, "initialized")
			continue
		}
		s.editor.method(t, "window/logMessage")
		s.editor.none(t, "window/showMessage")
	}
}

// A server that sends more requests than anybody can answer gets errors.
func TestTooManyRequests(t *testing.T) {
	s := join(t, quick, ourDouble(nil), same(nil))
	s.initialize("{}")
	s.editor.answers["workspace/configuration"] = func(message) *message { return nil }
	theirs := s.other(0)
	for i := range maxPending + 1 {
		theirs.send(message{ID: encoded(i), Method: "workspace/configuration", Params: json.RawMessage("{}")})
	}
	if m := theirs.answer(t, fmt.Sprint(maxPending)); m.code() != protocol.CodeServerCancelled {
		t.Errorf("%+v", m)
	}
}

// Diagnostics of ever more documents are passed on, but not kept without a bound.
func TestKeptDiagnostics(t *testing.T) {
	p := newProxy(Options{})
	p.shown.kept = maxKept - 1
	if p.about("file:///a.tf") == nil {
		t.Error("refused below the bound")
	}
	p.shown.kept = maxKept
	if p.about("file:///b.tf") != nil {
		t.Error("kept above the bound")
	}
	if p.about("file:///a.tf") == nil {
		t.Error("a known document is forgotten")
	}
}

// Lists are merged in time that grows with them.
func TestMergeScales(t *testing.T) {
	var list []string
	for i := range 20_000 {
		list = append(list, fmt.Sprintf(`{"uri":"file:///%d","range":0}`, i))
	}
	text := json.RawMessage("[" + strings.Join(list, ",") + "]")
	if got := listOf(mergeLocations(text, text)); len(got) != len(list) {
		t.Errorf("%d of %d", len(got), len(list))
	}
	if got := fenced("", strings.Repeat("`", 1<<20)); len(got) < 3<<20 {
		t.Errorf("a fence of %d bytes", len(got))
	}
}

// A server that can't be written to is ended. That is also how a stream ends whose queue is full.
func TestNotReading(t *testing.T) {
	p := newProxy(Options{Log: func(string) {}, times: quick})
	p.editor = p.newPeer("the editor", transport.New(strings.NewReader(""), io.Discard, 1))
	fromTheirs, out := io.Pipe()
	ended := make(chan struct{})
	end := sync.OnceFunc(func() {
		out.Close()
		close(ended)
	})
	x := p.connect(&Process{In: deaf{}, Out: fromTheirs, Kill: end, Ended: ended, Why: func() string { return "killed" }})
	x.notify("custom/notice", nil)
	select {
	case <-ended:
	case <-time.After(patience):
		t.Error("the server still runs")
	}
}

// deaf takes nothing.
type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func (deaf) Close() error { return nil }
