package discover

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Past holds the module directories that the other side of a comparison has below one directory: a revision, an
// index, or another directory.
type Past struct {
	modules []string                    // directories with configuration, as paths from that one, with slashes
	deep    string                      // the first directory that is too deep
	caches  int                         // directories in which other programs keep copies of modules
	missing map[string]missingSubmodule // by path from that directory
	// IsMoved, if set, gets the paths of all directories that were found here. The function that it returns
	// reports whether a directory of the other side doesn't count as removed, although this side has no directory
	// of that name: one of those found is the same under another name, or a sparse checkout leaves it out.
	IsMoved func(now []string) func(rel string) bool
}

// A Tree is the tree of a revision, or of an index, as package gitrev reads it.
type Tree interface {
	Walk(name string, visit func(rel string, files []string) error, missing func(rel, commit string, why error)) error
}

// ReadPast finds the directories with configuration below root, in a tree of git. It skips those in which other
// programs keep copies of modules, and counts them. It also skips those that are too deep, and records the first, and
// submodules that git can't read, which it records with the reason.
func ReadPast(t Tree, root string) (*Past, error) {
	p := &Past{missing: map[string]missingSubmodule{}}
	recordMissing := func(rel, commit string, why error) { p.missing[rel] = missingSubmodule{commit, why} }
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
	}, recordMissing)
	return p, err
}

// ReadOther finds the modules below another directory of the disk, with the flags of s, for a comparison with that
// directory.
func ReadOther(s *Search, dir string) (*Past, error) {
	p := &Past{}
	found, err := s.Find([]string{dir})
	for _, subject := range found.Subjects {
		rel, _ := filepath.Rel(dir, subject.Dir) // both start the same, so there is no error
		p.modules = append(p.modules, filepath.ToSlash(rel))
	}
	return p, err
}

// A pastBelow is what the other side has below the directory that an argument names.
type pastBelow struct {
	*Past
	root     string // the directory, as the argument names it
	argument int    // the index of the argument
}

// addPasts adds the module directories of the other side. It leaves out excluded ones, and those that IsMoved
// reports: a directory that was renamed is compared under its name on this side.
func (f *finder) addPasts() {
	var now []string
	for _, s := range f.list {
		now = append(now, s.Dir)
	}
	for _, p := range f.pasts {
		f.argument = p.argument // of the subjects that subjectAt adds
		isMoved := func(string) bool { return false }
		if p.IsMoved != nil {
			isMoved = p.IsMoved(now)
		}
		for _, rel := range p.modules {
			if f.excludedAbove(rel) == "" && !isMoved(rel) {
				lengthBefore := len(f.list)
				s := f.subjectAt(filepath.Join(p.root, filepath.FromSlash(rel)))
				s.Files = nil                         // the whole directory, even if arguments name only files of it
				s.IsPast = len(f.list) > lengthBefore // subjectAt has added the directory: this side doesn't have it
			}
		}
	}
}

// excludedAbove returns the outermost directory that --exclude skips, among rel and the directories above it. It
// returns "" if there is none. rel is relative to the searched directory.
func (s *Search) excludedAbove(rel string) (outermost string) {
	for ; rel != "." && rel != ""; rel = path.Dir(rel) {
		if s.isExcluded(rel) {
			outermost = rel
		}
	}
	return outermost
}
