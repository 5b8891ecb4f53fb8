package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

// The limits of a tree: modules, nesting of calls, bytes of all their paths, and calls, including
// those that can't be followed.
const (
	maxModules = 10_000
	maxDepth   = 100
	maxText    = 16 << 20
	maxCalls   = 200_000
)

// ErrTooLarge reports that a tree is larger than any realistic one.
var ErrTooLarge = errors.New("the tree of modules is too large to follow")

// A Node is one occurrence of a module in the tree.
type Node struct {
	Path  []string        // the names of the calls to it; none for the root
	Own   address.Address // module.a.module.b; empty for the root
	Dir   string
	First *Node // the first node with this directory, which may be the node itself
	// Of the first node with a directory: the module, its diagnostics, and warnings about calls in
	// it that can't be followed.
	Module   *merge.Module
	Diags    hcl.Diagnostics
	Unfound  hcl.Diagnostics
	calls    []Call
	reported map[string]bool
}

// Within returns the address of something in the module as seen from the root.
func (n *Node) Within(a address.Address) address.Address { return n.Own.Join(a) }

// A Loader loads modules, and decides which directories are the same.
type Loader struct {
	Load func(dir string, isRoot bool) (*merge.Module, hcl.Diagnostics, error)
	Real func(dir string) string
	// Shown is how a message names a directory.
	Shown     func(dir string) string
	Installed *installation
}

// Walk returns the modules of the tree below a directory, each before those that it calls,
// which are in the order of their names. The error is about the root, or ErrTooLarge.
func (l Loader) Walk(root string) ([]*Node, error) {
	w := &walker{Loader: l, known: map[string]*Node{}}
	known := map[string]string{}
	w.Real = func(text string) string {
		if _, ok := known[text]; !ok {
			known[text] = l.Real(text)
		}
		return known[text]
	}
	n := &Node{Dir: root}
	if err := w.load(n); err != nil {
		return nil, err
	}
	w.add(n)
	if err := w.follow(n, []string{w.Real(root)}); err != nil {
		return nil, err
	}
	return w.nodes, nil
}

type walker struct {
	Loader
	known map[string]*Node // by directories
	nodes []*Node
	text  int
	calls int
}

// load loads the module of a node, unless one before it has the same directory.
func (w *walker) load(n *Node) error {
	key := w.Real(n.Dir)
	if n.First = w.known[key]; n.First != nil {
		return nil
	}
	m, diags, err := w.Load(n.Dir, len(n.Path) == 0)
	if err != nil {
		return err
	}
	n.First, n.Module, n.Diags, n.calls, n.reported = n, m, diags, Calls(m), map[string]bool{}
	w.known[key] = n
	return nil
}

func (w *walker) add(n *Node) {
	w.nodes = append(w.nodes, n)
	w.text += len(n.Own.String())
}

// follow adds the modules that a node calls. way lists the directories on the path to it; the last
// is its own.
func (w *walker) follow(n *Node, way []string) error {
	for _, c := range n.First.calls {
		if w.calls++; w.calls > maxCalls {
			return fmt.Errorf("%w: more than %d calls", ErrTooLarge, maxCalls)
		}
		inner := &Node{Path: append(slices.Clone(n.Path), c.Name), Own: n.Within(c.Address)}
		if !w.find(n, c, inner) {
			continue
		}
		key := w.Real(inner.Dir)
		if i := slices.Index(way, key); i >= 0 {
			n.unfound(c, "Cycle of module calls", "%s points to %s, which is the module itself or calls it. Remove one of the calls.",
				diag.Escape(w.Shown(inner.Dir)))
			continue
		}
		if err := w.load(inner); err != nil {
			remedy := ""
			if c.isRemote {
				remedy = fmt.Sprintf(" To install it again, run: %s init", c.source.File.Engine.Product.Command())
			}
			n.unfound(c, "Module can't be read", "%s: %s.%s", err, remedy)
			continue
		}
		w.add(inner)
		if len(w.nodes) > maxModules || len(inner.Path) > maxDepth || w.text > maxText {
			return fmt.Errorf("%w: more than %d modules, or %d calls one inside of another", ErrTooLarge, maxModules, maxDepth)
		}
		if err := w.follow(inner, append(slices.Clip(way), key)); err != nil {
			return err
		}
	}
	return nil
}

