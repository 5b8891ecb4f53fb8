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
	// Base is the directory to which paths are relative; empty for the working directory.
	Base string
	// Recursive looks below each directory, too.
	Recursive bool
	// Exclude holds patterns of directories below a named one.
	Exclude []string
	// DirsOnly refuses files as arguments. Otherwise a file stands for the module of its directory.
	DirsOnly bool
	// Past, if set, returns the directories that the other side of a comparison has below a named one.
	// They are found as well, even if they don't exist here.
	Past func(root string) (*Past, error)
	// Tracked, if set, returns the directories that an index has below a named one. Only these are
	// found, even if the disk lacks them.
	Tracked func(root string) (*Past, error)
	// IsTracked is set with Tracked, and reports whether the index has a path.
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

	argument int // index of the argument that it was found for
}

// Result is the result of a search: subjects in the order in which they are found first, those
// below one directory sorted by path.
type Result struct {
	Subjects []*Subject
	Skipped  report.SkipCounts
}

// Check refuses wrong flags, and splits the patterns of Exclude into their names. Find calls it.
func (s *Search) Check() error {
	if len(s.Exclude) > 0 && !s.Recursive {
		return errors.New("--exclude skips directories below a directory; use it with -r, or --exclude-override for files")
	}
	s.patterns = nil
	for _, glob := range s.Exclude {
		text := strings.TrimSuffix(strings.TrimPrefix(glob, "./"), "/")
		names := strings.Split(strings.TrimPrefix(text, "/"), "/")
		if slices.ContainsFunc(names, isBadPattern) {
			return fmt.Errorf("invalid pattern of directories %q for --exclude; use one such as examples or 'modules/*/test'", glob)
		}
		if !strings.Contains(text, "/") { // a bare name matches at any depth, as in .gitignore
			names = []string{"**", text}
		}
		s.patterns = append(s.patterns, names)
	}
	return nil
}

// isBadPattern reports whether a pattern for one name is invalid here, or would mean something else in .gitignore.
func isBadPattern(pattern string) bool {
	_, err := path.Match(pattern, "")
	return err != nil || pattern == "" || pattern[0] == '!' || strings.Contains(pattern, "[!") || strings.Contains(pattern, "[[:")
}

// Takes returns the word that help uses for the arguments: DIR, or PATH if they may be files, too.
func (s *Search) Takes() string {
	if s.DirsOnly {
		return "DIR"
	}
	return "PATH"
}

// Find returns the module directories that paths name or, if Recursive is set, hold; without paths, those of the
// current directory. A file stands for the module in its directory, unless another program keeps a copy of the module
// there. Together with an error, Find returns the subjects found so far.
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
		if fault = f.addArgument(path); fault != nil {
			break
		}
	}
	f.addPasts()
	// With the slashes, a directory comes directly before those below it: a-b, a, a/b.
	slices.SortStableFunc(f.list, func(a, b *Subject) int {
		return cmp.Or(a.argument-b.argument, strings.Compare(filepath.ToSlash(a.Dir)+"/", filepath.ToSlash(b.Dir)+"/"))
	})
	return &Result{f.list, f.skipped}, fault
}

// A finder gathers subjects: each directory once, whatever paths lead to it.
type finder struct {
	*Search
	list         []*Subject
	pasts        []pastBelow                  // what the other side has, one for each searched directory
	byDir        map[string]*Subject          // by real path
	names        map[string][]string          // of the entries in a directory, by its path
	submodules   map[string]map[string]string // by root of a repository and path: commits of submodules
	hasGitFailed bool                         // then it isn't called again
	skipped      report.SkipCounts

	argument int // index of the current argument
}

