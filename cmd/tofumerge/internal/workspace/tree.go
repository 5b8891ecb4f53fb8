package workspace

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/tree"
)

// How --modules follows module calls.

// dataDirVariable is the environment variable that moves the directory of init.
const dataDirVariable = "TF_DATA_DIR"

// A Tree holds the modules that are called, directly or indirectly, from a root module.
type Tree struct {
	*Workspace
	Root  string
	Nodes []*tree.Node
}

var errManyRoots = errors.New("--modules follows the calls of one module; name only one directory")

// Follow finds the modules below the named one, and warns of calls that can't be followed.
func (w *Workspace) Follow(args []string, opts merge.Options) (*Tree, error) {
	if len(args) > 1 {
		return nil, errManyRoots
	}
	w.ExpectMany()
	t := &Tree{Workspace: w, Root: w.Dir(args)}
	rootOptions, err := w.OptionsFor(t.Root)
	if err != nil {
		return nil, err
	}
	installed, err := tree.ReadInstalled(t.Root, w.DataDir())
	if err != nil {
		w.Warn(err.Error() + "; to write it again, run: " + rootOptions.Engine.Product.Command() + " init")
	}
	loader := tree.Loader{
		Load: func(dir string, isRoot bool) (*merge.Module, hcl.Diagnostics, error) {
			return t.load(dir, isRoot, rootOptions, opts)
		},
		Real: repo.Real, Shown: t.Shown, Installed: installed,
	}
	t.Nodes, err = loader.Walk(t.Root)
	if errors.Is(err, tree.ErrTooLarge) {
		err = fmt.Errorf("%w; to see a part of it, name the directory of one of its modules", err)
	}
	t.noteInstalled()
	return t, err
}

// DataDir is the directory of init's files, relative to the root module.
func (w *Workspace) DataDir() string {
	if dir := w.Env(dataDirVariable); dir != "" {
		return dir
	}
	return tree.DataDir
}

// load loads a module of the tree, for the engine of the root.
func (t *Tree) load(
	dir string, isRoot bool, loading load.Options, opts merge.Options,
) (*merge.Module, hcl.Diagnostics, error) {
	if !isRoot {
		loading = t.Below(dir, loading)
	}
	mod, diags, err := merge.Dir(dir, loading, opts)
	if err == nil {
		mod.Source.Prefix = t.Prefix(dir)
	}
	return mod, diags, err
}

// Below are the options for a module that the root calls. A source may point outside the
// repository: then no message quotes its files.
func (t *Tree) Below(dir string, loading load.Options) load.Options {
	loading.Overlays = nil
	loading.From = t.from(dir)
	if t.isOutside(dir) {
		loading.EscapesRepo = func(string) bool { return true }
	}
	return loading
}

// from is the source of a called module's files; nil for the disk, on which init has installed
// modules that nobody tracks.
func (t *Tree) from(dir string) load.Directory {
	if !t.Tracked || t.isInstalled(dir) {
		return nil
	}
	found, err := t.trackedDir(dir)
	if err != nil {
		return untrackedDir{err: err}
	}
	return found
}

// isInstalled reports whether init has installed a module.
func (t *Tree) isInstalled(dir string) bool {
	return repo.IsWithin(repo.Real(dir), repo.Real(repo.In(t.Root, t.DataDir())))
}

// noteInstalled notes which modules are not read from the index, although all others are.
func (t *Tree) noteInstalled() {
	if t.Tracked && slices.ContainsFunc(t.Nodes, func(n *tree.Node) bool { return t.isInstalled(n.Dir) }) {
		t.Note(fmt.Sprintf("Note: installed modules are read from %s, which git doesn't track", diag.Escape(t.DataDir())))
	}
}

// isOutside reports whether a directory is outside the repository of the root module; without a
// repository, outside the working directory and the root module's directory.
func (t *Tree) isOutside(dir string) bool {
	for _, from := range []string{repo.Absolute(t.Root), repo.Absolute(".")} {
		if repo.IsWithin(repo.Real(dir), repo.Real(repo.Root(from))) {
			return false
		}
	}
	return true
}

// Shown is how a directory is named.
func (t *Tree) Shown(dir string) string {
	if prefix := t.Prefix(dir); prefix != "" {
		return prefix[:len(prefix)-1]
	}
	return "."
}
