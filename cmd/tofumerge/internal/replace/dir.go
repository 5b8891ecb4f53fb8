package replace

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	gosync "sync"
	"syscall"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Prefix begins the names of temporary files beside their targets. No engine loads such names.
const Prefix = ".tofumerge-"

// partPrefix begins the names of new texts until they get their names, and of replaced files until they are removed.
const partPrefix = Prefix + "part-"

// partName returns a random name for such a file or directory.
func partName() string { return fmt.Sprintf("%s%08x", partPrefix, rand.Uint32()) }

// A dir is an open directory. If its path is renamed or replaced by a link, changes still go to this directory.
type dir struct{ *os.Root }

// openDir opens a directory, and warns of files in it that a killed run may have left.
func openDir(path string, warn func(string)) (dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return dir{}, err
	}
	left, _ := fs.Glob(root.FS(), partPrefix+"*") // none if the directory can't be read
	for i, name := range left {
		left[i] = filepath.ToSlash(filepath.Join(path, name))
	}
	if len(left) > 0 {
		warn(strings.Join(left, ", ") + " may be left from a killed run, or hold the old text of a file; check and remove it")
	}
	return dir{root}, nil
}

func (d dir) join(name string) string { return filepath.Join(d.Name(), name) }

// Flags of renameat2: fail if the new name is taken, or exchange the two files.
const noReplace, exchanging = 1, 2

// rename renames a file of the directory atomically. flags forbid to replace a file, or exchange two. Systems
// other than Linux, and some file systems, can't do that: see isUnsupported.
func (d dir) rename(from, to string, flags uint) error {
	f, err := d.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	if err := renameat2(int(f.Fd()), from, int(f.Fd()), to, flags); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// isUnsupported reports whether an error is that the system, or the file system, can't do something.
func isUnsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL)
}

// move renames a file, and fails if the new name is taken. If the system can't do both in one step, a file that is
// created in between is lost.
func (d dir) move(from, to string) error {
	err := d.rename(from, to, noReplace)
	if !isUnsupported(err) {
		return err
	}
	if _, err := d.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return patiently(func() error { return d.Rename(from, to) })
}

// exchange puts the file from at the name to, and returns the name that the old file has afterwards. If the system
// can't exchange names, the old file is kept as a hard link. Without hard links, its text is lost and old is "".
func (d dir) exchange(from, to string) (old string, err error) {
	if err = d.rename(from, to, exchanging); !isUnsupported(err) {
		return from, err
	}
	if old = partName(); link(d.Root, to, old) != nil {
		old = ""
	}
	err = patiently(func() error { return d.Rename(from, to) })
	if err != nil && old != "" {
		_ = d.Remove(old) // it is another name of an existing file
	}
	return old, err
}

// sync and link are replaced in tests to simulate a failing disk, and one without links.
var (
	sync = (*os.File).Sync
	link = (*os.Root).Link
)

// sync makes renames and removals in the directory survive a crash, if the system can.
func (d dir) sync() error {
	f, err := d.Open(".")
	if err == nil {
		err = errors.Join(sync(f), f.Close())
	}
	if isUnsupported(err) || runtime.GOOS == "windows" {
		return nil
	}
	return input.StripPath(err)
}

// keep gives a new file or directory (to) the owner and the mode of the old one, which it will replace at path. It
// fails if the system doesn't allow that. lost is a warning about what it can't copy: hard links and attributes.
func keep(to *os.File, old os.FileInfo, path string) (lost string, err error) {
	removeInheritedACL(to)
	attributes := attributesLost(to, path)
	// The owner goes first, because changing it may clear bits of the mode.
	uid, gid, links := idsOf(old)
	_ = to.Chown(uid, gid) // Stat shows whether it worked
	now, err := to.Stat()
	if err != nil {
		return "", err
	}
	if u, g, _ := idsOf(now); u != uid || g != gid {
		return "", fmt.Errorf("you may not make a file of its owner and group (%d:%d); change them first", uid, gid)
	}
	if err := to.Chmod(old.Mode()); err != nil {
		return "", err
	}
	// The system may drop bits without an error.
	if now, err := to.Stat(); err != nil || now.Mode() != old.Mode() {
		return "", errors.Join(err, fmt.Errorf("the system doesn't let a new file have its mode (%v); change it first", old.Mode()))
	}
	var list []string
	if links > 1 && old.Mode().IsRegular() {
		list = append(list, "other hard links to the old file keep the old text")
	}
	if attributes != "" {
		list = append(list, "these attributes of the old one aren't copied: "+attributes)
	}
	return strings.Join(list, "; "), nil
}

