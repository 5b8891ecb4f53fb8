package workspace

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/tree"
	"github.com/tofumerge/tofumerge/internal/render/phrases"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// A Search describes the search of a command below the named directories, and the skipped
// directories.
type Search struct {
	Recursive bool
	Exclude   []string // of --exclude
	// SeesIgnored is set where the exit status is a verdict: no .gitignore file, which the
	// change that is judged may bring, takes a module out of it.
	SeesIgnored bool
	DirsOnly    bool              // files are not taken for the modules that they are in
	IsSingle    bool              // the command has no -r
	Filter      []address.Pattern // of --filter; none means everything
	Modules     bool              // calls are followed, from one directory
	Since       *Rev              // the revision that modules are compared with; may be nil
	TakesSince  bool              // the command has --since
	SeesPast    bool              // modules that only that revision has are found, too

	Skipped phrases.SkipCounts
}

// discovery is the search in a run of the program.
func (s *Search) discovery(w *Workspace) *discover.Search {
	found := &discover.Search{
		Base: w.Base(), Recursive: s.Recursive, Exclude: s.Exclude, SeesIgnored: s.SeesIgnored, DirsOnly: s.DirsOnly,
		Warn: w.Warn, Note: w.Note,
	}
	if s.Since != nil && s.SeesPast && s.Recursive && !s.Since.HasDir {
		found.Past = func(root string) (*discover.Past, error) { return w.pastBelow(root, *s.Since) }
	}
	if w.Tracked {
		found.Tracked, found.IsTracked = w.trackedBelow, w.IsTracked
	}
	return found
}

// PassesFilter returns a function that reports whether an item passes --filter, by any of its
// addresses: in its module, from the root of a tree, where the module's address is called, and by its
// aliases. It takes the address in the module. Items without an address don't pass. The modules are
// the states of one; a nil one has no items.
func (s *Search) PassesFilter(called address.Address, modules ...*merge.Module) func(address.Address) bool {
	if len(s.Filter) == 0 {
		return func(address.Address) bool { return true }
	}
	covers := address.NewPatterns(s.Filter...).Covers
	aliases := sync.OnceValue(func() address.AliasIndex {
		return address.IndexAliases(slices.DeleteFunc(modules, func(m *merge.Module) bool { return m == nil })...)
	})
	return func(own address.Address) bool {
		return covers(own) || covers(called.Join(own)) || slices.ContainsFunc(aliases().Of(own), covers)
	}
}

// WhyNothing words why a search found no module: below directories, or, without -r, beside files,
// since a directory that is named must have one.
func (s *Search) WhyNothing(named []string) string {
	const most = 3
	switch {
	case s.Recursive:
		return "no configuration files below " + diag.Escape(diag.Joined(named, "or"))
	case len(named) > most:
		return fmt.Sprintf("no module beside any of %d files", len(named))
	}
	return "no module beside " + diag.Escape(diag.Joined(named, "or"))
}

// Record is the report's record of skipped directories; nil without -r.
func (s *Search) Record() *report.SkippedRecord {
	if !s.Recursive {
		return nil
	}
	record := report.SkippedRecord(s.Skipped)
	return &record
}

// Finish ends a run with a line that starts with text, if one is wanted. Directories skipped
// because of .gitignore files are mentioned in any case, because nobody requested that.
func (s *Search) Finish(w *Workspace, text string) {
	switch {
	case text != "" && w.Summarizes():
		w.Tell(text + s.Skipped.Behind())
	case s.Skipped.Ignored > 0:
		w.Note("Note: " + phrases.SkipCounts{Ignored: s.Skipped.Ignored}.String())
	}
}

// Check refuses flags that contradict each other.
func (s *Search) Check() error {
	switch {
	case s.Modules && s.Recursive:
		return errors.New("-r finds modules by their directories and --modules by calls; use only one of them")
	case s.Modules && s.Since != nil:
		return errors.New("--since compares modules by their directories; use it with -r, without --modules")
	}
	return (&discover.Search{Recursive: s.Recursive, Exclude: s.Exclude}).Check()
}

// oneDirError refuses a revision with a directory where there are several modules.
func (s *Search) oneDirError() error {
	return fmt.Errorf("--since %s names one directory for several modules; use --since %s, or name one DIR",
		diag.Escape(s.Since.String()), diag.Escape(s.Since.Name))
}

// overlayError refuses overlays where the search may find several modules.
func (s *Search) overlayError(w *Workspace) error {
	text := "--overlay is merged into one module; name only one " + s.discovery(w).Takes()
	if s.Recursive {
		text += ", without -r"
	}
	return errors.New(text)
}

// Which module directories a command on several of them works on.

// A Subject is a module directory, and the files of it that were named. If the directory itself was
// named, or was found, files is nil.
type Subject struct {
	Dir   string // as it was given, or found below an argument
	Files map[string]bool
	// Must is set if the directory was named, so that it has to hold a module.
	Must   bool
	IsPast bool        // only the revision that it is compared with has it
	Called *CallTarget // by other modules, with --modules
	Cache  *load.Cache // of earlier looks at it

	tree *Tree      // the tree with its call; may be nil
	node *tree.Node // in that tree
}

// Subjects maps paths to module directories, in the order in which they come up
// first. Files belong to the module of their directory, but for those in copies
// that other programs keep.
func (w *Workspace) Subjects(paths []string, s *Search) ([]*Subject, error) {
	if s.Since == nil && s.TakesSince {
		if err := w.RefuseRevisions(paths); err != nil {
			return nil, err
		}
	}
	found, err := s.discovery(w).Find(paths)
	if err != nil {
		return nil, err
	}
	s.Skipped = found.Skipped
	var list []*Subject
	for _, subject := range found.Subjects {
		list = append(list, &Subject{Dir: subject.Dir, Files: subject.Files, Must: subject.Must, IsPast: subject.IsPast})
	}
	return list, nil
}

// RefuseRevisions refuses a missing path that is the name of a revision.
func (w *Workspace) RefuseRevisions(paths []string) error {
	if i := slices.IndexFunc(paths, w.isMissing); i >= 0 {
		return w.asRevision(paths[i])
	}
	return nil
}

// isMissing reports whether nothing has a name, on the disk or in the index.
func (w *Workspace) isMissing(name string) bool {
	if _, isTracked := w.IsTracked(name); isTracked || name == "" {
		return false
	}
	_, err := os.Lstat(repo.In(w.Base(), name))
	return os.IsNotExist(err)
}

// A CallTarget describes the subject of a module call.
type CallTarget struct {
	Own     address.Address
	Root    string // the directory whose engine it is for
	Options load.Options
}

// IsAbout reports whether a run is about the file that a finding of a baseline is in.
func (t *Subject) IsAbout(k check.Key) bool {
	return k.File == "" || t.Files == nil || t.Files[k.File]
}
