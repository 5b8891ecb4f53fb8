package langserver

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// Diagnostics are about the open text and have its version. They are removed with the last
// document of a module.
func TestPublished(t *testing.T) {
	p := connect(t, &fakeAnalyst{})
	p.initialize(`{}`)
	dir := string(view.URIOf(t.TempDir()))
	a, b := dir+"/a.tf", dir+"/b.tf"
	want := func(uri, want string) {
		t.Helper()
		if got := p.published(uri); got != want {
			t.Errorf("%s: %s, want %s", filepath.Base(uri), got, want)
		}
	}
	p.open(a, "one")
	want(a, "1 one")
	p.open(b, "two")
	want(b, "1 two")
	p.edit(a, 5, "three")
	want(a, "5 three")
	p.edit(a, 4, "back") // versions must not decrease, but the client has this one
	want(a, "4 back")
	p.edit(a, 6, "")
	want(a, "6") // an empty list, with the version
	p.close(b)
	want(b, "-")
	p.open("untitled:x.tf", "not a file")
	p.open("git:/a.tf", "another scheme")
	p.open(dir+"/x.txt", "not a part of the module")
	p.close(a)
	want(a, "-")
	p.none("textDocument/publishDiagnostics")
	p.edit(a, 6, "closed")
	p.close(a)
	p.call("no/such", nil) // by its answer, the server has looked at everything before
	p.none("textDocument/publishDiagnostics")
	if log := p.log.String(); strings.Count(log, "the document is not open") != 2 {
		t.Errorf("log: %s", log)
	}
}

// Of a document above the limit nothing is known, until its whole text is sent again and is short enough.
func TestLargeDocument(t *testing.T) {
	p := connect(t, &fakeAnalyst{})
	p.initialize(`{}`)
	uri, large := string(view.URIOf(t.TempDir()))+"/a.tf", strings.Repeat("#", 1<<20+1)
	p.open(uri, large)
	p.edit(uri, 2, "short")
	if got := p.published(uri); got != "2 short" {
		t.Errorf("short again: %s", got)
	}
	p.edit(uri, 3, large)
	if got := p.published(uri); got != "-" {
		t.Errorf("too large: %.20s", got)
	}
	if log := p.log.String(); !strings.Contains(log, "the document is larger than 1048576 bytes; the file on disk is used") {
		t.Errorf("log: %s", log)
	}
}

// A burst of edits costs one analysis, and nothing is published about the versions in between.
func TestBurst(t *testing.T) {
	f := &fakeAnalyst{}
	p := connect(t, f)
	p.initialize(`{}`)
	uri := string(view.URIOf(t.TempDir())) + "/a.tf"
	p.open(uri, "")
	for f.count() == 0 {
		time.Sleep(time.Millisecond)
	}
	begun := time.Now()
	for i := range 200 {
		p.edit(uri, i+2, fmt.Sprint("text ", i))
	}
	for got := ""; got != "201 text 199"; {
		got = p.published(uri)
	}
	n := f.count()
	pauses := int(time.Since(begun) / quiet) // of a slow machine, each with an analysis
	if n > 2+pauses || n > 200 {
		t.Errorf("%d analyses for 200 edits, with at most %d pauses", n, pauses)
	}
}

// An edit cancels an analysis of the text before, whose diagnostics are never published.
func TestStaleAnalysis(t *testing.T) {
	begun, cancelled := make(chan bool), make(chan bool)
	f := &fakeAnalyst{}
	f.look = func(ctx context.Context, r view.Request) error {
		if string(r.Open["a.tf"]) == "old" {
			close(begun)
			<-ctx.Done()
			close(cancelled)
		}
		return nil // as if it had finished
	}
	p := connect(t, f)
	p.initialize(`{}`)
	uri := string(view.URIOf(t.TempDir())) + "/a.tf"
	p.open(uri, "old")
	<-begun
	p.edit(uri, 2, "new")
	<-cancelled
	if got := p.published(uri); got != "2 new" {
		t.Errorf("published %s", got)
	}
	p.none("textDocument/publishDiagnostics")
}

// Diagnostics that the client has already are not sent again.
func TestUnchanged(t *testing.T) {
	p := connect(t, &fakeAnalyst{})
	p.initialize(pulling)
	uri := string(view.URIOf(t.TempDir())) + "/a.tf"
	p.open(uri, "one")
	var first, second protocol.DocumentDiagnosticReport
	_ = json.Unmarshal(p.call("textDocument/diagnostic", about1(uri)).Result, &first)
	again := map[string]any{"textDocument": map[string]any{"uri": uri}, "previousResultId": first.ResultID}
	_ = json.Unmarshal(p.call("textDocument/diagnostic", again).Result, &second)
	if first.Kind != "full" || second.Kind != "unchanged" || second.Items != nil || second.ResultID != first.ResultID {
		t.Errorf("first %+v, then %+v", first, second)
	}
}
