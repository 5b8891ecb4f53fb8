package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/beside"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// What is said of the files that the engine loads for a directory and never merges. None of
// them can make a command fail: what can't be read is a warning.

// otherFiles records them, and what is wrong with them.
func otherFiles(ws *workspace.Workspace, mod *merge.Module) ([]report.OtherFileRecord, hcl.Diagnostics) {
	found, err := findBeside(mod.Source)
	if err != nil {
		return nil, hcl.Diagnostics{besideProblem(".", "Directory can't be read", fmt.Sprintf("Its other files are unknown: %v.", err))}
	}
	var diags hcl.Diagnostics
	switch {
	case found.Outside:
		diags = append(diags, besideProblem(beside.TestDir, "Tests not listed", load.NotListed))
	case found.Tests != nil:
		diags = append(diags, besideProblem(beside.TestDir, "Tests can't be read", fmt.Sprintf("The test files in it are unknown: %v.", found.Tests)))
	}
	list := report.OtherFiles(found.List)
	if i := slices.IndexFunc(list, func(f report.OtherFileRecord) bool { return f.Role == beside.Lock }); i >= 0 {
		diags = append(diags, addLock(ws, &list[i], mod)...)
	}
	return list, append(diags, addAssignments(ws, list, mod, found)...)
}

// findBeside finds the files where the module is.
func findBeside(src *load.Module) (beside.Files, error) {
	from, isTree := src.From.(*gitrev.Directory)
	switch {
	case src.From == nil:
		return beside.Find(src.Dir, src.Engine, repo.LeadsOut)
	case !isTree:
		return beside.FindIn(src.From, nil, nil, src.Engine)
	}
	tests, err := from.Sub(beside.TestDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return beside.FindIn(from, nil, nil, src.Engine)
	case err != nil:
		return beside.FindIn(from, nil, err, src.Engine)
	}
	return beside.FindIn(from, tests, nil, src.Engine)
}

// addLock adds the providers of the lock file to what is said of it.
func addLock(ws *workspace.Workspace, rec *report.OtherFileRecord, mod *merge.Module) hcl.Diagnostics {
	const cannotRead = "Lock file can't be read"
	if !mod.Source.ShowSource && leadsOutBeside(mod.Source, rec.Filename) {
		rec.Broken = true
		return hcl.Diagnostics{besideProblem(rec.Filename, cannotRead, load.NotQuoted+" To read it, use --show-source.")}
	}
	locked, diags, err := mod.Source.LockedProviders(ws.MaxFileSize)
	if err != nil {
		rec.Broken = true
		return hcl.Diagnostics{besideProblem(rec.Filename, cannotRead, fmt.Sprintf("The providers in it are unknown: %v.", repo.Worldly(err)))}
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

// leadsOutBeside reports whether a file of a module's directory is a link to what may not be
// quoted.
func leadsOutBeside(src *load.Module, name string) bool {
	if src.From != nil {
		return src.From.LeadsOut(name)
	}
	path := filepath.Join(src.Dir, name)
	_, err := os.Stat(path)
	return err == nil && repo.LeadsOut(path)
}

func besideProblem(name, summary, detail string) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: detail, Subject: &hcl.Range{Filename: name}}
}
