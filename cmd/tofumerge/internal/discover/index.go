package discover

import (
	"errors"
	"fmt"
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

// A home is a repository that a directory is in.
type home struct{ top string }

// indexes knows which directories have tracked files. Git is called once for each repository, and
// only if a .gitignore file names a directory.
type indexes struct {
	search   *Search
	known    map[string]*index // by the top of the repository
	isTired  bool              // git was too slow once
	hasNoted bool              // about a missing repository
}

// An index is the directories of a repository that have tracked files in them or below.
type index struct {
	dirs      map[string]bool // by their paths from the top
	isUnknown bool
}

// maxIndexes is how many repositories git is called for. An archive may hold as many as its author
// likes.
const maxIndexes = 100

func newIndexes(s *Search) *indexes { return &indexes{search: s, known: map[string]*index{}} }

// isTracked reports whether a directory that .gitignore names has tracked files, in one of
// the repositories that it is in; the innermost comes last. It may have some where nobody
// knows.
func (x *indexes) isTracked(homes []home, dir string) bool {
	if len(homes) == 0 {
		x.noteNone(filepath.Dir(dir))
	}
	for _, h := range slices.Backward(homes) {
		rel, err := filepath.Rel(h.top, dir)
		if of := x.of(h.top); err != nil || of.isUnknown || of.dirs[folded(filepath.ToSlash(rel))] {
			return true
		}
	}
	return len(homes) == 0
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
		x.known[top] = x.read(top)
	}
	return x.known[top]
}

// read has git list the index of a repository.
func (x *indexes) read(top string) *index {
	read := &index{dirs: map[string]bool{}}
	err := errors.New("there are too many repositories")
	if x.isTired {
		err = gitrev.ErrTooSlow
	} else if len(x.known) < maxIndexes {
		err = gitrev.TrackedDirs(top, read.add)
	}
	switch {
	case err == nil:
		return read
	case errors.Is(err, gitrev.ErrNoRepository): // a .git that Git doesn't accept
		x.noteNone(top)
	case len(x.known) <= maxIndexes:
		x.isTired = x.isTired || errors.Is(err, gitrev.ErrTooSlow)
		x.search.Warn(fmt.Sprintf("git can't list the tracked files of %s, so -r also searches directories that .gitignore names there: %v",
			diag.Escape(repo.FromHere(top)), err))
	}
	return &index{isUnknown: true}
}

// add adds a directory with tracked files, and those above it.
func (x *index) add(dir string) {
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
