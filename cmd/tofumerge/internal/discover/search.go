// Package discover finds the directories that a command works on.
//
// From the arguments of a command and a Search, which holds its flags, it derives Subjects: each a
// directory, named or found below a named one, and how many directories were skipped, and why. It
// recognises directories with configuration by the names of their files alone. For an empty directory
// git lists the submodules of the repository.
//
// The searched tree may come from a stranger. What Git ignores is searched, too. Links to directories
// are not followed, and a search that would leave out a directory because it is too deep is an error.
package discover

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"golang.org/x/text/unicode/norm"
)

// A Search describes which modules to find in the named files and directories.
type Search struct {
	// Base is the directory that paths are seen from; empty for the working directory.
	Base string
	// Recursive looks below each directory, too.
	Recursive bool
	// Exclude holds patterns of directories below a named one.
	Exclude []string
	// DirsOnly takes each argument for a directory. Otherwise a file stands for the module
	// of its directory.
	DirsOnly bool
	// Past, if set, reads which directories a revision, or another directory, has below a named one.
	// They are found as well, even if they don't exist.
	Past func(root string) (*Past, error)
	// Tracked, if set, reads which directories an index has below a named one. Only these are
	// found, even if they don't exist.
	Tracked func(root string) (*Past, error)
	// IsTracked is set with it, and reports whether the index has a path.
	IsTracked func(path string) (isDir, ok bool)
	// IsOver, if set, reports before each directory whether to stop.
	IsOver func() bool
	// Note receives messages about the search.
	Note func(text string)

	patterns [][]string // of Exclude: patterns of the names on a path
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
	Skipped  report.SkipCounts
}

// Check judges a search.
func (s *Search) Check() error {
	if len(s.Exclude) > 0 && !s.Recursive {
		return errors.New("--exclude skips directories below a directory; use it with -r, or --exclude-override for files")
	}
	s.patterns = nil
	for _, glob := range s.Exclude {
		text := strings.TrimSuffix(strings.TrimPrefix(glob, "./"), "/")
		names := strings.Split(strings.TrimPrefix(text, "/"), "/")
		if slices.ContainsFunc(names, isBad) {
			return fmt.Errorf("invalid pattern of directories %q for --exclude; use one such as examples or 'modules/*/test'", glob)
		}
		if !strings.Contains(text, "/") { // at any depth
			names = []string{"**", text}
		}
		s.patterns = append(s.patterns, names)
	}
	return nil
}

// isBad reports whether a pattern of a name matches nothing, or means something else in .gitignore.
func isBad(pattern string) bool {
	_, err := path.Match(pattern, "")
	return err != nil || pattern == "" || pattern[0] == '!' || strings.Contains(pattern, "[!") || strings.Contains(pattern, "[[:")
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
	f := &finder{Search: s, byDir: map[string]*Subject{}, names: map[string][]string{}, submodules: map[string]map[string]string{}}
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
	list       []*Subject
	pasts      []pastBelow
	byDir      map[string]*Subject
	names      map[string][]string          // of the entries in a directory, by its path
	submodules map[string]map[string]string // the ids of their commits, by the root of the repository
	isTired    bool                         // git failed once
	skipped    report.SkipCounts

	argument int // the index of the current one
}

