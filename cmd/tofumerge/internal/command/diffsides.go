package command

import (
	"bytes"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/native"
)

// The two sides that diff compares.

// compareRevision compares a module with its earlier state.
func (o *diffOptions) compareRevision(args []string) error {
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	past, err := o.ws.Past(dir, *o.search.Since)
	if err != nil {
		return err
	}
	old, err := o.pastSide(dir, past)
	if err != nil {
		return err
	}
	now, err := o.presentSide(dir, past)
	if err != nil {
		return err
	}
	return o.compareSides(old, now)
}

// pastSide is a module at a revision. Its warnings are left out, because they are about the past.
func (o *diffOptions) pastSide(dir string, p *workspace.PastDir) (*diffSide, error) {
	l, err := o.ws.LoadPast(dir, p)
	if err != nil {
		return nil, err
	}
	was := l.Reading()
	s := &diffSide{title: p.Label(), mod: was.Module, diags: diag.Refusals(was.Diags)}
	return s, s.write()
}

// presentSide is a module that is compared with its earlier state.
func (o *diffOptions) presentSide(dir string, p *workspace.PastDir) (*diffSide, error) {
	l, note, err := o.ws.LoadPresent(dir, p)
	if err != nil {
		return nil, err
	}
	o.ws.NoteOnce(p.RenameNote())
	o.ws.NoteOnce(o.ws.EngineNote(p, dir))
	o.ws.NoteOnce(note)
	o.ws.WarnOfIdleExclusions()
	now := l.Reading()
	return newSide(dir, now.Module, now.Diags)
}

// A diffSide is one of two modules that are compared.
type diffSide struct {
	title string
	mod   *merge.Module
	diags hcl.Diagnostics
	text  bytes.Buffer // its blocks by kind and address
}

func (o *diffOptions) side(dir string) (*diffSide, error) {
	mod, diags, err := o.ws.Load(repo.In(o.ws.Base(), dir), merge.Options{})
	if err != nil {
		return nil, err
	}
	return newSide(dir, mod, diags)
}

// newSide is the module of a directory.
func newSide(dir string, mod *merge.Module, diags hcl.Diagnostics) (*diffSide, error) {
	mod.Source.Prefix = filepath.ToSlash(dir) + "/"
	s := &diffSide{title: filepath.ToSlash(dir), mod: mod, diags: diags}
	return s, s.write()
}

// write writes the blocks, unless there are errors.
func (s *diffSide) write() error {
	if s.diags.HasErrors() {
		return nil
	}
	text, doubts := native.NewSorted(s.mod)
	s.diags = append(s.diags, doubts...)
	return text.Write(&s.text)
}
