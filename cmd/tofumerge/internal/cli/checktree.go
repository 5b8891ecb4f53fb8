package cli

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

// How check goes through the modules of a tree: each directory once, under the first call
// that leads to it.

// A calledModule is what is special about a target that a call leads to.
type calledModule struct {
	own  address.Address
	root string // the directory whose engine it is for
	opts load.Options
}

// An unfoundCall is what is to be said of calls in a module that can't be followed.
type unfoundCall struct {
	src   *load.Module
	diags hcl.Diagnostics
}

// targetsOf are the modules to check: those that arguments name, or those of a tree.
func (c *checkCommand) targetsOf(args []string) ([]*target, error) {
	switch {
	case !c.modules:
		return c.targets(args, &c.search)
	case len(c.Overlays) > 0:
		return nil, errors.New("--overlay is merged into one module; use it without --modules")
	}
	if err := c.settleForCalls(); err != nil {
		return nil, err
	}
	t, err := c.Follow(args, load.AddressedTrees, merge.Options{})
	if err != nil {
		return nil, err
	}
	opts, err := c.OptionsFor(t.Root)
	if err != nil {
		return nil, err
	}
	var list []*target
	for _, n := range t.Nodes {
		if n.First != n {
			continue
		}
		list = append(list, c.targetOfNode(t, n.Own, n.Dir, opts))
		if unfound := c.Unsilenced(n.Module.Source, n.Unfound); len(unfound) > 0 {
			c.unfound = append(c.unfound, unfoundCall{n.Module.Source, unfound})
			_ = c.Report(n.Module.Source, unfound) // warnings
		}
	}
	return list, nil
}

// targetOfNode is the target of a module in a tree.
func (c *checkCommand) targetOfNode(t *workspace.Tree, own address.Address, dir string, opts load.Options) *target {
	shown := filepath.FromSlash(t.Shown(dir))
	found := &target{dir: shown, must: true}
	if !own.IsEmpty() {
		found.called = &calledModule{own, t.Root, t.Below(dir, opts)}
	}
	return found
}

// optionsOf are those for the module of a target. One that a call leads to is for the engine
// of the root.
func (c *checkCommand) optionsOf(t *target) (load.Options, error) {
	if t.called != nil {
		return t.called.opts, nil
	}
	return c.OptionsFor(repo.In(c.Base(), t.dir))
}

// within gives what was found in a module the addresses that it has in the tree.
func (r checked) within(t *target) checked {
	if t.called == nil || r.record == nil {
		return r
	}
	r.record.Address = t.called.own.String()
	for _, list := range [][]report.FindingRecord{r.findings, r.silenced} {
		for i := range list {
			if at := &list[i].Address; *at != "" {
				*at = segments.Concat(t.called.own.String(), *at)
			}
		}
	}
	for i := range r.histories {
		at := &r.histories[i].Address
		*at = segments.Concat(t.called.own.String(), *at)
	}
	return r
}

// addUnfound adds to a report what is to be said of calls.
func (c *checkCommand) addUnfound(doc *report.Report) {
	for _, u := range c.unfound {
		wanted := c.Unignored(u.src, u.diags)
		doc.Add(u.src, wanted)
		doc.Counts.Ignored += len(u.diags) - len(wanted)
	}
}
