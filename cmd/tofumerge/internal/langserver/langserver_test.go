package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// Requests are refused outside of their phase, and exit ends the server.
func TestLifecycle(t *testing.T) {
	p := connect(t, &fakeAnalyst{})
	code := func(m message) int {
		if m.Error == nil {
			return 0
		}
		return m.Error.Code
	}
	for _, step := range []struct {
		method string
		params any
		want   int
	}{
		{"textDocument/diagnostic", nil, -32002},
		{"initialize", []int{1}, -32602},
		{"initialize", struct{}{}, 0},
		{"initialize", struct{}{}, -32600},
		{"no/such", nil, -32601},
		{"$/no/such", nil, -32601},
		{"textDocument/diagnostic", "x", -32602},
		{"shutdown", nil, 0},
		{"shutdown", nil, -32600},
	} {
		p.notify("$/no/such", nil)
		if got := code(p.call(step.method, step.params)); got != step.want {
			t.Errorf("%s: error %d, want %d", step.method, got, step.want)
		}
	}
	p.notify("exit", nil)
	if err := <-p.end; err != nil {
		t.Error(err)
	}
}

// A session that ends without a shutdown request is an error.
func TestEndedEarly(t *testing.T) {
	for _, exits := range []bool{true, false} {
		p := connect(t, &fakeAnalyst{})
		p.initialize(`{}`)
		if exits {
			p.notify("exit", nil)
		} else {
			p.in.(interface{ Close() error }).Close()
		}
		if err := <-p.end; !errors.Is(err, errEndedEarly) {
			t.Error(err)
		}
	}
}

// The server survives a panic in an analysis.
func TestCrashes(t *testing.T) {
	f := &fakeAnalyst{}
	f.look = func(_ context.Context, r view.Request) error {
		if string(r.Open["a.tf"]) == "bad" {
			panic("oops")
		}
		return nil
	}
	p := connect(t, f)
	p.initialize(`{}`)
	uri := string(view.URIOf(t.TempDir())) + "/a.tf"
	p.open(uri, "good")
	p.published(uri)
	p.edit(uri, 2, "bad")
	if got := p.published(uri); got != "2" {
		t.Errorf("published %s", got)
	}
	p.edit(uri, 3, "better")
	if got := p.published(uri); got != "3 better" {
		t.Errorf("published %s", got)
	}
	if !strings.Contains(p.log.String(), "crashed: oops") {
		t.Errorf("log: %s", p.log.String())
	}
}

// A directory with several names is one module.
func TestIdentity(t *testing.T) {
	f := &fakeAnalyst{}
	p := connect(t, f)
	p.initialize(`{}`)
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real dir"), filepath.Join(dir, "link")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("the system has no symbolic links")
	}
	a := strings.ReplaceAll(string(view.URIOf(real)), "real%20dir", "%72eal%20dir") + "/a.tf"
	b := string(view.URIOf(link)) + "/b.tf"
	p.open(a, "one")
	if got := p.published(a); got != "1 one" {
		t.Error(got)
	}
	p.open(b, "two")
	if got := p.published(b); got != "1 two" {
		t.Error(got)
	}
	if last := f.last(); !strings.Contains(last, "a.tf=one") || !strings.Contains(last, "b.tf=two") {
		t.Errorf("analysed %s", last)
	}
}

// New settings apply to all modules. Wrong ones are refused with a message.
func TestSettings(t *testing.T) {
	other := &fakeAnalyst{}
	f := &fakeAnalyst{with: func(settings json.RawMessage) (view.Analyst, error) {
		if string(settings) != `{"engine":"x"}` {
			return nil, fmt.Errorf("not %s", settings)
		}
		return other, nil
	}}
	p := connect(t, f)
	p.initialize(`{}`)
	uri := string(view.URIOf(t.TempDir())) + "/a.tf"
	p.open(uri, "one")
	p.published(uri)
	p.notify("workspace/didChangeConfiguration", map[string]any{"settings": nil})
	p.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"tofumerge": 1}})
	shown := p.wait("message", func(m message) bool { return m.Method == "window/showMessage" })
	if !strings.Contains(string(shown.Params), "tofumerge keeps its earlier settings: not 1") {
		t.Errorf("shown: %s", shown.Params)
	}
	p.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"tofumerge": map[string]any{"engine": "x"}}})
	for limit := time.Now().Add(patience); other.count() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("the settings are ignored")
		}
	}
}

