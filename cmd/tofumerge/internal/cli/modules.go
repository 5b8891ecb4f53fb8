package cli

import (
	"github.com/tofumerge/tofumerge/internal/load"
)

// Which module directories a command on several of them works on.

// A target is a module directory, and the files of it that were named. Where the
// directory itself was named, or was found, files is nil.
type target struct {
	dir   string // as it was given, or found below what was given
	files map[string]bool
	// must is set if the directory was named, so that it has to hold a module.
	must   bool
	called *calledModule // by other modules, with --modules
	cache  *load.Cache   // of earlier looks at it
}

// targets maps paths to module directories, in the order in which they come up
// first. Files belong to the module of their directory, but for those in copies
// that other programs keep.
func (a *app) targets(paths []string, s *search) ([]*target, error) {
	found, err := s.searchFor(a).Find(paths)
	if err != nil {
		return nil, err
	}
	s.skipped = found.Skipped
	var list []*target
	for _, subject := range found.Subjects {
		list = append(list, &target{dir: subject.Dir, files: subject.Files, must: subject.Must})
	}
	return list, nil
}
