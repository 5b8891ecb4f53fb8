package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
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
	if err != nil {
		return list, fmt.Errorf("can't read %s: %w", filepath.ToSlash(filepath.Join(dataDir, "modules", "modules.json")), manifestError(err))
	}
	for _, r := range manifest.Modules {
		list.byKey[r.Key] = r
	}
	return list, nil
}

// manifestError words an error without quoting the file.
func manifestError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &kind) {
		return errors.New("it is not the JSON that init writes")
	}
	return input.StripPath(err)
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
