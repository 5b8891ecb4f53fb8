package proxy

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// Two results are merged, and the result of a single server stays unchanged.
func TestMerge(t *testing.T) {
	const link = `{"targetUri":"file:///l","targetRange":0,"targetSelectionRange":1}`
	for _, x := range []struct{ method, ours, theirs, want string }{
		{"hover", `{"contents":{"kind":"markdown","value":"own\n"},"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}}`, `{"contents":{"kind":"markdown","value":"other"}}`,
			`{"contents":{"kind":"markdown","value":"own\n\n---\n\nother"},"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}}`},
		{"hover", `{"contents":{"kind":"plaintext","value":"own"}}`, `{"contents":["a",{"language":"hcl","value":"b"}]}`, `{"contents":{"kind":"plaintext","value":"own\n\na\n\n` + "```hcl\\nb\\n```" + `"}}`},
		{"hover", `{"contents":{"kind":"markdown","value":"own"}}`, `{"contents":{"kind":"plaintext","value":"*` + "```" + `"}}`,
			`{"contents":{"kind":"markdown","value":"own\n\n---\n\n` + "````text\\n*```\\n````" + `"}}`},
		{"hover", `{"contents":{"kind":"plaintext","value":"own"}}`, `{"contents":[]}`, `{"contents":{"kind":"plaintext","value":"own"}}`},
		{"hover", `null`, `{"contents":"other"}`, `{"contents":"other"}`},
		{"hover", `null`, `null`, `null`},
		{"definition", `[` + link + `]`, `{"uri":"file:///d","range":2}`, `[{"uri":"file:///l","range":1},{"uri":"file:///d","range":2}]`},
		{"definition", `[` + link + `]`, `[` + link + `]`, `[` + link + `]`},
		{"definition", `[` + link + `]`, `[{"range":1,"uri":"file:///l"}]`, `[{"uri":"file:///l","range":1}]`},
		{"completion", `[1]`, `[2]`, `[2]`},
		{"references", `[1]`, `[2]`, `[1]`}, // the other server has none
		{"formatting", `[1]`, `[2]`, `[2]`},
		{"codeAction", `[{"title":"a","data":{"x":1}},{"title":"b"}]`, `[{"title":"c","data":1}]`,
			`[{"title":"a","data":{"tofumerge":{"x":1}}},{"title":"b","data":{"tofumerge":null}},{"title":"c","data":1}]`},
		{"codeAction", `null`, `null`, `null`},
		{"documentLink", `[{"target":"a"}]`, `[{"target":"b"}]`, `[{"target":"a","data":{"tofumerge":null}}]`},
	} {
		method := "textDocument/" + x.method
		s := join(t, quick, ourDouble(map[string]string{method: x.ours}), same(map[string]string{method: x.theirs}))
		s.initialize("{}")
		s.same(s.call("1", method, `{"textDocument":{"uri":"file:///a.tf"}}`).Result, x.want)
	}
}

// Symbols are joined if both lists have the same form, and an empty list has that of symbols with
// locations.
func TestMergeSymbols(t *testing.T) {
	const tree, flat = `{"name":"t","selectionRange":0}`, `{"name":"f","location":0}`
	for _, x := range []struct{ ours, theirs, want string }{
		{`[` + tree + `]`, `[{"name":"u","selectionRange":1}]`, `[{"name":"u","selectionRange":1},` + tree + `]`},
		{`[` + tree + `]`, `[` + flat + `]`, `[` + flat + `]`},
		{`[]`, `[` + flat + `]`, `[` + flat + `]`},
		{`[` + flat + `]`, `[]`, `[` + flat + `]`},
	} {
		if got := string(mergeSymbols(json.RawMessage(x.ours), json.RawMessage(x.theirs))); got != x.want {
			t.Errorf("%s and %s: %s, want %s", x.ours, x.theirs, got, x.want)
		}
	}
}

// A text that became unknown, because it was too large, is known again when the editor sends all of
// it.
func TestTextKnownAgain(t *testing.T) {
	p := newProxy(Options{MaxFileSize: 5})
	p.encoding = "utf-16"
	const named = `{"textDocument":{"uri":"file:///a.tf","version":2`
	p.opens(json.RawMessage(named + `,"text":"0123456789"}}`))
	for _, x := range []struct{ change, want string }{
		{`{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":10}},"text":"ab"}`, ""},
		{`{"text":"cd"}`, "cd"},
		{`{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":1}},"text":"x"}`, "cxd"},
		{`{"text":"0123456789"}`, ""},
	} {
		p.changes(json.RawMessage(named + `},"contentChanges":[` + x.change + `]}`))
		got := ""
		if text := p.open["file:///a.tf"].text; text != nil {
			got = string(text.Bytes())
		}
		if got != x.want {
			t.Errorf("after %s the text is %q, want %q", x.change, got, x.want)
		}
	}
}

