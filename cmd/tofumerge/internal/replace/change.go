package replace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
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
	dir      *dir
	name     string   // in the directory
	label    string   // as messages name it
	old, new []byte   // nil if there is no file
	target   string   // of a link to be removed
	temp     string   // the file beside it: the new text, or the earlier one
	lost     []string // attributes of the old file that the new one lacks
	isDone   bool
}

// write writes the new text beside the old one.
func (c *change) write(g *signalGuard) error {
	var old, f *os.File
	err := g.do(func() (err error) {
		if c.old != nil {
			if old, err = c.dir.root.OpenFile(c.name, os.O_RDONLY|openNonblocking, 0); err != nil {
				return err
			}
		}
		if f, c.temp, err = newPart(c.dir.root.OpenFile, old != nil); err != nil {
			c.temp = ""
		}
		return err
	})
	if old != nil {
		defer old.Close()
	}
	if err != nil {
		return err
	}
	lost, err := fill(f, c.new, old)
	if err != nil {
		return err
	}
	c.lost = lost
	return g.do(func() error { return c.rename(wholeName(c.new, c.old)) })
}

// rename renames the file beside the target.
func (c *change) rename(to string) error {
	if err := c.dir.renameFile(c.temp, to); err != nil {
		return err
	}
	c.temp = to
	return nil
}

// check fails unless the file is as it was read.
func (c *change) check() error {
	var same bool
	var err error
	switch {
	case c.old == nil:
		_, err = c.dir.root.Lstat(c.name)
		same = errors.Is(err, fs.ErrNotExist)
		if same {
			err = nil
		}
	default:
		same, err = c.isOld(c.name)
	}
	if err == nil && !same {
		return &ChangedError{Name: c.label}
	}
	return err
}

// isOld reports whether a name still has the earlier contents: the text, or the link to it.
func (c *change) isOld(name string) (bool, error) {
	if c.target == "" {
		return c.dir.holds(name, c.old)
	}
	target, err := c.dir.root.Readlink(name)
	return err == nil && target == c.target, nil
}

// do moves the new text to its name, or removes the old one from it.
func (c *change) do() error {
	if err := c.check(); err != nil {
		return err
	}
	var err error
	switch {
	case c.new == nil:
		err = c.takeAway()
	case c.old == nil:
		if err = c.dir.move(c.temp, c.name); err == nil {
			c.temp, c.isDone = "", true
		}
	default:
		err = c.swap()
	}
	if errors.Is(err, fs.ErrExist) {
		return &ChangedError{Name: c.label}
	}
	return err
}

// swap exchanges the new text and the old one, and checks once more that the old one is unchanged.
func (c *change) swap() error {
	err := c.dir.exchange(c.temp, c.name)
	if errors.Is(err, errors.ErrUnsupported) {
		err = c.swapByLink()
	}
	if err != nil {
		return err
	}
	c.isDone = true
	if c.temp == "" {
		return nil
	}
	return c.verify(func() error { return c.dir.exchange(c.temp, c.name) }, c.new)
}

// swapByLink does it where names can't be exchanged. Without links, too, the old text
// is gone.
func (c *change) swapByLink() error {
	keep := wholeName(c.new, c.old)
	if c.dir.root.Link(c.name, keep) != nil {
		keep = ""
	}
	if err := c.dir.renameFile(c.temp, c.name); err != nil {
		if keep != "" {
			_ = c.dir.removeFile(keep) // it is another name of an existing file
		}
		return err
	}
	c.temp = keep
	return nil
}

// takeAway gives the file another name.
func (c *change) takeAway() error {
	temp := c.temp
	if temp == "" {
		temp = wholeName(c.old, c.old)
	}
	if err := c.dir.move(c.name, temp); err != nil {
		return err
	}
	c.temp, c.isDone = temp, true
	return c.verify(func() error { return c.dir.move(c.temp, c.name) }, nil)
}

// verify checks the replaced text after a change. If it is not the expected one, the change is
// undone, and anything that this moves out of the way is kept unless it is the written text.
func (c *change) verify(back func() error, written []byte) error {
	same, err := c.isOld(c.temp)
	if same || err != nil {
		return err
	}
	changed := &ChangedError{Name: c.label, Kept: c.dir.join(c.temp)}
	if err := back(); err != nil {
		c.temp, c.isDone = "", false // not ours to remove
		return changed
	}
	c.isDone = false
	if written == nil {
		c.temp, changed.Kept = "", ""
		return changed
	}
	if same, err := c.dir.holds(c.temp, written); err == nil && same {
		changed.Kept = ""
	} else {
		c.temp = ""
	}
	return changed
}

// undo restores the file.
func (c *change) undo() error {
	switch {
	case !c.isDone && c.new == nil:
		return nil // it has not gone yet
	case !c.isDone:
		return c.discard(c.new)
	case c.new == nil:
		if err := c.dir.move(c.temp, c.name); err != nil {
			return fmt.Errorf("the old %s is kept in %s", c.label, c.dir.join(c.temp))
		}
		c.isDone, c.temp = false, ""
		return nil
	case c.temp == "" && c.old != nil:
		return fmt.Errorf("%s has its new text", c.label)
	}
	if same, err := c.dir.holds(c.name, c.new); err != nil || !same {
		if c.old == nil {
			return nil // another process replaced it
		}
		return fmt.Errorf(
			"another program saved %s meanwhile; the version before that is kept in %s", c.label, c.dir.join(c.temp),
		)
	}
	c.isDone = false
	if c.old == nil {
		c.temp = wholeName(c.new, nil)
		if err := c.dir.move(c.name, c.temp); err != nil {
			return err
		}
		return c.discard(c.new)
	}
	err := c.dir.exchange(c.temp, c.name)
	if errors.Is(err, errors.ErrUnsupported) {
		err = c.dir.renameFile(c.temp, c.name)
		c.temp = ""
	}
	if err != nil {
		return err
	}
	return c.discard(c.new)
}

// discard removes the file beside the target, if it is as expected.
func (c *change) discard(text []byte) error {
	if c.temp == "" {
		return nil
	}
	name := c.temp
	c.temp = ""
	if c.target != "" && c.isDone {
		return c.dir.removeFile(name)
	}
	if !strings.HasPrefix(name, partPrefix) || strings.Contains(name, "/") {
		if same, err := c.dir.holds(name, text); err != nil || !same {
			return fmt.Errorf("a version of %s that another program saved is kept in %s", c.label, c.dir.join(name))
		}
	}
	return c.dir.removeFile(name)
}
