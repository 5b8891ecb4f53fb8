package discover

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/render/phrases"
)

// A Search describes which modules to find in the named files and directories.
type Search struct {
	// Base is the directory that paths are seen from; empty for the working directory.
	Base string
	// Recursive looks below each directory, too.
	Recursive bool
	// Exclude holds patterns of directories below a named one, in the syntax of .gitignore.
	Exclude []string
	// SeesIgnored is set if the exit status is a verdict: then .gitignore files are ignored.
	SeesIgnored bool
	// DirsOnly takes each argument for a directory. Otherwise a file stands for the module
	// of its directory.
	DirsOnly bool
	// Past, if set, reads which directories a revision has below a named one. They are found as
	// well, even if they no longer exist.
	Past func(root string) (*Past, error)
	// Tracked, if set, reads which directories an index has below a named one. Only these are
	// found, even if they don't exist, and .gitignore files are ignored.
	Tracked func(root string) (*Past, error)
	// IsTracked is set with it, and reports whether the index has a path.
	IsTracked func(path string) (isDir, ok bool)
	// IsOver, if set, reports before each directory whether to stop.
	IsOver func() bool
	// Warn and Note receive messages about the search.
	Warn, Note func(text string)

	patterns []Pattern
}

// A Subject is a module directory, and the files of it that were named. If the directory itself was
// named, or was found, Files is nil.
type Subject struct {
	Dir   string // as it was given, or found below an argument
	Files map[string]bool
	// Must is set if the directory was named, so that it has to hold a module.
	Must bool
	// IsPast is set if only the revision has the module.
	IsPast bool

	argument int // its index
}

// Result is the result of a search: subjects in the order in which they are found first, those
// below one directory sorted by path.
type Result struct {
	Subjects []*Subject
	Skipped  phrases.SkipCounts
}

// Check judges a search.
func (s *Search) Check() error {
	if len(s.Exclude) > 0 && !s.Recursive {
		return errors.New("--exclude skips directories below a directory; use it with -r")
	}
	s.patterns = nil
	for _, glob := range s.Exclude {
		p, err := One(glob)
		if err != nil {
			return fmt.Errorf("invalid pattern of directories %q for --exclude: %w; use one such as examples or 'modules/*/test'", glob, err)
		}
		s.patterns = append(s.patterns, p)
	}
	return nil
}

// Takes is what help calls the arguments.
func (s *Search) Takes() string {
	if s.DirsOnly {
		return "DIR"
	}
	return "PATH"
}

// Find maps paths to module directories; without any, it uses the current one. Files belong to the
// module of their directory, except for those in copies that other programs keep. With an error it
// returns the subjects found before.
func (s *Search) Find(paths []string) (*Result, error) {
	if err := s.Check(); err != nil {
		return &Result{}, err
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	f := newFinder(s)
	var fault error
	for i, path := range s.expanded(paths) {
		f.argument = i
		if fault = f.path(path); fault != nil {
			break
		}
	}
	f.addPasts()
	slices.SortStableFunc(f.list, func(a, b *Subject) int {
		return cmp.Or(a.argument-b.argument, strings.Compare(filepath.ToSlash(a.Dir)+"/", filepath.ToSlash(b.Dir)+"/"))
	})
	return &Result{f.list, f.skipped}, fault
}

// A finder gathers subjects, each directory once, under whatever path.
type finder struct {
	*Search
	list    []*Subject
	pasts   []pastBelow
	byDir   map[string]*Subject
	names   map[string][]string // of the entries in a directory, by its path
	index   *indexes
	skipped phrases.SkipCounts

	argument int // the index of the current one
}

func newFinder(s *Search) *finder {
	return &finder{Search: s, byDir: map[string]*Subject{}, names: map[string][]string{}, index: &indexes{search: s, known: map[string]*index{}}}
}

// path finds the subjects of an argument.
func (f *finder) path(path string) error {
	if f.Tracked != nil && path != "" {
		if isDir, ok := f.IsTracked(path); ok {
			return f.trackedPath(path, isDir)
		}
	}
	info, err := os.Stat(repo.In(f.Base, path))
	isBroken := false
	if os.IsNotExist(err) {
		info, err = os.Lstat(repo.In(f.Base, path))
		isBroken = err == nil
	}
	switch {
	case path == "":
		return fmt.Errorf("the name of a %s is empty; for the current directory, leave it out", f.Takes())
	case f.DirsOnly && (err != nil || !info.IsDir()):
		return f.missing(path, os.IsNotExist(err))
	case os.IsNotExist(err), err != nil && isWindows && isPattern(path): // no valid name there
		return fmt.Errorf("no such file or directory: %s", diag.Escape(path))
	case err != nil:
		return fmt.Errorf("can't read %s: %w", diag.Escape(path), input.StripPath(err))
	case isBroken && !IsConfigName(filepath.Base(path)): // it may stand for a directory
		return fmt.Errorf("%s is a link to nothing; remove it, or create its target", diag.Escape(path))
	case !info.IsDir():
		f.file(path)
	case f.Recursive:
		return f.below(path)
	default:
		found := f.at(filepath.Clean(path))
		found.Files, found.Must = nil, true
	}
	return nil
}

// missing adds a path that can't be read, or isn't a directory. Loading it reports the reason,
// unless everything there is gone and only the earlier state is searched.
func (f *finder) missing(path string, isGone bool) error {
	if f.Recursive && isGone && f.Past != nil {
		past, err := f.Past(path)
		if err != nil {
			return err
		}
		if len(past.modules) > 0 {
			f.pasts = append(f.pasts, pastBelow{past, path, f.argument})
			return nil
		}
	}
	f.at(filepath.Clean(path)).Must = true
	return nil
}

func (f *finder) file(path string) {
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(path)), "/") {
		if isReserved(part) {
			return
		}
	}
	if at := f.at(filepath.Dir(path)); at.Files != nil {
		at.Files[f.nameOf(path)] = true
	}
}

