package langserver

import (
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// didChangeWatchedFiles has the modules looked at again that files on the disk may matter to.
func (s *server) didChangeWatchedFiles(p protocol.DidChangeWatchedFilesParams) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	stale := map[*module]bool{}
	for _, change := range p.Changes {
		if path, isFile := view.PathOf(change.URI); isFile {
			s.touchedBy(path, stale)
		}
	}
	for m := range stale {
		m.changed()
	}
	return nil
}

// touchedBy notes the modules to which a file may matter: a part of a module only to that
// one, anything else to all modules below its directory, and what was a directory to those
// that were in it.
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
