package enginechoice

import (
	"path"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// A Tree holds files by their paths, with slashes: those of the disk (repo.Disk), or of a tree of a
// repository, from its root.
type Tree interface {
	// Has reports whether there is a file or a directory, or a link, even a broken one.
	Has(name string) bool
	// Read reads a file that has at most limit bytes. Its error doesn't name the file.
	Read(name string, limit int64) ([]byte, error)
	// EscapesRepo reports whether a path passes through a link out of the repository, so that
	// messages may not quote the file.
	EscapesRepo(name string) bool
}

// A Reader finds the files that may choose the engine of one module. A file is a directory of Dirs
// and a name in it, which may have slashes.
type Reader struct {
	Files Tree
	// Dirs are the directories whose files apply to the module: its own first, then those above it.
	Dirs []string
	// NameOf is how people reach a file, by its path; nil for the path itself.
	NameOf func(path string) string
	// Module is the directory of the module, and Loading are the options by which package load finds
	// its configuration.
	Module  string
	Loading load.Options
}

// InTree reads the files for the module in a directory of a tree, given by its path from the root.
func InTree(files Tree, dir string, loading load.Options) Reader {
	r := Reader{Files: files, Dirs: []string{path.Clean(dir)}, Module: dir, Loading: loading}
	for at := r.Dirs[0]; at != "."; {
		at = path.Dir(at)
		r.Dirs = append(r.Dirs, at)
	}
	return r
}

// has reports whether a file exists, even as a broken link.
func (r Reader) has(dir, name string) bool { return r.Files.Has(path.Join(dir, name)) }

func (r Reader) read(dir, name string, limit int64) ([]byte, error) {
	return r.Files.Read(path.Join(dir, name), limit)
}

// label is the escaped name of a file for people.
func (r Reader) label(dir, name string) string {
	name = path.Join(dir, name)
	if r.NameOf != nil {
		name = r.NameOf(name)
	}
	return diag.Escape(name)
}
