package langserver

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// A mergingAnalyst merges the open files with others, and refuses every fix.
type mergingAnalyst struct {
	fakeAnalyst
	t      *testing.T
	others map[string][]byte
}

func (a *mergingAnalyst) With(json.RawMessage) (view.Analyst, error) { return a, nil }

func (a *mergingAnalyst) Analyse(_ context.Context, r view.Request) (*view.View, error) {
	files := maps.Clone(a.others)
	maps.Copy(files, r.Open)
	src, diags := loadtest.Files(a.t, files, load.Options{Engine: engine.Default()})
	merged, more := merge.Files(src, merge.Options{})
	diags = slices.Concat(diags, more)
	found := check.Findings(merged, slices.Clone(diags), func(string) bool { return true })
	return &view.View{Dir: r.Dir, Merged: merged, Diags: diags, Findings: found}, nil
}

func (a *mergingAnalyst) Fix(_ context.Context, r view.Request, at feature.FindingAt) (map[string][]byte, string, error) {
	if strings.Contains(string(r.Open[at.File]), "w = 1") {
		return nil, "there is a w", nil
	}
	return map[string][]byte{at.File: nil}, "", nil
}

func (a *mergingAnalyst) FixAll(context.Context, view.Request, string) (map[string][]byte, error) {
	return nil, nil
}

const fullCapabilities = `{
	"textDocument": {
		"codeAction": {"disabledSupport": true, "dataSupport": true, "resolveSupport": {"properties": ["edit"]}},
		"completion": {"completionItem": {"snippetSupport": true}}
	},
	"workspace": {"workspaceEdit": {"documentChanges": true}}
}`

const (
	mainURI     = "file:///m/main.tf"
	overrideURI = "file:///m/x_override.tf"
)

// connectEditor starts a server for a client with an open override file.
func connectEditor(t *testing.T, capabilities, options, override string) (*peer, protocol.InitializeResult) {
	t.Helper()
	p := connect(t, &mergingAnalyst{t: t, others: map[string][]byte{
		"main.tf": []byte("resource \"a_b\" \"x\" {\n  v = 1\n  w = 2\n}\n"),
	}})
	var result protocol.InitializeResult
	m := p.call("initialize", map[string]any{
		"capabilities": json.RawMessage(capabilities), "initializationOptions": json.RawMessage(options),
	})
	if err := json.Unmarshal(m.Result, &result); err != nil {
		t.Fatal(err)
	}
	p.notify("initialized", struct{}{})
	p.open(overrideURI, override)
	return p, result
}

// aboutDocument makes parameters about a document, with more fields.
func aboutDocument(uri string, more ...any) map[string]any {
	params := map[string]any{"textDocument": map[string]any{"uri": uri}}
	for i := 0; i+1 < len(more); i += 2 {
		params[more[i].(string)] = more[i+1]
	}
	return params
}

var (
	wholeRange = protocol.Range{End: protocol.Position{Line: 99}}
	noActions  = map[string]any{"diagnostics": []any{}}
)

// Each method for editing answers through the protocol.
func TestEditingMethods(t *testing.T) {
	p, _ := connectEditor(t, fullCapabilities, `{"commands": ["tofumerge.showOverrides"]}`,
		"resource \"a_b\" \"x\" {\n  v = 1\n}\n")
	for _, test := range []struct {
		method string
		params any
		want   string
	}{
		{"textDocument/inlayHint", aboutDocument(overrideURI, "range", wholeRange), `"value":"same as "`},
		{"textDocument/codeLens", aboutDocument(overrideURI), `"title":"overrides main.tf:1","command":"tofumerge.showOverrides","arguments":["file:///m/x_override.tf"`},
		{"textDocument/completion", aboutDocument(overrideURI, "position", protocol.Position{Line: 1}), `"newText":"w = ${1:2}"`},
		{"textDocument/codeAction", aboutDocument(overrideURI, "range", wholeRange, "context", noActions), `"title":"Remove v, which repeats main.tf:2","kind":"quickfix","isPreferred":true,"data":{`},
		{"tofumerge/effective", aboutDocument(overrideURI, "position", protocol.Position{Line: 1, Character: 3}), `"range":{"start":{"line":1,"character":2}`},
		{"tofumerge/effective", aboutDocument(mainURI), `"uri":"tofumerge:///m/effective.tf","content":"resource`},
		{"workspace/textDocumentContent", map[string]any{"uri": "tofumerge:/m/effective.tf?annotate=false"}, `{"text":"resource \"a_b\" \"x\" {\n  v = 1\n  w = 2\n}\n"}`},
		{"workspace/executeCommand", map[string]any{"command": "tofumerge.effective", "arguments": []any{aboutDocument(overrideURI)}}, `"resource`},
		{"workspace/executeCommand", map[string]any{"command": "tofumerge.explain", "arguments": []any{aboutDocument(overrideURI, "position", protocol.Position{Line: 1, Character: 3})}}, `a_b.x.v`},
		{"tofumerge/effective", aboutDocument("untitled:a"), `null`},
		{"textDocument/inlayHint", aboutDocument("file:///m/notes.txt", "range", wholeRange), `null`},
	} {
		m := p.call(test.method, test.params)
		if m.Error != nil || !strings.Contains(string(m.Result), test.want) {
			t.Errorf("%s: %s %+v, want %s", test.method, m.Result, m.Error, test.want)
		}
	}
	params := map[string]any{"command": "tofumerge.other", "arguments": []any{aboutDocument(overrideURI)}}
	if m := p.call("workspace/executeCommand", params); m.Error == nil {
		t.Errorf("%v: %s", params, m.Result)
	}
}

