package rewrite

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Diff compares each primary file with its merged form, in its own syntax. It returns the files in
// load order, including unchanged ones, and diagnostics about parts that the syntax of a file can't
// express: warnings, and errors if the differences must not be used.
func Diff(m *merge.Module) ([]*patch.File, hcl.Diagnostics) {
	var diffs []*patch.File
	files := plan.Arrange(m)
	texts := native.TextsOf(files)
	diags := plan.Inexpressible(m.Source, func() plan.PrintedItems { return foreign(files) })
	for _, file := range files {
		diags = append(diags, forces(file, m.Source)...)
		switch {
		case file.File == nil:
			d := patch.Diff(newFileName(m.Source), nil, texts.Edits(file))
			d.IsNew = true
			diffs = append(diffs, d)
		case file.File.Syntax == source.Native:
			diffs = append(diffs, patch.Diff(file.File.Name, file.File.Native, texts.Edits(file)))
		default:
			edits, unsaid := Edits(m, file)
			diffs = append(diffs, patch.Diff(file.File.Name, file.File.Raw, edits))
			diags = append(diags, unsaid...)
		}
	}
	return diffs, diags
}

// forces warns of version constraints that begin or cease to count in the file that they
// go to.
func forces(file *plan.File, m *load.Module) hcl.Diagnostics {
	var diags hcl.Diagnostics
	isTofu := file.File == nil && strings.HasSuffix(newFileName(m), ".tofu") || file.File != nil && file.File.Tofu
	note := func(e *merge.MergedItem) {
		if e.InEffect() && e.Rule.TofuOnly && source.IsOverride(e.Live[0]) && e.Live[0].Source().Tofu != isTofu {
			diags = append(diags, changedForce(e.Live[0], isTofu))
		}
	}
	for _, block := range file.Extra() {
		if block.Item != nil {
			note(block.Entry)
		} else if block.Content != nil {
			for _, e := range block.Content.Items {
				note(e)
			}
		}
	}
	m.Places(diags)
	return diags
}

// newFileName is the name of the file for a module of override files only: one that only OpenTofu
// reads if such a file requires a version, since the requirement takes effect only there.
func newFileName(m *load.Module) string {
	for _, f := range m.Files {
		for i := range f.Len() {
			if f.Tofu && language.RequiresVersion(f.Block(i)) {
				return "main.tofu"
			}
		}
	}
	return "main.tf"
}

// foreign are the items that native files are made of, where those change.
func foreign(files []*plan.File) plan.PrintedItems {
	var list []*plan.Block
	for _, file := range files {
		if file.File == nil || file.File.Syntax == source.Native {
			list = append(list, file.Made()...)
		}
	}
	return plan.PrintedIn(list, false)
}

// changedForce warns of a version constraint that moves to a file of another kind.
func changedForce(it source.Item, isTofu bool) *hcl.Diagnostic {
	what := "The patch moves this constraint to a .tf file, where the engine ignores it. Move it to a .tofu file."
	if isTofu {
		what = "The patch moves this constraint to a .tofu file, where it takes effect; it had none before. Remove it if you don't want it."
	}
	return diag.Warning(it.Header(), "Version constraint changes its effect", "%s", what)
}
