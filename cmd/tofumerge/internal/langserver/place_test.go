package langserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// A file system that doesn't answer, such as a network drive, delays only requests about its own
// files, and these can be cancelled. They are answered about the text that the client has.
func TestSlowFileSystem(t *testing.T) {
	slow, fast := filepath.Join(t.TempDir(), "slow"), t.TempDir()
	release := make(chan bool)
	p := connectWith(t, Options{Analyst: &fakeAnalyst{}, EvalSymlinks: func(path string) (string, error) {
		if strings.HasPrefix(path, slow) {
			<-release
		}
		return filepath.EvalSymlinks(path)
	}})
	p.initialize(pulling)
	uri := func(dir, name string) string { return string(view.URIOf(filepath.Join(dir, name))) }
	p.open(uri(slow, "a.tf"), "one")
	p.edit(uri(slow, "a.tf"), 2, "two")
	p.open(uri(slow, "gone.tf"), "three")
	gone := p.ask("textDocument/diagnostic", about1(uri(slow, "gone.tf")))
	p.close(uri(slow, "gone.tf"))
	p.open(uri(slow, "again.tf"), "four")
	p.open(uri(slow, "again.tf"), "five")
	waits := p.ask("textDocument/diagnostic", about1(uri(slow, "a.tf")))
	again := p.ask("textDocument/diagnostic", about1(uri(slow, "again.tf")))
	for _, name := range []string{"a.tf", "unopened.tf", "below/unopened.tf"} {
		id := p.ask("textDocument/diagnostic", about1(uri(slow, name)))
		p.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(id)})
		if m := p.answer(id); m.Error == nil || m.Error.Code != protocol.CodeRequestCancelled {
			t.Errorf("%s: %+v", name, m)
		}
	}
	p.open(uri(fast, "b.tf"), "quick")
	if m := p.call("textDocument/diagnostic", about1(uri(fast, "b.tf"))); !strings.Contains(string(m.Result), `"quick"`) {
		t.Errorf("about another file: %+v", m)
	}
	p.none("textDocument/publishDiagnostics")
	close(release)
	if m := p.answer(waits); !strings.Contains(string(m.Result), `"two"`) {
		t.Errorf("after all: %+v", m)
	}
	if m := p.answer(again); !strings.Contains(string(m.Result), `"five"`) {
		t.Errorf("opened twice: %+v", m)
	}
	if m := p.answer(gone); m.Error == nil || m.Error.Code != protocol.CodeContentModified {
		t.Errorf("closed meanwhile: %+v", m)
	}
	if m := p.call("shutdown", nil); m.Error != nil {
		t.Error(m.Error)
	}
}

// A request about one document waits for others of its module that were just opened, and for
// settings above it.
func TestOpenedTogether(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "module")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f := &fakeAnalyst{}
	first := make(chan bool)
	come := sync.OnceFunc(func() { close(first) })
	p := connectWith(t, Options{Analyst: f, EvalSymlinks: func(path string) (string, error) {
		if path == dir {
			<-first // the settings come first
		} else if path == root {
			come()
		}
		return filepath.EvalSymlinks(path)
	}})
	p.initialize(pulling)
	uri := string(view.URIOf(dir))
	p.open(uri+"/a.tf", "one")
	p.open(uri+"/b.tf", "two")
	a := p.ask("textDocument/diagnostic", about1(uri+"/a.tf"))
	p.open(string(view.URIOf(root))+"/settings", "x")
	b := p.ask("textDocument/diagnostic", about1(uri+"/b.tf"))
	for _, id := range []string{a, b} {
		p.answer(id)
		if !f.saw("a.tf=one", "b.tf=two") {
			t.Errorf("answered after analyses of %q", f.looks)
		}
	}
}

// Two names of one directory give one module, before and after the directory is created.
func TestOneModuleOfTwoNames(t *testing.T) {
	root := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	f := &fakeAnalyst{}
	p := connect(t, f)
	p.initialize(pulling)
	one, other := string(view.URIOf(filepath.Join(root, "new", "a.tf"))), string(view.URIOf(filepath.Join(link, "new", "b.tf")))
	p.open(one, "one")
	p.call("textDocument/diagnostic", about1(one))
	if err := os.Mkdir(filepath.Join(root, "new"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.open(other, "two")
	p.call("textDocument/diagnostic", about1(other))
	if !f.saw("a.tf=one", "b.tf=two") {
		t.Errorf("answered after analyses of %q", f.looks)
	}
}

// After a panic while its module is looked for, a document is in no module, and requests are
// answered.
func TestPanicWhilePlaced(t *testing.T) {
	p := connectWith(t, Options{Analyst: &fakeAnalyst{}, EvalSymlinks: func(string) (string, error) { panic("here") }})
	p.initialize(pulling)
	uri := string(view.URIOf(filepath.Join(t.TempDir(), "a.tf")))
	for _, what := range []string{"unopened", "open"} {
		if m := p.call("textDocument/diagnostic", about1(uri)); m.Error != nil || !strings.Contains(string(m.Result), `"items":[]`) {
			t.Errorf("%s: %+v", what, m)
		}
		p.open(uri, "one")
	}
	if m := p.call("shutdown", nil); m.Error != nil {
		t.Error(m.Error)
	}
}
