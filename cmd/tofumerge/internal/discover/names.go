package discover

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"golang.org/x/text/unicode/norm"
)

// Differences of file systems that compare letters of names in another way than Go, and of shells
// that don't expand patterns.

const isWindows = runtime.GOOS == "windows"

// expanded replaces the patterns among paths by their matches, which on Windows no shell does.
func (s *Search) expanded(paths []string) []string {
	return expandGlobs(paths, isWindows, func(path string) []string {
		if _, err := os.Lstat(repo.In(s.Base, path)); err == nil {
			return nil
		}
		found, _ := filepath.Glob(repo.In(s.Base, path)) // a bad pattern is reported as a path
		for i, name := range found {
			if rel, err := filepath.Rel(s.Base, name); err == nil && s.Base != "" && !filepath.IsAbs(path) {
				found[i] = rel
			}
		}
		return found
	})
}

// expandGlobs replaces patterns by their matches. A pattern without matches stays, as in the shells
// of Unix.
func expandGlobs(paths []string, isWindows bool, glob func(string) []string) []string {
	if !isWindows {
		return paths
	}
	var list []string
	for _, path := range paths {
		var found []string
		if isPattern(path) {
			found = glob(path)
		}
		if len(found) == 0 {
			found = []string{path}
		}
		list = append(list, found...)
	}
	return list
}

func isPattern(path string) bool { return strings.ContainsAny(strings.TrimPrefix(path, `\\?\`), "*?") }

// nameIn is the name that a directory has for a file: file systems that don't distinguish
// upper and lower case, or composed and decomposed letters, find it by others, too.
func nameIn(entries []string, name string, isSame func(entry string) bool) string {
	if slices.Contains(entries, name) {
		return name
	}
	for _, entry := range entries {
		if strings.EqualFold(norm.NFC.String(entry), norm.NFC.String(name)) && isSame(entry) {
			return entry
		}
	}
	return name
}

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
