package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/ignore"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// How --recursive finds the modules below a directory.

// A search is what a command looks for below the directories that are named, and what it
// passed over. A directory that is named is never passed over.
type search struct {
	recursive bool
	exclude   []string // of --exclude
	// seesIgnored is set where the exit status is a verdict: no .gitignore file, which the
	// change that is judged may bring, takes a module out of it.
	seesIgnored bool
	mayBeGone   bool // a module that was there is looked for as well
	dirsOnly    bool // files are not taken for the modules that they are in

	// isOver, if set, is asked before each directory whether to give up.
	isOver func() bool

	patterns           []ignore.Pattern
	ignored, excludedN int // directories passed over
}

// flags adds those of a search to a command.
func (s *search) flags(flags *pflag.FlagSet, recursive string) {
	flags.BoolVarP(&s.recursive, "recursive", "r", false, recursive)
	flags.StringArrayVar(&s.exclude, "exclude", nil, "with -r, skip directories that `GLOB` matches; repeatable")
}

// takes is what help calls the arguments.
func (s *search) takes() string {
	if s.dirsOnly {
		return "DIR"
	}
	return "PATH"
}

// settle judges the flags.
func (s *search) settle() error {
	if len(s.exclude) > 0 && !s.recursive {
		return errors.New("--exclude skips directories below a directory; use it with -r")
	}
	s.patterns = nil
	for _, glob := range s.exclude {
		p, err := ignore.One(glob)
		if err != nil {
			return fmt.Errorf("invalid pattern of directories %q for --exclude: %w; use one such as examples or 'modules/*/test'", glob, err)
		}
		s.patterns = append(s.patterns, p)
	}
	return nil
}

// A walker goes through the directories below one. Links to directories are not followed,
// so that none is walked twice.
type walker struct {
	*app
	*search
	list  *targetList
	root  string // as it was given
	base  string // where that is
	above string // what leads to it from the top of the repository, with a slash at the end
	deep  string // the first directory that is too deep
}

// maxWalk is how many directories one may be below the one that is walked. For each module
// the program looks into all directories above it, so that a few thousand that nest would
// keep it busy for hours.
const maxWalk = 100

// walk finds the directories below one that hold configuration.
func (a *app) walk(root string, s *search, list *targetList) error {
	base, err := filepath.EvalSymlinks(repo.In(a.base(), root))
	if err != nil {
		return err
	}
	w := &walker{app: a, search: s, list: list, root: root, base: base}
	scope := w.scopeAbove()
	from := len(list.list)
	w.dir("", scope)
	slices.SortFunc(list.list[from:], func(a, b *target) int {
		return strings.Compare(filepath.ToSlash(a.dir)+"/", filepath.ToSlash(b.dir)+"/")
	})
	if w.deep != "" {
		return &tooDeepError{diag.Escape(w.deep), diag.Escape(root)}
	}
	if scope.IsExhausted() {
		w.Warn(fmt.Sprintf("the .gitignore files below %s hold too many patterns, so not all of them count; "+
			"to skip directories, use --exclude", diag.Escape(root)))
	}
	return nil
}

// A tooDeepError is the error of a search that left a directory out.
type tooDeepError struct{ dir, root string }

func (e *tooDeepError) Error() string { return e.fact() + "; to skip it, use --exclude" }

func (e *tooDeepError) fact() string {
	return fmt.Sprintf("%s is more than %d directories below %s", e.dir, maxWalk, e.root)
}

