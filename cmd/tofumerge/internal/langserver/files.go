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

// touchedBy adds the modules that a file may affect to stale. A part of a module affects only
// that one, any other file all modules below its directory, and a removed directory the modules
// in it.
func (s *server) touchedBy(path string, stale map[*module]bool) {
	dir := filepath.Dir(path)
	isPart := s.analyst.IsPart(filepath.Base(path))
	for _, m := range s.modules {
		for _, at := range []string{m.dir, m.key} {
			if at == dir || !isPart && isBelow(at, dir) || isBelow(at, path) {
				stale[m] = true
			}
		}
	}
}

// isBelow reports whether a path is a directory or below it.
func isBelow(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
