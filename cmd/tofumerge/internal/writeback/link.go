package writeback

import (
	"path/filepath"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
)

// IsForeignLink reports whether a file to write is reached by a link in a repository, and is
// outside its working tree. The link may be part of a change under review, which must not choose
// the file to overwrite.
func IsForeignLink(path string) bool {
	path = repo.Absolute(path)
	root := repo.Root(filepath.Dir(path))
	if !repo.IsRoot(root) {
		return false
	}
	own := filepath.Join(root, ".git")
	out, err := replace.FindOutput(path)
	if err != nil || out.Path == "" || repo.IsWithin(path, own) {
		return false
	}
	return !repo.IsWithin(out.Path, repo.Real(root)) || repo.IsWithin(out.Path, repo.Real(own))
}