// dir looks into a directory, whose path from the root has slashes.
func (w *walker) dir(rel string, scope *ignore.Scope) {
	if w.isOver != nil && w.isOver() {
		return
	}
	shown := filepath.Join(w.root, filepath.FromSlash(rel))
	entries, err := os.ReadDir(filepath.Join(w.base, filepath.FromSlash(rel)))
	if err != nil {
		w.list.at(shown).files = nil // reading it will say why not
		return
	}
	if slices.ContainsFunc(entries, isReadByAny) {
		w.list.at(shown).files = nil
	}
	if rel != "" {
		scope = w.scopeIn(rel, entries, scope)
	}
	for _, e := range entries {
		if !e.IsDir() || slices.Contains(skipped, e.Name()) {
			continue
		}
		below := path.Join(rel, e.Name())
		switch {
		case w.isExcluded(below):
			w.excludedN++
		case scope.Ignores(w.above + below):
			w.ignored++
		case strings.Count(below, "/") >= maxWalk:
			w.deep = cmp.Or(w.deep, filepath.Join(shown, e.Name()))
		default:
			w.dir(below, scope)
		}
	}
}

// isReadByAny reports whether any engine reads a file of this name.
func isReadByAny(e fs.DirEntry) bool {
	return !e.IsDir() && isConfigName(e.Name())
}

// isConfigName reports whether any engine reads files of a name.
func isConfigName(name string) bool {
	entries := load.Classify([]string{name}, engine.Default())
	return len(entries) > 0 && entries[0].Status == load.Read
}

// isExcluded reports whether --exclude skips a directory.
func (s *search) isExcluded(rel string) bool {
	return slices.ContainsFunc(s.patterns, func(p ignore.Pattern) bool {
		matches, _ := p.Matches(rel)
		return matches
	})
}

// gitignore is the name of the files that say what git ignores.
const gitignore = ".gitignore"

// scopeAbove is what git ignores below the root by the files in it and above it, up to the
// top of the repository.
func (w *walker) scopeAbove() *ignore.Scope {
	if w.seesIgnored {
		return nil
	}
	top := repo.Root(repo.Absolute(w.base))
	scope := ignore.NewScope(w.patternsOf(excludeFile(top)))
	rel, err := filepath.Rel(top, repo.Absolute(w.base))
	if err != nil || rel == "." {
		rel = ""
	}
	at := ""
	scope = scope.Within(at, w.patternsOf(filepath.Join(top, gitignore)))
	for name := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if name == "" {
			continue
		}
		at = path.Join(at, name)
		scope = scope.Within(at, w.patternsOf(filepath.Join(top, filepath.FromSlash(at), gitignore)))
	}
	if at != "" {
		w.above = at + "/"
	}
	return scope
}

// scopeIn is what git ignores in a directory with these entries. One that is a repository
// of its own, as a submodule is, has nothing from the one around it.
func (w *walker) scopeIn(rel string, entries []fs.DirEntry, scope *ignore.Scope) *ignore.Scope {
	if scope == nil {
		return nil
	}
	has := func(name string) bool {
		_, found := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
			return strings.Compare(e.Name(), name)
		})
		return found
	}
	dir := filepath.Join(w.base, filepath.FromSlash(rel))
	if has(".git") {
		scope = scope.Apart(w.above+rel, w.patternsOf(excludeFile(dir)))
	}
	if has(gitignore) {
		scope = scope.Within(w.above+rel, w.patternsOf(filepath.Join(dir, gitignore)))
	}
	return scope
}

// patternsOf reads the patterns of a file, which need not be there. As to git, a link is
// none.
func (w *walker) patternsOf(name string) []ignore.Pattern {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := input.Read(name, input.MaxSettingsSize)
	if err != nil {
		w.Warn(fmt.Sprintf("%s does not count: %v", diag.Escape(fromHere(name)), input.Worldly(err)))
		return nil
	}
	return ignore.Parse(text)
}

// excludeFile is the file of a repository that says what git ignores in this checkout alone.
func excludeFile(top string) string {
	dir := filepath.Join(top, ".git")
	if text, err := input.Read(dir, 4096); err == nil { // of a worktree or a submodule
		if to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: "); ok {
			dir = repo.In(top, to)
		}
		if common, err := input.Read(filepath.Join(dir, "commondir"), 4096); err == nil {
			dir = repo.In(dir, strings.TrimSpace(string(common)))
		}
	}
	return filepath.Join(dir, "info", "exclude")
}
