package replace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A ChangedError reports that a file changed since it was read.
type ChangedError struct {
	Name string
	Kept string // where one of two versions of it is kept that others saved
}

func (e *ChangedError) Error() string {
	text := e.Name + " changed on disk after it was read"
	if e.Kept != "" {
		text += "; one of two versions saved since is in " + e.Kept
	}
	return text
}

// A change replaces, makes or removes one file.
type change struct {
	dir       *dir
	name      string      // in the directory
	label     string      // as messages name it
	old, new  []byte      // nil if there is no file
	target    string      // of a link to be removed
	seen      os.FileInfo // instead of old
	temp      string      // the file beside it: the new text, or, once it is done, the old one
	lost      []string    // warnings about what the new file lacks
	isWritten bool        // temp is whole
	isDone    bool
}

// write writes the new text beside the old one.
func (c *change) write() error {
	old, err := c.dir.root.Lstat(c.name)
	switch {
	case !c.hasOld():
		old = nil
	case err != nil:
		return err
	case !old.Mode().IsRegular():
		return &ChangedError{Name: c.label}
	}
	f, name, err := c.dir.newPart(old != nil)
	if err != nil {
		return err
	}
	c.temp = name
	c.lost, err = fill(f, c.new, old, c.dir.join(c.name))
	c.isWritten = err == nil
	return err
}

// named adds the name of the file to an error of the system.
func (c *change) named(err error) error {
	if err == nil || errors.As(err, new(*ChangedError)) {
		return err
	}
	return fmt.Errorf("can't write %s: %w", c.label, input.StripPath(err))
}

func (c *change) hasOld() bool { return c.old != nil || c.seen != nil }

// check fails unless the file is as it was read.
func (c *change) check() error {
	same, err := c.isOld(c.name)
	if err == nil && !same {
		return &ChangedError{Name: c.label}
	}
	return err
}

// isOld reports whether a name still has the earlier contents: the text, the link to it, or the file
// that was seen.
func (c *change) isOld(name string) (bool, error) {
	switch {
	case c.target != "":
		target, err := c.dir.root.Readlink(name)
		return err == nil && target == c.target, nil
	case c.seen != nil:
		info, err := c.dir.root.Lstat(name)
		return err == nil && isSame(c.seen, info), nil
	}
	return c.dir.holds(name, c.old)
}

// do moves the new text to its name, and the old one from it. A text that somebody saved right
// before is put back.
func (c *change) do() error {
	if err := c.check(); err != nil {
		return err
	}
	if err := c.swap(c.hasOld(), c.new != nil); errors.Is(err, fs.ErrExist) {
		return &ChangedError{Name: c.label}
	} else if err != nil {
		return err
	}
	c.isDone = true
	if c.temp == "" {
		return nil // there was no file, or it is gone
	}
	if same, err := c.isOld(c.temp); same || err != nil {
		return err
	}
	err := c.swap(c.new != nil, true)
	c.isDone = false
	changed := &ChangedError{Name: c.label}
	if err != nil || c.temp != "" && !c.holdsNew(c.temp) {
		changed.Kept, c.temp = c.dir.join(c.temp), "" // not ours to remove
	}
	return changed
}

// swap exchanges what is at the name, if hasOut, for the file beside it, if hasIn.
func (c *change) swap(hasOut, hasIn bool) (err error) {
	switch temp := partName(); {
	case hasOut && hasIn:
		c.temp, err = c.dir.exchange(c.temp, c.name)
	case hasIn:
		if err = c.dir.move(c.temp, c.name); err == nil {
			c.temp = ""
		}
	default:
		if err = c.dir.move(c.name, temp); err == nil {
			c.temp = temp
		}
	}
	return err
}

// holdsNew reports whether a name has the new text.
func (c *change) holdsNew(name string) bool {
	same, err := c.dir.holds(name, c.new)
	return err == nil && same
}

// undo restores the file.
func (c *change) undo() error {
	switch {
	case !c.isDone:
		return c.discard()
	case c.hasOld() && c.temp == "":
		return fmt.Errorf("%s has its new text", c.label)
	case c.new != nil && !c.holdsNew(c.name):
		if !c.hasOld() {
			return nil // another process replaced it
		}
		return fmt.Errorf("another program saved %s meanwhile; the version before that is kept in %s", c.label, c.dir.join(c.temp))
	}
	if err := c.swap(c.new != nil, c.hasOld()); err != nil && c.new == nil {
		return fmt.Errorf("the old %s is kept in %s", c.label, c.dir.join(c.temp))
	} else if err != nil {
		return err
	}
	c.isDone = false
	return c.discard()
}

// discard removes the file beside the target, unless somebody saved it under that name.
func (c *change) discard() error {
	if c.temp == "" {
		return nil
	}
	name, isOurs := c.temp, true
	c.temp = ""
	switch {
	case c.isDone:
		isOurs, _ = c.isOld(name)
	case c.isWritten:
		isOurs = c.holdsNew(name)
	}
	if !isOurs {
		return fmt.Errorf("a version of %s that another program saved is kept in %s", c.label, c.dir.join(name))
	}
	return c.dir.removeFile(name)
}
