package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// Which module directories a command on several of them works on.

// A target is a module directory, and the files of it that were named. Where the
// directory itself was named, or was found, files is nil.
type target struct {
	dir   string // as it was given, or found below what was given
	files map[string]bool
	// must is set if the directory was named, so that it has to hold a module.
	must   bool
	called *calledModule // by other modules, with --modules
	cache  *load.Cache   // of earlier looks at it
}

// skipped are directories in which other programs keep copies of modules.
var skipped = []string{".terraform", ".terragrunt-cache", ".git"}

// targets maps paths to module directories, in the order in which they come up
// first. Files belong to the module of their directory, but for those in copies
// that other programs keep.
func (a *app) targets(paths []string, s *search) ([]*target, error) {
	if err := s.settle(); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	list := &targetList{base: a.base(), byDir: map[string]*target{}, names: map[string][]string{}}
	for _, path := range a.expanded(paths) {
		info, err := os.Stat(repo.In(a.base(), path))
		if os.IsNotExist(err) { // a link that leads nowhere is a file of its module
			info, err = os.Lstat(repo.In(a.base(), path))
		}
		switch {
		case path == "":
			return nil, fmt.Errorf("the name of a %s is empty; for the current directory, leave it out", s.takes())
		case s.dirsOnly && (err != nil || !info.IsDir()):
			list.at(filepath.Clean(path)).must = true // loading it says what is wrong
		case os.IsNotExist(err), err != nil && isWindows && isPattern(path): // no valid name there
			return nil, fmt.Errorf("no such file or directory: %s", diag.Escape(path))
		case err != nil:
			return nil, fmt.Errorf("can't read %s: %w", diag.Escape(path), repo.Worldly(err))
		case !info.IsDir():
			list.file(path)
		case s.recursive:
			if err := a.walk(path, s, list); err != nil {
				return nil, err
			}
		default:
			found := list.at(filepath.Clean(path))
			found.files, found.must = nil, true
		}
	}
	return list.list, nil
}

// A targetList gathers targets, each directory once, by whatever path.
type targetList struct {
	base  string
	list  []*target
	byDir map[string]*target
	names map[string][]string // of what is in a directory, by the path of that
}

func (list *targetList) file(path string) {
	for _, part := range strings.Split(filepath.ToSlash(filepath.Dir(path)), "/") {
		if slices.Contains(skipped, part) {
			return
		}
	}
	if at := list.at(filepath.Dir(path)); at.files != nil {
		at.files[list.nameOf(path)] = true
	}
}

// nameOf is the name of a file as its directory lists it.
func (list *targetList) nameOf(path string) string {
	dir := repo.In(list.base, filepath.Dir(path))
	names, isRead := list.names[dir]
	if !isRead {
		entries, _ := os.ReadDir(dir) // without them, the name is right
		for _, e := range entries {
			names = append(names, e.Name())
		}
		list.names[dir] = names
	}
	return nameIn(names, filepath.Base(path), func(entry string) bool {
		return repo.IsSameFile(filepath.Join(dir, entry), repo.In(list.base, path))
	})
}

func (list *targetList) at(dir string) *target {
	key := repo.Real(repo.In(list.base, dir))
	if list.byDir[key] == nil {
		list.byDir[key] = &target{dir: dir, files: map[string]bool{}}
		list.list = append(list.list, list.byDir[key])
	}
	return list.byDir[key]
}
