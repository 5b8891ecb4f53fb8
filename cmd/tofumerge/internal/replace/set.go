package replace

import (
	"bytes"
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
