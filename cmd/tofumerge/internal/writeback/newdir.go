package writeback

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

// CheckNewDir refuses a directory that isn't empty, and one inside the flattened directory, of
// which it would become a part.
func CheckNewDir(out, dir, what string) error {
	info, err := os.Lstat(out)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("nothing was written: %s is a link; name the directory itself", diag.Escape(out))
	case err == nil:
		found, err := os.ReadDir(out)
		if err != nil {
			return NotWritten(out, err)
		}
		if len(found) > 0 {
			return fmt.Errorf("nothing was written: %s is not empty; name a new directory", diag.Escape(out))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return NotWritten(out, err)
	}
	parent := repo.Real(filepath.Dir(out))
	if _, err := os.Stat(parent); err != nil {
		return fmt.Errorf("nothing was written: no such directory: %s", diag.Escape(filepath.Dir(out)))
	}
	for at := parent; ; at = filepath.Dir(at) {
		if repo.IsSameFile(at, dir) {
			return fmt.Errorf("nothing was written: %s is inside %s; name a directory elsewhere",
				diag.Escape(out), what)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// WriteFiles writes the primary files into a directory, each with the mode that it has in the
// module.
func WriteFiles(b *replace.Building, to string, src *load.Module, diffs []*patch.File) error {
	for _, d := range diffs {
		mode := os.FileMode(0o666)
		if info, err := os.Stat(filepath.Join(src.Dir, d.Name)); err == nil {
			mode = info.Mode().Perm()
		}
		err := b.Step(func() error { return os.WriteFile(filepath.Join(to, d.Name), d.New(), mode) })
		if err != nil {
			return NotWritten(d.Name, err)
		}
	}
	return nil
}

// IsPart reports whether the module loads a name, or would if others did not.
func IsPart(e load.DirEntry) bool {
	return e.Status == load.Read || e.Status == load.Shadowed || e.Status == load.Excluded
}