// find determines the directory that a call loads.
func (w *walker) find(n *Node, c Call, inner *Node) bool {
	if !c.isConstant {
		n.unfound(c, "Module call is not followed", "The source of %s is an expression, which only %s evaluates.",
			c.source.File.Engine.Product.Title())
		return false
	}
	if !c.isRemote {
		inner.Dir = filepath.Join(n.Dir, filepath.FromSlash(strings.ReplaceAll(c.from, `\`, "/")))
		return true
	}
	dir, why := w.Installed.find(inner.Path, c.from, c.version)
	inner.Dir = dir
	engine := c.source.File.Engine.Product
	switch why {
	case notInstalled:
		n.unfound(c, "Module is not installed", "%s is not followed. To install it, run: %s init", engine.Command())
	case otherSource:
		n.unfound(c, "Module is not installed", "%s is installed from another source, and so it is not followed. "+
			"To install it again, run: %s init", engine.Command())
	case otherVersion:
		n.unfound(c, "Module is not installed", "%s is installed in a version that its constraint rules out, and so it is not followed. "+
			"To install it again, run: %s init -upgrade", engine.Command())
	}
	return why == lacksNothing
}

// unfound warns of a call, once for each directory. The first verb of the format is for the
// address of the call.
func (n *Node) unfound(c Call, summary, format string, args ...any) {
	at := source.Where(c.source)
	if c.isRemote {
		at = source.Where(c.source.Within()) // the line of the source may hold a password
	}
	name := n.First.Within(c.Address).String()
	d := diag.New(at, summary, format, append([]any{name}, args...)...)
	d.Severity = hcl.DiagWarning
	if key := d.Subject.String() + d.Detail; !n.First.reported[key] {
		n.First.reported[key] = true
		n.First.Unfound = append(n.First.Unfound, d)
	}
}

// A Call is a module call as it is in effect.
type Call struct {
	Name    string
	Address address.Address // in the module that calls
	// Local is the directory of a local source, relative to the module; empty for other sources.
	Local string

	item       *merge.MergedItem
	source     *source.Attr
	from       string // its value
	isConstant bool
	isRemote   bool
	version    string
}

// Range is the range of the call.
func (c Call) Range() hcl.Range { return source.Where(c.item.Live[0]) }

// Arguments returns the ranges of the call's arguments, by name.
func (c Call) Arguments() map[string]hcl.Range {
	ranges := map[string]hcl.Range{}
	for _, inner := range c.item.Inner().All() {
		if a := inner.Attr(); a != nil {
			ranges[a.Name] = source.Where(a)
		}
	}
	return ranges
}

// Calls lists the calls of a module in the order of their names.
func Calls(m *merge.Module) []Call {
	isCall := func(f *source.File, i int) bool { return language.HasModuleSource(f.Engine, string(f.TypeOf(i))) }
	var list []Call
	for _, e := range m.AllOf(isCall) {
		if !e.InEffect() || e.Inner() == nil || !language.HasModuleSource(m.Source.Engine, e.Key.Name) {
			continue
		}
		c := Call{Address: address.Of(e), item: e}
		for _, inner := range e.Inner().All() {
			switch a := inner.Attr(); {
			case a == nil:
			case language.IsModuleSource(a):
				c.source = a
				c.from, c.isConstant = constant.String(a)
				c.isRemote = c.isConstant && !judge.IsLocalSource(c.from)
			case language.IsModuleVersion(a):
				c.version, _ = constant.String(a)
			}
		}
		if c.source == nil {
			continue
		}
		if labels := c.source.Within().Labels; len(labels) > 0 {
			c.Name = labels[0]
		}
		if !c.isRemote {
			c.Local = c.from // empty for an expression
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Call) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// The modules that init installed, from its manifest.

// DataDir is the directory that init keeps modules in, beside the root module.
const DataDir = ".terraform"

// installation is what init installed for a root module.
type installation struct {
	root  string
	byKey map[string]record
}

// A record is one module of the manifest.
type record struct {
	Key     string // the names of the calls to it, joined by dots
	Source  string
	Version string
	Dir     string // as seen from the root module
}

// ReadInstalled reads the manifest for a root module; it is empty without one.
func ReadInstalled(root, dataDir string) (*installation, error) {
	list := &installation{root: root, byKey: map[string]record{}}
	name := filepath.Join(dataDir, "modules", "modules.json")
	if !filepath.IsAbs(name) {
		name = filepath.Join(root, name)
	}
	text, err := input.Read(name, input.MaxLockSize)
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	var manifest struct{ Modules []record }
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if errors.As(err, new(*json.SyntaxError)) || errors.As(err, new(*json.UnmarshalTypeError)) {
		err = errors.New("it is not the JSON that init writes") // without a quotation
	}
	if err != nil {
		return list, fmt.Errorf("can't read %s: %w", filepath.ToSlash(filepath.Join(dataDir, "modules", "modules.json")), input.StripPath(err))
	}
	for _, r := range manifest.Modules {
		list.byKey[r.Key] = r
	}
	return list, nil
}

// A lack is why an installed module can't be followed.
type lack int

const (
	lacksNothing lack = iota
	notInstalled
	otherSource
	otherVersion
)

// find returns the directory of a call with a source that is not local. An empty constraint
// takes every version.
func (list *installation) find(path []string, source, constraint string) (dir string, why lack) {
	r, known := list.byKey[strings.Join(path, ".")]
	switch {
	case !known || r.Dir == "":
		return "", notInstalled
	case !isSameSource(r.Source, source):
		return "", otherSource
	case !meets(r.Version, constraint):
		return "", otherVersion
	case filepath.IsAbs(r.Dir):
		return r.Dir, lacksNothing
	}
	return filepath.Join(list.root, filepath.FromSlash(r.Dir)), lacksNothing
}

// meets reports whether a version meets a constraint, as far as both can be read.
func meets(installed, constraint string) bool {
	v, err := version.NewVersion(installed)
	c, alsoErr := version.NewConstraint(constraint)
	return err != nil || alsoErr != nil || c.Check(v)
}

// isSameSource reports whether a source in the manifest is what init makes of one in a
// configuration.
func isSameSource(recorded, source string) bool {
	if recorded == source {
		return true
	}
	if judge.IsRegistrySource(source) {
		// A source without a host is one of the engine's own registry.
		for _, p := range engine.Products() {
			if recorded == p.Registry()+"/"+source {
				return true
			}
		}
		return strings.EqualFold(recorded, source)
	}
	return plainSource(recorded) == plainSource(source)
}

// plainSource is a source without the parts in which its long and its short form differ: the way to
// get it, the user, and the ending of a repository.
func plainSource(source string) string {
	if _, rest, ok := strings.Cut(source, "::"); ok {
		source = rest
	}
	if _, rest, ok := strings.Cut(source, "://"); ok {
		source = rest
	} else if host, rest, ok := strings.Cut(source, ":"); ok { // git@HOST:PATH
		source = host + "/" + rest
	}
	source = strings.TrimPrefix(source, "git@")
	address, query, _ := strings.Cut(source, "?")
	repository, sub, _ := strings.Cut(address, "//")
	repository = strings.TrimSuffix(strings.TrimSuffix(repository, "/"), ".git")
	return strings.Join([]string{repository, sub, query}, "\n")
}

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
		return untrackedDir{gitrev.IndexName, err}
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
func (m *Module) Callers(ws *Workspace) []layers.Caller {
	if m.Subject.tree == nil {
		return ws.Callers(m.Source)
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
				found = append(found, ws.caller(m.Subject.tree.Nodes[i].Dir, c))
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
		opts, err := w.OptionsFor(dir)
		if err != nil {
			return
		}
		opts.Overlays, opts.Excluded, opts.Sized, opts.Read = nil, nil, nil, nil // the flags are about other modules
		m, _, err := merge.Dir(dir, opts, merge.Options{})
		if err != nil {
			return
		}
		for _, c := range Calls(m) {
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

// If Tracked is set, modules consist of the files in git's index, or in a revision, regardless of the
// working tree.

// UseRevision has modules, and what applies to them, read from a revision, or from the index if its
// name is empty.
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

// Index opens the index of the repository that a directory is in, or the revision that is read instead.
// The variable of git for another index is about the repository that the program runs in.
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
		return nil, fmt.Errorf("%s is not in the working tree of %s, so %s doesn't have it; name another DIR",
			diag.Escape(dir), diag.Escape(index.Root), diag.Escape(index.Name))
	}
	found, err := index.Directory(name)
	if errors.Is(err, fs.ErrNotExist) {
		return untrackedDir{of: index.Name}, nil
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
type untrackedDir struct {
	of  string
	err error
}

// Names implements load.Directory.
func (u untrackedDir) Names() ([]string, map[string]bool, error) { return nil, nil, u.err }

// Read implements load.Directory.
func (u untrackedDir) Read(string, int64) ([]byte, error) { return nil, fs.ErrNotExist }

// EscapesRepo implements load.Directory.
func (u untrackedDir) EscapesRepo(string) bool { return false }

// Of names the directory's origin; load.Dir names it where there are no files.
func (u untrackedDir) Of() string { return u.of }

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
