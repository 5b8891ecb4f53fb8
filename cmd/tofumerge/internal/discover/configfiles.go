package discover

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// What the names in a directory reveal about it.

// IsConfigName reports whether any engine reads files of a name.
func IsConfigName(name string) bool {
	entries := load.Classify([]string{name}, engine.Default()) // which knows the names of all
	return len(entries) > 0 && entries[0].Status == load.Read
}

// isConfig reports whether an entry of a directory may be a file of configuration.
func isConfig(e fs.DirEntry) bool { return !e.IsDir() && IsConfigName(e.Name()) }

// isOverride reports whether an entry of a directory may be an override file.
func isOverride(e fs.DirEntry) bool {
	if e.IsDir() {
		return false
	}
	entries := load.Classify([]string{e.Name()}, engine.Default())
	return len(entries) > 0 && entries[0].Role == source.Override && entries[0].Status == load.Read
}

// MayHoldModule reports whether a directory of the disk has files that any engine reads, or
// may have some, since it can't be read.
func MayHoldModule(dir string) bool { return mayHave(dir, isConfig) }

// MayHoldOverrides is MayHoldModule for override files.
func MayHoldOverrides(dir string) bool { return mayHave(dir, isOverride) }

// batch is how many names are read of a directory at once.
const batch = 256

// mayHave reports whether a directory has an entry of a kind, or can't be read.
func mayHave(dir string, is func(fs.DirEntry) bool) bool {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return false // and opening a named pipe may wait for ever
	}
	f, err := os.Open(dir)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(batch)
		switch {
		case slices.ContainsFunc(entries, is):
			return true
		case errors.Is(err, io.EOF):
			return false
		case err != nil:
			return true
		}
	}
}

// HoldsModule reports whether a directory, which may be nil, has files that an engine reads.
func HoldsModule(from load.Directory, e engine.Release) bool {
	if from == nil {
		return false
	}
	names, _, err := from.Names()
	return err != nil || slices.ContainsFunc(load.Classify(names, e), func(e load.DirEntry) bool { return e.Status == load.Read })
}