// Windows refuses to rename or remove a file that another program has open: an editor, a virus
// scanner, an indexer. Most of them close it soon.

// busyTries limits the attempts, and busyWait is the first pause between them.
const busyTries, busyWait = 8, 10 * time.Millisecond

// errBusy reports a file that is still open after the last attempt.
var errBusy = errors.New("it is open in another program, or you may not change it; close it there and run the command again")

// patiently repeats an action while it fails because another program has a file open. Each pause is twice as long as
// the one before; together they take about a second.
func patiently(do func() error) error { return retried(do, isBusy, time.Sleep) }

// retried calls do until it succeeds or fails for another reason than a busy file, at most busyTries times. Then it
// returns errBusy. isBusy and sleep are parameters so that tests need neither Windows nor time.
func retried(do func() error, isBusy func(error) bool, sleep func(time.Duration)) error {
	err := do()
	for i := 1; i < busyTries && err != nil && isBusy(err); i++ {
		sleep(busyWait << (i - 1))
		err = do()
	}
	if err != nil && isBusy(err) {
		return errBusy
	}
	return err
}

// A Building is a directory that is being filled.
type Building struct {
	Path  string // where it is while it is filled; "" once MakeDir has given it its final name
	guard *signalGuard
}

// Step changes the directory. A signal takes effect only after do has returned.
func (b *Building) Step(do func() error) error { return b.guard.do(do) }

// MakeDir makes a directory, or fills one that is empty. It is filled under a temporary name, so that out never holds
// half of it. A link at out is neither followed nor replaced.
func MakeDir(out string, opts Options, fill func(*Building) error) error {
	parent, err := openDir(filepath.Dir(out), opts.Warn)
	if err != nil {
		return notWritten(out, err)
	}
	defer parent.Close()
	b := &Building{Path: parent.join(partName())}
	b.guard = watch(func(sig os.Signal) {
		how := " after " + out + " was written"
		if b.Path != "" { // put hasn't renamed it to out yet
			how = ": " + out + " was not written"
			_ = removeTree(b.Path) // otherwise the next run reports it
		}
		opts.Warn(fmt.Sprintf("stopped by a signal (%v)%s", sig, how))
	})
	defer b.guard.stop()
	err = b.Step(func() error { return notWritten(out, b.make(out, opts.Warn)) })
	if err == nil {
		err = fill(b)
	}
	if err == nil {
		err = b.Step(func() error { return notWritten(out, b.put(out)) })
	}
	if err != nil { // b.Path isn't "": put clears it only if it succeeds
		return errors.Join(err, removeTree(b.Path))
	}
	if err := parent.sync(); err != nil {
		return fmt.Errorf("%s is written, but its parent directory can't be synced: %w", out, err)
	}
	return nil
}

// make makes the temporary directory at b.Path, beside out. If the directory out exists, the new one gets its owner and
// mode.
func (b *Building) make(out string, warn func(string)) error {
	if err := os.Mkdir(b.Path, 0o777); err != nil {
		return err
	}
	old, err := os.Lstat(out)
	if err != nil || !old.IsDir() {
		return nil // there is none, or put reports that something else is there
	}
	made, err := os.Open(b.Path)
	if err != nil {
		return err
	}
	defer made.Close()
	lost, err := keep(made, old, out)
	if lost != "" {
		warn(fmt.Sprintf("%s was replaced by a new directory; %s", out, lost))
	}
	return err
}

// put renames the temporary directory to out, and clears b.Path. An empty directory there is removed first, because
// os.Rename doesn't replace directories.
func (b *Building) put(out string) error {
	err := patiently(func() error { return syscall.Rmdir(out) })
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = patiently(func() error { return os.Rename(b.Path, out) })
	}
	if errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.EINVAL) { // for example a mount point, or "."
		return errors.New("the directory is in use; name a new one")
	}
	if err == nil {
		b.Path = ""
	}
	return err
}

// removeTree removes a directory with its contents, even from directories without write permission. It doesn't follow
// links.
func removeTree(path string) error {
	if os.RemoveAll(path) == nil {
		return nil
	}
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700) // unchangeable files are reported below
		}
		return nil
	})
	return os.RemoveAll(path)
}

