package langserver

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

const overrideText = "resource \"a_b\" \"x\" {\n  v = 1\n}\n"

// An error of a command describes the missing arguments, in words of the protocol.
func TestCommandErrors(t *testing.T) {
	p, _ := connectEditor(t, fullCapabilities, `null`, overrideText)
	for _, test := range []struct {
		command   string
		arguments []any
		want      string
	}{
		{"tofumerge.effective", nil, `tofumerge.effective needs an argument that names a document: {"textDocument": {"uri": …}}`},
		{"tofumerge.effective", []any{}, `tofumerge.effective needs an argument`},
		{"tofumerge.effective", []any{overrideURI}, `tofumerge.effective needs an argument`},
		{"tofumerge.effective", []any{nil}, `tofumerge.effective needs an argument`},
		{"tofumerge.effective", []any{aboutDocument("untitled:a")}, `untitled:a is in no module`},
		{"tofumerge.explain", []any{aboutDocument(overrideURI)}, `"position": …}`},
		{"tofumerge.showOverrides", []any{overrideURI}, `tofumerge.showOverrides needs three arguments`},
		{"tofumerge.other", []any{aboutDocument(overrideURI)}, `the server has no command "tofumerge.other"`},
	} {
		m := p.call("workspace/executeCommand", map[string]any{"command": test.command, "arguments": test.arguments})
		if m.Error == nil || !strings.Contains(m.Error.Message, test.want) {
			t.Errorf("%s %v: %s %+v, want the error %s", test.command, test.arguments, m.Result, m.Error, test.want)
		}
	}
}

// A lens opens its location in a client that doesn't have the command but can show a document. Only
// then does the server announce the command: a client that has it would fail.
func TestShowOverrides(t *testing.T) {
	showing := `{"window": {"showDocument": {"support": true}}}`
	for _, test := range []struct {
		capabilities, options string
		command               string // of the lens
		isAnnounced           bool
	}{
		{showing, `null`, "tofumerge.showOverrides", true},
		{showing, `{"commands": ["tofumerge.showOverrides"]}`, "tofumerge.showOverrides", false},
		{`{}`, `null`, "", false},
	} {
		p, offered := connectEditor(t, test.capabilities, test.options, overrideText)
		offer, _ := json.Marshal(offered.Capabilities.ExecuteCommandProvider)
		if is := strings.Contains(string(offer), "tofumerge.showOverrides"); is != test.isAnnounced {
			t.Errorf("%s %s: offers %s", test.capabilities, test.options, offer)
		}
		var lenses []protocol.CodeLens
		m := p.call("textDocument/codeLens", aboutDocument(overrideURI))
		if err := json.Unmarshal(m.Result, &lenses); err != nil || len(lenses) != 1 || lenses[0].Command.Command != test.command {
			t.Fatalf("%s %s: %s %+v", test.capabilities, test.options, m.Result, err)
		}
		m = p.call("workspace/executeCommand", lenses[0].Command)
		if isFine := test.isAnnounced || test.command == ""; (m.Error == nil) != isFine {
			t.Errorf("%s %s: %+v", test.capabilities, test.options, m.Error)
		}
		if test.isAnnounced {
			want := `{"uri":"file:///m/main.tf","takeFocus":true,"selection":{"start":{"line":0,"character":0},"end":{"line":0,"character":18}}}`
			if shown := p.wait("a document to show", func(m message) bool { return m.Method == "window/showDocument" }); string(shown.Params) != want {
				t.Errorf("%s, want %s", shown.Params, want)
			}
		}
	}
}

// If a lens has several locations and the client can ask, the user chooses one of them.
func TestChooseOverride(t *testing.T) {
	places := `[{"uri":"file:///m/a.tf","range":{"start":{"line":0},"end":{"line":0}}},{"uri":"file:///m/a.tf","range":{"start":{"line":0,"character":9},"end":{"line":0}}},
		{"uri":"file:///m/b%20b.tf","range":{"start":{"line":4},"end":{"line":4}}}]`
	const asking, silent = `{"window": {"showDocument": {"support": true}, "showMessage": {}}}`, `{"window": {"showDocument": {"support": true}, "showMessage": null}}`
	for _, test := range []struct {
		capabilities, response string // the response of the client; empty if it isn't asked
		shown                  string // empty for none
	}{
		{silent, ``, "file:///m/a.tf"},
		{asking, `"result": {"title": "b b.tf:5"}`, "file:///m/b%20b.tf"},
		{asking, `"result": {"title": "a.tf:1"}`, "file:///m/a.tf"},
		{asking, `"result": {"title": "no such"}`, ""},
		{asking, `"result": null`, ""},
		{asking, `"error": {"code": -32601, "message": "no such method"}`, "file:///m/a.tf"},
	} {
		p, _ := connectEditor(t, test.capabilities, `null`, overrideText)
		arguments := []any{overrideURI, protocol.Position{}, json.RawMessage(places)}
		if m := p.call("workspace/executeCommand", map[string]any{"command": "tofumerge.showOverrides", "arguments": arguments}); m.Error != nil {
			t.Fatal(m.Error)
		}
		if test.response != "" {
			asked := p.wait("a question", func(m message) bool { return m.Method == "window/showMessageRequest" })
			if want := `{"type":3,"message":"Go to","actions":[{"title":"a.tf:1"},{"title":"b b.tf:5"}]}`; string(asked.Params) != want {
				t.Errorf("asks %s, want %s", asked.Params, want)
			}
			p.send(json.RawMessage(`{"jsonrpc": "2.0", "id": ` + string(asked.ID) + `, ` + test.response + `}`))
		}
		if test.shown == "" {
			p.none("window/showDocument")
			continue
		}
		shown := p.wait("a document to show", func(m message) bool { return m.Method == "window/showDocument" })
		if !strings.Contains(string(shown.Params), `"uri":"`+test.shown+`"`) {
			t.Errorf("%s: %s, want %s", test.response, shown.Params, test.shown)
		}
	}
}

// A user who doesn't answer isn't taken anywhere.
func TestChooseNothing(t *testing.T) {
	p := connectWith(t, Options{Analyst: &fakeAnalyst{}, Traces: true, userPatience: time.Millisecond})
	p.initialize(`{"window": {"showDocument": {"support": true}, "showMessage": {}}}`)
	places := json.RawMessage(`[{"uri":"file:///m/a.tf"},{"uri":"file:///m/b.tf"}]`)
	arguments := []any{"file:///m/main.tf", protocol.Position{}, places}
	if m := p.call("workspace/executeCommand", map[string]any{"command": "tofumerge.showOverrides", "arguments": arguments}); m.Error != nil {
		t.Fatal(m.Error)
	}
	p.wait("a question", func(m message) bool { return m.Method == "window/showMessageRequest" })
	for end := time.Now().Add(patience); !strings.Contains(p.log.String(), context.DeadlineExceeded.Error()); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the server waits on:\n%s", p.log.String())
		}
	}
	p.none("window/showDocument")
}
