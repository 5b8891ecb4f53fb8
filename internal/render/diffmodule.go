package render

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Diff compares each primary file with what it is after the merge, in load order
// and in its own syntax. Files that do not change are among them. Diagnostics
// tell what can't be said in a file's syntax.
func Diff(m *merge.Module) ([]*FileDiff, hcl.Diagnostics) {
	var diffs []*FileDiff
	files := arrange(m)
	texts := textsOf(files)
	diags := doubts(m.Source, func() said { return foreign(files) })
	for _, p := range files {
		diags = append(diags, forces(p, m.Source)...)
		switch {
		case p.file == nil:
			d := newFileDiff(newFileName(m.Source), nil, texts.edits(p))
			d.IsNew = true
			diffs = append(diffs, d)
		case p.file.Syntax == load.Native:
			diffs = append(diffs, newFileDiff(p.file.Name, p.file.Src, texts.edits(p)))
		default:
			edits, unsaid := jsonEdits(m, p)
			diffs = append(diffs, newFileDiff(p.file.Name, p.file.Given, edits))
			diags = append(diags, unsaid...)
		}
	}
	return diffs, diags
}

// forces tells of version constraints that would begin or cease to count in the
// file that they go to.
func forces(p *printed, m *load.Module) hcl.Diagnostics {
	var diags hcl.Diagnostics
	isTofu := p.file == nil && strings.HasSuffix(newFileName(m), ".tofu") || p.file != nil && p.file.Tofu
	note := func(e *merge.MergedItem) {
		if e.InEffect() && e.Rule.TofuOnly && load.IsOverride(e.Live[0]) && e.Live[0].Source().Tofu != isTofu {
			diags = append(diags, changedForce(e.Live[0], isTofu))
		}
	}
	for _, q := range p.extra() {
		if q.only != nil {
			note(q.entry)
		} else if q.content != nil {
			for _, e := range q.content.Items {
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
			if f.Tofu && b != nil && load.RequiresVersion(b) {
				return "main.tofu"
			}
		}
	}
	return "main.tf"
}

// foreign are the items that native files are made of, where those change.
func foreign(files []*printed) said {
	var list []*piece
	for _, p := range files {
		if p.file == nil || p.file.Syntax == load.Native {
			list = append(list, p.made()...)
		}
	}
	return saidIn(list, false)
}
