package langserver

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// A slowFixer blocks in each fix until the test lets it return.
type slowFixer struct {
	mergingAnalyst
	begun atomic.Int32
	works chan struct{} // gets one of each that begins
	may   chan struct{}
}

func (a *slowFixer) With(json.RawMessage) (view.Analyst, error) { return a, nil }

func (a *slowFixer) FixAll(context.Context, view.Request, string) (map[string][]byte, error) {
	a.begun.Add(1)
	a.works <- struct{}{}
	<-a.may
	return nil, nil
}

// However many requests a client sends, the server makes only a few answers at a time. The other
// requests can be cancelled, and fail if the text changes meanwhile.
func TestTurns(t *testing.T) {
	const n = 50
	a := &slowFixer{mergingAnalyst: mergingAnalyst{t: t, others: map[string][]byte{}}, works: make(chan struct{}, n), may: make(chan struct{})}
	p := connect(t, a)
	p.initialize(`{}`)
	p.open(overrideURI, "locals {}\n")
	p.published(overrideURI)
	var ids []string
	for range n {
		data := map[string]any{"uri": overrideURI, "all": true, "file": "x_override.tf"}
		ids = append(ids, p.ask("codeAction/resolve", map[string]any{"title": "x", "data": data}))
	}
	for range maxAnswers {
		<-a.works
	}
	for _, id := range ids[:maxAnswers+1] { // one of these waits at least
		p.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(id)})
	}
	p.wait("an answer to a cancelled request", func(m message) bool {
		return m.Error != nil && m.Error.Code == protocol.CodeRequestCancelled
	})
	p.edit(overrideURI, 2, "locals {\n}\n")
	p.published(overrideURI)
	close(a.may)
	for range n - 1 {
		p.wait("an answer", func(m message) bool { return m.Method == "" })
	}
	if got := a.begun.Load(); got != maxAnswers {
		t.Errorf("%d fixes began, want %d", got, maxAnswers)
	}
}
