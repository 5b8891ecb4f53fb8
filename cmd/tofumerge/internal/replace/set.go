// Package replace writes files without losing anything that was saved.
//
// A Set replaces, makes and removes files of directories together. New texts are written beside the
// old ones first, which reveals a full disk and missing permissions. Then each file is compared
// with the text that was read, right before and right after it is replaced, and all replacements
// are undone if one of them has changed. An Output is one file for a result, and MakeDir makes a
// directory; both appear as a whole or not at all.
//
// INT, TERM and HUP undo the changes so far. A run that is killed leaves files whose names begin
// with Prefix; the next one that writes into their directory names them.
//
// It refuses to replace a file that isn't regular, that changed since it was read, or whose owner
// and mode the new one can't have. It warns of extended attributes and further hard links, which it
// doesn't keep.
package replace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// A Set is a number of changes that are made together, in the order in which they are added: new
// texts first, and then removals.
type Set struct {
	opts    Options
	dirs    map[string]*dir // by their real paths
	changes []*change
	expects []func() error // fail if a text that was read has changed
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

// add adds a change of the file at a path, which plan completes. It opens the directory at once, so that
// later steps meet the same one.
func (s *Set) add(path, label string, plan func(c *change)) error {
	d, err := s.dir(filepath.Dir(path))
	if err == nil {
		c := &change{dir: d, name: filepath.Base(path), label: label}
		plan(c)
		s.changes = append(s.changes, c)
	}
	return err
}

// dir returns the directory at a path, opened once for all of its files. The first time it names what
// killed runs left there.
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

// run writes all new texts beside the old ones, compares everything with what was read, and only then
// renames file by file. Directories are synced before the first removal: a crash must not leave a file
// removed and its replacement unwritten.
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
// not there before.
func (s *Set) each(do func(*change) error) error {
	var errs []error
	for _, c := range slices.Backward(s.changes) {
		errs = append(errs, do(c))
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

// undo restores the file, or reports why it can't, with the name under which the old text is kept. It never
// overwrites a version that another program saved meanwhile.
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

// An Output is the destination of a result.
type Output struct {
	// Path is the file itself: links have been followed, there or not. It is ""
	// for a descriptor of this process.
	Path string

	name       string // as it was given
	descriptor int    // if there is no path
	before     os.FileInfo
}

// FindOutput finds the target of a result, and records its state: nothing, a file, or something
// that isn't a regular file. It opens nothing.
func FindOutput(name string) (*Output, error) {
	path := name
	if err := checkName(path); err != nil {
		return nil, notWritten(name, err)
	}
	for range 40 {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return nil, notWritten(name, err)
		}
		path = filepath.Join(dir, filepath.Base(path))
		if n, ok := descriptorOf(path); ok {
			return &Output{name: name, descriptor: n}, nil
		}
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &Output{name: name, Path: path}, nil
		case err != nil:
			return nil, notWritten(name, err)
		case info.IsDir():
			return nil, notWritten(name, errors.New("it is a directory"))
		case info.Mode()&fs.ModeSymlink == 0:
			return &Output{name: name, Path: path, before: info}, nil
		}
		target, err := os.Readlink(path)
		if err != nil {
			return nil, notWritten(name, err)
		}
		if path = target; !filepath.IsAbs(target) {
			path = dir + string(filepath.Separator) + target
		}
	}
	return nil, notWritten(name, errors.New("its links form a loop"))
}

var descriptorPath = lazyregexp.New(`^(?:/proc/(\d+)(?:/task/\d+)?/fd|/dev/fd)/(\d+)$`)

// descriptorOf returns the descriptor of this process that a path names, and reports whether there
// is one.
func descriptorOf(path string) (int, bool) {
	found := descriptorPath().FindStringSubmatch(path)
	if found == nil || found[1] != "" && found[1] != strconv.Itoa(os.Getpid()) {
		return 0, false
	}
	n, err := strconv.Atoi(found[2])
	return n, err == nil
}

// Write writes the result. A regular file is replaced at once or not at all, wherever it is, unless
// it was exchanged or saved since FindOutput saw it. To anything else, and to a descriptor of this
// process, the result is written as it comes.
func (o *Output) Write(text []byte, opts Options) error {
	if o.Path == "" {
		return o.writeTo(func() (*os.File, error) { return openDescriptor(o.descriptor) }, text)
	}
	if o.before != nil && !o.before.Mode().IsRegular() {
		return o.writeTo(func() (*os.File, error) { return os.OpenFile(o.Path, os.O_WRONLY, 0) }, text)
	}
	now, err := os.Lstat(o.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		now = nil
	case err != nil:
		return notWritten(o.name, err)
	case o.before == nil || !isSame(o.before, now):
		if found, err := input.Read(o.Path, int64(len(text))); err == nil && bytes.Equal(found, text) {
			return nil // another run has written the same
		}
		return notWritten(o.name, &ChangedError{Name: "it"})
	}
	set := NewSet(opts)
	defer set.Close()
	set.isOne = true
	if err := set.add(o.Path, o.name, func(c *change) { c.seen, c.new = now, orEmpty(text) }); err != nil {
		return notWritten(o.name, err)
	}
	return set.Run()
}

// writeTo writes the result as it comes to what open returns, and closes that, except for the standard
// streams.
func (o *Output) writeTo(open func() (*os.File, error), text []byte) error {
	f, err := open()
	if err == nil {
		_, err = f.Write(text)
	}
	if err == nil && f != os.Stdout && f != os.Stderr {
		err = f.Close()
	}
	if err != nil {
		return notWritten(o.name, err)
	}
	return nil
}

// isSame reports whether a file is the same one as before, and nobody wrote to it.
func isSame(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// checkName refuses the names that Windows has for devices, such as con.tf. A device itself, as NUL,
// may be written to.
func checkName(path string) error {
	name := filepath.Base(path)
	if runtime.GOOS != "windows" || name == ".." || filepath.IsLocal(name) || !strings.Contains(name, ".") {
		return nil
	}
	return errors.New("the name is reserved for a device on Windows; choose another one")
}

func notWritten(name string, err error) error {
	return fmt.Errorf("can't write %s: %w", strings.ToValidUTF8(name, "\uFFFD"), input.StripPath(err))
}
