package langserver

import (
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// didChangeWatchedFiles analyses the modules again that changed files on disk may affect.
func (s *server) didChangeWatchedFiles(p protocol.DidChangeWatchedFilesParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	stale := map[*module]bool{}
	for _, change := range p.Changes {
		if path, isFile := view.PathOf(change.URI); isFile {
			s.touchedBy(path, stale)
			s.surveyed(path)
		}
	}
	s.surveyAgain()
	for m := range stale {
		m.changed()
	}
	return nil
}

// touchedBy adds the modules that a file may affect to stale.
func (s *server) touchedBy(path string, stale map[*module]bool) {
	mayAffect := s.reach(path)
	for _, m := range s.modules {
		if mayAffect(m.dir) || mayAffect(m.key) {
			stale[m] = true
		}
	}
}

// reach returns whether a file may affect the module of a directory. A part of a module affects
// only that one, settings all modules that they are for, any other file all modules below its
// directory, and a removed directory the modules in it.
func (s *server) reach(path string) func(dir string) bool {
	affected := filepath.Dir(path)
	isPart := s.analyst.IsPart(filepath.Base(path))
	if governed, ok := s.analyst.Governed(path); ok {
		affected = governed
	}
	return func(dir string) bool {
		return dir == affected || !isPart && isBelow(dir, affected) || isBelow(dir, path)
	}
}

// isBelow reports whether a path is a directory or below it.
func isBelow(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
