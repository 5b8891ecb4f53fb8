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

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/document"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// What may come when, and what ends the server.
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

// Whoever ends without a shutdown is told so.
func TestEndedEarly(t *testing.T) {
	for _, exits := range []bool{true, false} {
		p := connect(t, &fakeAnalyst{})
		p.initialize(`{}`)
		if exits {
			p.notify("exit", nil)
		} else {
			p.in.(interface{ Close() error }).Close()
		}
		if err := <-p.end; !errors.Is(err, ErrEndedEarly) {
			t.Error(err)
		}
	}
}

// Diagnostics are those of the text that is open, under the version of that, and go with the
// last document of a module.
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
	p.edit(a, 4, "back") // versions may not go back, but this is what the client has
	want(a, "4 back")
	p.edit(a, 6, "")
	want(a, "6") // nothing is wrong, and the client knows of which version
	p.close(b)
	want(b, "-")
	p.open("untitled:x.tf", "no file")
	p.open("git:/a.tf", "another scheme")
	p.open(dir+"/x.txt", "no part")
	p.close(a)
	want(a, "-")
	p.none("textDocument/publishDiagnostics")
	p.edit(a, 6, "closed")
	p.close(a)
	p.none("textDocument/publishDiagnostics")
	if log := p.log.String(); strings.Count(log, "the document is not open") != 2 {
		t.Errorf("log: %s", log)
	}
}

// A burst of edits costs one look, and nothing is published of what is between.
func TestBurst(t *testing.T) {
	f := &fakeAnalyst{}
	p := connect(t, f)
	p.initialize(`{}`)
	uri := string(view.URIOf(t.TempDir())) + "/a.tf"
	p.open(uri, "")
	for f.count() == 0 {
		time.Sleep(time.Millisecond)
	}
	for i := range 200 {
		p.edit(uri, i+2, fmt.Sprint("text ", i))
	}
	for got := ""; got != "201 text 199"; {
		got = p.published(uri)
	}
	if n := f.count(); n > 20 { // a slow machine may part the burst
		t.Errorf("%d looks for 200 edits", n)
	}
}

// A look that an edit makes old is given up, and never published.
func TestStaleLooks(t *testing.T) {
	begun, isGivenUp := make(chan bool), make(chan bool)
	f := &fakeAnalyst{}
	f.look = func(ctx context.Context, r view.Request) error {
		if string(r.Open["a.tf"]) == "old" {
			close(begun)
			<-ctx.Done()
			close(isGivenUp)
		}
		return nil // as if it had not noticed
	}
	p := connect(t, f)
	p.initialize(`{}`)
	uri := string(view.URIOf(t.TempDir())) + "/a.tf"
	p.open(uri, "old")
	<-begun
	p.edit(uri, 2, "new")
	<-isGivenUp
	if got := p.published(uri); got != "2 new" {
		t.Errorf("published %s", got)
	}
	p.none("textDocument/publishDiagnostics")
}

// pulling is a client that asks for diagnostics.
const pulling = `{"textDocument":{"diagnostic":{}},"workspace":{"diagnostics":{"refreshSupport":true}}}`

// A request waits for the look at the text that it is about. It can be cancelled meanwhile,
// and an edit of the document that would move what it asks about answers it.
func TestWaiting(t *testing.T) {
	release := make(chan bool)
	f := &fakeAnalyst{}
	f.look = func(ctx context.Context, r view.Request) error {
		<-release
		return nil
	}
	p := connect(t, f)
	p.initialize(pulling)
	uri := string(view.URIOf(t.TempDir())) + "/a.tf"
	p.open(uri, "one")
	cancelled := p.ask("textDocument/diagnostic", about1(uri))
	p.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(cancelled)})
	if m := p.answer(cancelled); m.Error == nil || m.Error.Code != -32800 {
		t.Errorf("cancelled: %+v", m)
	}
	p.notify("$/cancelRequest", map[string]any{"id": "no such"})
	for _, id := range []any{-7, "seven"} {
		p.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": "textDocument/diagnostic", "params": about1(uri)})
		p.notify("$/cancelRequest", map[string]any{"id": id})
		text, _ := json.Marshal(id)
		if m := p.answer(string(text)); m.Error == nil || m.Error.Code != -32800 {
			t.Errorf("cancelled %s: %+v", text, m)
		}
	}
	waits := p.ask("textDocument/diagnostic", about1(uri))
	closed := p.ask("textDocument/diagnostic", about1("file:///elsewhere/a.tf"))
	if m := p.answer(closed); m.Error != nil || !strings.Contains(string(m.Result), `"items":[]`) {
		t.Errorf("of no document: %+v", m)
	}
	close(release)
	if m := p.answer(waits); !strings.Contains(string(m.Result), `"one"`) {
		t.Errorf("waited: %s", m.Result)
	}
	p.none("textDocument/publishDiagnostics") // whoever asks gets none sent
}

