package proxy

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// tree decodes JSON for comparison.
func tree(text string) (v any) {
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return err.Error() + ": " + text
	}
	return v
}

func (s *testSession) same(got json.RawMessage, want string) {
	s.t.Helper()
	if diff := cmp.Diff(tree(want), tree(string(got))); diff != "" {
		s.t.Errorf("(-want +got)\n%s", diff)
	}
}

// Each server gets its own parameters, and the editor gets the capabilities of both.
func TestInitialize(t *testing.T) {
	s := join(t, quick, ourDouble(nil), func(int) *double {
		return newDouble(map[string]string{"initialize": `{"capabilities":{"positionEncoding":"utf-32",` + theirOffers + `},` + theirInfo + `}`})
	})
	m := s.initialize(`{"processId":1,"rootUri":null,"workspaceFolders":[{"uri":"file:///a","name":"a"}],
		"initializationOptions":{"tofumerge":{"redact":true},"indexing":{"x":1}},
		"capabilities":{"general":{"positionEncodings":["utf-8","utf-32"]},"textDocument":{"hover":{"dynamicRegistration":true},"rename":{"dynamicRegistration":true}}}}`)
	s.same(m.Result, `{"serverInfo":{"name":"tofumerge"},"capabilities":{"positionEncoding":"utf-32","hoverProvider":true,"definitionProvider":true,
		"referencesProvider":true,"codeActionProvider":{"codeActionKinds":["quickfix","source.formatAll"],"resolveProvider":true},
		"inlayHintProvider":{"resolveProvider":true},"documentLinkProvider":{},"completionProvider":{"triggerCharacters":["."],"resolveProvider":true},
		"documentFormattingProvider":true,"experimental":{"x":1},
		"executeCommandProvider":{"commands":["tofumerge.effective","theirs.run","tofumerge.hiddenDiagnostics"]},
		"textDocumentSync":{"openClose":true,"change":2,"save":true,"willSaveWaitUntil":true},
		"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":"id"}}}}`)
	s.same(s.ours.method(t, "initialize").Params, `{"processId":1,"rootUri":null,"workspaceFolders":[{"uri":"file:///a","name":"a"}],
		"initializationOptions":{"redact":true},
		"capabilities":{"general":{"positionEncodings":["utf-32"]},"textDocument":{"hover":{"dynamicRegistration":true},"rename":{"dynamicRegistration":true}}}}`)
	s.same(s.other(0).method(t, "initialize").Params, `{"processId":4711,"rootUri":null,"workspaceFolders":[{"uri":"file:///a","name":"a"}],
		"initializationOptions":{"indexing":{"x":1}},
		"capabilities":{"general":{"positionEncodings":["utf-8","utf-32"]},"textDocument":{"hover":{"dynamicRegistration":false},"rename":{"dynamicRegistration":true}}}}`)
	s.ours.method(t, "initialized")
	s.other(0).method(t, "initialized")
	if again := s.call("1", "initialize", "{}"); again.Result == nil {
		t.Errorf("%+v", again)
	}
	s.ours.method(t, "initialize")
	s.other(0).none(t, "initialize")
	if len(s.theirs) > 1 {
		t.Error("the other server was started again")
	}
}

// A session without the other server continues, and its user learns why.
func TestNotStarted(t *testing.T) {
	silent := func(int) *double {
		d := theirDouble(nil)
		d.answers["initialize"] = func(message) *message { return nil }
		return d
	}
	failing := func(int) *double {
		d := theirDouble(nil)
		d.answers["initialize"] = func(message) *message { m := failure(-32000, "bad options"); return &m }
		return d
	}
	ending := func(int) *double { return newDouble(map[string]string{"initialize": "1"}) }
	impatient := quick
	impatient.start = 20 * time.Millisecond
	for _, x := range []struct {
		limits times
		theirs func(int) *double
		why    string
	}{
		{quick, func(int) *double { return nil }, "no such program"},
		{impatient, silent, "not ready within 20ms"},
		{quick, failing, "bad options"},
		{quick, ending, "can't be initialized"},
	} {
		s := join(t, x.limits, ourDouble(map[string]string{"textDocument/hover": `{"contents":{"kind":"plaintext","value":"own"}}`}), x.theirs)
		m := s.initialize("{}")
		if o := objectOf(objectOf(m.Result)["capabilities"]); !isOffered(o, "hoverProvider") || isOffered(o, "documentFormattingProvider") {
			t.Errorf("%s: %s", x.why, m.Result)
		}
		s.logs(x.why)
		s.editor.method(t, "window/showMessage")
		if got := s.call("1", "textDocument/hover", "{}"); got.Result == nil {
			t.Errorf("%s: %s", x.why, got.Error)
		}
		if got := s.call("2", "textDocument/formatting", "{}"); got.code() != protocol.CodeRequestFailed {
			t.Errorf("%s: %+v", x.why, got)
		}
	}
}

