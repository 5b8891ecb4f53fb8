package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A Tree reads settings files from a tree of a repository: a revision, or the index.
type Tree struct {
	Files TreeFiles
	// Root is the directory that a checkout of the tree fills. Paths that are not below it are
	// paths from the root of the tree.
	Root string
	// Called is how messages name a file, by its path from the root; nil for its path in a
	// checkout.
	Called func(name string) string
	// Missing is why a directory is in no tree. It has no settings file then, and no module in it can
	// be judged.
	Missing error
	// IsForeign means that the change under review can't have edited the tree.
	IsForeign bool
}

// TreeFiles are the files of a tree, by their paths from its root, with slashes.
type TreeFiles interface {
	// Has reports whether there is a file or a directory, or a link, even a broken one.
	Has(name string) bool
	Read(name string, limit int64) ([]byte, error)
	// EscapesRepo reports whether a path passes through a link out of the repository.
	EscapesRepo(name string) bool
	// Real resolves the links in a path, as far as the tree has it.
	Real(name string) string
}

// Above implements Source: the directories of the tree above the name of the module's directory,
// and above its target now or in the tree, so that no link takes a module away from its settings. A
// directory that the tree doesn't have has no file, and those above it apply.
func (t Tree) Above(dir string) ([]string, error) {
	if t.Missing != nil {
		return nil, t.Missing
	}
	if _, ok := t.within(repo.Absolute(dir)); !ok {
		return nil, fmt.Errorf("%s is not in the working tree of %s, which holds the settings", diag.Escape(dir), diag.Escape(t.Root))
	}
	var list []string
	add := func(name string) {
		for at := path.Clean(name); ; at = path.Dir(at) {
			if whole := filepath.Join(t.Root, filepath.FromSlash(at)); !slices.Contains(list, whole) {
				list = append(list, whole)
			}
			if at == "." {
				return
			}
		}
	}
	for _, at := range repo.SettingsDirs(dir) {
		if name, ok := t.within(at); ok {
			add(name)
			add(t.Files.Real(name))
		}
	}
	return list, nil
}

// Trees find the tree that holds the settings files of a directory: modules may be in several
// repositories.
type Trees func(dir string) (Tree, error)

// Above implements Source.
func (f Trees) Above(dir string) ([]string, error) {
	t, err := f(dir)
	if err != nil {
		return nil, err
	}
	return t.Above(dir)
}

// Read implements Source.
func (f Trees) Read(dir string) (File, error) {
	t, err := f(dir)
	if err != nil {
		return File{}, err
	}
	return t.Read(dir)
}

// within is the path of a directory of the disk from the root.
func (t Tree) within(dir string) (name string, ok bool) {
	for _, root := range []string{t.Root, repo.Real(t.Root)} {
		rel, err := filepath.Rel(root, dir)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// Read implements Source. The directory is a path from the root, or one of the disk.
func (t Tree) Read(dir string) (File, error) {
	if t.Missing != nil {
		return File{}, fs.ErrNotExist
	}
	if filepath.IsAbs(dir) {
		name, ok := t.within(dir)
		if !ok {
			return File{}, fs.ErrNotExist
		}
		dir = name
	}
	name := path.Join(dir, FileName)
	f := File{IsForeign: t.IsForeign}
	if t.Called != nil {
		f.Name = t.Called(name)
	} else {
		f.Path = filepath.Join(t.Root, filepath.FromSlash(name))
	}
	if !t.Files.Has(name) {
		return f, fs.ErrNotExist
	}
	text, err := t.Files.Read(name, input.MaxSettingsSize)
	f.Text, f.IsWithheld = text, t.Files.EscapesRepo(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = errDangling
	}
	return f, err
}