// An action is resolved to an edit of the open version. One that can't be applied comes back
// disabled, and the user gets a message.
func TestResolveAction(t *testing.T) {
	for override, want := range map[string]string{
		"resource \"a_b\" \"x\" {\n  v = 1\n}\n":          `"documentChanges":[{"textDocument":{"uri":"file:///m/x_override.tf","version":1}`,
		"resource \"a_b\" \"x\" {\n  v = 1\n  w = 1\n}\n": `"disabled":{"reason":"there is a w"}`,
	} {
		p, _ := connectEditor(t, fullCapabilities, `null`, override)
		m := p.call("textDocument/codeAction", aboutDocument(overrideURI, "range", wholeRange, "context", noActions))
		var list []json.RawMessage
		if err := json.Unmarshal(m.Result, &list); err != nil || len(list) == 0 {
			t.Fatalf("%s: %v", m.Result, err)
		}
		if m = p.call("codeAction/resolve", list[0]); !strings.Contains(string(m.Result), want) {
			t.Errorf("%s, want %s", m.Result, want)
		}
		if strings.Contains(want, "disabled") {
			p.wait("a message", func(m message) bool { return m.Method == "window/showMessage" })
		}
	}
}

// A client with few capabilities gets edits at once and in the older form, plain texts, and titles
// without commands.
func TestEditingPlainly(t *testing.T) {
	p, _ := connectEditor(t, `{}`, `null`, "resource \"a_b\" \"x\" {\n  v = 1\n}\n")
	for _, test := range []struct {
		method string
		params any
		want   string
	}{
		{"textDocument/codeLens", aboutDocument(overrideURI), `"command":{"title":"overrides main.tf:1","command":""}`},
		{"textDocument/completion", aboutDocument(overrideURI, "position", protocol.Position{Line: 1}), `"newText":"w = 2"`},
		{"textDocument/codeAction", aboutDocument(overrideURI, "range", wholeRange, "context", noActions), `"edit":{"changes":{"file:///m/x_override.tf":[`},
	} {
		if m := p.call(test.method, test.params); !strings.Contains(string(m.Result), test.want) {
			t.Errorf("%s: %s, want %s", test.method, m.Result, test.want)
		}
	}
}

// The client is notified when an effective configuration may have changed. While the module is
// refused, the text shows the last valid one.
func TestEffectiveFollows(t *testing.T) {
	const valid = "resource \"a_b\" \"x\" {\n  v = 3\n}\n"
	p, _ := connectEditor(t, `{}`, `null`, valid)
	if m := p.call("tofumerge/effective", aboutDocument(overrideURI)); !strings.Contains(string(m.Result), `v = 3`) {
		t.Errorf("%s", m.Result)
	}
	p.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": overrideURI, "version": 2},
		"contentChanges": []any{map[string]any{"text": valid + "resource {"}},
	})
	changed := p.wait("a notification", func(m message) bool { return m.Method == "tofumerge/effectiveChanged" })
	if want := `{"directory":"file:///m"}`; string(changed.Params) != want {
		t.Errorf("%s, want %s", changed.Params, want)
	}
	m := p.call("tofumerge/effective", aboutDocument(overrideURI))
	if got := string(m.Result); !strings.Contains(got, "# The engine refuses this module:") || !strings.Contains(got, `v = 3`) {
		t.Errorf("%s", got)
	}
}
