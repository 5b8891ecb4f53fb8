package cli

import (
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A search is what a command looks for below the directories that are named, and what it
// passed over.
type search struct {
	recursive bool
	exclude   []string // of --exclude
	// seesIgnored is set where the exit status is a verdict: no .gitignore file, which the
	// change that is judged may bring, takes a module out of it.
	seesIgnored bool
	dirsOnly    bool // files are not taken for the modules that they are in
	// past, if set, finds what a revision has below a directory.
	past func(root string) (*discover.Past, error)

	skipped wording.Skipped
}

// flags adds those of a search to a command.
func (s *search) flags(flags *pflag.FlagSet, recursive string) {
	flags.BoolVarP(&s.recursive, "recursive", "r", false, recursive)
	flags.StringArrayVar(&s.exclude, "exclude", nil, "with -r, skip directories that `GLOB` matches; repeatable")
}

// searchFor is the search in a run of the program.
func (s *search) searchFor(a *app) *discover.Search {
	return &discover.Search{
		Base: a.Base(), Recursive: s.recursive, Exclude: s.exclude, SeesIgnored: s.seesIgnored, DirsOnly: s.dirsOnly,
		Past: s.past, Warn: a.Warn, Note: a.Note,
	}
}

// settle judges the flags.
func (s *search) settle() error {
	return (&discover.Search{Recursive: s.recursive, Exclude: s.exclude}).Check()
}

// skippedRecord is what reports say about the directories that were passed over; nil without -r.
func (s *search) skippedRecord() *report.SkippedRecord {
	if !s.recursive {
		return nil
	}
	record := report.SkippedRecord(s.skipped)
	return &record
}

// finishSearch ends a run with a line that a text begins, if one is wanted. That .gitignore files
// took something out is said in any case, since nobody asked for it.
func (s *search) finishSearch(a *app, text string) {
	switch {
	case text != "" && a.Summarizes():
		a.Tell(text + s.skipped.Behind())
	case s.skipped.Ignored > 0:
		a.Note("Note: " + wording.Skipped{Ignored: s.skipped.Ignored}.String())
	}
}
