package replace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

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

// put gives the directory its name.
func (b *Building) put(out string) error {
	err := renameOver(b.Path, out)
	switch {
	case errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EINVAL):
		return fmt.Errorf("can't write %s: the directory is in use; name a new one", out)
	case err != nil:
		return notWritten(out, err)
	}
	b.Path = ""
	return nil
}

func (b *Building) remove() error {
	if b.Path == "" {
		return nil
	}
	return os.RemoveAll(b.Path)
}