// Exit and shutdown reach both servers, and a server that doesn't end is killed.
func TestEnd(t *testing.T) {
	for _, isDeaf := range []bool{false, true} {
		s := join(t, quick, ourDouble(nil), func(int) *double {
			d := theirDouble(nil)
			if isDeaf {
				d.answers["shutdown"] = func(message) *message { return nil }
			}
			return d
		})
		s.initialize("{}")
		s.ours.method(t, "initialized")
		if m := s.call("1", "shutdown", ""); string(m.Result) != "null" {
			t.Errorf("%+v", m)
		}
		s.editor.notify("exit", "")
		if err := <-s.end; err != nil {
			t.Error(err)
		}
		s.end <- nil
		s.other(0).method(t, "exit")
	}
}

// A server that crashes is started again, with the texts and settings of that moment. Meanwhile its
// diagnostics and registrations are withdrawn, and requests for it fail.
func TestCrash(t *testing.T) {
	s := join(t, quick, ourDouble(nil), func(start int) *double {
		d := theirDouble(nil)
		if start == 0 {
			d.answers["textDocument/formatting"] = func(message) *message { return nil }
		}
		return d
	})
	s.initialize(`{"workspaceFolders":[{"uri":"file:///a","name":"a"}]}`)
	first := s.other(0)
	first.method(t, "initialized")
	s.editor.notify("workspace/didChangeWorkspaceFolders", `{"event":{"added":[{"uri":"file:///b","name":"b"}],"removed":[{"uri":"file:///a","name":"a"}]}}`)
	s.editor.notify("workspace/didChangeConfiguration", `{"settings":{"x":1}}`)
	s.editor.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///b/1.tf","languageId":"terraform","version":1,"text":"ab"}}`)
	s.editor.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///b/2.tf","languageId":"terraform","version":1,"text":""}}`)
	s.editor.notify("textDocument/didClose", `{"textDocument":{"uri":"file:///b/2.tf"}}`)
	s.editor.notify("textDocument/didChange", `{"textDocument":{"uri":"file:///b/1.tf","version":7},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":1}},"text":"ü"}]}`)
	first.method(t, "textDocument/didChange")
	first.send(message{ID: json.RawMessage("5"), Method: "client/registerCapability", Params: json.RawMessage(`{"registrations":[{"id":"r","method":"workspace/didChangeWatchedFiles"},{"id":"h","method":"textDocument/hover"}]}`)})
	registered := s.editor.method(t, "client/registerCapability")
	s.same(registered.Params, `{"registrations":[{"id":"r","method":"workspace/didChangeWatchedFiles"}]}`)
	s.editor.send(message{ID: registered.ID, Result: null})
	first.answer(t, "5")
	first.notify(publishMethod, `{"uri":"file:///b/1.tf","diagnostics":[{"message":"m"}]}`)
	s.editor.method(t, publishMethod)
	s.ask("2", "textDocument/formatting", "{}")
	first.method(t, "textDocument/formatting")
	s.kill(0)
	if m := s.editor.answer(t, "2"); m.code() != protocol.CodeRequestFailed {
		t.Errorf("%+v", m)
	}
	s.same(s.editor.method(t, publishMethod).Params, `{"uri":"file:///b/1.tf","diagnostics":[]}`)
	s.same(s.editor.method(t, "client/unregisterCapability").Params, `{"unregisterations":[{"id":"r","method":"workspace/didChangeWatchedFiles"}]}`)
	second := s.other(1)
	s.same(objectOf(second.method(t, "initialize").Params)["workspaceFolders"], `[{"uri":"file:///b","name":"b"}]`)
	second.method(t, "initialized")
	s.same(second.method(t, "workspace/didChangeConfiguration").Params, `{"settings":{"x":1}}`)
	s.same(second.method(t, "textDocument/didOpen").Params, `{"textDocument":{"uri":"file:///b/1.tf","languageId":"terraform","version":7,"text":"aüb"}}`)
	second.none(t, "textDocument/didOpen")
	if m := s.call("3", "textDocument/formatting", "{}"); m.Error != nil {
		t.Errorf("%s", m.Error)
	}
}

// A server that keeps crashing is given up, and its user gets a message.
func TestGivenUp(t *testing.T) {
	s := join(t, quick, ourDouble(nil), same(nil))
	s.initialize("{}")
	for start := range quick.starts {
		s.other(start).method(t, "initialized")
		s.kill(start)
	}
	s.logs("is not started again")
	s.editor.method(t, "window/showMessage")
	if m := s.call("1", "textDocument/formatting", "{}"); !strings.Contains(string(m.Error), "other is not running") {
		t.Errorf("%+v", m)
	}
	if m := s.call("2", "textDocument/references", "{}"); m.Error != nil {
		t.Errorf("%s", m.Error)
	}
}

// A server that uses another position encoding after a restart can't take part.
func TestOtherEncoding(t *testing.T) {
	s := join(t, quick, ourDouble(nil), func(start int) *double {
		if start == 0 {
			return theirDouble(nil)
		}
		return newDouble(map[string]string{"initialize": `{"capabilities":{"positionEncoding":"utf-8"}}`})
	})
	s.initialize("{}")
	s.other(0).method(t, "initialized")
	s.kill(0)
	s.logs("counts positions differently")
	s.logs("is not started again")
}
