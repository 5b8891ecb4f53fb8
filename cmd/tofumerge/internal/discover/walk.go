package discover

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// caches are directories in which other programs keep copies of modules.
var caches = []string{".terraform", ".terragrunt-cache"}

// isReserved reports whether a directory of this name is never looked into.
func isReserved(name string) bool { return name == ".git" || slices.Contains(caches, name) }

// A walker visits the directories below one. Links to directories are not followed, so none is
// visited twice.
type walker struct {
	*finder
	root  string // as it was given
	base  string // where that is
	above string // its path from the top of the repository, with a slash at the end
	deep  string // the first directory that is too deep
	past  *Past  // may be nil
	// missing are the submodules that aren't checked out, by their paths from the root.
	missing map[string]missingSubmodule
}

// maxWalk is the maximum depth of a directory below the starting one. For each module the program
// looks into all directories above it, so a few thousand nested ones would keep it busy for hours.
const maxWalk = 100

// A rule applies in a directory and below.
type rule struct {
	patterns *Scope // nil to pass over nothing
	// isIgnored is set in a directory that git ignores and that has tracked files: everything else
	// in it is ignored, whatever the patterns.
	isIgnored    bool
	repositories []string // around the directory, by their tops, the innermost last
}

// walk finds the directories below one that hold configuration.
func (f *finder) walk(root string, past *Past) error {
	base, err := filepath.EvalSymlinks(repo.In(f.Base, root))
	if err != nil {
		return err
	}
	w := &walker{finder: f, root: root, base: repo.Absolute(base), past: past, missing: map[string]missingSubmodule{}}
	in := w.ruleAbove()
	w.dir("", in)
	if past != nil && w.deep == "" && past.deep != "" {
		w.deep = filepath.Join(root, filepath.FromSlash(past.deep))
	}
	if w.deep != "" {
		return &TooDeepError{diag.Escape(w.deep), diag.Escape(root)}
	}
	f.noteMissing(root, w.missing, past)
	if in.patterns.IsExhausted() {
		f.Warn(fmt.Sprintf("the .gitignore files below %s contain too many patterns, so some of them are ignored; "+
			"to skip directories, use --exclude", diag.Escape(root)))
	}
	return nil
}

// A TooDeepError is the error of a search that left a directory out.
type TooDeepError struct{ dir, root string }

func (e *TooDeepError) Error() string { return e.Fact() + "; to skip it, use --exclude" }

// Fact is the error without a remedy.
func (e *TooDeepError) Fact() string {
	return fmt.Sprintf("%s is more than %d directories below %s", e.dir, maxWalk, e.root)
}

// dir looks into a directory, whose path from the root has slashes.
func (w *walker) dir(rel string, in rule) {
	if w.IsOver != nil && w.IsOver() {
		return
	}
	shown := filepath.Join(w.root, filepath.FromSlash(rel))
	entries, err := os.ReadDir(filepath.Join(w.base, filepath.FromSlash(rel)))
	if err != nil {
		w.at(shown).Files = nil // reading it will report why not
		return
	}
	if slices.ContainsFunc(entries, isConfig) {
		w.at(shown).Files = nil
	}
	if len(entries) == 0 { // git makes no empty directories but those of submodules
		if commit := w.index.submodule(filepath.Join(w.base, filepath.FromSlash(rel))); commit != "" {
			w.missing[rel] = missingSubmodule{commit: commit}
		}
		return
	}
	if rel != "" {
		in = w.ruleIn(rel, entries, in)
	}
	for _, e := range entries {
		below := path.Join(rel, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			w.link(below)
		case !e.IsDir() || e.Name() == ".git":
		case slices.Contains(caches, e.Name()):
			w.skipped.Caches++
		default:
			w.descend(below, in)
		}
	}
}

// descend walks into a directory that is not reserved, unless something skips it.
func (w *walker) descend(below string, in rule) {
	isIgnored := in.isIgnored || in.patterns.Ignores(w.above+below)
	switch {
	case w.isExcluded(below):
		w.skipped.Excluded++
	case isIgnored && !w.past.has(below) && !w.index.isTracked(in.repositories, filepath.Join(w.base, filepath.FromSlash(below))):
		w.skipped.Ignored++
	case strings.Count(below, "/") >= maxWalk:
		w.deep = cmp.Or(w.deep, filepath.Join(w.root, filepath.FromSlash(below)))
	default:
		in.isIgnored = isIgnored
		w.dir(below, in)
	}
}

// link counts a link to a directory that is not found under its own name.
func (w *walker) link(below string) {
	target, err := filepath.EvalSymlinks(filepath.Join(w.base, filepath.FromSlash(below)))
	if err != nil || repo.IsWithin(target, w.base) {
		return
	}
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		w.skipped.Links++
	}
}

// isExcluded reports whether --exclude skips a directory.
func (s *Search) isExcluded(rel string) bool {
	return slices.ContainsFunc(s.patterns, func(p Pattern) bool {
		matches, _ := p.Matches(rel)
		return matches
	})
}
