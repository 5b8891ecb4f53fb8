package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/transport"
)

// patience is how long a test waits. Only a failing test takes so long.
const patience = 30 * time.Second

// A double stands in for a server or an editor: it records its messages, and answers by a table.
type double struct {
	stream *transport.Stream
	// answers are by method; a function that returns nil leaves the request without an answer.
	answers map[string]func(message) *message

	// onMessage, if set, is called with each message before it is answered.
	onMessage func(message)

	mutex sync.Mutex
	got   []message
	more  chan struct{} // closed and replaced when got grows
	ended bool
}

func newDouble(answers map[string]string) *double {
	d := &double{answers: map[string]func(message) *message{}, more: make(chan struct{})}
	for method, result := range answers {
		d.answers[method] = func(message) *message { return &message{Result: json.RawMessage(result)} }
	}
	return d
}

// serve reads until the connection ends.
func (d *double) serve(in io.Reader, out io.Writer) error {
	stream := transport.New(in, out, maxMessage)
	d.mutex.Lock()
	d.stream = stream
	d.mutex.Unlock()
	for {
		var m message
		if err := stream.ReadObject(&m); err != nil {
			d.mutex.Lock()
			d.ended = true
			close(d.more)
			d.more = make(chan struct{})
			d.mutex.Unlock()
			return err
		}
		d.record(m)
		if d.onMessage != nil {
			d.onMessage(m)
		}
		if m.Method == "exit" {
			return nil
		}
		if m.ID == nil || m.Method == "" {
			continue
		}
		answer := &message{Result: null}
		if make := d.answers[m.Method]; make != nil {
			answer = make(m)
		}
		if answer != nil {
			d.send(message{ID: m.ID, Result: answer.Result, Error: answer.Error})
		}
	}
}

func (d *double) record(m message) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.got = append(d.got, m)
	close(d.more)
	d.more = make(chan struct{})
}

func (d *double) send(m message) {
	m.Version = "2.0"
	_ = d.stream.WriteObject(m)
}

func (d *double) notify(method, params string) {
	d.send(message{Method: method, Params: json.RawMessage(params)})
}

// wait waits for a message, and removes it from the record.
func (d *double) wait(t testing.TB, what string, is func(message) bool) message {
	t.Helper()
	limit := time.After(patience)
	for {
		d.mutex.Lock()
		i := slices.IndexFunc(d.got, is)
		if i >= 0 {
			m := d.got[i]
			d.got = slices.Delete(d.got, i, i+1)
			d.mutex.Unlock()
			return m
		}
		more, ended := d.more, d.ended
		d.mutex.Unlock()
		if ended {
			t.Fatalf("the connection ended before %s", what)
		}
		select {
		case <-more:
		case <-limit:
			t.Fatalf("no %s", what)
		}
	}
}

// method waits for a request or a notification.
func (d *double) method(t testing.TB, name string) message {
	t.Helper()
	return d.wait(t, name, func(m message) bool { return m.Method == name })
}

// answer waits for the answer to a request.
func (d *double) answer(t testing.TB, id string) message {
	t.Helper()
	return d.wait(t, "the answer to "+id, func(m message) bool { return m.Method == "" && string(m.ID) == id })
}

// none fails if a message of a method comes soon.
func (d *double) none(t testing.TB, name string) {
	t.Helper()
	time.Sleep(50 * time.Millisecond)
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, m := range d.got {
		if m.Method == name {
			t.Errorf("unexpected %s: %s", name, m.Params)
		}
	}
}

// A session is a proxy between three doubles.
type testSession struct {
	t            testing.TB
	editor, ours *double
	theirs       []*double // one for each start
	mutex        sync.Mutex
	kills        []func()
	log          []string
	end          chan error
	toProxy      io.WriteCloser
	// starter, if set, makes the process of a start; nil leaves it to a double.
	starter func() *Process
}

// quick are times that let tests end soon.
var quick = times{
	start: patience, merge: patience, answer: patience, judge: patience,
	settle: time.Millisecond, end: 200 * time.Millisecond, again: time.Millisecond, starts: 5,
}

const theirInfo = `"serverInfo":{"name":"terraform-ls","version":"0.39.1"}`

