package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

// How --modules follows module calls.

// dataDirVariable is the environment variable that moves the directory of init.
const dataDirVariable = "TF_DATA_DIR"

// A Tree holds the modules that are called, directly or indirectly, from a root module.
type Tree struct {
	*Workspace
	Root  string
	Nodes []*Node
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
	installed, err := ReadInstalled(t.Root, w.DataDir())
	if err != nil {
		w.Warn(err.Error() + "; to write it again, run: " + rootOptions.Engine.Product.Command() + " init")
	}
	loader := Loader{
		Load: func(dir string, isRoot bool) (*merge.Module, hcl.Diagnostics, error) {
			loading := rootOptions
			if !isRoot {
				loading = t.Below(dir, loading)
			}
			mod, diags, err := merge.Dir(dir, loading, opts)
			if err == nil {
				mod.Source.Prefix = t.Prefix(dir)
			}
			return mod, diags, err
		},
		Real: repo.Real, Shown: t.Shown, Installed: installed,
	}
	t.Nodes, err = loader.Walk(t.Root)
	if errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("%w; to see a part of it, name the directory of one of its modules", err)
	}
	if t.Tracked && slices.ContainsFunc(t.Nodes, func(n *Node) bool { return t.isInstalled(n.Dir) }) {
		t.Note(fmt.Sprintf("Note: installed modules are read from %s, which git doesn't track", diag.Escape(t.DataDir())))
	}
	return t, err
}