// A file that changes on disk causes an analysis of those modules that it may affect.
func TestWatchedFiles(t *testing.T) {
	f := &fakeAnalyst{}
	p := connect(t, f)
	p.initialize(`{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}`)
	registered := p.wait("registration", func(m message) bool { return m.Method == "client/registerCapability" })
	if !strings.Contains(string(registered.Params), `**/*.{tf,tofu}`) {
		t.Errorf("registered: %s", registered.Params)
	}
	top := string(view.URIOf(t.TempDir()))
	p.open(top+"/m/a.tf", "one")
	p.published(top + "/m/a.tf")
	for _, c := range []struct {
		path  string
		looks int
	}{
		{"/m/b.tf", 1}, {"/m/.terraform.lock.hcl", 1}, {"/.tofumerge.hcl", 1}, {"/m", 1}, {"", 1},
		{"/b.tf", 0}, {"/m/sub/b.tf", 0}, {"/mm/.tofumerge.hcl", 0}, {"/other", 1}, // a file beside the module may be a version file
	} {
		before := f.count()
		p.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": top + c.path, "type": 2}}})
		for limit := time.Now().Add(patience); f.count() < before+c.looks && time.Now().Before(limit); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(4 * quiet) // for one too many
		if got := f.count() - before; got != c.looks {
			t.Errorf("%s: %d analyses, want %d", c.path, got, c.looks)
		}
	}
}

// Views are discarded, those first that were not used for the longest time.
func TestManyModules(t *testing.T) {
	f := &fakeAnalyst{}
	p := connect(t, f)
	p.initialize(pulling)
	top := string(view.URIOf(t.TempDir()))
	for i := range 2 * maxViews {
		uri := fmt.Sprintf("%s/%d/a.tf", top, i)
		p.open(uri, "one")
		p.call("textDocument/diagnostic", about1(uri))
	}
	before := f.count()
	last, first := fmt.Sprintf("%s/%d/a.tf", top, 2*maxViews-1), top+"/0/a.tf"
	if m := p.call("textDocument/diagnostic", about1(last)); !strings.Contains(string(m.Result), `"one"`) || f.count() != before {
		t.Errorf("the last view is gone: %d analyses, %s", f.count()-before, m.Result)
	}
	if m := p.call("textDocument/diagnostic", about1(first)); !strings.Contains(string(m.Result), `"one"`) || f.count() != before+1 {
		t.Errorf("the first view: %d analyses, %s", f.count()-before, m.Result)
	}
}

// A client that supports it shows the progress of a slow analysis.
func TestProgress(t *testing.T) {
	release := make(chan bool)
	f := &fakeAnalyst{look: func(context.Context, view.Request) error {
		<-release
		return nil
	}}
	p := connect(t, f)
	p.initialize(`{"window":{"workDoneProgress":true}}`)
	p.open(string(view.URIOf(t.TempDir()))+"/a.tf", "one")
	create := p.wait("progress", func(m message) bool { return m.Method == "window/workDoneProgress/create" })
	p.send(map[string]any{"jsonrpc": "2.0", "id": create.ID, "result": nil})
	for _, kind := range []string{"begin", "end"} {
		m := p.wait(kind, func(m message) bool { return m.Method == "$/progress" })
		if !strings.Contains(string(m.Params), `"kind":"`+kind+`"`) {
			t.Errorf("want %s: %s", kind, m.Params)
		}
		if kind == "begin" {
			close(release)
		}
	}
}

// A change that may affect other documents makes the client refresh, once for many changes.
func TestRefresh(t *testing.T) {
	p := connect(t, &fakeAnalyst{})
	p.initialize(`{"workspace":{"inlayHint":{"refreshSupport":true}}}`)
	dir := string(view.URIOf(t.TempDir()))
	a, b := dir+"/a.tf", dir+"/b.tf"
	p.open(a, "one")
	p.published(a)
	p.edit(a, 2, "two")
	p.published(a)
	time.Sleep(2 * refreshPause)
	p.none("workspace/inlayHint/refresh") // the client itself refreshes a document that it edits
	begun := time.Now()
	p.open(b, "one")
	for i := range 10 {
		p.edit(a, 3+i, fmt.Sprint("text ", i))
		p.published(a)
	}
	isRefresh := func(m message) bool { return m.Method == "workspace/inlayHint/refresh" }
	p.wait("refresh", isRefresh)
	time.Sleep(2 * refreshPause)
	p.call("no/such", nil) // by its answer, everything sent before has arrived
	p.kept = slices.DeleteFunc(p.kept, func(m message) bool { return !isRefresh(m) })
	pauses := int(time.Since(begun) / refreshPause) // of a slow machine, each with a refresh
	if n := 1 + len(p.kept); n > pauses {
		t.Errorf("%d refreshes for 10 edits, with at most %d pauses", n, pauses)
	}
}