// join starts a session. theirs makes the double of each start of the other server; after nil, none can be
// started.
func join(t testing.TB, limits times, ours *double, theirs func(start int) *double) *testSession {
	t.Helper()
	s := &testSession{t: t, editor: newDouble(nil), ours: ours, end: make(chan error, 1)}
	fromEditor, toProxy := io.Pipe()
	fromProxy, toEditor := io.Pipe()
	s.toProxy = toProxy
	go func() {
		s.end <- Serve(context.Background(), fromEditor, toEditor, Options{
			Name: "other", ProcessID: 4711, MaxFileSize: 1 << 20, times: limits, Traces: true,
			Serve: func(_ context.Context, in io.Reader, out io.Writer) error { return ours.serve(in, out) },
			Start: func() (*Process, error) { return s.start(theirs) },
			Log: func(line string) {
				s.mutex.Lock()
				defer s.mutex.Unlock()
				s.log = append(s.log, line)
			},
		})
		toEditor.Close()
		fromEditor.Close()
	}()
	go func() { _ = s.editor.serve(fromProxy, toProxy) }()
	for s.editorStream() == nil {
		time.Sleep(time.Millisecond)
	}
	t.Cleanup(func() {
		toProxy.Close()
		select {
		case <-s.end:
		case <-time.After(patience):
			t.Error("the proxy did not end")
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if t.Failed() {
			t.Log(strings.Join(s.log, "\n"))
		}
	})
	return s
}

func (s *testSession) editorStream() *transport.Stream {
	s.editor.mutex.Lock()
	defer s.editor.mutex.Unlock()
	return s.editor.stream
}

// start starts a double as a process.
func (s *testSession) start(make func(int) *double) (*Process, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.starter != nil {
		if process := s.starter(); process != nil {
			return process, nil
		}
	}
	d := make(len(s.theirs))
	if d == nil {
		return nil, errors.New("no such program")
	}
	s.theirs = append(s.theirs, d)
	return s.run(d), nil
}

func (s *testSession) run(d *double) *Process {
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
	s.kills = append(s.kills, end)
	go func() {
		_ = d.serve(in, out)
		end()
	}()
	return &Process{In: toTheirs, Out: fromTheirs, Kill: end, Ended: ended, Why: func() string { return "killed" }}
}

// other waits for the double of a start.
func (s *testSession) other(start int) *double {
	s.t.Helper()
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(time.Millisecond) {
		s.mutex.Lock()
		if start < len(s.theirs) {
			d := s.theirs[start]
			s.mutex.Unlock()
			return d
		}
		s.mutex.Unlock()
	}
	s.t.Fatalf("the other server was not started %d times", start+1)
	return nil
}

func (s *testSession) kill(start int) {
	s.other(start)
	s.mutex.Lock()
	kill := s.kills[start]
	s.mutex.Unlock()
	kill()
}

// ask sends a request of the editor.
func (s *testSession) ask(id, method, params string) {
	s.editor.send(message{ID: json.RawMessage(id), Method: method, Params: json.RawMessage(params)})
}

// call is ask that waits for the answer.
func (s *testSession) call(id, method, params string) message {
	s.t.Helper()
	s.ask(id, method, params)
	return s.editor.answer(s.t, id)
}

func (s *testSession) initialize(params string) message {
	s.t.Helper()
	m := s.call("0", "initialize", params)
	s.editor.notify("initialized", "{}")
	return m
}

// logs waits for a line of the log.
func (s *testSession) logs(part string) {
	s.t.Helper()
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(time.Millisecond) {
		s.mutex.Lock()
		found := slices.ContainsFunc(s.log, func(line string) bool { return strings.Contains(line, part) })
		s.mutex.Unlock()
		if found {
			return
		}
	}
	s.t.Fatalf("the log has no %q:\n%s", part, strings.Join(s.log, "\n"))
}

// ourDouble is a double of this server with the real one's capabilities.
func ourDouble(more map[string]string) *double {
	answers := map[string]string{"initialize": `{"capabilities":{"hoverProvider":true,"definitionProvider":true,"referencesProvider":true,
		"codeActionProvider":{"codeActionKinds":["quickfix"],"resolveProvider":true},"inlayHintProvider":true,"documentLinkProvider":{},
		"completionProvider":{"triggerCharacters":["\""]},"executeCommandProvider":{"commands":["tofumerge.effective"]},
		"textDocumentSync":{"openClose":true,"change":2,"save":true},"positionEncoding":"utf-16",
		"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true}}},"serverInfo":{"name":"tofumerge"}}`}
	for method, result := range more {
		answers[method] = result
	}
	return newDouble(answers)
}

const theirOffers = `"hoverProvider":true,"definitionProvider":true,"completionProvider":{"triggerCharacters":["."],"resolveProvider":true},
	"documentFormattingProvider":true,"codeActionProvider":{"codeActionKinds":["source.formatAll"]},"inlayHintProvider":{"resolveProvider":true},
	"executeCommandProvider":{"commands":["theirs.run"]},"textDocumentSync":{"openClose":true,"change":2,"willSaveWaitUntil":true},
	"experimental":{"x":1},"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":"id"}}`

// theirDouble is a double of the other server.
func theirDouble(more map[string]string) *double {
	answers := map[string]string{"initialize": `{"capabilities":{` + theirOffers + `},` + theirInfo + `}`}
	for method, result := range more {
		answers[method] = result
	}
	return newDouble(answers)
}

// same makes the same double at each start.
func same(answers map[string]string) func(int) *double {
	return func(int) *double { return theirDouble(answers) }
}