// A report in which nothing may be false passes without a question to this server.
func TestNothingSuspected(t *testing.T) {
	p := newProxy(Options{}) // which has no server to ask
	const report = `{"items":[{"message":"m"}],"kind":"full","relatedDocuments":{"file:///b.tf":{"items":[],"kind":"full"}}}`
	if got := p.withoutFalse(json.RawMessage(`{"textDocument":{"uri":"file:///a.tf"}}`), json.RawMessage(report)); string(got) != report {
		t.Errorf("the report became %s", got)
	}
}

// An error of the other server is only used if this one has no answer; the error that the text has
// changed is always used, because the editor sends the request again.
func TestErrors(t *testing.T) {
	ok := &message{Result: json.RawMessage(`{"contents":{"kind":"plaintext","value":"x"}}`)}
	bad, modified := failure(-32603, "bad"), failure(protocol.CodeContentModified, "modified")
	for _, x := range []struct {
		ours, theirs *message
		want         int64
	}{{ok, ok, 0}, {ok, &bad, 0}, {&bad, ok, 0}, {&bad, &bad, -32603}, {&modified, ok, protocol.CodeContentModified}, {&modified, &bad, protocol.CodeContentModified}} {
		ours := ourDouble(nil)
		ours.answers["textDocument/hover"] = func(message) *message { return x.ours }
		s := join(t, quick, ours, func(int) *double {
			d := theirDouble(nil)
			d.answers["textDocument/hover"] = func(message) *message { return x.theirs }
			return d
		})
		s.initialize("{}")
		if got := s.call("1", "textDocument/hover", "{}"); got.code() != x.want {
			t.Errorf("%s and %s: %+v", x.ours.Error, x.theirs.Error, got)
		}
	}
}

// An item that is sent back is sent to the server that made it, in its original form.
func TestResolve(t *testing.T) {
	ours := ourDouble(nil)
	missing := failure(-32601, "no such method")
	ours.answers["inlayHint/resolve"] = func(message) *message { return &missing }
	s := join(t, quick, ours, same(map[string]string{"codeAction/resolve": `"theirs"`, "inlayHint/resolve": `"theirs"`, "completionItem/resolve": `"theirs"`}))
	s.initialize("{}")
	s.call("1", "codeAction/resolve", `{"title":"a","data":{"tofumerge":{"x":1}}}`)
	s.same(ours.method(t, "codeAction/resolve").Params, `{"title":"a","data":{"x":1}}`)
	s.same(s.call("2", "codeAction/resolve", `{"title":"a","data":{"tofumerge":1,"x":1}}`).Result, `"theirs"`)
	s.same(s.call("3", "inlayHint/resolve", `{"range":1,"data":{"tofumerge":null}}`).Result, `{"range":1}`)
	s.same(s.call("4", "completionItem/resolve", `{"label":"a"}`).Result, `"theirs"`)
}

// Methods, notifications and commands that the proxy doesn't know pass in both directions, with
// the ids of each side.
func TestPass(t *testing.T) {
	ours := ourDouble(map[string]string{"tofumerge/effective": `"own"`, "workspace/executeCommand": `"own"`})
	s := join(t, quick, ours, same(map[string]string{"module/calls": `{"x":[1]}`, "workspace/executeCommand": `"theirs"`}))
	s.initialize("{}")
	theirs := s.other(0)
	s.same(s.call(`"one"`, "module/calls", `[1]`).Result, `{"x":[1]}`)
	s.same(theirs.method(t, "module/calls").Params, `[1]`)
	s.same(s.call("2", "tofumerge/effective", `{}`).Result, `"own"`)
	s.same(s.call("3", "workspace/executeCommand", `{"command":"tofumerge.effective"}`).Result, `"own"`)
	s.same(s.call("4", "workspace/executeCommand", `{"command":"theirs.run"}`).Result, `"theirs"`)
	s.editor.answers["workspace/configuration"] = func(message) *message { return nil }
	s.editor.notify("custom/notice", `{"a":1}`)
	theirs.method(t, "custom/notice")
	for _, from := range []*double{ours, theirs} {
		from.send(message{ID: json.RawMessage(`"c"`), Method: "workspace/configuration", Params: json.RawMessage(`{"items":[]}`)})
		from.notify("$/progress", `{"token":1}`)
		s.editor.method(t, "$/progress")
	}
	first, second := s.editor.method(t, "workspace/configuration"), s.editor.method(t, "workspace/configuration")
	if string(first.ID) == string(second.ID) {
		t.Error("two requests have the same id")
	}
	s.editor.send(message{ID: first.ID, Result: json.RawMessage(`[1]`)})
	s.editor.send(message{ID: second.ID, Error: json.RawMessage(`{"code":1,"message":"no"}`)})
	a, b := ours.answer(t, `"c"`), theirs.answer(t, `"c"`)
	if (a.code() == 1) == (b.code() == 1) {
		t.Errorf("%+v %+v", a, b)
	}
}

