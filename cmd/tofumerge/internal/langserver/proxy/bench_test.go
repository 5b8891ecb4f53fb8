package proxy

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// BenchmarkRequest measures a request and its answer: with a server directly, through the proxy
// with one server, and with the answers of both merged. The difference is the proxy's overhead.
func BenchmarkRequest(b *testing.B) {
	item := `{"label":"` + strings.Repeat("x", 200) + `"}`
	answers := map[string]string{
		"textDocument/formatting": "[" + strings.Repeat(item+",", 99) + item + "]",
		"textDocument/references": "[" + strings.Repeat(item+",", 99) + item + "]",
	}
	offers := theirDouble(nil).answers["initialize"](message{}).Result
	both := map[string]string{"initialize": strings.Replace(string(offers), `"hoverProvider"`, `"referencesProvider":true,"hoverProvider"`, 1)}
	for method, result := range answers {
		both[method] = result
	}
	b.Run("direct", func(b *testing.B) {
		d, editor := newDouble(answers), newDouble(nil)
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		go func() { _ = d.serve(in, out) }()
		go func() { _ = editor.serve(fromServer, toServer) }()
		s := &testSession{t: b, editor: editor}
		for s.editorStream() == nil {
		}
		benchmarkCalls(b, s, "textDocument/formatting")
		toServer.Close()
	})
	for name, method := range map[string]string{"proxy": "textDocument/formatting", "merged": "textDocument/references"} {
		b.Run(name, func(b *testing.B) {
			s := join(b, quick, ourDouble(answers), func(int) *double { return newDouble(both) })
			s.initialize("{}")
			benchmarkCalls(b, s, method)
		})
	}
}

func benchmarkCalls(b *testing.B, s *testSession, method string) {
	id := 1000
	for b.Loop() {
		id++
		s.editor.send(message{ID: json.RawMessage(fmt.Sprint(id)), Method: method, Params: json.RawMessage(`{"textDocument":{"uri":"file:///a.tf"}}`)})
		s.editor.answer(b, fmt.Sprint(id))
	}
}
