package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/merge/tree"
)

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
		i := slices.IndexFunc(m.Subject.tree.Nodes, func(p *tree.Node) bool { return slices.Equal(p.Path, n.Path[:last]) })
		for _, c := range tree.Calls(m.Subject.tree.Nodes[i].First.Module) {
			if c.Name == n.Path[last] {
				found = append(found, w.caller(m.Subject.tree.Nodes[i].Dir, c))
			}
		}
	}
	return found
}

// caller is a call in the module of a directory, with locations relative to the working directory.
func (w *Workspace) caller(dir string, c tree.Call) layers.Caller {
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
func (w *Workspace) callsIn(dir string) []tree.Call {
	opts, err := w.OptionsFor(dir)
	if err != nil {
		return nil
	}
	opts.Overlays, opts.Excluded, opts.Sized, opts.Read = nil, nil, nil, nil
	m, _, err := merge.Dir(dir, opts, merge.Options{})
	if err != nil {
		return nil
	}
	return tree.Calls(m)
}
