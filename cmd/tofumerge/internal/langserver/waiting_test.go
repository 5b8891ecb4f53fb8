package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// pulling are the capabilities of a client that asks for diagnostics.
const pulling = `{"textDocument":{"diagnostic":{}},"workspace":{"diagnostics":{"refreshSupport":true}}}`

// A request waits for the analysis of the text that it is about, and can be cancelled meanwhile.
func TestWaiting(t *testing.T) {
	release := make(chan bool)
	f := &fakeAnalyst{}
	f.look = func(ctx context.Context, r view.Request) error {
		<-release
		return nil
	}
	p := connect(t, f)
	p.initialize(pulling)
	uri := string(view.URIOf(t.TempDir())) + "/a.tf"
	p.open(uri, "one")
	cancelled := p.ask("textDocument/diagnostic", about1(uri))
	p.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(cancelled)})
	if m := p.answer(cancelled); m.Error == nil || m.Error.Code != -32800 {
		t.Errorf("cancelled: %+v", m)
	}
	p.notify("$/cancelRequest", map[string]any{"id": "no such"})
	for _, id := range []any{-7, "seven"} {
		p.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": "textDocument/diagnostic", "params": about1(uri)})
		p.notify("$/cancelRequest", map[string]any{"id": id})
		text, _ := json.Marshal(id)
		if m := p.answer(string(text)); m.Error == nil || m.Error.Code != -32800 {
			t.Errorf("cancelled %s: %+v", text, m)
		}
	}
	p.send(map[string]any{"jsonrpc": "2.0", "id": 0, "method": "textDocument/diagnostic", "params": about1(uri)})
	p.notify("$/cancelRequest", map[string]any{"id": nil}) // which is not 0
	waits := p.ask("textDocument/diagnostic", about1(uri))
	closed := p.ask("textDocument/diagnostic", about1("file:///elsewhere/a.tf"))
	if m := p.answer(closed); m.Error != nil || !strings.Contains(string(m.Result), `"items":[]`) {
		t.Errorf("a document that isn't open: %+v", m)
	}
	close(release)
	if m := p.answer("0"); m.Error != nil {
		t.Errorf("id 0: %+v", m)
	}
	if m := p.answer(waits); !strings.Contains(string(m.Result), `"one"`) {
		t.Errorf("waited: %s", m.Result)
	}
	p.none("textDocument/publishDiagnostics") // the client asks for diagnostics
}

// A request about a position fails if the document is edited before the answer is ready. One
// about the whole document doesn't.
func TestModified(t *testing.T) {
	s := &server{docs: map[protocol.DocumentURI]*openDocument{}}
	m := &module{server: s, docs: map[protocol.DocumentURI]*openDocument{}, arrived: make(chan struct{}), isActive: true}
	doc := &openDocument{uri: "file:///a.tf", module: m, name: "a.tf", text: textOf("one")}
	s.docs[doc.uri] = doc
	m.state = 1
	place, whole := s.requestSnapshot(doc.uri), s.requestSnapshot(doc.uri)
	whole.isWhole = true
	doc.text, m.state = textOf("two"), 2
	m.now = &snapshot{state: 2, view: &view.View{}}
	if _, err := place.snapshot(context.Background()); !errors.Is(err, errModified) || errorOf(err).Code != -32801 {
		t.Errorf("about a position: %v", err)
	}
	if now, err := whole.snapshot(context.Background()); now != m.now || whole.name != "a.tf" || err != nil {
		t.Errorf("about the whole: %v", err)
	}
}

func textOf(s string) *view.Text { return view.NewText([]byte(s)) }
