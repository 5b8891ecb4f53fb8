package cli

import "github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"

// One side or both sides of diff at a revision.

// sides are the two that are compared, the earlier one first. What --against names is the
// later one, except for a revision.
func (d *diffCommand) sides(args []string) [2]string {
	name := "."
	if len(args) > 0 {
		name = args[0]
	}
	if _, isRevision := workspace.ParseRev(d.against); isRevision && !d.isInOrder {
		return [2]string{d.against, name}
	}
	return [2]string{name, d.against}
}

// bothSides loads the modules of two directories, each of which may be at a revision.
func (d *diffCommand) bothSides(names [2]string) (old, other *side, err error) {
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
		if past[i], err = d.ws.Past(dir, n); err != nil {
			return nil, nil, err
		}
	}
	var both [2]*side
	for i, name := range names {
		switch other := past[1-i]; {
		case past[i] != nil:
			both[i], err = d.pastSide(names[1-i], past[i])
		case other != nil:
			both[i], err = d.presentSide(name, other)
		default:
			both[i], err = d.side(name)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return both[0], both[1], nil
}

// pastSide is a module as it was. Its warnings are about what is over.
func (d *diffCommand) pastSide(dir string, p *workspace.PastDir) (*side, error) {
	if _, areBoth := workspace.ParseRev(dir); areBoth {
		dir = "."
	}
	l, err := d.ws.LoadPast(dir, p)
	if err != nil {
		return nil, err
	}
	was := l.Reading()
	s := &side{title: p.Label(), mod: was.Module, diags: errorsOf(was.Diags)}
	return s, s.write()
}

// presentSide is a module that is compared with what it was.
func (d *diffCommand) presentSide(dir string, p *workspace.PastDir) (*side, error) {
	l, note, err := d.ws.LoadPresent(dir, p)
	if err != nil {
		return nil, err
	}
	d.ws.NoteOnce(p.RenameNote())
	d.ws.NoteOnce(d.ws.EngineNote(p, dir))
	d.ws.NoteOnce(note)
	d.ws.WarnOfIdleExclusions(l.Source)
	now := l.Reading()
	return newSide(dir, now.Module, now.Diags)
}