// addArgument adds the subjects of an argument, or returns why it can't be used. With Tracked, a path in the index
// counts even if the disk lacks it. With DirsOnly, a path that isn't a directory is no error here, but added, because
// loading it as a module fails with the reason.
func (f *finder) addArgument(path string) error {
	if f.Tracked != nil && path != "" {
		if isDir, ok := f.IsTracked(path); ok {
			return f.addPath(path, isDir)
		}
	}
	// A link to nothing exists, although its target doesn't.
	info, err := os.Stat(repo.In(f.Base, path))
	isBrokenLink := false
	if os.IsNotExist(err) {
		info, err = os.Lstat(repo.In(f.Base, path))
		isBrokenLink = err == nil
	}
	isInvalidName := err != nil && isWindows && isPattern(path) // Windows allows no wildcards in names
	switch {
	case path == "":
		return fmt.Errorf("the name of a %s is empty; for the current directory, leave it out", f.Takes())
	case f.DirsOnly && (err != nil || !info.IsDir()):
		return f.addMissing(path, os.IsNotExist(err))
	case os.IsNotExist(err), isInvalidName:
		return load.MissingError{Kind: "file or directory", Name: path}
	case err != nil:
		return fmt.Errorf("can't read %s: %w", diag.Escape(path), input.StripPath(err))
	case isBrokenLink && !IsConfigName(filepath.Base(path)): // if it has such a name, loading the module reports it
		return fmt.Errorf("%s is a link to nothing; remove it, or create its target", diag.Escape(path))
	}
	return f.addPath(path, info.IsDir())
}

// addPath adds a path that exists: the module of a file, the module in a directory, or with -r those below.
func (f *finder) addPath(path string, isDir bool) error {
	switch {
	case !isDir && f.DirsOnly:
		f.subjectAt(filepath.Clean(path)).Must = true // loading it reports that it isn't a directory
	case !isDir:
		f.addFile(path)
	case f.Recursive:
		return f.addBelow(path)
	default:
		found := f.subjectAt(filepath.Clean(path))
		found.Files = nil // the whole directory, not single files
		found.Must = true // without a module in it, loading it is an error
	}
	return nil
}

// addMissing adds a path that can't be read or isn't a directory; loading it will report the reason. If isGone,
// nothing has this path here: if the other side of a comparison has modules below it, addMissing adds these instead.
func (f *finder) addMissing(path string, isGone bool) error {
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
	f.subjectAt(filepath.Clean(path)).Must = true
	return nil
}

// addFile adds a file to the subject of its directory, under the name that the directory lists: on some file systems,
// MAIN.TF also finds main.tf. It ignores files in directories where other programs keep copies of modules.
func (f *finder) addFile(path string) {
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(path)), "/") {
		if isReserved(part) {
			return
		}
	}
	subject := f.subjectAt(filepath.Dir(path))
	if subject.Files == nil {
		return // the directory itself was named, so all files count already
	}
	dir := repo.In(f.Base, filepath.Dir(path))
	names, isRead := f.names[dir]
	if !isRead {
		entries, _ := os.ReadDir(dir) // if that fails, the given name stays
		for _, e := range entries {
			names = append(names, e.Name())
		}
		f.names[dir] = names
	}
	isFile := func(entry string) bool { return repo.IsSameFile(filepath.Join(dir, entry), repo.In(f.Base, path)) }
	subject.Files[nameIn(names, filepath.Base(path), isFile)] = true
}

// subjectAt returns the subject of a directory, and adds it to the list if it isn't there.
func (f *finder) subjectAt(dir string) *Subject {
	key := repo.Real(repo.In(f.Base, dir))
	if f.byDir[key] == nil {
		f.byDir[key] = &Subject{Dir: dir, Files: map[string]bool{}, argument: f.argument}
		f.list = append(f.list, f.byDir[key])
	}
	return f.byDir[key]
}

// addBelow adds the directories below root that hold configuration: now those of this side; addPasts later adds those
// of the other side of a comparison.
func (f *finder) addBelow(root string) (err error) {
	var past *Past
	if f.Past != nil {
		if past, err = f.Past(root); err != nil {
			return err
		}
		f.pasts = append(f.pasts, pastBelow{past, root, f.argument})
	}
	if f.Tracked != nil {
		return f.addTracked(root, past)
	}
	return f.walk(root, past)
}

