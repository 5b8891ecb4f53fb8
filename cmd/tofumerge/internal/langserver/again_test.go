package langserver

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// A governedAnalyst also reports the settings in each open file.
type governedAnalyst struct{ *fakeAnalyst }

func (g governedAnalyst) Analyse(ctx context.Context, r view.Request) (*view.View, error) {
	v, err := g.fakeAnalyst.Analyse(ctx, r)
	for _, text := range r.Settings {
		for name := range r.Open {
			found := check.InternalError(string(text))
			found.Range = hcl.Range{Filename: name}
			v.Findings = append(v.Findings, found)
		}
	}
	return v, err
}

func isAgain(m message) bool { return m.Method == "workspace/diagnostic/refresh" }

// An edit of a settings file that changes the diagnostics of many modules makes the client ask
// for them again a few times, not once for each module.
func TestAskAgainOnce(t *testing.T) {
	p := connect(t, governedAnalyst{&fakeAnalyst{}})
	p.initialize(pulling)
	dir := string(view.URIOf(t.TempDir()))
	const modules = 60
	for i := range modules {
		p.open(fmt.Sprintf("%s/%d/a.tf", dir, i), "one")
	}
	p.open(dir+"/settings", "first")
	for i := range modules {
		p.call("textDocument/diagnostic", about1(fmt.Sprintf("%s/%d/a.tf", dir, i)))
	}
	time.Sleep(2 * againPause)
	p.call("no/such", nil) // by its answer, everything sent before has arrived
	p.kept = nil
	begun := time.Now()
	p.edit(dir+"/settings", 2, "second")
	p.wait("refresh", isAgain)
	for i := range modules {
		p.call("textDocument/diagnostic", about1(fmt.Sprintf("%s/%d/a.tf", dir, i)))
	}
	time.Sleep(2 * againPause)
	p.call("no/such", nil)
	p.kept = slices.DeleteFunc(p.kept, func(m message) bool { return !isAgain(m) })
	pauses := int(time.Since(begun) / againPause) // of a slow machine, each with a request
	if n := 1 + len(p.kept); n > 1+pauses {
		t.Errorf("the client is to ask %d times for %d modules, with at most %d pauses", n, modules, pauses)
	}
}

// A client that asks for the whole workspace must ask again when settings are edited, and when they
// are closed without being saved, even if the affected modules aren't open.
func TestAskAgainAboutClosedModules(t *testing.T) {
	p := connect(t, governedAnalyst{&fakeAnalyst{}})
	p.initialize(pulling)
	dir := string(view.URIOf(t.TempDir()))
	p.open(dir+"/a.tf", "one")
	p.call("workspace/diagnostic", map[string]any{"previousResultIds": []any{}})
	p.open(dir+"/sub/settings", "first")
	p.wait("refresh after opening", isAgain)
	p.open(dir+"/sub/a.tf", "")
	for i := range 10 {
		p.edit(dir+"/sub/settings", 2+i, "other")
	}
	p.wait("refresh after edits", isAgain)
	p.notify("textDocument/didClose", about1(dir+"/sub/settings"))
	p.wait("refresh after closing", isAgain)
}