// DataDir is the directory of init's files, relative to the root module.
func (w *Workspace) DataDir() string {
	if dir := w.Env(dataDirVariable); dir != "" {
		return dir
	}
	return DataDir
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

// The calls of a module. Engines read variables files only for the root module of a run, so the
// files don't apply to a called module.

// Callers are the calls of a module: those in its tree, else those in the modules of its repository
// that have it as a local source.
func (m *Module) Callers(w *Workspace) []layers.Caller {
	if m.Subject.tree == nil {
		return w.Callers(m.Source)
	}
	var found []layers.Caller
	for _, n := range m.Subject.tree.Nodes {
		if len(n.Path) == 0 || n.First != m.Subject.node.First {
			continue
		}
		last := len(n.Path) - 1
		i := slices.IndexFunc(m.Subject.tree.Nodes, func(p *Node) bool { return slices.Equal(p.Path, n.Path[:last]) })
		for _, c := range Calls(m.Subject.tree.Nodes[i].First.Module) {
			if c.Name == n.Path[last] {
				found = append(found, w.caller(m.Subject.tree.Nodes[i].Dir, c))
			}
		}
	}
	return found
}

// caller is a call in the module of a directory, with locations relative to the working directory.
func (w *Workspace) caller(dir string, c Call) layers.Caller {
	prefix := w.Prefix(dir)
	placed := func(r hcl.Range) hcl.Range {
		r.Filename = prefix + r.Filename
		return r
	}
	made := layers.Caller{Address: c.Address.String(), Range: placed(c.Range()), Arguments: map[string]hcl.Range{}}
	for name, at := range c.Arguments() {
		made.Arguments[name] = placed(at)
	}
	return made
}

// CallerIndexes are the calls with local sources in repositories. Several workspaces may share
// them.
type CallerIndexes struct {
	// Keeps is how long an index is valid before the repository is searched again; 0 for ever.
	Keeps time.Duration

	mutex  sync.Mutex
	byRoot map[string]callerIndex
}

// A callerIndex is the calls in one repository, by the directories that they load.
type callerIndex struct {
	byDir map[string][]layers.Caller
	made  time.Time
}

// of returns the index of a repository, which a function makes.
func (c *CallerIndexes) of(root string, search func(root string) map[string][]layers.Caller) map[string][]layers.Caller {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	index, isKnown := c.byRoot[root]
	if !isKnown || c.Keeps > 0 && time.Since(index.made) > c.Keeps {
		if c.byRoot == nil {
			c.byRoot = map[string]callerIndex{}
		}
		index = callerIndex{search(root), time.Now()}
		c.byRoot[root] = index
	}
	return index.byDir
}

// Callers are the calls in the repository of a module that have it as a local source. Outside of a
// repository nobody knows where to look.
func (w *Workspace) Callers(m *load.Module) []layers.Caller {
	root, _, isInRepository := w.Repository(m.Dir)
	if !isInRepository {
		return nil
	}
	indexes := w.SharedCallers
	if indexes == nil {
		indexes = &w.callers
	}
	return indexes.of(root, w.callersIn)[repo.Real(m.Dir)]
}

// maxCallers is how many directories are searched for calls. The root of a repository may be that
// of the file system.
const maxCallers = 20_000

// callersIn finds the calls in the modules of a repository. Modules that can't be read call nothing.
func (w *Workspace) callersIn(root string) map[string][]layers.Caller {
	search := (&Search{Recursive: true, DirsOnly: true}).discovery(w)
	quiet := func(string) {}
	searched := 0
	search.Warn, search.Note = quiet, quiet
	search.IsOver = func() bool {
		searched++
		return searched > maxCallers
	}
	subjects, _ := search.Find([]string{root})
	type local struct {
		to string
		layers.Caller
	}
	calls := make([][]local, len(subjects.Subjects))
	parallel.Each(len(calls), func(i int) {
		dir := repo.In(w.Base(), subjects.Subjects[i].Dir)
		for _, c := range w.callsIn(dir) {
			if c.Local != "" {
				to := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(c.Local, `\`, "/")))
				calls[i] = append(calls[i], local{repo.Real(to), w.caller(dir, c)})
			}
		}
	})
	found := map[string][]layers.Caller{}
	for _, list := range calls {
		for _, c := range list {
			found[c.to] = append(found[c.to], c.Caller)
		}
	}
	return found
}

// callsIn are the calls of the module of a directory, without the flags, which are about other
// modules.
func (w *Workspace) callsIn(dir string) []Call {
	opts, err := w.OptionsFor(dir)
	if err != nil {
		return nil
	}
	opts.Overlays, opts.Excluded, opts.Sized, opts.Read = nil, nil, nil, nil
	m, _, err := merge.Dir(dir, opts, merge.Options{})
	if err != nil {
		return nil
	}
	return Calls(m)
}

// If Tracked is set, modules consist of the files in git's index, regardless of the working tree.

// UseIndex has modules, and what applies to them, read from the index.
func (w *Workspace) UseIndex() {
	w.Tracked = true
	w.Settings.Source = policy.Trees(func(dir string) (policy.Tree, error) {
		index, err := w.Index(dir)
		if err != nil {
			return policy.Tree{}, err
		}
		return policy.Tree{Files: index, Root: index.Root}, nil
	})
}

// Index opens the index of the repository that a directory is in. The variable of git for
// another index is about the repository that the program runs in.
func (w *Workspace) Index(dir string) (*gitrev.Revision, error) {
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

// PathIn is the path of a directory from the root of an index: its own name or, if an untracked
// link is on the way, its target.
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

// inIndex returns the index of a path's repository, and the path from the root of that. It reports
// whether the index has the path.
func (w *Workspace) inIndex(path string) (index *gitrev.Revision, name string, ok bool, err error) {
	path = repo.In(w.Base(), path)
	if index, err = w.Index(path); err != nil {
		return nil, "", false, err
	}
	name, ok = PathIn(index, path)
	return index, name, ok && index.Has(name), nil
}

// trackedDir is a directory in the index.
func (w *Workspace) trackedDir(dir string) (load.Directory, error) {
	index, err := w.Index(dir)
	if err != nil {
		return nil, err
	}
	name, ok := PathIn(index, dir)
	if !ok {
		return nil, fmt.Errorf("%s is not in the working tree of %s, so nothing there is tracked; leave out --tracked",
			diag.Escape(dir), diag.Escape(index.Root))
	}
	found, err := index.Directory(name)
	if errors.Is(err, fs.ErrNotExist) {
		return untrackedDir{}, nil
	}
	if err != nil {
		return nil, err
	}
	return found, nil
}

// IndexRev names the index where a revision is expected, as git does.
const IndexRev = ":0"

// PastIndex is the directory of a module as the index has it.
func (w *Workspace) PastIndex(dir string) (*PastDir, error) {
	index, name, _, err := w.inIndex(dir)
	if err != nil {
		return nil, err
	}
	p := &PastDir{Revision: index, Path: name}
	p.From, err = w.trackedDir(repo.In(w.Base(), dir))
	return p, err
}

// An untrackedDir is a directory without tracked files, or one whose tracked files git can't list:
// err is the reason.
type untrackedDir struct{ err error }

// Names implements load.Directory.
func (u untrackedDir) Names() ([]string, map[string]bool, error) { return nil, nil, u.err }

// Read implements load.Directory.
func (u untrackedDir) Read(string, int64) ([]byte, error) { return nil, fs.ErrNotExist }

// EscapesRepo implements load.Directory.
func (u untrackedDir) EscapesRepo(string) bool { return false }

// Of names the directory's origin; load.Dir names it where there are no files.
func (u untrackedDir) Of() string { return gitrev.IndexName }

// trackedBelow finds the directories of the index below a directory.
func (w *Workspace) trackedBelow(root string) (*discover.Past, error) {
	index, name, ok, err := w.inIndex(root)
	if err != nil || !ok {
		return &discover.Past{}, err
	}
	return discover.ReadPast(index, name)
}

// IsTracked reports whether modules are read from the index and the index has a path, and whether
// the path is a directory. It need not be on the disk.
func (w *Workspace) IsTracked(path string) (isDir, ok bool) {
	if !w.Tracked || path == "" {
		return false, false
	}
	index, name, ok, err := w.inIndex(path)
	return err == nil && ok && index.IsDirectory(name), err == nil && ok
}

// trackedEngine reads the files that may choose the engine of a module from the index, and returns the
// root of that. Messages name them as in the working tree. Without an index, loading the module fails,
// so there is nothing to read then.
func (w *Workspace) trackedEngine(dir string, from load.Options) (r enginechoice.Reader, root string, err error) {
	index, err := w.Index(dir)
	if err != nil {
		return r, "", err
	}
	if from.From, err = w.trackedDir(dir); err != nil {
		return r, "", err
	}
	name, _ := PathIn(index, dir)
	r = enginechoice.InTree(index, name, from)
	r.NameOf = func(name string) string { return repo.FromHere(filepath.Join(index.Root, filepath.FromSlash(name))) }
	return r, index.Root, nil
}
