package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/tree"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// How --modules follows module calls.

// modulesFlag adds --modules to a command.
func modulesFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "modules", false, "follow module calls, as far as init has installed them")
}

// settleForCalls judges the flags of a search where calls are followed instead.
func (s *search) settleForCalls() error {
	if s.recursive {
		return errors.New("-r finds modules by their directories and --modules by calls; use only one of them")
	}
	return s.settle()
}

// dataDirVariable is the environment variable that moves the directory of init.
const DataDirVariable = "TF_DATA_DIR"

// A moduleTree is the modules that calls lead to from a root module.
type Tree struct {
	*app
	root  string
	trees load.Trees
	Nodes []*tree.Node
}

// followModules finds the modules below the one that is named, and says which calls can't be
// followed.
func (a *app) Follow(args []string, trees load.Trees, opts merge.Options) (*Tree, error) {
	if len(args) > 1 {
		return nil, errors.New("--modules follows the calls of one module; name only one directory")
	}
	a.ExpectMany()
	t := &Tree{app: a, root: a.Dir(args), trees: trees}
	rootOptions, err := a.OptionsFor(t.root)
	if err != nil {
		return nil, err
	}
	installed, err := tree.ReadInstalled(t.root, a.DataDir())
	if err != nil {
		a.Warn(err.Error() + "; to write it again, run: " + rootOptions.Engine.Product.Command() + " init")
	}
	loader := tree.Loader{
		Load: func(dir string, isRoot bool) (*merge.Module, hcl.Diagnostics, error) {
			return t.load(dir, isRoot, rootOptions, opts)
		},
		Real: repo.Real, Shown: t.Shown, Installed: installed,
	}
	t.Nodes, err = loader.Walk(t.root)
	if errors.Is(err, tree.ErrTooLarge) {
		err = fmt.Errorf("%w; to see a part of it, name the directory of one of its modules", err)
	}
	for _, glob := range a.Excluded {
		if err == nil && !slices.ContainsFunc(t.Nodes, func(n *tree.Node) bool { return Excludes(glob, n.First.Module.Source) }) {
			a.WarnIdleExclusion(glob)
		}
	}
	return t, err
}

// dataDir is where init keeps what it installs, as seen from the root module.
func (a *app) DataDir() string {
	if dir := a.Env(DataDirVariable); dir != "" {
		return dir
	}
	return tree.DataDir
}

// load loads a module of the tree, for the engine of the root.
func (t *Tree) load(
	dir string, isRoot bool, loading load.Options, opts merge.Options,
) (*merge.Module, hcl.Diagnostics, error) {
	loading.Trees = t.trees
	if !isRoot {
		loading = t.below(dir, loading)
	}
	src, diags, err := load.Dir(dir, loading)
	if err != nil {
		return nil, nil, err
	}
	src.Prefix = t.Prefix(dir)
	mod, more := merge.Files(src, opts)
	return mod, append(diags, more...), nil
}

// below are the options for a module that the root calls. A source may lead out of the
// repository: then no message quotes what is there.
func (t *Tree) below(dir string, loading load.Options) load.Options {
	loading.Overlays = nil
	if t.isOutside(dir) {
		loading.LeadsOut = func(string) bool { return true }
	}
	return loading
}

// isOutside reports whether a directory is not in the repository of the root module; outside
// of one, not in the working directory nor in that of the root module.
func (t *Tree) isOutside(dir string) bool {
	for _, from := range []string{repo.Absolute(t.root), repo.Absolute(".")} {
		if repo.IsWithin(repo.Real(dir), repo.Real(repo.Root(from))) {
			return false
		}
	}
	return true
}

// shown is how a directory is named.
func (t *Tree) Shown(dir string) string {
	if prefix := t.Prefix(dir); prefix != "" {
		return prefix[:len(prefix)-1]
	}
	return "."
}

// title is the heading of a module.
func (t *Tree) Title(n *tree.Node) string {
	if len(n.Path) == 0 {
		return t.Shown(n.Dir)
	}
	return fmt.Sprintf("%s (%s)", n.Own, t.Shown(n.Dir))
}

// record is what JSON says of a module.
func (t *Tree) Record(n *tree.Node) report.ModuleRecord {
	src := n.First.Module.Source
	rec := report.ModuleRecord{Directory: t.Shown(n.First.Dir), Engine: src.Engine.String(), Files: len(src.Files), Address: string(n.Own)}
	if n.First != n {
		same := n.First.Own.String()
		rec.SameAs = &same
	}
	return rec
}

// diags are what is to be said of a module and of its calls.
func DiagsOf(n *tree.Node) hcl.Diagnostics {
	return append(n.Diags[:len(n.Diags):len(n.Diags)], n.Unfound...)
}

// reportAll reports on all modules. The error is errReported if there are errors.
func (t *Tree) ReportModules() error {
	var err error
	for _, n := range t.Nodes {
		if n.First == n {
			err = errors.Join(err, t.Report(n.Module.Source, DiagsOf(n)))
		}
	}
	if err != nil {
		return ErrReported
	}
	return nil
}

// finish says how many modules there are, where runs end with a summary.
func (t *Tree) Finish(totals *report.TotalsRecord) {
	if t.Summarizes() {
		t.Tell(totals.String())
	}
}

func sameAs(n *tree.Node) string {
	if n.First.Own == "" {
		return "the same module as the root"
	}
	return "the same module as " + diag.Escape(n.First.Own.String())
}

func (t *Tree) Totals() *report.TotalsRecord {
	totals := &report.TotalsRecord{}
	for _, n := range t.Nodes {
		if n.First == n {
			m := manyModule{Module: n.Module, diags: n.Diags}
			totals.Add(n.Module, n.Diags, m.changed())
		}
	}
	return totals
}
