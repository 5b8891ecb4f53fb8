package gate

import (
	"errors"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// How check visits the modules of a tree: each directory once, under the first call that loads it.

// An unfoundCall holds the warnings about calls in a module that can't be followed.
type unfoundCall struct {
	in    *merge.Module
	own   address.Address // of that module
	diags hcl.Diagnostics
}

// SubjectsOf returns the modules to check: those that arguments name, or those of a tree.
func (g *Gate) SubjectsOf(args []string) ([]*workspace.Subject, error) {
	switch {
	case !g.Modules:
		return g.ws.Subjects(args, &g.Search)
	case len(g.ws.Overlays) > 0:
		return nil, errors.New("--overlay is merged into one module; use it without --modules")
	}
	if err := g.Check(); err != nil {
		return nil, err
	}
	t, err := g.ws.Follow(args, merge.Options{})
	if err != nil {
		return nil, err
	}
	opts, err := g.ws.OptionsFor(t.Root)
	if err != nil {
		return nil, err
	}
	var list []*workspace.Subject
	for _, n := range t.Nodes {
		if n.First != n {
			continue
		}
		list = append(list, g.targetOfNode(t, n.Own, n.Dir, opts))
		if len(n.Unfound) > 0 {
			g.unfound = append(g.unfound, unfoundCall{n.Module, n.Own, n.Unfound})
			shown, _ := g.ws.Unsilenced(n.Module.Source, n.Unfound) // the report counts the others
			_ = g.ws.ReportAll(n.Module.Source, shown)              // warnings
		}
	}
	return list, nil
}

// targetOfNode is the target of a module in a tree.
func (g *Gate) targetOfNode(t *workspace.Tree, own address.Address, dir string, opts load.Options) *workspace.Subject {
	shown := filepath.FromSlash(t.Shown(dir))
	found := &workspace.Subject{Dir: shown, Must: true}
	if !own.IsEmpty() {
		found.Called = &workspace.CallTarget{Own: own, Root: t.Root, Options: t.Below(dir, opts)}
	}
	return found
}

// optionsOf are the options for the module of a target. A called module is loaded for the engine of
// the root.
func (g *Gate) optionsOf(t *workspace.Subject) (load.Options, error) {
	if t.Called != nil {
		return t.Called.Options, nil
	}
	return g.ws.OptionsFor(repo.In(g.ws.Base(), t.Dir))
}

// within sets the addresses of a module's findings in the tree.
func (r ModuleReport) within(t *workspace.Subject) ModuleReport {
	if t.Called == nil || r.Record == nil {
		return r
	}
	r.Record.Address = t.Called.Own.String()
	for _, list := range [][]report.FindingRecord{r.Findings, r.Silenced} {
		for i := range list {
			if at := &list[i].Address; *at != "" {
				*at = segments.Concat(t.Called.Own.String(), *at)
			}
		}
	}
	for i := range r.Histories {
		at := &r.Histories[i].Address
		*at = segments.Concat(t.Called.Own.String(), *at)
	}
	return r
}

// addUnfound adds the warnings about calls to a report.
func (g *Gate) addUnfound(doc *report.Report) {
	for _, u := range g.unfound {
		doc.Counts.Ignored += g.ws.Record(doc, u.in, u.own, u.diags)
	}
}
