package replace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	gosync "sync"
	"syscall"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A dir is a directory that stays the same one whatever happens to its name.
type dir struct {
	path string
	root *os.Root
	file *os.File
}

// openDir opens a directory twice: root reaches the files in it, and file is what fsync and renameat2 take.
// file is opened through root, so that both are the same directory even if its name changes in between.
func openDir(path string) (*dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	file, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &dir{path, root, file}, nil
}

func (d *dir) close() {
	_ = d.file.Close() // nothing was written to it
	_ = d.root.Close()
}

func (d *dir) join(name string) string { return filepath.Join(d.path, name) }

// holds reports whether a name is a regular file with this text, or, for nil, isn't taken.
func (d *dir) holds(name string, text []byte) (bool, error) {
	info, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return text == nil, nil
	}
	if err != nil || text == nil || !info.Mode().IsRegular() || info.Size() != int64(len(text)) {
		return false, err
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|openNonblocking, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	found, err := io.ReadAll(io.LimitReader(f, int64(len(text))+1))
	return err == nil && bytes.Equal(found, text), err
}

// move gives a file another name, which is not taken.
func (d *dir) move(from, to string) error {
	err := d.rename(from, to, noReplace)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := d.root.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return d.renameFile(from, to)
}

// exchange gives a name the file of another one, and returns the name that its old file has then.
// If names can't be exchanged, that is a further link to it; without links the old text is gone.
func (d *dir) exchange(from, to string) (old string, err error) {
	if err = d.rename(from, to, exchanging); !errors.Is(err, errors.ErrUnsupported) {
		return from, err
	}
	if old = partName(); link(d.root, to, old) != nil {
		old = ""
	}
	if err := d.renameFile(from, to); err != nil {
		if old != "" {
			_ = d.removeFile(old) // it is another name of an existing file
		}
		return from, err
	}
	return old, nil
}

// sync and link are replaced in tests to simulate a failing disk, and one without links.
var (
	sync = (*os.File).Sync
	link = (*os.Root).Link
)

// syncFile makes renames and removals in a directory survive a crash, if the system can.
func syncFile(d *os.File) error {
	err := sync(d)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || !syncsDirs {
		return nil // not every system can sync a directory
	}
	return err
}

// syncDir makes renames and removals in a directory survive a crash, as syncFile does, by the directory's
// name. It does nothing for a directory that may not be read.
func syncDir(path string) error {
	d, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(syncFile(d), d.Close())
}

// Prefixes of temporary directories; directories that are kept have another one, so that no run
// removes them.
const (
	tempPrefix = "tofumerge-exec-"
	keptPrefix = "tofumerge-kept-"
)

// A TempDir is a temporary directory that nobody else may read. While the process runs it is locked, by
// which later runs know whether they may remove it.
type TempDir struct {
	Path string
	file *os.File
}

// NewTempDir makes a temporary directory, and removes those that killed runs left.
func NewTempDir(isKept bool, warn func(string)) (*TempDir, error) {
	cleanTempDirs(os.TempDir(), warn)
	path, err := os.MkdirTemp("", keptPrefix)
	if err != nil {
		return nil, input.NoTempDir(err)
	}
	t := &TempDir{Path: path, file: lock(path, false)}
	if !isKept { // and locked by now, so that no run takes it for a leftover
		err = t.rename(keptPrefix, tempPrefix)
	}
	return t, err
}

// Fill has something made in the directory. A signal that comes meanwhile removes the directory and ends
// the process.
func (t *TempDir) Fill(fill func(*Building) error) error {
	b := &Building{Path: t.Path}
	b.guard = watch(func(os.Signal) { _ = t.Remove() }) // if not, the next run does
	defer b.guard.stop()
	return fill(b)
}

// Keep has the directory stay, under another name: no run removes it.
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

// cleanTempDirs removes the temporary directories below parent that killed runs of this user left: those
// that no process has locked.
func cleanTempDirs(parent string, warn func(string)) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) || !isOurs(info) {
			continue
		}
		path := filepath.Join(parent, e.Name())
		if d := lock(path, true); d != nil {
			how := "removed files of a killed run: "
			if removeTree(path) != nil {
				how = "can't remove the files of a killed run; check and remove them: "
			}
			warn(how + path)
			_ = d.Close() // nothing was written to it
		}
	}
}

// isOurs reports whether a directory may be one that this user's process left.
func isOurs(info os.FileInfo) bool {
	return os.Geteuid() == 0 || os.Geteuid() == ownerOf(info)
}

// removeTree removes a directory with all that it holds, even if that may not be written. Links in it are
// not followed.
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

// Prefix begins the names of files on their way. No engine loads such names.
const Prefix = ".tofumerge-"

// partPrefix begins the names of files that are being written, or were replaced.
const partPrefix = Prefix + "part-"

// partName is a new name for such a file or directory.
func partName() string { return fmt.Sprintf("%s%08x", partPrefix, rand.Uint32()) }

// reportLeft warns of files in a directory that a killed run may have left.
func reportLeft(dir string, warn func(string)) {
	entries, _ := os.ReadDir(dir) // as far as it can be read
	var left []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), partPrefix) {
			left = append(left, filepath.ToSlash(filepath.Join(dir, e.Name())))
		}
	}
	if len(left) > 0 {
		warn(strings.Join(left, ", ") + " may be left from a killed run, or hold the old text of a file; check and remove it")
	}
}

// newPart makes a new file. If it will replace an old one, nobody else may read it before it has
// the old mode.
func (d *dir) newPart(hasOld bool) (f *os.File, name string, err error) {
	mode := os.FileMode(0o666)
	if hasOld {
		mode = 0o600
	}
	name = partName()
	f, err = d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	return f, name, err
}