// Prefixes of temporary directories; directories that are kept have another one, so that no run
// removes them.
const (
	tempPrefix = "tofumerge-exec-"
	keptPrefix = "tofumerge-kept-"
)

// A TempDir is a temporary directory that nobody else may read. The process holds a lock on it, so that other runs
// don't take it for a leftover.
type TempDir struct {
	Path string
	file *os.File
}

// NewTempDir makes a temporary directory, and removes those that killed runs left. With isKept, no later run removes
// the directory, even if this one is killed.
func NewTempDir(isKept bool, warn func(string)) (*TempDir, error) {
	cleanTempDirs(os.TempDir(), warn)
	path, err := os.MkdirTemp("", keptPrefix)
	if err != nil {
		return nil, input.NoTempDir(err)
	}
	t := &TempDir{Path: path, file: lock(path, false)} // shared: it only shows that the directory is in use
	// It gets tempPrefix only once it is locked: other runs remove unlocked directories of that prefix.
	if !isKept {
		err = t.rename(keptPrefix, tempPrefix)
	}
	return t, err
}

// Fill calls fill to fill the directory. A signal that comes meanwhile removes the directory and ends the process.
func (t *TempDir) Fill(fill func(*Building) error) error {
	b := &Building{Path: t.Path}
	b.guard = watch(func(os.Signal) { _ = t.Remove() }) // if not, the next run does
	defer b.guard.stop()
	return fill(b)
}

// Keep renames the directory, so that no run removes it.
func (t *TempDir) Keep() error { return t.rename(tempPrefix, keptPrefix) }

// rename gives the directory another prefix, unless it has that already.
func (t *TempDir) rename(from, to string) error {
	rest, hasPrefix := strings.CutPrefix(filepath.Base(t.Path), from)
	if !hasPrefix {
		return nil
	}
	path := filepath.Join(filepath.Dir(t.Path), to+rest)
	if err := os.Rename(t.Path, path); err != nil {
		return err
	}
	t.Path = path
	return nil
}

// Remove removes the directory, even if its contents may not be written.
func (t *TempDir) Remove() error {
	err := removeTree(t.Path)
	_ = t.file.Close() // nothing was written to it
	return err
}

// cleanTempDirs removes the temporary directories in parent that killed runs of this user left. The system released
// their locks, so any directory that it can lock is a leftover.
func cleanTempDirs(parent string, warn func(string)) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) || !isOurs(info) {
			continue
		}
		path := filepath.Join(parent, e.Name())
		if d := lock(path, true); d != nil { // alone: no running process has a lock
			how := "removed files of a killed run: "
			if removeTree(path) != nil {
				how = "can't remove the files of a killed run; check and remove them: "
			}
			warn(how + path)
			_ = d.Close() // nothing was written to it
		}
	}
}

// isOurs reports whether this user may own a directory. Root may remove those of all users.
func isOurs(info os.FileInfo) bool {
	uid, _, _ := idsOf(info)
	return os.Geteuid() == 0 || os.Geteuid() == uid
}

// A signalGuard has a signal wait for the end of the current step before it undoes the run.
type signalGuard struct {
	steps   gosync.RWMutex // a step reads, and a signal writes: once it waits, no step begins any more
	signals chan os.Signal
}

// watch calls undo when a signal comes, between two steps, and ends the process then. Signals that the
// program was started to ignore do nothing.
func watch(undo func(os.Signal)) *signalGuard {
	g := &signalGuard{signals: make(chan os.Signal, 1)}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(g.signals, s)
		}
	}
	go func() {
		if s, ok := <-g.signals; ok {
			g.steps.Lock() // waits for a step under way
			undo(s)
			die(s)
		}
	}()
	return g
}

// do runs a step. A signal that comes meanwhile takes effect after it: the undo needs the lock that steps hold.
func (g *signalGuard) do(step func() error) error {
	g.steps.RLock()
	defer g.steps.RUnlock()
	return step()
}

// stop ends the watch. Once undo has begun, it doesn't return: otherwise the caller could go on, and even report
// success, before the signal ends the process.
func (g *signalGuard) stop() {
	g.steps.RLock()
	defer g.steps.RUnlock()
	signal.Stop(g.signals)
	close(g.signals)
}