// addTracked adds the directories below root that hold configuration in the index. past is what the other side of a
// comparison has there; may be nil.
func (f *finder) addTracked(root string, past *Past) error {
	below, err := f.Tracked(root)
	if err != nil {
		return err
	}
	if below.deep != "" {
		return &TooDeepError{diag.Escape(filepath.Join(root, filepath.FromSlash(below.deep))), diag.Escape(root)}
	}
	// Count each excluded directory once, whatever it holds, as walk does.
	excluded := map[string]bool{}
	for _, rel := range below.modules {
		if by := f.excludedAbove(rel); by != "" {
			excluded[by] = true
		} else {
			f.subjectAt(filepath.Join(root, filepath.FromSlash(rel))).Files = nil // the whole directory, not single files
		}
	}
	f.skipped.Excluded += len(excluded)
	f.skipped.Caches += below.caches
	f.noteMissing(root, below.missing, past)
	return nil
}

// caches are directories in which other programs keep copies of modules.
var caches = []string{".terraform", ".terragrunt-cache"}

// isReserved reports whether searches skip every directory of this name.
func isReserved(name string) bool { return name == ".git" || slices.Contains(caches, name) }

// A walker searches the directories of the disk below one for modules. It doesn't follow links to directories, so it
// visits none twice.
type walker struct {
	*finder
	root string // the first directory, as it was given
	base string // the absolute path of its target
	deep string // the first directory that is too deep
	// missing holds the submodules that aren't checked out, by their paths from the root.
	missing map[string]missingSubmodule
}

// maxWalk is the maximum depth of a directory below the first one. For each module the program also looks
// into all directories above it, so a few thousand nested ones would keep it busy for hours.
const maxWalk = 100

// walk adds the directories of the disk below root that hold configuration. past is what the other side of a
// comparison has there, or nil: it matters for directories that are too deep, and for submodules.
func (f *finder) walk(root string, past *Past) error {
	base, err := filepath.EvalSymlinks(repo.In(f.Base, root))
	if err != nil {
		return err
	}
	w := &walker{finder: f, root: root, base: repo.Absolute(base), missing: map[string]missingSubmodule{}}
	w.visit("")
	if w.deep == "" && past != nil && past.deep != "" {
		w.deep = filepath.Join(root, filepath.FromSlash(past.deep))
	}
	if w.deep != "" {
		return &TooDeepError{diag.Escape(w.deep), diag.Escape(root)}
	}
	f.noteMissing(root, w.missing, past)
	return nil
}

// A TooDeepError is the error of a search that left out a directory because it is too deep.
type TooDeepError struct{ dir, root string }

// Error returns Fact, and how to skip the directory.
func (e *TooDeepError) Error() string { return e.Fact() + "; to skip it, use --exclude" }

// Fact returns the error without a remedy.
func (e *TooDeepError) Fact() string {
	return fmt.Sprintf("%s is more than %d directories below %s", e.dir, maxWalk, e.root)
}

// visit adds a directory if it holds configuration, and visits all directories in it. rel is its path from the root,
// with slashes.
func (w *walker) visit(rel string) {
	if w.IsOver != nil && w.IsOver() {
		return
	}
	shown := filepath.Join(w.root, filepath.FromSlash(rel))
	entries, err := os.ReadDir(filepath.Join(w.base, filepath.FromSlash(rel)))
	if err != nil {
		w.subjectAt(shown).Files = nil // loading it will report the reason
		return
	}
	// Files nil: the whole directory counts, not single files.
	if slices.ContainsFunc(entries, isConfig) {
		w.subjectAt(shown).Files = nil
	}
	if len(entries) == 0 { // git makes empty directories only for submodules
		if commit := w.submodule(filepath.Join(w.base, filepath.FromSlash(rel))); commit != "" {
			w.missing[rel] = missingSubmodule{commit: commit}
		}
		return
	}
	// Visit the directories in it, and count those that the search skips.
	for _, e := range entries {
		below := path.Join(rel, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			w.countLink(below)
		case !e.IsDir() || e.Name() == ".git":
		case slices.Contains(caches, e.Name()):
			w.skipped.Caches++
		case w.isExcluded(below):
			w.skipped.Excluded++
		case strings.Count(below, "/") >= maxWalk:
			w.deep = cmp.Or(w.deep, filepath.Join(w.root, filepath.FromSlash(below)))
		default:
			w.visit(below)
		}
	}
}

