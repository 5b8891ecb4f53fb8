package replace

import (
	"errors"
	"fmt"
	"io/fs"
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
	dirs    map[string]*dir
	changes []*change
	reads   []fileRead  // texts that must be unchanged when it begins
	asides  []*asideDir // where old files are kept meanwhile; others are beside the new ones
	guard   *signalGuard
	isDone  bool // and nothing must be undone any more
	steps   int
	cleaned []os.FileInfo
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

// Clean is the function of this name, once for each directory. Those that the set changes are
// cleaned without it.
func (s *Set) Clean(path string) {
	info, err := os.Stat(path)
	if err != nil || slices.ContainsFunc(s.cleaned, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
		return
	}
	s.cleaned = append(s.cleaned, info)
	Clean(path, s.opts.Warn)
}

// Rewrite adds a change to the set: a regular file gets a new text. path is the file itself, not a
// link to it; label names it in messages; old is its required text when the set runs. The error
// explains why the file's directory can't be opened.
func (s *Set) Rewrite(path, label string, old, new []byte) error {
	c, err := s.change(path, label)
	if err == nil {
		c.old, c.new = orEmpty(old), orEmpty(new)
		s.changes = append(s.changes, c)
	}
	return err
}

// Create adds a change to the set: a file is made that must not exist yet.
func (s *Set) Create(path, label string, text []byte) error {
	c, err := s.change(path, label)
	if err == nil {
		c.new = orEmpty(text)
		s.changes = append(s.changes, c)
	}
	return err
}

// Remove adds a change to the set: a file that holds old, or a link to one, is removed.
func (s *Set) Remove(path, label string, old []byte) error {
	c, err := s.change(path, label)
	if err != nil {
		return err
	}
	c.old = orEmpty(old)
	if info, err := c.dir.root.Lstat(c.name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if c.target, err = c.dir.root.Readlink(c.name); err != nil {
			return err
		}
	}
	s.changes = append(s.changes, c)
	return nil
}

// Len is the number of changes.
func (s *Set) Len() int { return len(s.changes) }

// Expect sets the required text of a file, or of a link's target, when the first change is made.
func (s *Set) Expect(path, label string, text []byte) {
	s.reads = append(s.reads, fileRead{path, label, text})
}

// A fileRead is the text that was read from a file.
type fileRead struct {
	path, label string
	text        []byte
}

func (r fileRead) check() error {
	f, _, err := input.Open(r.path)
	if err != nil {
		return &ChangedError{Name: r.label}
	}
	defer f.Close()
	if same, err := sameText(f, r.text); err != nil || !same {
		return &ChangedError{Name: r.label}
	}
	return nil
}

func orEmpty(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

func (s *Set) change(path, label string) (*change, error) {
	parent := filepath.Dir(path)
	d := s.dirs[parent]
	if d == nil {
		s.Clean(parent)
		var err error
		if d, err = openDir(parent); err != nil {
			return nil, err
		}
		s.dirs[parent] = d
	}
	return &change{dir: d, name: filepath.Base(path), label: label}, nil
}

// Run makes the changes, all or none. An error lists the changes that were not made, and those that
// were made in spite of it.
func (s *Set) Run() error {
	for _, d := range s.dirs {
		d.hold()
	}
	s.guard = watch(s.interrupted)
	defer s.guard.stop()
	err := s.run()
	var step *stepError
	if err == nil || errors.As(err, &step) {
		return err
	}
	return s.guard.do(func() error { return s.takenBack(err) })
}

// hold lets other processes know that files are being written here.
func (d *dir) hold() {
	if lock(d.file, false) {
		d.free = func() { unlock(d.file) }
	}
}

// A stepError is what Options.Step ended a run with.
type stepError struct{ error }

func (e *stepError) Unwrap() error { return e.error }

func (s *Set) run() error {
	for _, c := range s.changes {
		if c.new != nil {
			if err := s.step(func() error { return c.named(c.write(s.guard)) }, false); err != nil {
				return err
			}
		}
	}
	if err := s.guard.do(s.checkAll); err != nil {
		return err
	}
	if err := s.changeAll(); err != nil {
		return err
	}
	return s.finish()
}

// step does a step that shows, if it is not to end here.
func (s *Set) step(do func() error, guarded bool) error {
	if s.opts.Step != nil {
		if err := s.opts.Step(s.steps); err != nil {
			return &stepError{err}
		}
	}
	s.steps++
	if guarded {
		return s.guard.do(do)
	}
	return do()
}

// named adds the name of the file to an error of the system.
func (c *change) named(err error) error {
	var changed *ChangedError
	if err == nil || errors.As(err, &changed) {
		return err
	}
	return fmt.Errorf("can't write %s: %w", c.label, input.StripPath(err))
}

// checkAll compares all files with the texts that were read.
func (s *Set) checkAll() error {
	for _, r := range s.reads {
		if err := r.check(); err != nil {
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

func (s *Set) changeAll() error {
	for _, a := range s.asides {
		if err := s.step(a.fill, true); err != nil {
			return err
		}
	}
	isRemoving := false
	for _, c := range s.changes {
		if c.new == nil && !isRemoving {
			isRemoving = true
			if err := s.sync(); err != nil {
				return err
			}
		}
		err := s.step(func() error {
			if c.new == nil {
				if err := s.stillWritten(); err != nil {
					return err
				}
			}
			return c.named(c.do())
		}, true)
		if err != nil {
			return err
		}
	}
	return nil
}

// stillWritten fails if a file was saved after it was rewritten: it may lack the texts that are
// about to be removed.
func (s *Set) stillWritten() error {
	for _, c := range s.changes {
		if c.new == nil || !c.isDone {
			continue
		}
		if same, err := c.dir.holds(c.name, c.new); err != nil || !same {
			return &ChangedError{Name: c.label}
		}
	}
	return nil
}

func (s *Set) sync() error {
	for _, d := range s.dirs {
		if err := d.sync(); err != nil {
			return fmt.Errorf("can't sync the directory %s: %w", d.path, input.StripPath(err))
		}
	}
	return nil
}

// finish removes the replaced files.
func (s *Set) finish() error {
	if err := s.sync(); err != nil {
		return err
	}
	for _, a := range s.asides {
		if err := s.step(a.rename, true); err != nil {
			return err
		}
	}
	return s.step(s.removeOld, true)
}

func (s *Set) removeOld() error {
	s.isDone = true
	var errs []error
	for _, c := range s.changes {
		errs = append(errs, c.discard(c.old))
		for _, text := range c.lost {
			s.opts.Warn(fmt.Sprintf("%s was replaced by a new file; %s", c.label, text))
		}
	}
	for _, a := range s.asides {
		errs = append(errs, a.remove())
	}
	if err := errors.Join(errs...); err != nil {
		s.opts.Warn(fmt.Sprintf("everything was written, but %s", oneLine(err)))
	}
	return nil
}

// takenBack undoes the changes because of an error.
func (s *Set) takenBack(cause error) error {
	if err := s.undo(); err != nil {
		return fmt.Errorf("%w; the rest was undone, but %s", cause, oneLine(err))
	}
	var changed *ChangedError
	if errors.As(cause, &changed) {
		return fmt.Errorf("nothing was written: %w; run the command again", cause)
	}
	return fmt.Errorf("nothing was written: %w", cause)
}

func (s *Set) undo() error {
	var errs []error
	for _, c := range slices.Backward(s.changes) {
		errs = append(errs, c.undo())
	}
	for _, a := range s.asides {
		errs = append(errs, a.remove())
	}
	return errors.Join(errs...)
}

// interrupted undoes the changes when a signal comes, and warns.
func (s *Set) interrupted(sig os.Signal) {
	if s.isDone {
		s.opts.Warn(fmt.Sprintf("stopped by a signal (%v) after everything was written", sig))
		return
	}
	if err := s.undo(); err != nil {
		s.opts.Warn(fmt.Sprintf("stopped by a signal (%v); the rest was undone, but %s", sig, oneLine(err)))
		return
	}
	s.opts.Warn(fmt.Sprintf("stopped by a signal (%v): nothing was written; run the command again", sig))
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
