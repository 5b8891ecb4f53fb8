// Package replace writes files without losing anything that was saved.
//
// A Set replaces, makes and removes files of directories together. New texts are written beside the
// old ones first, which reveals a full disk and missing permissions. Then each file is compared
// with the text that was read, right before and right after it is replaced, and all replacements
// are undone if one of them has changed. An Output is one file for a result, and MakeDir makes a
// directory; both appear as a whole or not at all.
//
// INT, TERM and HUP undo the changes so far. A run that is killed leaves files whose names begin
// with Prefix; the next run that writes into their directory warns of them.
//
// It refuses to replace a file that isn't regular, that changed since it was read, or whose owner
// and mode the new one can't have. It warns of extended attributes and further hard links, which it
// doesn't keep.
package replace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// A Set makes changes together, or none of them. They are made in the order in which they are added. Of each module,
// add the new texts before the removals, so that no text is missing in between.
type Set struct {
	opts    Options
	dirs    map[string]dir // by their real paths
	changes []*change
	checks  []func() error // fail if a text that was read has changed
	guard   *signalGuard
	steps   int
	isOne   bool // it writes only the file of an Output
	isDone  bool // all changes are made, so a signal must not undo them
}

// Options are the callbacks of a run.
type Options struct {
	// Warn receives messages for the user.
	Warn func(text string)
	// Step, if set, is called before each visible step, with its number; an error ends the run
	// there, and undoes nothing, as if the run had been killed.
	Step func(i int) error
}

// NewSet returns an empty set. Close it after use.
func NewSet(opts Options) *Set {
	return &Set{opts: opts, dirs: map[string]dir{}}
}

// Close closes the directories that the set has opened.
func (s *Set) Close() {
	for _, d := range s.dirs {
		_ = d.Close() // nothing was written to it
	}
}

// ReportLeft warns of files that a killed run may have left in a directory, as openDir does whenever it opens one. So
// it is needed only for directories in which the set changes nothing.
func (s *Set) ReportLeft(path string) { _, _ = s.dir(path) } // a change there would report the error

// Rewrite adds a change to the set: a regular file gets a new text. path is the file itself, not a
// link to it; label names it in messages; old is its required text when the set runs. The error
// explains why the file's directory can't be opened.
func (s *Set) Rewrite(path, label string, old, new []byte) error {
	return s.add(path, &change{label: label, isAsRead: holdsText(old), new: new, hasOld: true, hasNew: true})
}

// Create adds a change to the set: a file is made that must not exist yet.
func (s *Set) Create(path, label string, new []byte) error {
	return s.add(path, &change{label: label, isAsRead: isFree, new: new, hasNew: true})
}

// Remove adds a change to the set: a file that holds old, or a link to one, is removed.
func (s *Set) Remove(path, label string, old []byte) error {
	c := &change{label: label, isAsRead: holdsText(old), hasOld: true}
	if target, err := os.Readlink(path); err == nil {
		c.isAsRead = linksTo(target)
	}
	return s.add(path, c)
}

// add adds a change of the file at a path. It opens the directory at once, so that later steps meet the
// same one.
func (s *Set) add(path string, c *change) (err error) {
	c.name = filepath.Base(path)
	if c.dir, err = s.dir(filepath.Dir(path)); err == nil {
		s.changes = append(s.changes, c)
		s.checks = append(s.checks, func() error { return notWritten(c.label, c.check(c.name)) })
	}
	return err
}

// dir returns the directory at a path, opened once for all of its files.
func (s *Set) dir(path string) (dir, error) {
	real, err := filepath.EvalSymlinks(path) // before Abs, since directories above a relative path may be inaccessible
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if d, isOpen := s.dirs[real]; isOpen || err != nil {
		return d, err
	}
	d, err := openDir(path, s.opts.Warn)
	if err == nil {
		s.dirs[real] = d
	}
	return d, err
}

// Expect makes Run fail, before its first change, unless a file holds the text that was read from it. Of a link, the
// target's text counts.
func (s *Set) Expect(path, label string, text []byte) {
	s.checks = append(s.checks, func() error {
		if found, err := input.Read(path, int64(len(text))); err != nil || !bytes.Equal(found, text) {
			return changedError(label)
		}
		return nil
	})
}

// Run makes the changes, all or none. An error lists the changes that were not made, and those that
// were made in spite of it.
func (s *Set) Run() error {
	s.guard = watch(s.interrupted)
	defer s.guard.stop()
	cause := s.run()
	if cause == nil {
		return nil
	}
	return s.guard.do(func() error { return s.rollBack(cause) })
}