// maxRepositories is the maximum number of repositories whose submodules git lists. A hostile tree may hold
// any number.
const maxRepositories = 100

// submodule returns the id of the commit that a repository wants for the submodule in a directory. It returns "" for
// any other directory, and if git fails.
func (f *finder) submodule(dir string) string {
	top := repo.Root(filepath.Dir(dir))
	rel, err := filepath.Rel(top, dir)
	if err != nil || !repo.IsRoot(top) {
		return ""
	}
	mayAskGit := len(f.submodules) < maxRepositories && !f.hasGitFailed
	if f.submodules[top] == nil && mayAskGit {
		f.submodules[top], err = gitrev.Submodules(top)
		f.hasGitFailed = err != nil && !errors.Is(err, gitrev.ErrNoRepository) // such as after a timeout
	}
	return f.submodules[top][spelling.Normal(filepath.ToSlash(rel))]
}

// countLink counts a link if it leads to a directory outside of the search. The search doesn't find modules there,
// and reports the number of such links.
func (w *walker) countLink(below string) {
	target, err := filepath.EvalSymlinks(filepath.Join(w.base, filepath.FromSlash(below)))
	if err != nil || repo.IsWithin(target, w.base) {
		return
	}
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		w.skipped.Links++
	}
}

// isExcluded reports whether --exclude matches a directory. rel is its path from the searched directory.
func (s *Search) isExcluded(rel string) bool {
	names := strings.Split(rel, "/")
	return slices.ContainsFunc(s.patterns, func(pattern []string) bool { return matches(pattern, names) })
}

// matches reports whether a pattern matches the names on a path. A ** matches any number of names, at the end
// at least one. Each ** first matches no name. If a later comparison fails, the last ** takes one more name:
// in **/a/b for x/a/y/a/b it takes x, and after the failure at y also a and y. Earlier ones never change, because
// the last one can take the same names in their place. That keeps the time bounded.
func matches(pattern, names []string) bool {
	p := 0                        // index in pattern
	afterStars, starsEnd := -1, 0 // the index after the last **, and the index in names up to which it matches
	for n := 0; n < len(names); {
		switch {
		// At the end of the pattern, ** matches all names that are left. Otherwise note it, and try it with none.
		case p < len(pattern) && pattern[p] == "**":
			p++
			if p == len(pattern) {
				return true
			}
			afterStars, starsEnd = p, n
		// One name matches one part.
		case p < len(pattern) && spelling.Matches(pattern[p], names[n]):
			p, n = p+1, n+1
		case afterStars >= 0: // let the ** match one more name, and continue behind both
			starsEnd++
			p, n = afterStars, starsEnd
		default:
			return false
		}
	}
	return p == len(pattern)
}

// A missingSubmodule is a submodule without its files, so that a search can't find its modules.
type missingSubmodule struct {
	commit string // its id
	why    error  // nil for an empty directory
}

