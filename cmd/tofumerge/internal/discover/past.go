package discover

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Past holds the directories that a revision, an index or another directory has below one directory.
type Past struct {
	modules []string                    // directories with configuration, as paths from that one, with slashes
	deep    string                      // the first directory that is too deep
	caches  int                         // directories in which other programs keep copies of modules
	missing map[string]missingSubmodule // by path from that directory
	// IsMoved, if set, gets the paths of all directories that were found here, and returns a function that
	// reports whether a past directory is the earlier form of one of them.
	IsMoved func(now []string) func(rel string) bool
}

// A Tree is the tree of a revision, or of an index, as package gitrev reads it.
type Tree interface {
	Walk(name string, visit func(rel string, files []string) error, missing func(rel, commit string, why error)) error
}

// ReadPast finds the directories with configuration in a tree, below a directory.
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

// ReadOther finds the modules below another directory of the disk, with the flags of s.
func ReadOther(s *Search, dir string) (*Past, error) {
	p := &Past{}
	found, err := s.Find([]string{dir})
	for _, subject := range found.Subjects {
		rel, _ := filepath.Rel(dir, subject.Dir) // both start the same, so there is no error
		p.modules = append(p.modules, filepath.ToSlash(rel))
	}
	return p, err
}

// A pastBelow is the Past below the directory of an argument.
type pastBelow struct {
	*Past
	root     string
	argument int
}

// addPasts adds the directories that only the other side has, unless they have another name here.
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
				s := f.subjectAt(filepath.Join(p.root, filepath.FromSlash(rel)))
				s.Files, s.IsPast = nil, len(f.list) > known
			}
		}
	}
}

// excludedAbove returns the outermost directory that --exclude skips, of rel and those above it; empty if it
// skips none.
func (s *Search) excludedAbove(rel string) (outermost string) {
	for ; rel != "." && rel != ""; rel = path.Dir(rel) {
		if s.isExcluded(rel) {
			outermost = rel
		}
	}
	return outermost
}
