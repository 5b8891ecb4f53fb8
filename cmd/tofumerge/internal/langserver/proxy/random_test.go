package proxy

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/document"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

var edits = flag.Int("edits", 300, "how many random edits TestRandomEdits makes")

// A follower is a double of the other server that keeps the text of a document.
type follower struct {
	*double
	mutex sync.Mutex
	text  *document.Text
}

func newFollower() *follower {
	f := &follower{double: theirDouble(nil)}
	f.answers["test/text"] = func(message) *message {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		if f.text == nil {
			return &message{Result: null}
		}
		return &message{Result: encoded(string(f.text.Bytes()))}
	}
	f.onMessage = f.follow
	return f
}

func (f *follower) follow(m message) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	switch m.Method {
	case "textDocument/didOpen":
		var p protocol.DidOpenTextDocumentParams
		_ = json.Unmarshal(m.Params, &p)
		f.text = document.New([]byte(p.TextDocument.Text))
	case "textDocument/didChange":
		var p protocol.DidChangeTextDocumentParams
		_ = json.Unmarshal(m.Params, &p)
		f.text, _ = f.text.Apply(p.ContentChanges, protocol.UTF16, 1<<20)
	}
}

// Whatever is edited, and whenever the other server is killed, it has the text of the editor in
// the end, and every request has one answer.
func TestRandomEdits(t *testing.T) {
	endless := quick
	endless.starts = 1 << 30
	s := join(t, endless, ourDouble(nil), func(int) *double { return newFollower().double })
	s.initialize("{}")
	r := rand.New(rand.NewPCG(1, 2))
	const uri = "file:///m/a.tf"
	text := document.New(nil)
	s.editor.notify("textDocument/didOpen", `{"textDocument":{"uri":"`+uri+`","languageId":"terraform","version":0,"text":""}}`)
	asked := 0
	for version := range *edits {
		change := randomChange(r, text)
		text, _ = text.Apply(change, protocol.UTF16, 1<<20)
		s.editor.send(message{Method: "textDocument/didChange", Params: encoded(protocol.DidChangeTextDocumentParams{
			TextDocument:   protocol.VersionedTextDocumentIdentifier{URI: uri, Version: int32(version + 1)},
			ContentChanges: change,
		})})
		switch r.IntN(30) {
		case 0:
			s.mutex.Lock()
			s.kills[len(s.kills)-1]()
			s.mutex.Unlock()
		case 1, 2, 3:
			asked++
			s.ask(fmt.Sprint(100+asked), "textDocument/formatting", "{}")
		case 4:
			time.Sleep(20 * time.Millisecond) // lets a server that was killed start again
		}
	}
	for i := range asked {
		s.editor.answer(t, fmt.Sprint(101+i))
	}
	var got json.RawMessage
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
		asked++
		if m := s.call(fmt.Sprint(100+asked), "test/text", "{}"); m.Error == nil {
			got = m.Result
			break
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.theirs) < 3 {
		t.Errorf("the other server was started only %d times", len(s.theirs))
	}
	if textOf(got) != string(text.Bytes()) {
		t.Errorf("the other server has another text of %d bytes, not %d", len(got), len(text.Bytes()))
	}
}

// randomChange replaces a short range by a short text.
func randomChange(r *rand.Rand, text *document.Text) []protocol.TextDocumentContentChangeEvent {
	from := r.IntN(len(text.Bytes()) + 1)
	to := min(len(text.Bytes()), from+r.IntN(8))
	at := text.Range(from, to, protocol.UTF16)
	inserted := []string{"", "a", "\n", "ü\r\n", "𝄞", "x = 1\n", "resource \"a\" \"b\" {\n}\n"}[r.IntN(7)]
	return []protocol.TextDocumentContentChangeEvent{{Range: &at, Text: inserted}}
}

// Whichever side ends, and whenever, the proxy ends with it or continues, and leaves no process
// behind.
func TestKilledAnyTime(t *testing.T) {
	for at := range 24 {
		s := join(t, quick, ourDouble(nil), same(nil))
		steps := []func(){
			func() { s.ask("0", "initialize", "{}") },
			func() { s.editor.notify("initialized", "{}") },
			func() {
				s.editor.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///a.tf","version":1,"text":""}}`)
			},
			func() { s.ask("1", "textDocument/hover", "{}") },
			func() { s.ask("2", "textDocument/formatting", "{}") },
			func() { s.ask("3", "textDocument/references", "{}") },
			func() { s.ask("4", "shutdown", "null") },
			func() { s.editor.notify("exit", "null") },
		}
		for i, step := range steps {
			if i == at/3 {
				s.end3(at % 3)
			}
			if i > at/3 && at%3 != 0 {
				break
			}
			step()
		}
		s.toProxy.Close()
		if err := <-s.end; err != nil && at%3 != 2 {
			t.Logf("%d: %v", at, err)
		}
		s.end <- nil
		s.mutex.Lock()
		for _, kill := range s.kills {
			kill() // of processes that are started again at this moment
		}
		s.mutex.Unlock()
	}
}

// end3 ends one of three sides.
func (s *testSession) end3(side int) {
	switch side {
	case 0:
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if len(s.kills) > 0 {
			s.kills[len(s.kills)-1]()
		}
	case 1:
		s.toProxy.Close()
	case 2:
		_ = s.editorStream().Close()
	}
}