// A request about a place fails where the document is edited before the answer is known.
func TestModified(t *testing.T) {
	s := &server{docs: map[protocol.DocumentURI]*openDocument{}}
	m := &module{server: s, docs: map[protocol.DocumentURI]*openDocument{}, arrived: make(chan struct{}), isActive: true}
	doc := &openDocument{uri: "file:///a.tf", module: m, name: "a.tf", text: textOf("one")}
	s.docs[doc.uri] = doc
	m.state = 1
	place, whole := s.ask(doc.uri), s.ask(doc.uri)
	whole.isWhole = true
	doc.text, m.state = textOf("two"), 2
	m.now = &seen{state: 2, view: &view.View{}}
	if _, err := place.see(context.Background()); !errors.Is(err, errModified) || errorOf(err).Code != -32801 {
		t.Errorf("about a place: %v", err)
	}
	if now, err := whole.see(context.Background()); now != m.now || whole.name != "a.tf" || err != nil {
		t.Errorf("about the whole: %v", err)
	}
}

// What was asked before is not sent again.
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

// A panic is an error of the request, or of the look, and the server goes on.
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

// A file of many names is one module, and one file of it.
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
		t.Skip("no links here")
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
		t.Errorf("looked at %s", last)
	}
}

// Settings that the client sends hold for all modules, those that make no sense for none.
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
	for limit := time.Now().Add(20 * time.Second); other.count() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("the settings are not used")
		}
	}
}

// Files that change on the disk have those modules looked at to which they may matter.
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
		for limit := time.Now().Add(20 * time.Second); f.count() < before+c.looks && time.Now().Before(limit); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(4 * quiet) // for one too many
		if got := f.count() - before; got != c.looks {
			t.Errorf("%s: %d looks, want %d", c.path, got, c.looks)
		}
	}
}

// Views are let go of, those first that nobody needs.
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
		t.Errorf("the last view is gone: %d looks, %s", f.count()-before, m.Result)
	}
	if m := p.call("textDocument/diagnostic", about1(first)); !strings.Contains(string(m.Result), `"one"`) || f.count() != before+1 {
		t.Errorf("the first view: %d looks, %s", f.count()-before, m.Result)
	}
}

func textOf(s string) *document.Text { return document.New([]byte(s)) }

// A look that takes long is shown, to clients that can show it, until it ends.
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

// What a change means to other documents has the client ask again, once for many changes.
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
	p.none("workspace/inlayHint/refresh") // the client asks by itself about what it edits
	p.open(b, "one")
	for i := range 10 {
		p.edit(a, 3+i, fmt.Sprint("text ", i))
		p.published(a)
	}
	isRefresh := func(m message) bool { return m.Method == "workspace/inlayHint/refresh" }
	p.wait("refresh", isRefresh)
	time.Sleep(2 * refreshPause)
	p.call("no/such", nil) // whatever was sent has come
	p.kept = slices.DeleteFunc(p.kept, func(m message) bool { return !isRefresh(m) })
	if n := 1 + len(p.kept); n > 5 { // a slow machine may pause
		t.Errorf("asked %d times for 10 edits", n)
	}
}