// fill writes a text to the disk. If the file will replace an old one, it gets its owner and mode.
func fill(f *os.File, text []byte, old os.FileInfo, path string) (lost []string, err error) {
	_, err = f.Write(text)
	if err == nil && old != nil {
		lost, err = keep(f, old, path) // after the text, since writing ends setuid
	}
	if err == nil {
		err = f.Sync()
	}
	return lost, errors.Join(err, f.Close())
}

// keep gives a file or a directory the owner and the mode of the old one at a path, and returns
// warnings about what it lacks.
func keep(to *os.File, old os.FileInfo, path string) (lost []string, err error) {
	dropACL(to) // the directory's defaults may give rights that the old file did not
	if err := keepOwner(to, old); err != nil {
		return nil, err
	}
	if err := to.Chmod(old.Mode()); err != nil {
		return nil, err
	}
	// The system may drop bits without an error.
	if now, err := to.Stat(); err != nil || now.Mode() != old.Mode() {
		return nil, errors.Join(err, fmt.Errorf("the system doesn't let a new file have its mode (%v); change it first", old.Mode()))
	}
	if links(old) > 1 && old.Mode().IsRegular() {
		lost = append(lost, "other hard links to the old file keep the old text")
	}
	if names := lostAttributes(to, path); len(names) > 0 {
		lost = append(lost, "these attributes of the old one aren't copied: "+strings.Join(names, ", "))
	}
	return lost, nil
}

// A Building is a directory on its way.
type Building struct {
	Path  string // where it is until it is whole; "" once it has its name
	guard *signalGuard
}

// Step does something in the directory that a signal does not interrupt.
func (b *Building) Step(do func() error) error { return b.guard.do(do) }

// MakeDir makes a directory, or fills one that is empty: it is there as a whole or not
// at all. A link is neither followed nor replaced.
func MakeDir(out string, opts Options, fill func(*Building) error) error {
	if err := checkName(out); err != nil {
		return notWritten(out, err)
	}
	parent := filepath.Dir(out)
	reportLeft(parent, opts.Warn)
	b := &Building{Path: filepath.Join(parent, partName())}
	b.guard = watch(func(sig os.Signal) {
		how := " after %s was written"
		if b.Path != "" {
			how = ": %s was not written"
		}
		_ = b.remove() // otherwise the next run reports it
		opts.Warn(fmt.Sprintf("stopped by a signal (%v)"+how, sig, out))
	})
	defer b.guard.stop()
	err := b.Step(func() error { return b.make(out, opts) })
	if err == nil {
		err = fill(b)
	}
	if err == nil {
		err = b.Step(func() error {
			err := renameOver(b.Path, out)
			switch {
			case errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EINVAL):
				return fmt.Errorf("can't write %s: the directory is in use; name a new one", out)
			case err != nil:
				return notWritten(out, err)
			}
			b.Path = ""
			return nil
		})
	}
	if err != nil {
		return errors.Join(err, b.remove())
	}
	if err := syncDir(parent); err != nil {
		return fmt.Errorf("%s is written, but its parent directory can't be synced: %w", out, input.StripPath(err))
	}
	return nil
}

// make makes the directory beside the one that it replaces, with the same attributes.
func (b *Building) make(out string, opts Options) error {
	if err := os.Mkdir(b.Path, 0o777); err != nil {
		return notWritten(out, err)
	}
	old, err := os.Lstat(out)
	if err != nil || !old.IsDir() {
		return nil // put reports what isn't a directory
	}
	made, err := os.Open(b.Path)
	if err != nil {
		return notWritten(out, err)
	}
	defer made.Close()
	lost, err := keep(made, old, out)
	if err != nil {
		return notWritten(out, err)
	}
	for _, text := range lost {
		opts.Warn(fmt.Sprintf("%s was replaced by a new directory; %s", out, text))
	}
	return nil
}

func (b *Building) remove() error {
	if b.Path == "" {
		return nil
	}
	return removeTree(b.Path)
}

// Windows refuses to rename or remove a file that another program has open: an editor, a virus
// scanner, an indexer. Most of them close it soon.

// busyTries and busyWait are how often that is tried, and how long the first pause is.
const busyTries, busyWait = 8, 10 * time.Millisecond

// errBusy is the error about a file that is still open after that.
var errBusy = errors.New("it is open in another program, or you may not change it; close it there and run the command again")

// patiently repeats an action until it succeeds, or fails because of something else than a file
// that is open elsewhere; each pause is twice as long as the previous one, about a second in all.
func patiently(do func() error) error { return retried(do, isBusy, time.Sleep) }

// retried repeats do as patiently describes. isBusy and sleep are parameters so that tests need neither
// Windows nor time.
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

// renameFile gives a file another name.
func (d *dir) renameFile(from, to string) error {
	return patiently(func() error { return d.root.Rename(from, to) })
}

// removeFile removes a file.
func (d *dir) removeFile(name string) error {
	return patiently(func() error { return d.root.Remove(name) })
}

// A signalGuard separates the steps of a run from the actions of a signal.
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
			g.steps.Lock()
			undo(s)
			die(s)
		}
	}()
	return g
}

// do runs a step. A signal waits until the step has ended.
func (g *signalGuard) do(step func() error) error {
	g.steps.RLock()
	defer g.steps.RUnlock()
	return step()
}

// stop ends the watch.
func (g *signalGuard) stop() {
	g.steps.RLock()
	defer g.steps.RUnlock()
	signal.Stop(g.signals)
	close(g.signals)
}
