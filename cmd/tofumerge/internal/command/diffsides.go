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

// One side or both sides of diff at a revision.

// sides are the two that are compared, the earlier one first. What --against names is the
// later one, except for a revision.
func (o *diffOptions) sides(args []string) [2]string {
	name := "."
	if len(args) > 0 {
		name = args[0]
	}
	if _, isRevision := workspace.ParseRev(o.against); isRevision && !o.isInOrder {
		return [2]string{o.against, name}
	}
	return [2]string{name, o.against}
}

// bothSides loads the modules of two directories, each of which may be at a revision.
func (o *diffOptions) bothSides(names [2]string) (old, other *side, err error) {
	var past [2]*workspace.PastDir
	for i, name := range names {
		n, isRevision := workspace.ParseRev(name)
		if !isRevision {
			continue
		}
		dir := names[1-i]
		if _, areBoth := workspace.ParseRev(dir); areBoth {
			dir = "."
		}
		if past[i], err = o.ws.Past(dir, n); err != nil {
			return nil, nil, err
		}
	}
	var both [2]*side
	for i, name := range names {
		switch other := past[1-i]; {
		case past[i] != nil:
			both[i], err = o.pastSide(names[1-i], past[i])
		case other != nil:
			both[i], err = o.presentSide(name, other)
		default:
			both[i], err = o.side(name)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return both[0], both[1], nil
}

// pastSide is a module as it was. Its warnings are about what is over.
func (o *diffOptions) pastSide(dir string, p *workspace.PastDir) (*side, error) {
	if _, areBoth := workspace.ParseRev(dir); areBoth {
		dir = "."
	}
	l, err := o.ws.LoadPast(dir, p)
	if err != nil {
		return nil, err
	}
	was := l.Reading()
	s := &side{title: p.Label(), mod: was.Module, diags: diag.Refusals(was.Diags)}
	return s, s.write()
}

// presentSide is a module that is compared with what it was.
func (o *diffOptions) presentSide(dir string, p *workspace.PastDir) (*side, error) {
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

// A side is one of two modules that are compared.
type side struct {
	title string
	mod   *merge.Module
	diags hcl.Diagnostics
	text  bytes.Buffer // its blocks by kind and address
}

func (o *diffOptions) side(dir string) (*side, error) {
	mod, diags, err := o.ws.Load(repo.In(o.ws.Base(), dir), merge.Options{})
	if err != nil {
		return nil, err
	}
	return newSide(dir, mod, diags)
}

// newSide is the module of a directory.
func newSide(dir string, mod *merge.Module, diags hcl.Diagnostics) (*side, error) {
	mod.Source.Prefix = filepath.ToSlash(dir) + "/"
	s := &side{title: filepath.ToSlash(dir), mod: mod, diags: diags}
	return s, s.write()
}

// write writes the blocks, unless there are errors.
func (s *side) write() error {
	if s.diags.HasErrors() {
		return nil
	}
	text, doubts := native.NewSorted(s.mod)
	s.diags = append(s.diags, doubts...)
	return text.Write(&s.text)
}
