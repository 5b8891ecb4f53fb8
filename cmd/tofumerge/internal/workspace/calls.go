package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A Call is an effective module call.
type Call struct {
	Address address.Address // in the module that calls
	// Local is the directory of a local source, relative to the module; empty for other sources.
	Local string
}

// Calls lists the module calls that have a source argument after the merge, in the order of the module. Local is the
// path of a source such as "./vpc". It stays empty if the source isn't local or isn't a constant.
func Calls(m *merge.Module) (list []Call) {
	isCall := func(f *source.File, i int) bool { return language.HasModuleSource(f.Engine, f.TypeOf(i)) }
	for _, e := range m.AllOf(isCall) { // may include other items, which the next condition skips
		if !e.InEffect() || e.Inner() == nil || !language.HasModuleSource(m.Source.Engine, e.Key.Name) {
			continue
		}
		c := Call{Address: address.Of(e)}
		isSource := func(inner *merge.MergedItem) bool { a := inner.Attr(); return a != nil && language.IsModuleSource(a) }
		at := slices.IndexFunc(e.Inner().All(), isSource)
		if at < 0 {
			continue
		}
		from, isConstant := constant.String(e.Inner().All()[at].Attr())
		if isConstant && judge.IsLocalSource(from) {
			c.Local = filepath.FromSlash(strings.ReplaceAll(from, `\`, "/"))
		}
		list = append(list, c)
	}
	return list
}

// CallsIn lists the calls of the module in a directory.
func (w *Workspace) CallsIn(dir string) ([]Call, error) {
	opts, err := w.OptionsFor(dir)
	if err != nil {
		return nil, err
	}
	opts.Overlays, opts.Excluded, opts.Sized, opts.Read = nil, nil, nil, nil // the flags are about other modules
	m, _, err := merge.Dir(dir, opts, merge.Options{})
	if err != nil {
		return nil, err
	}
	return Calls(m), nil
}

// If Tracked is set, modules consist of the files in git's index, or in a revision, regardless of the
// working tree.

// UseRevision makes modules and their settings be read from a revision, or from the index if name is empty.
func (w *Workspace) UseRevision(name string) {
	w.Tracked, w.at = true, name
	w.Settings.Source = policy.Trees(func(dir string) (policy.Tree, error) {
		index, err := w.Index(dir)
		if err != nil {
			return policy.Tree{}, err
		}
		return policy.Tree{Files: index, Root: index.Root}, nil
	})
}

// Index opens the index of the repository that a directory is in, or the revision that UseRevision names.
// git's variable for another index counts only for the repository around the working directory: a hook sets
// it for that one.
func (w *Workspace) Index(dir string) (*gitrev.Revision, error) {
	if w.at != "" {
		return w.Revision(dir, w.at)
	}
	root, gitDir, ok := w.Repository(dir)
	if !ok {
		return nil, fmt.Errorf("%s is not in a Git repository, so nothing there is tracked; leave out --tracked", diag.Escape(dir))
	}
	file := ""
	if root == repo.Root(repo.Absolute(".")) {
		file = w.Env(gitrev.IndexVariable)
	}
	return w.Revisions.open("index\x00"+root+"\x00"+gitDir, func() (*gitrev.Revision, error) {
		return gitrev.OpenIndex(root, gitDir, file)
	})
}

// PathIn returns the path of a directory from the root of an index. If the directory is reached through an
// untracked link, it is the path of the link's target. ok is false for a directory outside.
func PathIn(index *gitrev.Revision, dir string) (name string, ok bool) {
	own, isBelow := index.PathOf(dir)
	if isBelow && index.Has(own) {
		return own, true
	}
	rel, err := filepath.Rel(repo.Real(index.Root), repo.Real(dir))
	if err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel), true
	}
	return own, isBelow
}

// inIndex returns the index of a path's repository, and the path from its root. ok reports whether the index
// has the path.
func (w *Workspace) inIndex(path string) (index *gitrev.Revision, name string, ok bool, err error) {
	path = repo.In(w.Base(), path)
	if index, err = w.Index(path); err != nil {
		return nil, "", false, err
	}
	name, ok = PathIn(index, path)
	return index, name, ok && index.Has(name), nil
}

// trackedDir returns a directory as the index has it, without files if the index lacks it.
func (w *Workspace) trackedDir(dir string) (load.Directory, error) {
	index, err := w.Index(dir)
	if err != nil {
		return nil, err
	}
	name, ok := PathIn(index, dir)
	if !ok {
		return nil, fmt.Errorf("%s is not in the working tree of %s, so %s doesn't have it; name another DIR",
			diag.Escape(dir), diag.Escape(index.Root), diag.Escape(index.Name))
	}
	found, err := index.Directory(name)
	if errors.Is(err, fs.ErrNotExist) {
		return untrackedDir{index.Name}, nil
	}
	if err != nil {
		return nil, err
	}
	return found, nil
}

// IndexRev names the index where a revision is expected, as git does.
const IndexRev = ":0"

// PastIndex returns the directory of a module in the index, for a comparison with the working tree.
func (w *Workspace) PastIndex(dir string) (*PastDir, error) {
	index, name, _, err := w.inIndex(dir)
	if err != nil {
		return nil, err
	}
	p := &PastDir{Revision: index, Path: name}
	p.From, err = w.trackedDir(repo.In(w.Base(), dir))
	return p, err
}

// An untrackedDir is a directory without tracked files. of names the index or the revision.
type untrackedDir struct{ of string }

// Names implements load.Directory.
func (u untrackedDir) Names() ([]string, map[string]bool, error) { return nil, nil, nil }

// Read implements load.Directory.
func (u untrackedDir) Read(string, int64) ([]byte, error) { return nil, fs.ErrNotExist }

// EscapesRepo implements load.Directory.
func (u untrackedDir) EscapesRepo(string) bool { return false }

// Of names the index, for the error of load.Dir that it has no files of this directory.
func (u untrackedDir) Of() string { return u.of }

// trackedBelow finds the directories of the index below a directory; none if the index lacks that.
func (w *Workspace) trackedBelow(root string) (*discover.Past, error) {
	index, name, ok, err := w.inIndex(root)
	if err != nil || !ok {
		return &discover.Past{}, err
	}
	return discover.ReadPast(index, name)
}

// IsTracked looks up a path in the index, if modules are read from there: isDir tells whether it is a directory, and
// ok whether the index has it at all. The path may be missing on the disk.
func (w *Workspace) IsTracked(path string) (isDir, ok bool) {
	if !w.Tracked || path == "" {
		return false, false
	}
	index, name, ok, err := w.inIndex(path)
	return err == nil && ok && index.IsDirectory(name), err == nil && ok
}
