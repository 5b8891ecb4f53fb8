package enginechoice

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A Reader finds the files that may choose the engine of one module. A file is a directory
// of Dirs and a name in it, which may have slashes.
type Reader interface {
	// Dirs are the directories whose files apply to the module: its own first, then those above it.
	Dirs() []string
	// Has reports whether a file exists, even as a broken link.
	Has(dir, name string) bool
	// Read reads a file that has at most limit bytes.
	Read(dir, name string, limit int64) ([]byte, error)
	// Label is the escaped name of a file for people.
	Label(dir, name string) string
	// MayQuote reports whether messages may quote a file.
	MayQuote(dir, name string) bool
	// Module is the directory of the module, and the options by which package load finds
	// its configuration.
	Module() (dir string, from load.Options)
}

// A Disk reads the files that are saved.
type Disk struct {
	Ancestors   []string                 // the module's directory, then those above it
	NameOf      func(path string) string // how people reach a file
	EscapesRepo func(path string) bool   // see load.Options
	Dir         string                   // of the module, as the user names it
	From        load.Options             // where its configuration is
}

// Dirs implements Reader.
func (d Disk) Dirs() []string { return d.Ancestors }

// Has implements Reader.
func (d Disk) Has(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// Read implements Reader.
func (d Disk) Read(dir, name string, limit int64) ([]byte, error) {
	text, err := input.Read(filepath.Join(dir, name), limit)
	if pathErr, ok := err.(*fs.PathError); ok {
		err = pathErr.Err // the caller names the file
	}
	return text, err
}

// Label implements Reader.
func (d Disk) Label(dir, name string) string { return diag.Escape(d.NameOf(filepath.Join(dir, name))) }

// MayQuote implements Reader.
func (d Disk) MayQuote(dir, name string) bool { return !d.EscapesRepo(filepath.Join(dir, name)) }

// Module implements Reader.
func (d Disk) Module() (string, load.Options) { return d.Dir, d.From }

// An Editor reads files as an editor has them, and those that it doesn't have from the disk.
type Editor struct {
	Disk
	// Open returns the text of a file that is open in the editor.
	Open func(path string) (text []byte, isOpen bool)
}

// Has implements Reader.
func (e Editor) Has(dir, name string) bool {
	_, isOpen := e.Open(filepath.Join(dir, name))
	return isOpen || e.Disk.Has(dir, name)
}

// Read implements Reader.
func (e Editor) Read(dir, name string, limit int64) ([]byte, error) {
	text, isOpen := e.Open(filepath.Join(dir, name))
	switch {
	case !isOpen:
		return e.Disk.Read(dir, name, limit)
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("it is larger than %d bytes", limit)
	}
	return text, nil
}

// MayQuote implements Reader.
func (e Editor) MayQuote(dir, name string) bool {
	_, isOpen := e.Open(filepath.Join(dir, name))
	return isOpen || e.Disk.MayQuote(dir, name)
}

// A Tree holds files of a repository by their paths from its root, with slashes.
type Tree interface {
	// Has reports whether there is a file or a directory, or a link, even a broken one.
	Has(name string) bool
	Read(name string, limit int64) ([]byte, error)
	// EscapesRepo reports whether a path passes through a link out of the repository.
	EscapesRepo(name string) bool
}

// An InTree reads files of a tree.
type InTree struct {
	Tree Tree
	Dir  string       // of the module, from the root
	From load.Options // where its configuration is
}

// Dirs implements Reader.
func (r InTree) Dirs() []string {
	at := path.Clean(r.Dir)
	list := []string{at}
	for at != "." {
		at = path.Dir(at)
		list = append(list, at)
	}
	return list
}

// Has implements Reader.
func (r InTree) Has(dir, name string) bool { return r.Tree.Has(path.Join(dir, name)) }

// Read implements Reader.
func (r InTree) Read(dir, name string, limit int64) ([]byte, error) {
	return r.Tree.Read(path.Join(dir, name), limit)
}

// Label implements Reader.
func (r InTree) Label(dir, name string) string { return diag.Escape(path.Join(dir, name)) }

// MayQuote implements Reader.
func (r InTree) MayQuote(dir, name string) bool { return !r.Tree.EscapesRepo(path.Join(dir, name)) }

// Module implements Reader.
func (r InTree) Module() (string, load.Options) { return r.Dir, r.From }
