package workspace

import (
	"errors"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A Search is what a command looks for below the directories that are named, and what it
// passed over.
type Search struct {
	Recursive bool
	Exclude   []string // of --exclude
	// SeesIgnored is set where the exit status is a verdict: no .gitignore file, which the
	// change that is judged may bring, takes a module out of it.
	SeesIgnored bool
	DirsOnly    bool // files are not taken for the modules that they are in
	// FindPast, if set, finds what a revision has below a directory.
	FindPast func(root string) (*discover.Past, error)

	Skipped wording.Skipped
}

// For is the search in a run of the program.
func (s *Search) For(w *Workspace) *discover.Search {
	found := &discover.Search{
		Base: w.Base(), Recursive: s.Recursive, Exclude: s.Exclude, SeesIgnored: s.SeesIgnored, DirsOnly: s.DirsOnly,
		Past: s.FindPast, Warn: w.Warn, Note: w.Note,
	}
	if w.Tracked {
		found.Tracked, found.IsTracked = w.TrackedBelow, w.IsTracked
	}
	return found
}

// CheckSearch judges the flags.
func (s *Search) CheckSearch() error {
	return (&discover.Search{Recursive: s.Recursive, Exclude: s.Exclude}).Check()
}

// Record is what reports say about the directories that were passed over; nil without -r.
func (s *Search) Record() *report.SkippedRecord {
	if !s.Recursive {
		return nil
	}
	record := report.SkippedRecord(s.Skipped)
	return &record
}

// Finish ends a run with a line that a text begins, if one is wanted. That .gitignore files
// took something out is said in any case, since nobody asked for it.
func (s *Search) Finish(w *Workspace, text string) {
	switch {
	case text != "" && w.Summarizes():
		w.Tell(text + s.Skipped.Behind())
	case s.Skipped.Ignored > 0:
		w.Note("Note: " + wording.Skipped{Ignored: s.Skipped.Ignored}.String())
	}
}

// CheckForCalls judges the flags of a search where calls are followed instead.
func (s *Search) CheckForCalls() error {
	if s.Recursive {
		return errors.New("-r finds modules by their directories and --modules by calls; use only one of them")
	}
	return s.CheckSearch()
}

// Which module directories a command on several of them works on.

// A Subject is a module directory, and the files of it that were named. Where the
// directory itself was named, or was found, files is nil.
type Subject struct {
	Dir   string // as it was given, or found below what was given
	Files map[string]bool
	// Must is set if the directory was named, so that it has to hold a module.
	Must   bool
	Called *Called     // by other modules, with --modules
	Cache  *load.Cache // of earlier looks at it
}

// Subjects maps paths to module directories, in the order in which they come up
// first. Files belong to the module of their directory, but for those in copies
// that other programs keep.
func (w *Workspace) Subjects(paths []string, s *Search) ([]*Subject, error) {
	found, err := s.For(w).Find(paths)
	if err != nil {
		return nil, err
	}
	s.Skipped = found.Skipped
	var list []*Subject
	for _, subject := range found.Subjects {
		list = append(list, &Subject{Dir: subject.Dir, Files: subject.Files, Must: subject.Must})
	}
	return list, nil
}

// Called is what is special about a subject that a call leads to.
type Called struct {
	Own     address.Address
	Root    string // the directory whose engine it is for
	Options load.Options
}

// IsAbout reports whether a run is about the file that a finding of a baseline is in.
func (t *Subject) IsAbout(k check.Key) bool {
	return k.File == "" || t.Files == nil || t.Files[k.File]
}
