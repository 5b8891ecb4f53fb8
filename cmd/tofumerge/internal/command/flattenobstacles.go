package command

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/jsonfile"
	"github.com/tofumerge/tofumerge/internal/render/marker"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// What speaks against flattening a module.

// merged are the primary files of a module with the overrides merged in, and its
// diagnostics, with those about that.
func (f *flattener) merged(mod *merge.Module, diags hcl.Diagnostics) ([]*patch.File, hcl.Diagnostics) {
	diffs, more := render.Diff(mod)
	for i := range diffs {
		diffs[i] = marker.Without(diffs[i])
	}
	return diffs, slices.DeleteFunc(append(diags, more...), isForOneFile)
}

// shown are the diagnostics that are printed: those that nothing silences, and those that
// are obstacles.
func (f *flattener) shown(mod *merge.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	wanted, ignored := f.ws.Unsilenced(mod.Source, diags)
	f.ws.CountIgnored(slices.DeleteFunc(ignored, func(x check.Suppression) bool { return isObstacle(x.Warning) }))
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		return !isObstacle(d) && !slices.Contains(wanted, d)
	})
}

// harmless are the warnings that don't stop flatten: the module can still be written exactly.
var harmless = []diag.Code{
	diag.NoEffect, variable.DefaultsIgnored, merge.Clearing, merge.Conflicting, merge.OneFileOnly, diag.UnknownBlock,
	diag.NoRegistrySource, diag.IncompatibleModule, diag.OddBytes, jsonfile.CommentLost,
}

// isObstacle reports whether a warning is a reason not to flatten.
func isObstacle(d *hcl.Diagnostic) bool {
	return d.Subject != nil && !slices.Contains(harmless, diag.CodeOf(d))
}

// obstacles returns all reasons why a module can't be flattened. other is the other product's
// reading, or nil if it is not known yet.
func (f *flattener) obstacles(
	mod *merge.Module, other *otherReading, diags hcl.Diagnostics, diffs []*patch.File,
) []string {
	var reasons []string
	for _, e := range mod.Source.Names {
		if e.Status != load.Shadowed || e.Role != source.Primary {
			continue
		}
		hidden := fmt.Sprintf("%s is shadowed by %s", diag.Escape(mod.Source.Prefix+e.Name), diag.Escape(e.By))
		switch {
		case f.newDir == "":
			reasons = append(reasons, hidden+"; remove one of them, or use -o NEWDIR with --engine")
		case !f.isEngineOn:
			reasons = append(reasons, hidden+" and would be left out; remove one of them, or name your engine with --engine")
		}
	}
	for _, d := range diags {
		if isObstacle(d) {
			reasons = append(reasons, fmt.Sprintf(
				"%s:%d can't be written exactly (see the warning)",
				diag.Escape(mod.Source.Prefix+d.Subject.Filename), d.Subject.Start.Line,
			))
		}
	}
	if !f.isEngineOn {
		reasons = append(reasons, f.readDifferently(mod, other)...)
	}
	for _, d := range diffs {
		if f.newDir == "" && d.IsNew && slices.ContainsFunc(mod.Source.Names, func(e load.DirEntry) bool {
			return e.Role == source.Primary && e.Status == load.Shadowed && strings.HasPrefix(e.Name, "main.")
		}) {
			reasons = append(reasons, fmt.Sprintf("the new file %s would shadow another one, or be shadowed", diag.Escape(mod.Source.Prefix+d.Name)))
		}
	}
	return reasons
}

// unsaved returns the reason that files to change or to remove differ from HEAD, so git could not
// restore them. Outside of a repository there is no reason.
func (f *flattener) unsaved(m *workspace.Module, files []*patch.File) []string {
	root, _, isIn := f.ws.Repository(m.Source.Dir)
	if !isIn || !repo.IsWithin(repo.Absolute(m.Source.Dir), repo.Absolute(root)) {
		return nil
	}
	past, err := f.ws.Past(m.Subject.Dir, workspace.Rev{Name: "HEAD"})
	isKnown := err == nil && past.From != nil && past.Now == ""
	var changed, missing []string
	for _, d := range files {
		name := diag.Escape(m.Source.Prefix + d.Name)
		switch {
		case d.IsNew:
			continue
		case !isKnown:
			changed = append(changed, name)
			continue
		}
		switch text, err := past.From.Read(d.Name, f.ws.MaxFileSize); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name)
		case err != nil, !bytes.Equal(text, d.Old):
			changed = append(changed, name)
		}
	}
	var reasons []string
	add := func(names []string, one, several string) {
		if len(names) > 0 {
			rest := map[bool]string{true: one, false: several}[len(names) == 1]
			reasons = append(reasons, fmt.Sprintf("git could not restore %s, %s, or use --force", wording.Some(names, ", "), rest))
		}
	}
	add(changed, "which differs from the last commit; commit it", "which differ from the last commit; commit them")
	add(missing, "which isn't in the last commit; commit or copy it", "which aren't in the last commit; commit or copy them")
	return reasons
}
