package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

// The files that an engine loads for the directory of a module besides its configuration.

// Beside finds the files that an engine loads besides the configuration, where a module is.
func Beside(src *load.Module) (sidefiles.Files, error) {
	if src.From == nil {
		return sidefiles.Find(src.Dir, src.Engine, repo.EscapesRepo)
	}
	var tests load.Directory
	var problem error
	if from, isTree := src.From.(*gitrev.Directory); isTree {
		found, err := from.Sub(sidefiles.TestDir)
		switch {
		case err == nil:
			tests = found
		case !errors.Is(err, fs.ErrNotExist):
			problem = err
		}
	}
	return sidefiles.FindIn(src.From, tests, problem, src.Engine)
}

// SideFileEscapesRepo reports whether a file of a module's directory is a link to a file that may
// not be quoted.
func SideFileEscapesRepo(src *load.Module, name string) bool {
	if src.From != nil {
		return src.From.EscapesRepo(name)
	}
	path := filepath.Join(src.Dir, name)
	_, err := os.Stat(path)
	return err == nil && repo.EscapesRepo(path)
}

// Outranked finds the defaults of a module that variables files of its directory outrank. There are
// none if another module is known to call it, because then these files are not loaded. Problems
// with files are warnings: no merged value depends on them.
func (w *Workspace) Outranked(m *merge.Module) (layers.OutrankedDefaults, hcl.Diagnostics) {
	set, diags := w.Layers(m)
	outranked := set.Outranked()
	if len(outranked) > 0 && len(w.Callers(m.Source)) > 0 {
		return nil, diags
	}
	return outranked, diags
}

// Layers finds the layers of a module by the variables files of its directory; nil without any.
func (w *Workspace) Layers(m *merge.Module) (*layers.Set, hcl.Diagnostics) {
	found, err := Beside(m.Source)
	if err != nil {
		return nil, nil // the directory is gone
	}
	files, diags := w.VariablesFiles(m.Source, found.List, sidefiles.Variables)
	for _, d := range diags {
		d.Severity = hcl.DiagWarning
	}
	if len(files) == 0 {
		return nil, diags
	}
	return layers.Of(m, layers.Inputs{Files: files}), diags
}

// VariablesFiles reads the files of a role among some files of a module. For a file that is a link
// to the outside, no value is shown, and its text is not quoted.
func (w *Workspace) VariablesFiles(src *load.Module, files []sidefiles.File, role sidefiles.Role) ([]*assignments.File, hcl.Diagnostics) {
	list, diags := assignments.OfDirectory(src, files, role, func(name string) ([]byte, error) {
		if text, isOpen := w.Files.Open[name]; isOpen && src.From == nil {
			return text, nil
		}
		return src.TextOf(name, w.MaxFileSize)
	})
	for _, f := range list {
		f.Outside = SideFileEscapesRepo(src, f.Name)
	}
	for _, d := range diags {
		if !src.ShowSource && SideFileEscapesRepo(src, d.Subject.Filename) {
			load.Withhold(d)
		}
	}
	return list, diags
}
