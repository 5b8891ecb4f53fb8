package proxy

import (
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"
)

// A message is a request, a notification or a response. The parts that nobody has to understand
// stay as they were sent.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

var null = json.RawMessage("null")

// encoded is a value as JSON; null if it has none.
func encoded(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return null
	}
	return text
}

// failure is a response with an error.
func failure(code int64, why string) message {
	return message{Error: encoded(jsonrpc2.Error{Code: code, Message: why})}
}

// success is a response with a result.
func success(result any) message { return message{Result: encoded(result)} }

// code is the code of the error in a response; 0 if it has none.
func (m *message) code() int64 {
	var e jsonrpc2.Error
	if m.Error == nil || json.Unmarshal(m.Error, &e) != nil {
		return 0
	}
	return e.Code
}

// isEmpty reports whether JSON is missing or null.
func isEmpty(v json.RawMessage) bool { return len(v) == 0 || string(v) == "null" }

// An object is a JSON object whose members stay as they are.
type object map[string]json.RawMessage

// objectOf decodes an object; nil if it is something else.
func objectOf(v json.RawMessage) object {
	var o object
	if json.Unmarshal(v, &o) != nil {
		return nil
	}
	return o
}

// set replaces the member at a path of names. Objects on the way are made if there are none.
func (o object) set(v any, name string, more ...string) {
	if len(more) == 0 {
		o[name] = encoded(v)
		return
	}
	inner := objectOf(o[name])
	if inner == nil {
		inner = object{}
	}
	inner.set(v, more[0], more[1:]...)
	o[name] = encoded(inner)
}

// listOf decodes a list; a single value is a list of one, and null is empty.
func listOf(v json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	switch {
	case isEmpty(v):
		return nil
	case json.Unmarshal(v, &list) != nil:
		return []json.RawMessage{v}
	}
	return list
}

// textOf decodes a string; empty if it is something else.
func textOf(v json.RawMessage) string {
	var text string
	_ = json.Unmarshal(v, &text)
	return text
}
