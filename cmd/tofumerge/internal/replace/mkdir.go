package replace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A Building is a directory on its way.
type Building struct {
	Path  string // where it is until it is whole
	guard *signalGuard
	isPut bool // it has its name
}

// Step does something in the directory that a signal does not interrupt.
func (b *Building) Step(do func() error) error { return b.guard.do(do) }

// MakeDir makes a directory, or fills one that is empty: it is there as a whole or not
// at all. A link is neither followed nor replaced.
func MakeDir(out string, opts Options, fill func(*Building) error) error {
	if err := checkName(out, isWindows); err != nil {
		return notWritten(out, err)
	}
	parent := filepath.Dir(out)
	defer claim(parent, opts.Warn)()
	b := &Building{}
	b.guard = watch(func(sig os.Signal) {
		_ = b.remove() // otherwise the next run reports it
		opts.Warn(stopped(sig, out, b.isPut))
	})
	defer b.guard.stop()
	err := b.Step(func() error { return b.make(out, opts) })
	if err == nil {
		err = fill(b)
	}
	if err == nil {
		err = b.Step(func() error { return b.put(out) })
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
	for b.Path == "" {
		path := filepath.Join(filepath.Dir(out), partName())
		err := os.Mkdir(path, 0o777)
		switch {
		case err == nil:
			b.Path = path
		case !errors.Is(err, fs.ErrExist):
			return notWritten(out, err)
		}
	}
	if _, err := os.Lstat(out); err != nil {
		return nil
	}
	old, err := os.Open(out)
	if err != nil {
		return notWritten(out, err)
	}
	defer old.Close()
	made, err := os.Open(b.Path)
	if err != nil {
		return notWritten(out, err)
	}
	defer made.Close()
	lost, err := keep(made, old)
	for _, text := range lost {
		opts.Warn(fmt.Sprintf("%s was replaced by a new directory; %s", out, text))
	}
	return err
}

// put gives the directory its name.
func (b *Building) put(out string) error {
	err := renameOver(b.Path, out)
	switch {
	case errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EINVAL):
		return fmt.Errorf("can't write %s: the directory is in use; name a new one", out)
	case err != nil:
		return notWritten(out, err)
	}
	b.Path, b.isPut = "", true
	return nil
}

func (b *Building) remove() error {
	if b.Path == "" {
		return nil
	}
	return os.RemoveAll(b.Path)
}
