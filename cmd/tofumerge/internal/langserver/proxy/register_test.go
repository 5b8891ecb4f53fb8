package proxy

import (
	"encoding/json"
	"testing"
)

// A registration for a method that this server offers from the start is held back, and so is its
// end. A request in which everything is held back is answered by the proxy.
func TestHeldBackRegistrations(t *testing.T) {
	s := join(t, quick, ourDouble(nil), same(nil))
	s.initialize("{}")
	theirs := s.other(0)
	request := func(id, method, params string) {
		theirs.send(message{ID: json.RawMessage(id), Method: method, Params: json.RawMessage(params)})
	}
	request("1", "client/registerCapability", `{"registrations":[{"id":"h","method":"textDocument/hover"}]}`)
	if m := theirs.answer(t, "1"); string(m.Result) != "null" || m.Error != nil {
		t.Errorf("%+v", m)
	}
	request("2", "client/registerCapability", `{"registrations":[{"id":"r","method":"textDocument/rename"}]}`)
	s.same(s.editor.method(t, "client/registerCapability").Params, `{"registrations":[{"id":"r","method":"textDocument/rename"}]}`)
	theirs.answer(t, "2")
	request("3", "client/unregisterCapability", `{"unregisterations":[{"id":"h","method":"textDocument/hover"},{"id":"r","method":"textDocument/rename"}]}`)
	s.same(s.editor.method(t, "client/unregisterCapability").Params, `{"unregisterations":[{"id":"r","method":"textDocument/rename"}]}`)
	theirs.answer(t, "3")
}
