// Package repo answers questions about paths: the target of a path, the directories above it, its
// repository, and whether a link points outside that.
//
// Paths are on the disk, relative ones as seen from the working directory. A Disk reads files; everything else reads
// names and links only. A .git is not judged, so that it need not be a repository that Git accepts. The answers
// decide which settings and version files apply to a module, so a .git below the working directory doesn't end the
// upward search: it may be a part of the change under review, as in an archive or a submodule.
package repo

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Ancestors lists a directory and those above it, the nearest first, up to the root of the repository around
// the working directory; outside of a repository up to the working directory. For a directory elsewhere it
// ends at the outermost repository around it or, without one, at the root of the file system.
func Ancestors(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		at, here := Absolute(dir), Absolute(".")
		last := highest(at, here)
		for yield(at) && at != last {
			above := filepath.Dir(at)
			if above == at { // the root of the file system
				return
			}
			at = above
		}
	}
}

// highest returns the directory at which the search for settings from dir upwards ends, if here is the working
// directory: Ancestors lists it last. It is "" if the search ends only at the root of the file system.
func highest(dir, here string) string {
	if root := Root(here); IsWithin(dir, root) {
		return root
	}
	return Outermost(dir) // "" is not a directory: the search continues to the root of the file system
}

// Outermost returns the root of the outermost repository that a directory is in, or "" if it is in none.
func Outermost(dir string) (root string) {
	for at := dir; ; at = filepath.Dir(at) {
		if IsRoot(at) {
			root = at
		}
		if at == filepath.Dir(at) {
			return root
		}
	}
}

// Root returns the root of the innermost repository that a directory is in, or else the directory itself.
func Root(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if IsRoot(at) {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// IsRoot reports whether a directory is the root of a repository: it has a .git.
func IsRoot(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// IsWithin reports whether dir is root or below it. Both must be absolute. It doesn't follow links.
func IsWithin(dir, root string) bool {
	return dir == root ||
		strings.HasPrefix(dir, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
}

// EscapesRepo reports whether a path leads through a link to a target outside the path's repository, or inside a
// .git of it, which may hold credentials. The repository is the last directory of Ancestors, or the path's own
// directory if no repository ends that list. In doubt EscapesRepo returns true. Messages must not quote such a file:
// the author of the link may not be allowed to read the target, but may see the messages.
func EscapesRepo(path string) bool {
	whole := Absolute(path)
	target, err := filepath.EvalSymlinks(whole)
	if err != nil {
		return true // in doubt
	}
	if target == whole {
		return false
	}
	// Find the root from the directory of the path as given, links included: highest returns the last of Ancestors.
	dir := filepath.Dir(whole)
	if info, err := os.Stat(whole); err == nil && info.IsDir() {
		dir = whole
	}
	root := cmp.Or(highest(dir, Absolute(".")), dir) // "" if no repository ends the list
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return true
	}
	if !IsWithin(target, realRoot) {
		return true
	}
	below := strings.Split(target[len(realRoot):], string(filepath.Separator))
	return slices.Contains(below, ".git")
}

// Absolute returns the absolute form of a path, with links as they are.
func Absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// SettingsDirs returns the directories whose settings files apply to a module: its directory and those above it,
// the nearest first. If the directory is reached through a link, the target's directories follow, so that naming
// a module by a link doesn't evade its settings.
func SettingsDirs(dir string) []string {
	list := slices.Collect(Ancestors(dir))
	target, err := filepath.EvalSymlinks(Absolute(dir))
	if err != nil || target == Absolute(dir) {
		return list
	}
	known := list
	for at := range Ancestors(target) {
		if !slices.ContainsFunc(known, func(other string) bool { return IsSameFile(at, other) }) {
			list = append(list, at)
		}
	}
	return list
}

// IsSameFile reports whether two paths name the same file or directory.
func IsSameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, alsoErr := os.Stat(b)
	return err == nil && alsoErr == nil && os.SameFile(one, other)
}

// Real returns the absolute path of a path's target, with all links followed. A path that doesn't exist is only
// made absolute.
func Real(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// In joins a relative path to dir, as --chdir needs it. An absolute path stays, and "" is the working directory.
func In(dir, path string) string {
	if dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// FromHere returns a path as messages show it. It makes an absolute path relative to the working directory, with
// slashes; a relative one stays as it is.
func FromHere(name string) string {
	if !filepath.IsAbs(name) {
		return name
	}
	return From(".", name)
}

// From returns a path relative to a directory, with slashes. If no relative path exists, as between two drives,
// the path stays as it is.
func From(dir, name string) string {
	dir, err := filepath.Abs(dir)
	whole, alsoErr := filepath.Abs(name)
	if rel, relErr := filepath.Rel(dir, whole); errors.Join(err, alsoErr, relErr) == nil {
		return filepath.ToSlash(rel)
	}
	return name
}

// A Disk reads the files of the disk, or their unsaved texts in an editor.
type Disk struct {
	// Open returns the text of a file that is open in an editor; nil without one.
	Open func(path string) (text []byte, isOpen bool)
}

// open returns the text of a file that is open in an editor. isOpen is false for any other file.
func (d Disk) open(path string) (text []byte, isOpen bool) {
	if d.Open == nil {
		return nil, false
	}
	return d.Open(path)
}

// Has reports whether a path exists, even as a broken link.
func (d Disk) Has(path string) bool {
	_, isOpen := d.open(path)
	_, err := os.Lstat(path)
	return isOpen || err == nil
}

// Read reads a file of at most limit bytes. The error doesn't name the file.
func (d Disk) Read(path string, limit int64) ([]byte, error) {
	text, isOpen := d.open(path)
	switch {
	case !isOpen:
		text, err := input.Read(path, limit)
		return text, input.StripPath(err)
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("it is larger than %d bytes", limit)
	}
	return text, nil
}

// EscapesRepo reports whether a file escapes the repository (see EscapesRepo above). A text that is open in
// an editor doesn't: its user sees it anyway.
func (d Disk) EscapesRepo(path string) bool {
	_, isOpen := d.open(path)
	return !isOpen && EscapesRepo(path)
}
