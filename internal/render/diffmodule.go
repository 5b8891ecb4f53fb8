package render

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/jsonfile"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Diff compares each primary file with what it is after the merge, in load order
// and in its own syntax. Files that do not change are among them. Diagnostics
// tell what can't be said in a file's syntax.
func Diff(m *merge.Module) ([]*patch.File, hcl.Diagnostics) {
	var diffs []*patch.File
	files := plan.Arrange(m)
	texts := native.TextsOf(files)
	diags := plan.Doubts(m.Source, func() plan.Said { return foreign(files) })
	for _, p := range files {
		diags = append(diags, forces(p, m.Source)...)
		switch {
		case p.File == nil:
			d := patch.Diff(newFileName(m.Source), nil, texts.Edits(p))
			d.IsNew = true
			diffs = append(diffs, d)
		case p.File.Syntax == source.Native:
			diffs = append(diffs, patch.Diff(p.File.Name, p.File.Src, texts.Edits(p)))
		default:
			edits, unsaid := jsonfile.Edits(m, p)
			diffs = append(diffs, patch.Diff(p.File.Name, p.File.Given, edits))
			diags = append(diags, unsaid...)
		}
	}
	return diffs, diags
}

// forces tells of version constraints that would begin or cease to count in the
// file that they go to.
func forces(p *plan.File, m *load.Module) hcl.Diagnostics {
	var diags hcl.Diagnostics
	isTofu := p.File == nil && strings.HasSuffix(newFileName(m), ".tofu") || p.File != nil && p.File.Tofu
	note := func(e *merge.MergedItem) {
		if e.InEffect() && e.Rule.TofuOnly && source.IsOverride(e.Live[0]) && e.Live[0].Source().Tofu != isTofu {
			diags = append(diags, changedForce(e.Live[0], isTofu))
		}
	}
	for _, q := range p.Extra() {
		if q.Item != nil {
			note(q.Entry)
		} else if q.Content != nil {
			for _, e := range q.Content.Items {
				note(e)
			}
		}
	}
	m.Places(diags)
	return diags
}

// newFileName is what the file is called that holds a module of override files
// only: one that only OpenTofu reads where such a file requires a version, which
// counts in such files only.
func newFileName(m *load.Module) string {
	for _, f := range m.Files {
		for i := range f.Len() {
			b := f.Kept(i)
			if f.Tofu && b != nil && language.RequiresVersion(b) {
				return "main.tofu"
			}
		}
	}
	return "main.tf"
}

// foreign are the items that native files are made of, where those change.
func foreign(files []*plan.File) plan.Said {
	var list []*plan.Block
	for _, p := range files {
		if p.File == nil || p.File.Syntax == source.Native {
			list = append(list, p.Made()...)
		}
	}
	return plan.SaidIn(list, false)
}