// run writes all new texts beside the old ones, compares everything with what was read, and only then
// renames file by file. Before the removals of each module it syncs the directories: a crash must not leave
// a file removed and its replacement unwritten. Last, it removes the old files, which are kept until then.
func (s *Set) run() error {
	// Write the new texts beside the old ones.
	for _, c := range s.changes {
		if c.hasNew {
			if err := s.step(func() error { return notWritten(c.label, c.write()) }); err != nil {
				return err
			}
		}
	}
	if err := s.guard.do(s.checkAll); err != nil {
		return err
	}
	// Rename: from here on, files change.
	for i, c := range s.changes {
		if !c.hasNew && (i == 0 || s.changes[i-1].hasNew) { // the first removal after new texts: a module's first
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

// step does a step that others can see on the disk. If Options.Step returns an error, the run ends before the step,
// and the files stay as they are, as if the program had been killed there.
func (s *Set) step(do func() error) error {
	if s.opts.Step != nil {
		if err := s.opts.Step(s.steps); err != nil {
			s.changes = nil // so that rollBack finds nothing to undo
			return err
		}
	}
	s.steps++
	return s.guard.do(do)
}

// checkAll compares all files with the texts that were read.
func (s *Set) checkAll() error {
	for _, check := range s.checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// do makes a change. A removal fails if another program saved one of the files that were rewritten before: that may
// lack the text that is about to be removed.
func (s *Set) do(c *change) error {
	for _, other := range s.changes {
		// c is a removal; other was rewritten, and its file has another text by now.
		if !c.hasNew && other.hasNew && other.isDone && !other.holdsNewText() {
			return changedError(other.label)
		}
	}
	return notWritten(c.label, c.do())
}

// sync makes the changes so far survive a crash.
func (s *Set) sync() error {
	for _, d := range s.dirs {
		if err := d.sync(); err != nil {
			return fmt.Errorf("can't sync the directory %s: %w", d.Name(), err)
		}
	}
	return nil
}

// removeOld removes the replaced files once all changes are made. It only warns of those that it can't remove: an
// error would undo the run.
func (s *Set) removeOld() error {
	s.isDone = true
	failed := s.each(func(c *change) error { return c.discard(c.isAsRead) })
	for _, c := range s.changes {
		if c.lost != "" {
			s.opts.Warn(fmt.Sprintf("%s was replaced by a new file; %s", c.label, c.lost))
		}
	}
	if failed != "" {
		s.opts.Warn("everything was written, but " + failed)
	}
	return nil
}

// each calls do for all changes, the last one first. Undone in this order, the files pass only through states that they
// had before. It returns the errors as one text.
func (s *Set) each(do func(*change) error) string {
	var failed []string
	for _, c := range slices.Backward(s.changes) {
		if err := do(c); err != nil {
			failed = append(failed, err.Error())
		}
	}
	return strings.Join(failed, "; ")
}

// rollBack undoes all changes because of cause, and returns cause with a note about what was undone. The file of an
// Output needs no such note: cause names it.
func (s *Set) rollBack(cause error) error {
	failed := s.each((*change).undo)
	switch {
	case failed != "":
		return fmt.Errorf("%w; the rest was undone, but %s", cause, failed)
	case s.isOne:
		return cause
	case errors.As(cause, new(changedError)):
		return fmt.Errorf("nothing was written: %w; run the command again", cause)
	}
	return fmt.Errorf("nothing was written: %w", cause)
}

// interrupted undoes the changes when a signal comes, and warns.
func (s *Set) interrupted(sig os.Signal) {
	how := ": nothing was written; run the command again"
	if s.isDone {
		how = " after everything was written"
	} else if failed := s.each((*change).undo); failed != "" {
		how = "; the rest was undone, but " + failed
	}
	s.opts.Warn(fmt.Sprintf("stopped by a signal (%v)%s", sig, how))
}

// A changedError reports that the file of this name changed since it was read.
type changedError string

// Error implements error.
func (name changedError) Error() string { return string(name) + " changed on disk after it was read" }

// notWritten adds the name of a file to an error. A changedError stays as it is: it names the file itself.
func notWritten(name string, err error) error {
	if err == nil || errors.As(err, new(changedError)) {
		return err
	}
	return fmt.Errorf("can't write %s: %w", strings.ToValidUTF8(name, "\uFFFD"), input.StripPath(err))
}

// A stateTest reports whether a directory has at a name what a change expects there.
type stateTest func(d dir, name string) (bool, error)

// holdsText returns the test whether a regular file holds a text.
func holdsText(want []byte) stateTest {
	return func(d dir, name string) (bool, error) {
		info, err := d.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(want)) {
			return false, err
		}
		f, err := d.OpenFile(name, os.O_RDONLY|input.Nonblocking, 0) // it may be a FIFO by now
		if err != nil {
			return false, err
		}
		defer f.Close()
		found, err := io.ReadAll(io.LimitReader(f, int64(len(want))+1))
		return err == nil && bytes.Equal(found, want), err
	}
}

// linksTo returns the test whether a link has a target.
func linksTo(want string) stateTest {
	return func(d dir, name string) (bool, error) {
		target, err := d.Readlink(name)
		return err == nil && target == want, nil
	}
}

// isStill returns the test whether a file is still the one seen, with the same size and time. An Output compares
// these, because it hasn't read the file.
func isStill(seen os.FileInfo) stateTest {
	return func(d dir, name string) (bool, error) {
		info, err := d.Lstat(name)
		return err == nil && os.SameFile(seen, info) && seen.Size() == info.Size() && seen.ModTime().Equal(info.ModTime()), nil
	}
}

// isFree is the test whether a name isn't taken: there is neither a file nor anything else.
func isFree(d dir, name string) (bool, error) {
	_, err := d.Lstat(name)
	return errors.Is(err, fs.ErrNotExist), nil
}

// A change replaces, makes or removes one file.
type change struct {
	dir      dir
	name     string    // in the directory
	label    string    // as messages name it
	isAsRead stateTest // whether a file is as it was when it was read, or still missing; else somebody changed it
	new      []byte
	hasOld   bool   // the file is replaced or removed, not made
	hasNew   bool   // the file is replaced or made, not removed
	temp     string // the file beside it: the new text, or the old file once isDone is set; "" for none
	lost     string // a warning about what keep can't copy
	isDone   bool
}

// write writes the new text beside the old one, to the disk. The new file gets the owner and the mode of
// the old one; before that, nobody else may read it.
func (c *change) write() (err error) {
	var old os.FileInfo
	mode := os.FileMode(0o666)
	if c.hasOld {
		mode = 0o600 // until keep sets the old one
		if old, err = c.dir.Lstat(c.name); err != nil {
			return err
		}
		if !old.Mode().IsRegular() {
			return changedError(c.label)
		}
	}
	name := partName()
	f, err := c.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	c.temp = name
	_, err = f.Write(c.new)
	if err == nil && old != nil {
		c.lost, err = keep(f, old, c.dir.join(c.name)) // after the text, since writing ends setuid
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// check fails unless the file at name is as it was read.
func (c *change) check(name string) error {
	isSame, err := c.isAsRead(c.dir, name)
	if err == nil && !isSame {
		return changedError(c.label)
	}
	return err
}

// holdsNewText reports whether the target has the new text, which another program may have changed by now.
func (c *change) holdsNewText() bool {
	isSame, err := holdsText(c.new)(c.dir, c.name)
	return err == nil && isSame
}

// do makes the change: the new file gets the target's name, and the old one a temporary name. It fails if another
// program saved the file right before. The files have been exchanged by then, so isDone stays set, and undo puts that
// program's text back.
func (c *change) do() error {
	if err := c.check(c.name); err != nil {
		return err
	}
	err := c.swap(c.hasOld) // the target's name is taken if there is an old file
	if errors.Is(err, fs.ErrExist) {
		return changedError(c.label) // another program made the file meanwhile
	}
	c.isDone = err == nil
	if err != nil || c.temp == "" {
		return err // it failed, or no old file is kept beside it
	}
	return c.check(c.temp) // compares again, now that nobody can save under this name
}

// swap moves the temporary file (c.temp), if there is one, to the target's name, and the file there, if isTaken, to a
// temporary name. So it both makes a change and undoes it. Afterwards c.temp names the file beside the target; "" if
// there is none.
func (c *change) swap(isTaken bool) (err error) {
	beside := ""
	switch {
	case !isTaken:
		err = c.dir.move(c.temp, c.name)
	case c.temp != "":
		beside, err = c.dir.exchange(c.temp, c.name)
	default: // no file takes the target's name
		beside = partName()
		err = c.dir.move(c.name, beside)
	}
	if err == nil {
		c.temp = beside
	}
	return err
}

// undo restores the file, or reports why it can't, with the name under which the old text is kept. It never
// overwrites a version that another program saved meanwhile.
func (c *change) undo() error {
	switch {
	case !c.isDone: // only a new text may be beside the file
		return c.discard(nil)
	case c.hasOld && c.temp == "": // the old text wasn't kept
		return fmt.Errorf("%s has its new text", c.label)
	case c.hasNew && !c.holdsNewText(): // another program changed the file
		if !c.hasOld { // the set made the file, and the other program's version stays
			return nil
		}
		return fmt.Errorf("another program saved %s meanwhile; the version before that is kept in %s", c.label, c.dir.join(c.temp))
	}
	if err := c.swap(c.hasNew); err != nil && c.hasOld {
		return fmt.Errorf("the old %s is kept in %s", c.label, c.dir.join(c.temp))
	} else if err != nil {
		return err
	}
	c.isDone = false
	return c.discard(holdsText(c.new)) // after the swap, the new text is beside the file
}

// discard removes the file beside the target. If that fails the test isExpected, somebody saved it, and it stays; nil
// skips the test.
func (c *change) discard(isExpected stateTest) error {
	if c.temp == "" {
		return nil
	}
	name := c.temp
	c.temp = ""
	if isExpected != nil {
		if isSame, _ := isExpected(c.dir, name); !isSame {
			return fmt.Errorf("a version of %s that another program saved is kept in %s", c.label, c.dir.join(name))
		}
	}
	return patiently(func() error { return c.dir.Remove(name) })
}

// An Output is the destination of a result.
type Output struct {
	// Path is the file itself, whether it exists or not: FindOutput follows links. It is "" for a descriptor of this
	// process.
	Path string

	name       string      // as it was given
	descriptor int         // if there is no path
	before     os.FileInfo // as FindOutput found it; nil if there was none
}

// descriptorPath matches the paths of this process's descriptors.
var descriptorPath = lazyregexp.New(fmt.Sprintf(`^(?:/proc/%d(?:/task/\d+)?/fd|/dev/fd)/(\d{1,9})$`, os.Getpid()))

// FindOutput finds the target of a result, and records its state: nothing, a file, or something
// that isn't a regular file. It opens nothing. It refuses the names that Windows has for devices, such as
// con.tf; a device itself, as NUL, may be written to.
func FindOutput(name string) (o *Output, err error) {
	defer func() { err = notWritten(name, err) }()
	if isReserved(filepath.Base(name)) {
		return nil, errors.New("the name is reserved for a device on Windows; choose another one")
	}
	path := name
	for range 40 { // as many links as Linux follows
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		path = filepath.Join(dir, filepath.Base(path))
		// A descriptor has no path: its link would open the file anew.
		if found := descriptorPath().FindStringSubmatch(path); found != nil {
			n, err := strconv.Atoi(found[1])
			return &Output{name: name, descriptor: n}, err
		}
		info, err := os.Lstat(path)
		switch {
		case err == nil && info.IsDir():
			return nil, errors.New("it is a directory")
		case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode()&fs.ModeSymlink == 0:
			return &Output{name: name, Path: path, before: info}, nil
		case err != nil:
			return nil, err
		}
		// It is a link: continue with its target.
		target, err := os.Readlink(path)
		if err != nil {
			return nil, err
		}
		if path = target; !filepath.IsAbs(target) {
			path = filepath.Join(dir, target)
		}
	}
	return nil, errors.New("its links form a loop")
}

// isReserved reports, on Windows, whether a file name is that of a device with an extension: con.tf. For the bare
// name NUL it is false, because that means the device itself, which a result may be written to.
func isReserved(base string) bool {
	// IsLocal is false for devices, but also for "..".
	return runtime.GOOS == "windows" && strings.Contains(base, ".") && base != ".." && !filepath.IsLocal(base)
}

// Write writes the result. A regular file gets the whole text or keeps its own. It fails if the file was saved or
// replaced since FindOutput saw it, unless it holds this very text by now. Anything else, such as a pipe or a
// descriptor of this process, is written to directly.
func (o *Output) Write(text []byte, opts Options) error {
	if o.Path == "" || o.before != nil && !o.before.Mode().IsRegular() {
		return notWritten(o.name, o.stream(text))
	}
	c := &change{label: o.name, isAsRead: isFree, new: text, hasNew: true} // makes a file where nothing is yet
	// A file that FindOutput saw is replaced, unless it has been removed since.
	if _, err := os.Lstat(o.Path); err == nil && o.before != nil {
		c.isAsRead, c.hasOld = isStill(o.before), true
	}
	set := NewSet(opts)
	defer set.Close()
	set.isOne = true
	if err := set.add(o.Path, c); err != nil {
		return notWritten(o.name, err)
	}
	err := set.Run()
	// A plain changedError isn't reported if another program wrote the same text. An error that wraps one is, because
	// it names a version of the file that is kept.
	if err == changedError(o.name) {
		if found, err := input.Read(o.Path, int64(len(text))); err == nil && bytes.Equal(found, text) {
			return nil
		}
	}
	return err
}

// stream writes the result to a descriptor, or to what isn't a regular file, such as a device. The standard streams
// stay open.
func (o *Output) stream(text []byte) (err error) {
	var f *os.File
	if o.Path == "" {
		f, err = openDescriptor(o.descriptor)
	} else {
		f, err = os.OpenFile(o.Path, os.O_WRONLY, 0)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil && f != os.Stdout && f != os.Stderr {
		err = f.Close()
	}
	return err
}
