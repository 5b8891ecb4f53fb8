package cli

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
)

// runModules prints what overrides change in the modules of a tree. As with -r, modules in
// which nothing changes are left out.
func (c *changesCommand) runModules(args []string) error {
	if err := c.CheckForCalls(); err != nil {
		return err
	}
	t, err := c.ws.Follow(args, load.AddressedTrees, merge.Options{})
	if err != nil {
		return err
	}
	for _, n := range t.Nodes {
		n.Diags = slices.DeleteFunc(n.Diags, isForOneFile)
	}
	if err := t.ReportModules(); err != nil {
		return err
	}
	c.Recursive = true // in what is printed
	out := c.newOutput(&manyRun{app: c.app, isMany: true, search: &c.Search})
	totals := &out.many.totals
	for _, n := range t.Nodes {
		if n.First != n {
			out.same = append(out.same, t.Record(n))
			continue
		}
		m := &manyModule{Module: n.Module, dir: t.Title(n), diags: workspace.DiagsOf(n)}
		m.blocks = changes.Within(n.Own, m.changed())
		rec := t.Record(n)
		m.own = &rec
		out.word(m)
		if err := out.add(m); err != nil {
			return err
		}
		totals.Add(n.Module, n.Diags, m.blocks)
	}
	if err := out.write(); err != nil {
		return err
	}
	t.Finish(totals)
	if c.detailed && out.hasChanges {
		return workspace.ErrFound
	}
	return nil
}
