package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
)

// Which module directories a command on several of them works on.

// A target is a module directory, and the files of it that were named. Where the
// directory itself was named, or was found, files is nil.
type target struct {
	dir   string // as it was given, or found below what was given
	files map[string]bool
	// must tells that the directory was named, so that it has to hold a module.
	must bool
}

// skipped are directories in which other programs keep copies of modules.
var skipped = []string{".terraform", ".terragrunt-cache", ".git"}

// targets maps paths to module directories, in the order in which they come up
// first. Files belong to the module of their directory.
func (a *app) targets(paths []string, recursive bool) ([]*target, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	t := &targetList{byDir: map[string]*target{}}
	for _, p := range paths {
		info, err := os.Stat(inDir(a.base(), p))
		switch {
		case err != nil:
			return nil, fmt.Errorf("can't read %s: %w", load.Escape(p), worldly(err))
		case !info.IsDir():
			if t := t.at(filepath.Dir(p)); t.files != nil {
				t.files[filepath.Base(p)] = true
			}
		case recursive:
			if err := a.walk(p, t); err != nil {
				return nil, err
			}
		default:
			found := t.at(filepath.Clean(p))
			found.files, found.must = nil, true
		}
	}
	return t.list, nil
}

// A targetList gathers targets, each directory once.
type targetList struct {
	list  []*target
	byDir map[string]*target
}

func (t *targetList) at(dir string) *target {
	if t.byDir[dir] == nil {
		t.byDir[dir] = &target{dir: dir, files: map[string]bool{}}
		t.list = append(t.list, t.byDir[dir])
	}
	return t.byDir[dir]
}

// walk finds the directories below one that hold configuration. Links to
// directories are not followed, so that none is walked twice.
func (a *app) walk(root string, t *targetList) error {
	base := inDir(a.base(), root)
	return filepath.WalkDir(base, func(name string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(base, name)
		if relErr != nil {
			return relErr
		}
		shown := filepath.Join(root, rel)
		switch {
		case err != nil:
			t.at(shown).files = nil // reading it will tell why not
			return fs.SkipDir
		case d.IsDir() && slices.Contains(skipped, d.Name()):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if entries := load.Classify([]string{d.Name()}, load.DefaultEngine()); len(entries) > 0 && entries[0].Status == load.Read {
			t.at(filepath.Dir(shown)).files = nil
		}
		return nil
	})
}

// worldly is an error without the path that package os puts into it.
func worldly(err error) error {
	if pathErr, ok := err.(*fs.PathError); ok {
		return pathErr.Err
	}
	return err
}
