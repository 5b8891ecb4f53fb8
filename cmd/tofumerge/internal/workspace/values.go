package workspace

import (
	"path"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

// TrackedOnly parts the files of a module that git tracks from the others. Outside of a repository
// all count as tracked.
func (w *Workspace) TrackedOnly(src *load.Module, list []sidefiles.File) (tracked, others []sidefiles.File) {
	if len(list) == 0 || src.From != nil {
		return list, nil // of a revision or the index everything is tracked
	}
	index, err := w.Index(src.Dir)
	if err != nil {
		return list, nil
	}
	dir, ok := PathIn(index, src.Dir)
	if !ok {
		return list, nil
	}
	for _, f := range list {
		if index.Has(path.Join(dir, f.Name)) {
			tracked = append(tracked, f)
		} else {
			others = append(others, f)
		}
	}
	return tracked, others
}

// Values are the results of variables files for the variables of a module, and the results at a
// revision.
type Values struct {
	Changes []layers.ValueChange
	// Diags and Past are problems with the present and the past files, as warnings.
	Diags, Past hcl.Diagnostics
	// Untracked are files that git doesn't track, which are not compared.
	Untracked []string
	// IsCalled is set if another module calls this one, so nothing is compared.
	IsCalled bool
}

// Values compares the values of the variables of a module that is run as the root module.
func (w *Workspace) Values(m *Module) (v Values) {
	if m.IsRefused() || m.Past == nil {
		return v
	}
	is, untracked, diags := w.tracked(m.Module, m.Source)
	for _, f := range untracked {
		v.Untracked = append(v.Untracked, path.Join(m.Dir, f.Name))
	}
	v.Diags = diags
	was := layers.Of(m.Past.Module, layers.Inputs{})
	if from := m.Past.From; from != nil {
		at := &load.Module{Dir: m.Source.Dir, Engine: m.Source.Engine, From: from, ShowSource: m.Source.ShowSource}
		was, _, v.Past = w.tracked(m.Past.Module, at)
	}
	v.Changes = layers.Between(was, is)
	if len(v.Changes) > 0 && len(w.Callers(m.Source)) > 0 {
		v.Changes, v.IsCalled = nil, true
	}
	return v
}

// tracked finds the layers of a module by the variables files that git tracks where it is.
func (w *Workspace) tracked(m *merge.Module, at *load.Module) (*layers.Set, []sidefiles.File, hcl.Diagnostics) {
	found, err := Beside(at)
	if err != nil {
		return layers.Of(m, layers.Inputs{}), nil, nil // the directory itself is gone
	}
	list := slices.DeleteFunc(found.List, func(f sidefiles.File) bool { return f.Role != sidefiles.Variables || f.Status != sidefiles.Read })
	list, untracked := w.TrackedOnly(at, list)
	files, diags := w.VariablesFiles(at, list, sidefiles.Variables)
	for _, d := range diags {
		d.Severity = hcl.DiagWarning
	}
	return layers.Of(m, layers.Inputs{Files: files}), untracked, diags
}