// nameOf is the name of a file as its directory lists it.
func (f *finder) nameOf(path string) string {
	dir := repo.In(f.Base, filepath.Dir(path))
	names, isRead := f.names[dir]
	if !isRead {
		entries, _ := os.ReadDir(dir) // without them, the name is right
		for _, e := range entries {
			names = append(names, e.Name())
		}
		f.names[dir] = names
	}
	return nameIn(names, filepath.Base(path), func(entry string) bool {
		return repo.IsSameFile(filepath.Join(dir, entry), repo.In(f.Base, path))
	})
}

// at is the subject of a directory.
func (f *finder) at(dir string) *Subject {
	key := repo.Real(repo.In(f.Base, dir))
	if f.byDir[key] == nil {
		f.byDir[key] = &Subject{Dir: dir, Files: map[string]bool{}, argument: f.argument}
		f.list = append(f.list, f.byDir[key])
	}
	return f.byDir[key]
}

// below finds the directories below one that hold configuration, or did.
func (f *finder) below(root string) (err error) {
	var past *Past
	if f.Past != nil {
		if past, err = f.Past(root); err != nil {
			return err
		}
		f.pasts = append(f.pasts, pastBelow{past, root, f.argument})
	}
	if f.Tracked != nil {
		return f.tracked(root, past)
	}
	return f.walk(root, past)
}

// trackedPath takes a path of an index, which need not be on the disk.
func (f *finder) trackedPath(path string, isDir bool) error {
	switch {
	case !isDir && f.DirsOnly:
		f.at(filepath.Clean(path)).Must = true // loading it reports the reason
	case !isDir:
		f.file(path)
	case f.Recursive:
		return f.below(path)
	default:
		found := f.at(filepath.Clean(path))
		found.Files, found.Must = nil, true
	}
	return nil
}

// tracked finds the directories of an index below one.
func (f *finder) tracked(root string, past *Past) error {
	below, err := f.Tracked(root)
	if err != nil {
		return err
	}
	if below.deep != "" {
		return &TooDeepError{diag.Escape(filepath.Join(root, filepath.FromSlash(below.deep))), diag.Escape(root)}
	}
	excluded := map[string]bool{}
	for _, rel := range below.modules {
		if by := f.excludedAbove(rel); by != "" {
			excluded[by] = true
		} else {
			f.at(filepath.Join(root, filepath.FromSlash(rel))).Files = nil
		}
	}
	f.skipped.Excluded += len(excluded)
	f.skipped.Caches += below.caches
	f.noteMissing(root, below.missing, past)
	return nil
}
