package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/marker"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A flatModule is a module whose overrides are merged into its primary files, as flatten and exec write it.
type flatModule struct {
	diffs   []*patch.File // its primary files with the overrides merged in
	removed []*patch.File // its override files
	lines   []*sourcemap.File
	carried []sourcemap.Comment // from override files, for tools
	reasons []string            // that speak against it
	err     error
}

// newFlatModule computes the files of a module without errors, and their source map if it is wanted.
func newFlatModule(ws *workspace.Workspace, m *workspace.Module, isMapped bool) (flat flatModule) {
	diffs, more := rewrite.Diff(m.Module)
	for i := range diffs {
		diffs[i] = withoutNotices(diffs[i])
	}
	m.Diags = slices.DeleteFunc(append(m.Diags, more...), isForOneFile)
	words := slices.Concat(rewrite.ToolComments, ws.Settings.ToolComments(m.Source.Dir))
	flat.diffs, flat.carried = rewrite.CarryComments(m.Module, diffs, words)
	if isMapped {
		flat.lines = sourcemap.Of(m.Module, flat.diffs)
	}
	return flat
}

// withoutNotices removes the comments that name the override files, which are merged now.
func withoutNotices(d *patch.File) *patch.File {
	if strings.HasSuffix(d.Name, ".json") {
		return d
	}
	text := d.New()
	bare := marker.Without(text)
	if len(bare) == len(text) {
		return d
	}
	changed := patch.Diff(d.Name, d.Old, []textedit.Edit{textedit.Replace(0, len(d.Old), string(bare))})
	changed.IsNew = d.IsNew
	return changed
}

// shown are the diagnostics that are printed: those that nothing silences, and those that
// are obstacles.
func (flatModule) shown(ws *workspace.Workspace, m *workspace.Module) hcl.Diagnostics {
	wanted, ignored := ws.Unsilenced(m.Source, m.Diags)
	ws.CountIgnored(slices.DeleteFunc(ignored, func(x check.Suppression) bool { return isObstacle(x.Warning) }))
	return slices.DeleteFunc(slices.Clone(m.Diags), func(d *hcl.Diagnostic) bool {
		return !isObstacle(d) && !slices.Contains(wanted, d)
	})
}

// harmless are the warnings that don't stop flatten: the module can still be written exactly.
var harmless = []diag.Code{
	diag.NoEffect, variable.DefaultsIgnored, merge.Clearing, merge.Conflicting, merge.OneFileOnly, diag.UnknownBlock,
	diag.NoRegistrySource, diag.IncompatibleModule, diag.OddBytes, rewrite.CommentLost,
}

// isObstacle reports whether a warning is a reason not to flatten.
func isObstacle(d *hcl.Diagnostic) bool {
	return d.Subject != nil && !slices.Contains(harmless, diag.CodeOf(d))
}

// noteCarried lists those comments: they may now silence findings in what primary files have.
func (flat flatModule) noteCarried(ws *workspace.Workspace, m *workspace.Module) {
	if len(flat.carried) == 0 || ws.Quiet {
		return
	}
	const most = 10
	var list []string
	for _, c := range flat.carried[:min(most, len(flat.carried))] {
		list = append(list, fmt.Sprintf("%s:%d (%s)", diag.Escape(ws.Prefix(m.Source.Dir)+c.File), c.Line, c.Address))
	}
	text := strings.Join(list, ", ")
	if more := len(flat.carried) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more, which flatten --source-map lists", more)
	}
	ws.Note(fmt.Sprintf("Note: %s of override files may silence tools for whole blocks and arguments now: %s",
		wording.Count(len(flat.carried), "comment"), text))
}
