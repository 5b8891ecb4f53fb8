package feature

import (
	"slices"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// viewOf is the view of a module in memory, in the directory /m, with the findings of all
// rules that are on by default.
func viewOf(t testing.TB, files map[string][]byte, e engine.Release, enc protocol.PositionEncodingKind) *view.View {
	t.Helper()
	src, diags := loadtest.Files(t, files, load.Options{Engine: e})
	merged, more := merge.Files(src, merge.Options{})
	diags = slices.Concat(diags, more)
	isOn := func(id string) bool { return !check.FindRule(id).Off }
	found := check.Findings(merged, slices.Clone(diags), isOn)
	found = slices.DeleteFunc(found, func(f check.Finding) bool { return !isOn(f.Rule.ID) })
	comments := check.CommentsOf(src)
	found = slices.DeleteFunc(found, func(f check.Finding) bool { return comments.Silence(&f) })
	check.Sort(merged, found)
	return &view.View{Dir: "/m", Encoding: enc, Merged: merged, Diags: diags, Findings: found}
}

// caseView is the view of a case of testdata, with positions in UTF-16.
func caseView(t testing.TB, c *loadtest.Case) *view.View {
	t.Helper()
	return viewOf(t, c.Files, c.Engine, protocol.UTF16)
}
