package langserver

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// A surveyedAnalyst knows the modules below a folder, and finds something in a file of each.
type surveyedAnalyst struct {
	*fakeAnalyst
	dirs []string
	late func(dir string) // called before a module without open documents is analysed
}

func (a surveyedAnalyst) Modules(context.Context, string) ([]string, error) { return a.dirs, nil }

func (a surveyedAnalyst) Analyse(ctx context.Context, r view.Request) (*view.View, error) {
	if r.Once {
		a.late(r.Dir)
	}
	v, err := a.fakeAnalyst.Analyse(ctx, r)
	found := check.InternalError("found")
	found.Range = hcl.Range{Filename: "closed.tf"}
	v.Findings = append(v.Findings, found)
	return v, err
}

// An answer about the workspace has the module of a document that is opened while it is made:
// also its other files, whose diagnostics the client would drop otherwise.
func TestOpenedDuringSurvey(t *testing.T) {
	dir := t.TempDir()
	begun, release := make(chan bool), make(chan bool)
	p := connect(t, surveyedAnalyst{
		&fakeAnalyst{}, []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")},
		func(dir string) {
			if filepath.Base(dir) == "a" {
				begun <- true
				<-release
			}
		},
	})
	folder := view.URIOf(dir)
	p.call("initialize", map[string]any{
		"capabilities": map[string]any{
			"textDocument": map[string]any{"diagnostic": map[string]any{}},
			"workspace":    map[string]any{"diagnostics": map[string]any{"refreshSupport": true}},
		},
		"workspaceFolders": []protocol.WorkspaceFolder{{URI: folder}},
	})
	p.notify("initialized", struct{}{})
	closed := string(folder) + "/b/closed.tf"
	id := p.ask("workspace/diagnostic", map[string]any{
		"previousResultIds": []any{map[string]any{"uri": closed, "value": "earlier"}},
	})
	<-begun
	p.open(string(folder)+"/b/open.tf", "one")
	p.call("textDocument/diagnostic", about1(string(folder)+"/b/open.tf"))
	close(release)
	m := p.answer(id)
	for _, uri := range []string{closed, string(folder) + "/b/open.tf", string(folder) + "/a/closed.tf"} {
		if n := strings.Count(string(m.Result), uri); n != 1 {
			t.Errorf("%d reports on %s", n, uri)
		}
	}
	if n := strings.Count(string(m.Result), "found"); n != 2 {
		t.Errorf("%d findings in closed files: %s", n, m.Result)
	}
}
