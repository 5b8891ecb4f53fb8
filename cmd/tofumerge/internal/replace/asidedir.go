package replace

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// AsideName is the directory for old files during changes that are only valid together. As long as
// it has this name, moving its contents back to the directory around it restores the earlier state.
const AsideName = Prefix + "aside"

// An asideDir is that directory on its way.
type asideDir struct {
	in      *dir
	path    string
	name    string
	changes []*change
	kept    []*change // copies of rewritten files
	isOut   bool      // it was made
}

// KeepAside makes Run keep aside, until all is done, the files that the changes from a number on
// replace or remove. They are in the directory path, or below it.
func (s *Set) KeepAside(path string, from int) error {
	c, err := s.change(filepath.Join(path, AsideName), AsideName)
	if err == nil {
		s.asides = append(s.asides, &asideDir{in: c.dir, path: path, name: AsideName, changes: s.changes[from:]})
	}
	return err
}

// fill keeps copies of the files that will be rewritten, and has those that will be removed moved
// to them.
func (a *asideDir) fill() error {
	if err := a.in.root.Mkdir(a.name, 0o700); err != nil {
		return fmt.Errorf("can't make %s: %w", a.in.join(a.name), input.StripPath(err))
	}
	a.isOut = true
	for _, c := range a.changes {
		switch {
		case c.new == nil:
			c.temp = path.Join(a.name, c.name)
		case c.old != nil:
			if err := a.keep(c); err != nil {
				return c.named(err)
			}
		}
	}
	return nil
}

func (a *asideDir) keep(c *change) error {
	copied := &change{
		dir:   a.in,
		name:  c.label,
		label: c.label,
		old:   c.old,
		temp:  path.Join(a.name, filepath.Base(c.label)),
	}
	a.kept = append(a.kept, copied)
	if c.dir == a.in && a.in.root.Link(c.name, copied.temp) == nil {
		return nil
	}
	from, err := c.dir.root.Open(c.name)
	if err != nil {
		return err
	}
	defer from.Close()
	part := copied.temp + "~"
	f, err := a.in.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = fill(f, c.old, from)
	}
	if err != nil {
		return err
	}
	return a.in.renameFile(part, copied.temp)
}

// rename gives the directory a name that shows that it restores nothing any more.
func (a *asideDir) rename() error {
	name := partName()
	if err := a.in.renameFile(a.name, name); err != nil {
		return fmt.Errorf("can't rename %s: %w", a.in.join(a.name), input.StripPath(err))
	}
	a.name = name
	for _, c := range a.changes {
		if c.new == nil {
			c.temp = path.Join(name, c.name)
		}
	}
	for _, c := range a.kept {
		c.temp = path.Join(name, path.Base(c.temp))
	}
	return nil
}

func (a *asideDir) remove() error {
	if !a.isOut {
		return nil
	}
	var errs []error
	for _, c := range a.kept {
		errs = append(errs, c.discard(c.old))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := a.in.removeFile(a.name); err != nil {
		return fmt.Errorf("%s is not empty", a.in.join(a.name))
	}
	return nil
}