// path finds the subjects of an argument.
func (f *finder) path(path string) error {
	if f.Tracked != nil && path != "" {
		if isDir, ok := f.IsTracked(path); ok {
			if !isDir && f.DirsOnly {
				f.at(filepath.Clean(path)).Must = true // loading it reports the reason
				return nil
			}
			return f.take(path, isDir)
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
		return load.MissingError{Kind: "file or directory", Name: path}
	case err != nil:
		return fmt.Errorf("can't read %s: %w", diag.Escape(path), input.StripPath(err))
	case isBroken && !IsConfigName(filepath.Base(path)): // it may stand for a directory
		return fmt.Errorf("%s is a link to nothing; remove it, or create its target", diag.Escape(path))
	}
	return f.take(path, info.IsDir())
}

// take adds a file, a module, or with -r the modules below a directory.
func (f *finder) take(path string, isDir bool) error {
	switch {
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
		dir := repo.In(f.Base, filepath.Dir(path))
		names, isRead := f.names[dir]
		if !isRead {
			entries, _ := os.ReadDir(dir) // without them, the name is right
			for _, e := range entries {
				names = append(names, e.Name())
			}
			f.names[dir] = names
		}
		at.Files[nameIn(names, filepath.Base(path), func(entry string) bool {
			return repo.IsSameFile(filepath.Join(dir, entry), repo.In(f.Base, path))
		})] = true
	}
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

// caches are directories in which other programs keep copies of modules.
var caches = []string{".terraform", ".terragrunt-cache"}

// isReserved reports whether a directory of this name is never looked into.
func isReserved(name string) bool { return name == ".git" || slices.Contains(caches, name) }

// A walker visits the directories below one. Links to directories are not followed, so none is
// visited twice.
type walker struct {
	*finder
	root string // as it was given
	base string // where that is
	deep string // the first directory that is too deep
	// missing are the submodules that aren't checked out, by their paths from the root.
	missing map[string]missingSubmodule
}

// maxWalk is the maximum depth of a directory below the starting one. For each module the program
// looks into all directories above it, so a few thousand nested ones would keep it busy for hours.
const maxWalk = 100

// walk finds the directories below one that hold configuration.
func (f *finder) walk(root string, past *Past) error {
	base, err := filepath.EvalSymlinks(repo.In(f.Base, root))
	if err != nil {
		return err
	}
	w := &walker{finder: f, root: root, base: repo.Absolute(base), missing: map[string]missingSubmodule{}}
	w.dir("")
	if past != nil && w.deep == "" && past.deep != "" {
		w.deep = filepath.Join(root, filepath.FromSlash(past.deep))
	}
	if w.deep != "" {
		return &TooDeepError{diag.Escape(w.deep), diag.Escape(root)}
	}
	f.noteMissing(root, w.missing, past)
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
func (w *walker) dir(rel string) {
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
		if commit := w.submodule(filepath.Join(w.base, filepath.FromSlash(rel))); commit != "" {
			w.missing[rel] = missingSubmodule{commit: commit}
		}
		return
	}
	for _, e := range entries {
		below := path.Join(rel, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			w.link(below)
		case !e.IsDir() || e.Name() == ".git":
		case slices.Contains(caches, e.Name()):
			w.skipped.Caches++
		case w.isExcluded(below):
			w.skipped.Excluded++
		case strings.Count(below, "/") >= maxWalk:
			w.deep = cmp.Or(w.deep, filepath.Join(w.root, filepath.FromSlash(below)))
		default:
			w.dir(below)
		}
	}
}

// maxRepositories is how many repositories git lists the submodules of. An archive may hold as many
// as its author likes.
const maxRepositories = 100

// submodule is the id of the commit of a submodule that fills a directory; empty for another
// directory, and where git doesn't know.
func (f *finder) submodule(dir string) string {
	top := repo.Root(filepath.Dir(dir))
	rel, err := filepath.Rel(top, dir)
	if err != nil || !repo.IsRoot(top) {
		return ""
	}
	if f.submodules[top] == nil && len(f.submodules) < maxRepositories && !f.isTired {
		f.submodules[top], err = gitrev.Submodules(top)
		f.isTired = err != nil && !errors.Is(err, gitrev.ErrNoRepository) // as where git waits for a named pipe
	}
	return f.submodules[top][spelling.Normal(filepath.ToSlash(rel))]
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
	names := strings.Split(rel, "/")
	return slices.ContainsFunc(s.patterns, func(pattern []string) bool { return matches(pattern, names) })
}

// matches reports whether a pattern matches the names on a path. A ** matches any number of them, at
// the end at least one. Only the last ** before a difference ever needs to match more: whatever an
// earlier one could match, that one can as well.
func matches(pattern, names []string) bool {
	p, behind, from := 0, -1, 0
	for n := 0; n < len(names); {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			if p++; p == len(pattern) {
				return true
			}
			behind, from = p, n
		case p < len(pattern) && spelling.Matches(pattern[p], names[n]):
			p, n = p+1, n+1
		case behind >= 0:
			from++
			p, n = behind, from
		default:
			return false
		}
	}
	return p == len(pattern)
}

// A missingSubmodule is one whose files aren't there, so that a search can't find its modules.
type missingSubmodule struct {
	commit string // its id
	why    error  // nil for an empty directory
}

// noteMissing names the submodules below a directory whose files are missing now or at the revision,
// and counts those that are missing now. The revision shows whether one moved to another commit.
func (f *finder) noteMissing(root string, now map[string]missingSubmodule, past *Past) {
	was := map[string]missingSubmodule{}
	if past != nil {
		was = past.missing
	}
	all := maps.Clone(was)
	if all == nil {
		all = map[string]missingSubmodule{}
	}
	maps.Copy(all, now)
	for _, rel := range slices.Sorted(maps.Keys(all)) {
		if f.excludedAbove(rel) != "" {
			continue
		}
		dir := diag.Escape(filepath.Join(root, filepath.FromSlash(rel)))
		here, isHere := now[rel]
		there, isThere := was[rel]
		text := fmt.Sprintf("Note: %s is a submodule that isn't checked out; run: git submodule update --init %[1]s", dir)
		switch {
		case isHere && isThere && here.commit != there.commit:
			text = fmt.Sprintf("Note: the submodule %s moved from %s to %s and isn't checked out, so its modules can't be compared; "+
				"run: git submodule update --init %[1]s", dir, short(there.commit), short(here.commit))
		case !isHere:
			text = "Note: the modules of " + dir + " can't be compared: " + there.why.Error()
		}
		if isHere {
			f.skipped.Submodules++
		}
		f.Note(text)
	}
}

// short is the beginning of an id, as git prints it.
func short(commit string) string { return commit[:min(len(commit), 7)] }

// Differences of file systems that compare letters of names in another way than Go, and of shells
// that don't expand patterns.

const isWindows = runtime.GOOS == "windows"

// expanded replaces the patterns among paths by their matches, which on Windows no shell does.
func (s *Search) expanded(paths []string) []string {
	return expandGlobs(paths, isWindows, func(path string) []string {
		if _, err := os.Lstat(repo.In(s.Base, path)); err == nil {
			return nil
		}
		found, _ := filepath.Glob(repo.In(s.Base, path)) // a bad pattern is reported as a path
		for i, name := range found {
			if rel, err := filepath.Rel(s.Base, name); err == nil && s.Base != "" && !filepath.IsAbs(path) {
				found[i] = rel
			}
		}
		return found
	})
}

// expandGlobs replaces patterns by their matches. A pattern without matches stays, as in the shells
// of Unix.
func expandGlobs(paths []string, isWindows bool, glob func(string) []string) (list []string) {
	if !isWindows {
		return paths
	}
	for _, path := range paths {
		var found []string
		if isPattern(path) {
			found = glob(path)
		}
		if len(found) == 0 {
			found = []string{path}
		}
		list = append(list, found...)
	}
	return list
}

func isPattern(path string) bool { return strings.ContainsAny(strings.TrimPrefix(path, `\\?\`), "*?") }

// nameIn is the name that a directory has for a file: file systems that don't distinguish
// upper and lower case, or composed and decomposed letters, find it by others, too.
func nameIn(entries []string, name string, isSame func(entry string) bool) string {
	if slices.Contains(entries, name) {
		return name
	}
	for _, entry := range entries {
		if strings.EqualFold(norm.NFC.String(entry), norm.NFC.String(name)) && isSame(entry) {
			return entry
		}
	}
	return name
}

// What the names in a directory reveal about it.

// IsConfigName reports whether any engine reads files of a name.
func IsConfigName(name string) bool {
	entries := load.Classify([]string{name}, engine.Default()) // which knows the names of all
	return len(entries) > 0 && entries[0].Status == load.Read
}

// isConfig reports whether an entry of a directory may be a file of configuration.
func isConfig(e fs.DirEntry) bool { return !e.IsDir() && IsConfigName(e.Name()) }

// isOverride reports whether an entry of a directory may be an override file.
func isOverride(e fs.DirEntry) bool {
	if e.IsDir() {
		return false
	}
	entries := load.Classify([]string{e.Name()}, engine.Default())
	return len(entries) > 0 && entries[0].Role == source.Override && entries[0].Status == load.Read
}

// MayHoldModule reports whether a directory of the disk has files that any engine reads, or
// may have some, since it can't be read.
func MayHoldModule(dir string) bool { return mayHave(dir, isConfig) }

// MayHoldOverrides is MayHoldModule for override files.
func MayHoldOverrides(dir string) bool { return mayHave(dir, isOverride) }

// batch is how many names are read of a directory at once.
const batch = 256

// mayHave reports whether a directory has an entry of a kind, or can't be read.
func mayHave(dir string, is func(fs.DirEntry) bool) bool {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return false // and opening a named pipe may wait for ever
	}
	f, err := os.Open(dir)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(batch)
		switch {
		case slices.ContainsFunc(entries, is):
			return true
		case errors.Is(err, io.EOF):
			return false
		case err != nil:
			return true
		}
	}
}

// HoldsModule reports whether a directory, which may be nil, has files that an engine reads.
func HoldsModule(from load.Directory, e engine.Release) bool {
	if from == nil {
		return false
	}
	names, _, err := from.Names()
	return err != nil || slices.ContainsFunc(load.Classify(names, e), func(e load.DirEntry) bool { return e.Status == load.Read })
}
