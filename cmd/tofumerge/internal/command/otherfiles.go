package command

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// Records of the files that the engine loads for a directory and never merges. None of them can
// make a command fail: an unreadable one is a warning.

// otherFiles records them, and their problems.
func otherFiles(ws *workspace.Workspace, mod *merge.Module) ([]report.OtherFileRecord, hcl.Diagnostics) {
	found, err := workspace.Beside(mod.Source)
	if err != nil {
		return nil, hcl.Diagnostics{besideProblem(".", "Directory can't be read", fmt.Sprintf("Its other files are unknown: %v.", err))}
	}
	var diags hcl.Diagnostics
	switch {
	case found.Outside:
		diags = append(diags, besideProblem(sidefiles.TestDir, "Tests not listed", load.NotListed))
	case found.Tests != nil:
		diags = append(diags, besideProblem(sidefiles.TestDir, "Tests can't be read", fmt.Sprintf("The test files in it are unknown: %v.", found.Tests)))
	}
	list := report.OtherFiles(found.List)
	if i := slices.IndexFunc(list, func(f report.OtherFileRecord) bool { return f.Role == sidefiles.Lock }); i >= 0 {
		diags = append(diags, addLock(ws, &list[i], mod)...)
	}
	return list, append(diags, addAssignments(ws, list, mod, found)...)
}

// addLock adds the providers of the lock file to its record.
func addLock(ws *workspace.Workspace, rec *report.OtherFileRecord, mod *merge.Module) hcl.Diagnostics {
	const cannotRead = "Lock file can't be read"
	if !mod.Source.ShowSource && workspace.SideFileEscapesRepo(mod.Source, rec.Filename) {
		rec.Broken = true
		return hcl.Diagnostics{besideProblem(rec.Filename, cannotRead, load.NotQuoted+" To read it, use --show-source.")}
	}
	locked, diags, err := mod.Source.LockedProviders(ws.MaxFileSize)
	if err != nil {
		rec.Broken = true
		return hcl.Diagnostics{besideProblem(rec.Filename, cannotRead, fmt.Sprintf("The providers in it are unknown: %v.", input.StripPath(err)))}
	}
	if rec.Broken = diags.HasErrors(); rec.Broken {
		for _, d := range diags {
			d.Severity = hcl.DiagWarning
		}
		return diags
	}
	rec.Providers = report.Providers(providers.Compare(mod, locked))
	rec.CallsModules = providers.Calls(mod)
	return nil
}

func besideProblem(name, summary, detail string) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: detail, Subject: &hcl.Range{Filename: name}}
}
