package replace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A Set is a number of changes that are made together, in the order in which they are added: new
// texts first, and then removals.
type Set struct {
	opts    Options
	dirs    map[string]*dir // by their real paths
	changes []*change
	expects []func() error // fail if a text that was read has changed
	asides  []*asideDir
	guard   *signalGuard
	isDone  bool // and nothing must be undone any more
	steps   int
	isEnded bool // by Options.Step
	isOne   bool // the file of an Output
}

// Options are the callbacks of a run.
type Options struct {
	// Warn receives messages for the user.
	Warn func(text string)
	// Step, if set, is called before each visible step, with its number; an error ends the run
	// there, and leaves everything unchanged.
	Step func(i int) error
}

// NewSet prepares for changes. Close ends that.
func NewSet(opts Options) *Set {
	return &Set{opts: opts, dirs: map[string]*dir{}}
}

// Close lets go of the directories.
func (s *Set) Close() {
	for _, d := range s.dirs {
		d.close()
	}
}

// ReportLeft warns of files that a killed run may have left in a directory. Directories that the set
// changes are looked at without it.
func (s *Set) ReportLeft(path string) { _, _ = s.dir(path) } // a change reports the error

// Rewrite adds a change to the set: a regular file gets a new text. path is the file itself, not a
// link to it; label names it in messages; old is its required text when the set runs. The error
// explains why the file's directory can't be opened.
func (s *Set) Rewrite(path, label string, old, new []byte) error {
	return s.add(path, label, func(c *change) { c.old, c.new = orEmpty(old), orEmpty(new) })
}

// Create adds a change to the set: a file is made that must not exist yet.
func (s *Set) Create(path, label string, text []byte) error {
	return s.add(path, label, func(c *change) { c.new = orEmpty(text) })
}

// Remove adds a change to the set: a file that holds old, or a link to one, is removed.
func (s *Set) Remove(path, label string, old []byte) error {
	return s.add(path, label, func(c *change) {
		c.old = orEmpty(old)
		c.target, _ = c.dir.root.Readlink(c.name) // it isn't a link otherwise
	})
}

func orEmpty(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

func (s *Set) add(path, label string, plan func(c *change)) error {
	d, err := s.dir(filepath.Dir(path))
	if err == nil {
		c := &change{dir: d, name: filepath.Base(path), label: label}
		plan(c)
		s.changes = append(s.changes, c)
	}
	return err
}

func (s *Set) dir(path string) (*dir, error) {
	real, err := filepath.EvalSymlinks(path) // while it is relative: directories above may be closed
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if d := s.dirs[real]; d != nil || err != nil {
		return d, err
	}
	d, err := openDir(path)
	if err == nil {
		s.dirs[real] = d
		reportLeft(path, s.opts.Warn)
	}
	return d, err
}

// Len is the number of changes.
func (s *Set) Len() int { return len(s.changes) }

// Expect sets the required text of a file, or of a link's target, when the first change is made.
func (s *Set) Expect(path, label string, text []byte) {
	s.expects = append(s.expects, func() error {
		if found, err := input.Read(path, int64(len(text))); err != nil || !bytes.Equal(found, text) {
			return &ChangedError{Name: label}
		}
		return nil
	})
}

// Run makes the changes, all or none. An error lists the changes that were not made, and those that
// were made in spite of it.
func (s *Set) Run() error {
	s.guard = watch(s.interrupted)
	defer s.guard.stop()
	err := s.run()
	if err == nil || s.isEnded {
		return err
	}
	return s.guard.do(func() error { return s.takenBack(err) })
}

func (s *Set) run() error {
	for _, c := range s.changes {
		if c.new != nil {
			if err := s.step(func() error { return c.named(c.write()) }); err != nil {
				return err
			}
		}
	}
	if err := s.guard.do(s.checkAll); err != nil {
		return err
	}
	for _, a := range s.asides {
		if err := s.step(a.fill); err != nil {
			return err
		}
	}
	for i, c := range s.changes {
		if c.new == nil && (i == 0 || s.changes[i-1].new != nil) {
			if err := s.sync(); err != nil {
				return err
			}
		}
		if err := s.step(func() error { return s.do(c) }); err != nil {
			return err
		}
	}
	if err := s.sync(); err != nil {
		return err
	}
	for _, a := range s.asides {
		if err := s.step(func() error { return a.rename(partName()) }); err != nil {
			return err
		}
	}
	return s.step(s.removeOld)
}

// step does a step that shows, if the run is not to end here.
func (s *Set) step(do func() error) error {
	if s.opts.Step != nil {
		if err := s.opts.Step(s.steps); err != nil {
			s.isEnded = true
			return err
		}
	}
	s.steps++
	return s.guard.do(do)
}

// checkAll compares all files with the texts that were read.
func (s *Set) checkAll() error {
	for _, check := range s.expects {
		if err := check(); err != nil {
			return err
		}
	}
	for _, c := range s.changes {
		if err := c.check(); err != nil {
			return c.named(err)
		}
	}
	return nil
}

// do makes a change. A removal fails if a file was saved after it was rewritten: it may lack the
// text that is about to be removed.
func (s *Set) do(c *change) error {
	for _, other := range s.changes {
		if c.new == nil && other.new != nil && other.isDone && !other.holdsNew(other.name) {
			return &ChangedError{Name: other.label}
		}
	}
	return c.named(c.do())
}

func (s *Set) sync() error {
	for _, d := range s.dirs {
		if err := syncFile(d.file); err != nil {
			return fmt.Errorf("can't sync the directory %s: %w", d.path, input.StripPath(err))
		}
	}
	return nil
}

// removeOld removes the replaced files.
func (s *Set) removeOld() error {
	s.isDone = true
	err := s.each((*change).discard)
	for _, c := range s.changes {
		for _, text := range c.lost {
			s.opts.Warn(fmt.Sprintf("%s was replaced by a new file; %s", c.label, text))
		}
	}
	if err != nil {
		s.opts.Warn(fmt.Sprintf("everything was written, but %s", oneLine(err)))
	}
	return nil
}

// each does something for all changes, the last one first, so that no state between is one that was
// not there before, and removes the files that are aside.
func (s *Set) each(do func(*change) error) error {
	var errs []error
	for _, c := range slices.Backward(s.changes) {
		errs = append(errs, do(c))
	}
	for _, a := range s.asides {
		errs = append(errs, a.remove())
	}
	return errors.Join(errs...)
}

// takenBack undoes the changes because of an error.
func (s *Set) takenBack(cause error) error {
	if err := s.each((*change).undo); err != nil {
		return fmt.Errorf("%w; the rest was undone, but %s", cause, oneLine(err))
	}
	if s.isOne {
		return cause
	}
	if errors.As(cause, new(*ChangedError)) {
		return fmt.Errorf("nothing was written: %w; run the command again", cause)
	}
	return fmt.Errorf("nothing was written: %w", cause)
}

// interrupted undoes the changes when a signal comes, and warns.
func (s *Set) interrupted(sig os.Signal) {
	how := ": nothing was written; run the command again"
	if s.isDone {
		how = " after everything was written"
	} else if err := s.each((*change).undo); err != nil {
		how = "; the rest was undone, but " + oneLine(err)
	}
	s.opts.Warn(fmt.Sprintf("stopped by a signal (%v)%s", sig, how))
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
