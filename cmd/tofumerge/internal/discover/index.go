package discover

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"golang.org/x/text/unicode/norm"
)

// indexes knows which directories have tracked files. Git is called once for each repository, and
// only if a .gitignore file names a directory.
type indexes struct {
	search    *Search
	known     map[string]*index // by the top of the repository
	isTired   bool              // git was too slow once
	hasNoted  bool              // about a missing repository
	hasWarned bool              // of too many repositories
}

// An index is the directories of a repository that have tracked files in them or below.
type index struct {
	dirs       map[string]bool   // by their paths from the top
	submodules map[string]string // the ids of their commits
	err        error             // why nothing is known
	isReported bool
}

// maxIndexes is how many repositories git is called for. An archive may hold as many as its author
// likes.
const maxIndexes = 100

// isTracked reports whether a directory that .gitignore names has tracked files, in one of the
// repositories that it is in, which are given by their tops, the innermost last. It may have some
// where nobody knows.
func (x *indexes) isTracked(repositories []string, dir string) bool {
	if len(repositories) == 0 {
		x.noteNone(filepath.Dir(dir))
	}
	for _, top := range slices.Backward(repositories) {
		rel, err := filepath.Rel(top, dir)
		of := x.of(top)
		x.report(top, of)
		if err != nil || of.err != nil || of.dirs[folded(filepath.ToSlash(rel))] {
			return true
		}
	}
	return len(repositories) == 0
}

// noteNone notes once that a directory isn't in a repository.
func (x *indexes) noteNone(dir string) {
	if !x.hasNoted {
		x.search.Note(fmt.Sprintf("Note: %s is not in a Git repository, so -r also searches directories that .gitignore names",
			diag.Escape(repo.FromHere(dir))))
	}
	x.hasNoted = true
}

// of is the index of a repository.
func (x *indexes) of(top string) *index {
	if x.known[top] == nil {
		made := &index{dirs: map[string]bool{}, submodules: map[string]string{}}
		switch {
		case x.isTired:
			made.err = gitrev.ErrTooSlow
		case len(x.known) >= maxIndexes:
			made.err = errTooMany
		default:
			made.err = gitrev.TrackedDirs(top, made.add)
			x.isTired = errors.Is(made.err, gitrev.ErrTooSlow)
		}
		x.known[top] = made
	}
	return x.known[top]
}

// submodule is the id of the commit of a submodule that fills a directory; empty for another
// directory.
func (x *indexes) submodule(dir string) string {
	top := repo.Root(filepath.Dir(dir))
	rel, err := filepath.Rel(top, dir)
	if err != nil || !repo.IsRoot(top) {
		return ""
	}
	return x.of(top).submodules[folded(filepath.ToSlash(rel))]
}

var errTooMany = errors.New("there are too many repositories")

// report prints once why nothing is known of an index.
func (x *indexes) report(top string, of *index) {
	if of.err == nil || of.isReported {
		return
	}
	of.isReported = true
	switch {
	case errors.Is(of.err, gitrev.ErrNoRepository): // a .git that Git doesn't accept
		x.noteNone(top)
	case of.err == errTooMany && x.hasWarned:
	default:
		x.hasWarned = x.hasWarned || of.err == errTooMany
		x.search.Warn(fmt.Sprintf("git can't list the tracked files of %s, so -r also searches directories that .gitignore names there: %v",
			diag.Escape(repo.FromHere(top)), of.err))
	}
}

// add adds a directory with tracked files, or a submodule, and those above it.
func (x *index) add(dir, submodule string) {
	if submodule != "" {
		x.submodules[folded(dir)] = submodule
	}
	for dir = folded(dir); dir != "." && !x.dirs[dir]; dir = path.Dir(dir) {
		x.dirs[dir] = true
	}
}

// hasOneName is set where a file system takes names for one that differ in case, or in the
// forms of their letters.
const hasOneName = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// folded is the common form of all names of a directory.
func folded(path string) string {
	if !hasOneName {
		return path
	}
	return strings.ToLower(norm.NFC.String(path))
}

// A Past holds the directories of a revision below one directory.
type Past struct {
	modules []string        // that hold configuration, by their paths from the root, with slashes
	dirs    map[string]bool // those, and the ones above them
	deep    string          // the first directory that is too deep
	caches  int             // directories in which other programs keep copies of modules
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
	p := &Past{dirs: map[string]bool{}, missing: map[string]missingSubmodule{}}
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
			for at := rel; at != "." && at != "" && !p.dirs[at]; at = path.Dir(at) {
				p.dirs[at] = true
			}
		}
		return nil
	}, func(rel, commit string, why error) { p.missing[rel] = missingSubmodule{commit, why} })
	return p, err
}

// has reports whether the revision has configuration in a directory or below it.
func (p *Past) has(rel string) bool { return p != nil && p.dirs[rel] }

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
