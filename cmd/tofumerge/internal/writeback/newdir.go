package writeback

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
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

// A DirCopy copies a directory without the configuration of modules to another directory.
type DirCopy struct {
	To        *replace.Building
	At        string // where in the building
	From      string
	IsWritten func(rel string) bool // whether a module has the file, by its path in From
	Warn      func(string)
	// Mirror is set for a copy that programs run in; nil for one that people keep.
	Mirror *Mirror
	made   []dirMode
}

// symlink is replaced in tests to simulate a system without links.
var symlink = os.Symlink

// A Mirror marks a copy for running programs: it holds the engines' files beside the configuration
// except for states, and links in it keep their targets.
type Mirror struct {
	// In is the path in the copy for an absolute path of the original; the path itself if it isn't
	// copied.
	In func(path string) string
	// IsLinked reports whether something is a link to the original in the copy.
	IsLinked func(rel string, d fs.DirEntry) bool
	// Targets are those of copied links that leave the original, except for the engines' links.
	Targets []string
}

// A dirMode is a directory that gets its mode when all is in it.
type dirMode struct {
	path string
	mode fs.FileMode
}

// Copy copies everything, links as links, but for what engines and git keep for the
// directory that it is in.
func (r *DirCopy) Copy() error {
	err := filepath.WalkDir(r.From, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(r.From, name) // which is below it
		switch {
		case err != nil:
			return r.failed(rel, d, err)
		case rel == ".", !d.IsDir() && r.IsWritten(rel):
			return nil
		}
		isDone := IsKept(d.Name())
		if r.Mirror != nil {
			isDone = r.mirror(name, rel, d)
		}
		switch {
		case isDone && d.IsDir():
			return fs.SkipDir
		case isDone:
			return nil
		}
		if err := r.copyOne(name, filepath.Join(r.At, rel), d); err != nil {
			return r.failed(rel, d, err)
		}
		return nil
	})
	for _, d := range slices.Backward(r.made) {
		if err == nil {
			err = os.Chmod(d.path, d.mode)
		}
	}
	return err
}

// failed is the error of an incomplete copy. A copy for running programs omits files that may not
// be read, or have disappeared.
func (r *DirCopy) failed(rel string, d fs.DirEntry, err error) error {
	if r.Mirror == nil || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("can't copy %s: %w", diag.Escape(rel), input.StripPath(err))
	}
	r.Warn(fmt.Sprintf("%s is left out of the copy: %v", diag.Escape(rel), input.StripPath(err)))
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// mirror makes a link in a copy for running programs, or leaves out files that they don't need. It
// reports false for files that must be copied, which is all of them if the system has no links.
func (r *DirCopy) mirror(name, rel string, d fs.DirEntry) (isDone bool) {
	if r.Mirror.IsLinked(rel, d) {
		if r.To.Step(func() error { return symlink(name, filepath.Join(r.At, rel)) }) == nil {
			return true
		}
	}
	switch {
	case filepath.Base(filepath.Dir(rel)) == dataDir, d.Name() == dataDir && d.IsDir():
		return false // the settings of the backend are named like a state
	case IsKept(d.Name()):
		return true
	case !d.IsDir() && !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0:
		r.Warn(fmt.Sprintf("%s is left out: it is not a regular file", diag.Escape(rel)))
		return true
	}
	return false
}

// dataDir is the directory of init's files.
const dataDir = ".terraform"

// IsKept reports whether engines or git keep a name for the directory that it is in: a copy of the
// state would be another state.
func IsKept(name string) bool {
	switch name {
	case ".git", dataDir, "terraform.tfstate.d", ".terraform.tfstate.lock.info":
		return true
	}
	return strings.HasSuffix(name, ".tfstate") || strings.HasSuffix(name, ".tfstate.backup")
}

func (r *DirCopy) copyOne(from, to string, d fs.DirEntry) error {
	switch {
	case d.IsDir():
		info, err := d.Info()
		if err != nil {
			return err
		}
		r.made = append(r.made, dirMode{to, info.Mode().Perm()})
		return r.To.Step(func() error {
			if err := os.Mkdir(to, 0o700); !errors.Is(err, fs.ErrExist) { // a module may be there
				return err
			}
			return nil
		})
	case d.Type()&fs.ModeSymlink != 0:
		return r.copyLink(from, to)
	case !d.Type().IsRegular():
		return errors.New("it is not a regular file")
	}
	return r.copyFile(from, to)
}

// copyLink copies a link unchanged. It warns of a link that has another target in the new
// directory, or points back into the module's directory.
func (r *DirCopy) copyLink(name, to string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return err
	}
	link, _ := filepath.Rel(r.From, name) // which is below it
	if r.Mirror != nil {
		if filepath.IsAbs(target) || leavesOn(filepath.Dir(link), target) {
			target = r.Mirror.In(repo.In(filepath.Dir(name), target))
			if filepath.Base(filepath.Dir(name)) != dataDir {
				r.Mirror.Targets = append(r.Mirror.Targets, target)
			}
		}
		if err = r.To.Step(func() error { return symlink(target, to) }); err != nil {
			err = r.copyFile(name, to) // the target of the link
		}
		return err
	}
	if !filepath.IsAbs(target) && leavesOn(filepath.Dir(link), target) {
		r.Warn(fmt.Sprintf(
			"%s is a link to %s, which points elsewhere from the new directory", diag.Escape(link), diag.Escape(target),
		))
	}
	if rel, err := filepath.Rel(r.From, target); err == nil && filepath.IsAbs(target) && filepath.IsLocal(rel) {
		r.Warn(fmt.Sprintf(
			"%s is a link to %s and still points into the module's directory", diag.Escape(link), diag.Escape(target),
		))
	}
	return r.To.Step(func() error { return os.Symlink(target, to) })
}

// leavesOn reports whether a path, relative to a directory below another one, leaves that, even if
// it returns.
func leavesOn(dir, path string) bool {
	for _, name := range strings.Split(filepath.ToSlash(path), "/") {
		if dir = filepath.Join(dir, name); !filepath.IsLocal(dir) {
			return true
		}
	}
	return false
}

// isUnchanged reports whether a file seems to be as it was when so many bytes of it were read.
func isUnchanged(before, after fs.FileInfo, n int64) bool {
	return n == before.Size() && n == after.Size() && after.ModTime().Equal(before.ModTime())
}

// copyFile copies as much of a regular file as it has when it is opened.
func (r *DirCopy) copyFile(name, to string) error {
	in, before, err := input.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	var out *os.File
	err = r.To.Step(func() (err error) {
		out, err = os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, before.Mode().Perm())
		return err
	})
	if err != nil {
		return err
	}
	n, err := io.CopyN(out, in, before.Size()) // shares the blocks where the file system can
	if errors.Is(err, io.EOF) {
		err = nil // it got shorter
	}
	after, statErr := in.Stat()
	if err := errors.Join(err, statErr, out.Close()); err != nil {
		return err
	}
	if r.Mirror != nil { // so that a later change shows
		_ = os.Chtimes(to, before.ModTime(), before.ModTime())
	}
	if !isUnchanged(before, after, n) {
		r.Warn(fmt.Sprintf("%s changed while it was copied; check the copy", diag.Escape(name)))
	}
	return nil
}