// A cancelled request is answered at once, and the servers that work on it are notified.
func TestCancel(t *testing.T) {
	ours := ourDouble(nil)
	ours.answers["textDocument/hover"] = func(message) *message { return nil }
	s := join(t, quick, ours, func(int) *double {
		d := theirDouble(nil)
		d.answers["textDocument/hover"] = func(message) *message { return nil }
		return d
	})
	s.initialize("{}")
	theirs := s.other(0)
	s.ask("1", "textDocument/hover", "{}")
	ids := []json.RawMessage{ours.method(t, "textDocument/hover").ID, theirs.method(t, "textDocument/hover").ID}
	s.editor.notify("$/cancelRequest", `{"id":1}`)
	if m := s.editor.answer(t, "1"); m.code() != protocol.CodeRequestCancelled {
		t.Errorf("%+v", m)
	}
	for i, d := range []*double{ours, theirs} {
		s.same(d.method(t, "$/cancelRequest").Params, `{"id":`+string(ids[i])+`}`)
		d.send(message{ID: ids[i], Result: null}) // too late
	}
	s.editor.answers["window/showMessageRequest"] = func(message) *message { return nil }
	theirs.send(message{ID: json.RawMessage("9"), Method: "window/showMessageRequest", Params: json.RawMessage("{}")})
	asked := s.editor.method(t, "window/showMessageRequest")
	theirs.notify("$/cancelRequest", `{"id":9}`)
	s.same(s.editor.method(t, "$/cancelRequest").Params, `{"id":`+string(asked.ID)+`}`)
	theirs.answer(t, "9")
}

// A server that doesn't answer holds nothing up for ever.
func TestSilent(t *testing.T) {
	impatient := quick
	impatient.merge, impatient.answer = 10*time.Millisecond, 20*time.Millisecond
	hover := `{"contents":{"kind":"plaintext","value":"own"}}`
	s := join(t, impatient, ourDouble(map[string]string{"textDocument/hover": hover}), func(int) *double {
		d := theirDouble(nil)
		for _, method := range []string{"textDocument/hover", "textDocument/formatting"} {
			d.answers[method] = func(message) *message { return nil }
		}
		return d
	})
	s.initialize("{}")
	s.same(s.call("1", "textDocument/hover", "{}").Result, hover)
	s.logs("the answer is without it")
	s.other(0).method(t, "$/cancelRequest")
	if m := s.call("2", "textDocument/formatting", "{}"); m.code() != protocol.CodeRequestFailed {
		t.Errorf("%+v", m)
	}
}

// A server that wants whole texts gets them, and one that wants none gets none.
func TestSync(t *testing.T) {
	for offer, want := range map[string]string{
		`1`:                              `[{"text":"axb"}]`,
		`{"openClose":true,"change":1}`:  `[{"text":"axb"}]`,
		`2`:                              `[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":1}},"text":"x"}]`,
		`{"openClose":false,"change":0}`: ``,
	} {
		s := join(t, quick, ourDouble(nil), func(int) *double {
			return newDouble(map[string]string{"initialize": `{"capabilities":{"textDocumentSync":` + offer + `}}`})
		})
		s.initialize("{}")
		s.editor.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///a.tf","languageId":"terraform","version":1,"text":"ab"}}`)
		s.editor.notify("textDocument/didChange", `{"textDocument":{"uri":"file:///a.tf","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":1}},"text":"x"}]}`)
		s.editor.notify("custom/done", `{}`)
		s.other(0).method(t, "custom/done")
		if want == "" {
			s.other(0).none(t, "textDocument/didOpen")
			s.other(0).none(t, "textDocument/didChange")
			continue
		}
		s.other(0).method(t, "textDocument/didOpen")
		s.same(objectOf(s.other(0).method(t, "textDocument/didChange").Params)["contentChanges"], want)
	}
}
