package replace

import (
	"fmt"
	"path/filepath"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// AsideName is the directory for old files during changes that are only valid together. As long as
// it has this name, moving its contents back to the directory around it restores the earlier state.
const AsideName = Prefix + "aside"

// An asideDir is that directory on its way.
type asideDir struct {
	in      *dir
	name    string // "" if it isn't there
	changes []*change
	kept    []string // its contents
}

// KeepAside makes Run keep aside, until all is done, the files that the changes from a number on
// replace or remove. They are in the directory path, or below it.
func (s *Set) KeepAside(path string, from int) error {
	d, err := s.dir(path)
	if err == nil {
		s.asides = append(s.asides, &asideDir{in: d, changes: s.changes[from:]})
	}
	return err
}

// fill makes the directory with a further link to each file, and gives it its name when all are in it.
func (a *asideDir) fill() error {
	name := partName()
	if err := a.in.root.Mkdir(name, 0o700); err != nil {
		return fmt.Errorf("can't make %s: %w", a.in.join(AsideName), input.StripPath(err))
	}
	a.name = name
	for _, c := range a.changes {
		if c.old == nil {
			continue
		}
		to := c.name
		if c.dir != a.in {
			to = filepath.Base(c.label) // of the link that leads to it
		}
		from, err := filepath.Rel(a.in.path, c.dir.join(c.name))
		if err == nil {
			err = link(a.in.root, from, filepath.Join(a.name, to))
		}
		if err != nil {
			return fmt.Errorf("can't keep %s in %s: %w", c.label, a.in.join(AsideName), input.StripPath(err))
		}
		a.kept = append(a.kept, to)
	}
	return a.rename(AsideName)
}

// rename gives the directory another name: AsideName, or one that shows that it restores nothing.
func (a *asideDir) rename(to string) error {
	if err := a.in.move(a.name, to); err != nil {
		return fmt.Errorf("can't make %s: %w", a.in.join(to), input.StripPath(err))
	}
	a.name = to
	return nil
}

func (a *asideDir) remove() error {
	if a.name == "" {
		return nil
	}
	for _, name := range a.kept {
		_ = a.in.removeFile(filepath.Join(a.name, name)) // otherwise the directory isn't empty
	}
	if err := a.in.removeFile(a.name); err != nil {
		return fmt.Errorf("%s is not empty", a.in.join(a.name))
	}
	return nil
}
