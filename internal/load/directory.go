package load

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Directory is a module directory that isn't on the disk, such as a directory in a revision of a
// repository. Several goroutines may read it.
type Directory interface {
	// Names lists the names of its files in byte order, and which of them are links. A link is
	// listed by its own name, whatever its target.
	Names() (names []string, links map[string]bool, err error)
	// Read returns the contents of a file of at most limit bytes. The error is fs.ErrNotExist if
	// there is no such file.
	Read(name string, limit int64) ([]byte, error)
	// EscapesRepo reports whether a file is a link to something that messages may not quote.
	EscapesRepo(name string) bool
}

// readNames lists the names of the directory that is loaded.
func (o Options) readNames(dir string) (names []string, links map[string]bool, err error) {
	if o.From != nil {
		return o.From.Names()
	}
	return readNames(dir)
}

// OverrideBytes is the total size of a directory's override files, as far as it is known.
func (o Options) OverrideBytes(dir string) (n int64) {
	names, _, err := o.readNames(dir)
	if err != nil {
		return 0
	}
	for _, e := range Classify(names, o.Engine) {
		if e.Role == source.Override && e.Status == Read {
			n += o.size(dir, e.Name)
		}
	}
	return n
}

// size is how many bytes the file of a name has; 0 if it can't be read.
func (o Options) size(dir, name string) int64 {
	if o.From != nil {
		text, _ := o.From.Read(name, o.MaxFileSize)
		return int64(len(text))
	}
	info, err := os.Stat(filepath.Join(dir, name))
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// readFile reads a file of the module.
func (l *loader) readFile(f *source.File) ([]byte, error) {
	if l.opts.From != nil && !f.Overlay {
		return l.opts.From.Read(f.Name, l.opts.MaxFileSize)
	}
	return l.opts.read(f.Path)
}

// read reads a file on the disk.
func (o Options) read(path string) ([]byte, error) {
	if o.Read != nil {
		return o.Read(path, o.MaxFileSize)
	}
	return input.Read(path, o.MaxFileSize)
}

// unreadable reports that a file can't be read.
func unreadable(f *source.File, err error) *hcl.Diagnostic {
	why := input.StripPath(err).Error()
	if info, statErr := os.Lstat(f.Path); statErr == nil && info.Mode()&fs.ModeSymlink != 0 &&
		errors.Is(err, fs.ErrNotExist) {
		why = "the target of the symbolic link does not exist"
	}
	return diag.WithCode(diag.Unreadable, diag.New(hcl.Range{Filename: f.Name}, "Failed to read file",
		"Can't read the file: %s.", why))
}

// fromElsewhere makes the module read its files from a directory that isn't on the disk, where
// their paths name nothing.
func (m *Module) fromElsewhere(from Directory) {
	if from == nil {
		return
	}
	m.From = from
	for _, f := range m.Files {
		if !f.Overlay {
			f.Path = ""
			f.Outside = from.EscapesRepo(f.Name)
		}
	}
}

// IsSameAs reports whether a directory holds what was loaded: files with the same names, regardless
// of their roles, with the same bytes, and the same lock file.
func (m *Module) IsSameAs(other Directory, limit int64) bool {
	names, _, err := other.Names()
	if err != nil || m.From != nil {
		return false
	}
	isSameName := func(a, b DirEntry) bool { return a.Name == b.Name }
	if !slices.EqualFunc(Classify(names, m.Engine), m.Names, isSameName) {
		return false
	}
	for _, e := range m.Names {
		if e.Status == Ignored || e.Status == Unread {
			continue // only the name matters
		}
		if !m.hasSame(e.Name, other, limit) {
			return false
		}
	}
	return m.hasSame(LockName, other, limit)
}

// hasSame reports whether the file of a name, which may be missing, is the same in
// another directory.
func (m *Module) hasSame(name string, other Directory, limit int64) bool {
	theirs, theirErr := other.Read(name, limit)
	ours, err := m.TextOf(name, limit)
	if err != nil || theirErr != nil {
		return errors.Is(err, fs.ErrNotExist) && errors.Is(theirErr, fs.ErrNotExist)
	}
	return bytes.Equal(ours, theirs)
}

// TextOf is the content of a file of the directory, whether or not it takes part in the module.
func (m *Module) TextOf(name string, limit int64) ([]byte, error) {
	switch f := m.File(name); {
	case f != nil:
		return f.Raw, nil
	case m.From != nil:
		return m.From.Read(name, limit)
	}
	return input.Read(filepath.Join(m.Dir, name), limit)
}

// origin is the origin of the loaded directory, if it is not on the disk and knows it.
func (o Options) origin() string {
	if from, ok := o.From.(interface{ Of() string }); ok {
		return from.Of()
	}
	return ""
}
