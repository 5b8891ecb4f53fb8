package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/beside"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// What is said of the files that the engine loads for a directory and never merges. None of
// them can make a command fail: what can't be read is a warning.

// otherFiles records them, and what is wrong with them.
func (a *app) otherFiles(mod *merge.Module) ([]report.OtherFileRecord, hcl.Diagnostics) {
	found, err := beside.Find(mod.Source.Dir, mod.Source.Engine, repo.LeadsOut)
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
		diags = append(diags, a.addLock(&list[i], mod)...)
	}
	return list, diags
}

// addLock adds the providers of the lock file to what is said of it.
func (a *app) addLock(rec *report.OtherFileRecord, mod *merge.Module) hcl.Diagnostics {
	const cannotRead = "Lock file can't be read"
	path := filepath.Join(mod.Source.Dir, rec.Filename)
	if _, err := os.Stat(path); err == nil && !mod.Source.ShowSource && repo.LeadsOut(path) {
		rec.Broken = true
		return hcl.Diagnostics{besideProblem(rec.Filename, cannotRead, load.NotQuoted+" To read it, use --show-source.")}
	}
	locked, diags, err := mod.Source.LockedProviders(a.ws.MaxFileSize)
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

func besideProblem(name, summary, detail string) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: detail, Subject: &hcl.Range{Filename: name}}
}
