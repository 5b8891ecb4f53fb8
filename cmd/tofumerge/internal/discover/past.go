package discover

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Past holds the directories of a revision below one directory.
type Past struct {
	modules []string // that hold configuration, by their paths from the root, with slashes
	deep    string   // the first directory that is too deep
	caches  int      // directories in which other programs keep copies of modules
	missing map[string]missingSubmodule
	// IsMoved, if set, reports whether a past directory is the earlier form of a present one, given
	// the paths of all that are found.
	IsMoved func(now []string) func(rel string) bool
}

// A Tree is the tree of a revision, or of an index, as package gitrev reads it.
type Tree interface {
	Walk(name string, visit func(rel string, files []string) error, missing func(rel, commit string, why error)) error
}

// ReadPast reads the directories of a tree below one.
func ReadPast(t Tree, root string) (*Past, error) {
	p := &Past{missing: map[string]missingSubmodule{}}
	err := t.Walk(root, func(rel string, files []string) error {
		switch {
		case isReserved(path.Base(rel)):
			p.caches++
			return fs.SkipDir
		case strings.Count(rel, "/") >= maxWalk:
			p.deep = cmp.Or(p.deep, rel)
			return fs.SkipDir
		}
		if slices.ContainsFunc(files, IsConfigName) {
			p.modules = append(p.modules, rel)
		}
		return nil
	}, func(rel, commit string, why error) { p.missing[rel] = missingSubmodule{commit, why} })
	return p, err
}

// ReadOther finds the modules below another directory, as a search does below its own.
func ReadOther(s *Search, dir string) (*Past, error) {
	p := &Past{}
	found, err := s.Find([]string{dir})
	for _, subject := range found.Subjects {
		rel, _ := filepath.Rel(dir, subject.Dir) // which is below it
		p.modules = append(p.modules, filepath.ToSlash(rel))
	}
	return p, err
}

// A pastBelow holds the earlier directories below the directory of an argument.
type pastBelow struct {
	*Past
	root     string
	argument int
}

// addPasts adds the directories that held modules at the revision and were not found.
func (f *finder) addPasts() {
	var now []string
	for _, s := range f.list {
		now = append(now, s.Dir)
	}
	for _, p := range f.pasts {
		f.argument = p.argument
		isMoved := func(string) bool { return false }
		if p.IsMoved != nil {
			isMoved = p.IsMoved(now)
		}
		for _, rel := range p.modules {
			if f.excludedAbove(rel) == "" && !isMoved(rel) {
				known := len(f.list)
				s := f.at(filepath.Join(p.root, filepath.FromSlash(rel)))
				s.Files, s.IsPast = nil, len(f.list) > known
			}
		}
	}
}

// excludedAbove is the outermost directory that --exclude skips of one and those above it; empty
// if it skips none.
func (s *Search) excludedAbove(rel string) (outermost string) {
	for ; rel != "." && rel != ""; rel = path.Dir(rel) {
		if s.isExcluded(rel) {
			outermost = rel
		}
	}
	return outermost
}