// noteMissing prints a note about each submodule below root whose files are missing, because the search can't find
// the modules in it. missingHere are those of this side, which it also counts. past, which may be nil, has those of the
// other side of a comparison.
func (f *finder) noteMissing(root string, missingHere map[string]missingSubmodule, past *Past) {
	var missingThere map[string]missingSubmodule
	if past != nil {
		missingThere = past.missing
	}
	onEither := map[string]missingSubmodule{} // only the paths matter
	maps.Copy(onEither, missingHere)
	maps.Copy(onEither, missingThere)
	for _, rel := range slices.Sorted(maps.Keys(onEither)) {
		if f.excludedAbove(rel) != "" {
			continue
		}
		dir := diag.Escape(filepath.Join(root, filepath.FromSlash(rel)))
		here, isHere := missingHere[rel]
		there, isThere := missingThere[rel]
		text := fmt.Sprintf("Note: %s is a submodule that isn't checked out; run: git submodule update --init %[1]s", dir)
		switch {
		case isHere && isThere && here.commit != there.commit:
			text = fmt.Sprintf("Note: the submodule %s moved from %s to %s and isn't checked out, so its modules can't be compared; "+
				"run: git submodule update --init %[1]s", dir, short(there.commit), short(here.commit))
		// Only the other side lacks the files.
		case !isHere:
			text = "Note: the modules of " + dir + " can't be compared: " + there.why.Error()
		}
		if isHere {
			f.skipped.Submodules++
		}
		f.Note(text)
	}
}

// short returns the start of an id, as git prints it.
func short(commit string) string { return commit[:min(len(commit), 7)] }

// Differences of file systems that compare letters of names in another way than Go, and of shells
// that don't expand patterns.

const isWindows = runtime.GOOS == "windows"

// expanded returns paths with each pattern replaced by its matches. It does so only on Windows: elsewhere the shell
// does.
func (s *Search) expanded(paths []string) []string {
	return expandGlobs(paths, isWindows, func(path string) []string {
		if _, err := os.Lstat(repo.In(s.Base, path)); err == nil {
			return nil // a file or directory has this very name
		}
		found, _ := filepath.Glob(repo.In(s.Base, path)) // a bad pattern is reported as a path
		if s.Base == "" || filepath.IsAbs(path) {
			return found
		}
		for i, name := range found { // relative to Base, as path is
			if rel, err := filepath.Rel(s.Base, name); err == nil {
				found[i] = rel
			}
		}
		return found
	})
}

// expandGlobs replaces patterns by their matches, which glob returns, if isWindows is set. A pattern without matches
// stays, as in Unix shells.
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

// isPattern reports whether a path contains a wildcard; the ? in \\?\, with which Windows paths may begin, isn't one.
func isPattern(path string) bool { return strings.ContainsAny(strings.TrimPrefix(path, `\\?\`), "*?") }

// nameIn returns the name that a directory has for a file. Some file systems also find it by a name with
// other cases of letters, or with letters composed differently. isSame confirms that an entry is the file.
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

// IsConfigName reports whether any engine reads files with this name.
func IsConfigName(name string) bool {
	entries := load.Classify([]string{name}, engine.Default()) // OpenTofu also reads the file names of Terraform
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

// MayHoldModule reports whether a directory of the disk has files that any engine reads, or can't be read.
func MayHoldModule(dir string) bool { return mayHaveEntry(dir, isConfig) }

// MayHoldOverrides reports whether a directory of the disk has override files, or can't be read.
func MayHoldOverrides(dir string) bool { return mayHaveEntry(dir, isOverride) }

// batch is the number of names that are read from a directory at once.
const batch = 256

// mayHaveEntry reports whether a directory has an entry that isWanted selects. If the directory can't be read it
// returns true, because the entry may be there; loading will report the error.
func mayHaveEntry(dir string, isWanted func(fs.DirEntry) bool) bool {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return false // opening a named pipe could wait for ever
	}
	f, err := os.Open(dir)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(batch)
		switch {
		case slices.ContainsFunc(entries, isWanted):
			return true
		case errors.Is(err, io.EOF):
			return false
		case err != nil:
			return true
		}
	}
}

// HoldsModule reports whether a directory has files that the engine e reads, or can't be read. from is nil for a
// directory that doesn't exist.
func HoldsModule(from load.Directory, e engine.Release) bool {
	if from == nil {
		return false
	}
	names, _, err := from.Names()
	return err != nil || slices.ContainsFunc(load.Classify(names, e), func(e load.DirEntry) bool { return e.Status == load.Read })
}
