package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
)

// A flattenCommand writes the merged module file by file.
type flattenCommand struct {
	*app
	out         string
	inPlace     bool
	copyRest    bool
	forceEngine bool
}

func newFlattenCommand(a *app) *cobra.Command {
	f := &flattenCommand{app: a}
	cmd := &cobra.Command{
		Use:   "flatten [DIR] {--out NEWDIR | --in-place}",
		Short: "Write the merged module, file by file, without override files",
		Long: `flatten writes each primary file with the overrides merged in, into a new directory
or in place. In place it also removes the override files, in an order in which the
engine builds the same module from what is there at every moment.

It refuses what it can't do exactly: shadowed primary files, overrides that the other
engine reads differently, and anything that can't be said or decided.`,
		Example: "  tofumerge flatten --out /tmp/flat --copy-rest\n  tofumerge flatten modules/web --in-place",
		Args:    a.oneDir,
		RunE:    f.run,

		ValidArgsFunction: onlyDirs,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "write the files to `NEWDIR`, which is made")
	flags.BoolVar(&f.inPlace, "in-place", false, "rewrite the primary files and remove the override files")
	flags.BoolVar(&f.copyRest, "copy-rest", false, "with --out, copy every other file, too, but for .terraform and .git")
	flags.BoolVar(&f.forceEngine, "force-engine", false, "go on where the other engine reads the override files differently")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

func (f *flattenCommand) run(cmd *cobra.Command, args []string) error {
	switch hasOut := cmd.Flags().Changed("out"); {
	case hasOut == f.inPlace:
		return errors.New("flatten needs either --out NEWDIR or --in-place")
	case hasOut && f.out == "":
		return errors.New("the name given to --out is empty; name a directory")
	case f.copyRest && f.inPlace:
		return errors.New("--copy-rest goes with --out; in place the rest is there already")
	case len(f.overlays)+len(f.excluded) > 0 && f.inPlace:
		return errors.New("--overlay and --exclude-override ask what if; --in-place is not that. Use --out")
	}
	mod, diags, err := f.module(f.moduleDir(args), load.AllTrees, merge.Options{})
	if err != nil {
		return err
	}
	if diags.HasErrors() {
		return f.report(mod.Source, diags)
	}
	diffs, more := render.Diff(mod)
	diags = slices.DeleteFunc(append(diags, more...), isForOneFile)
	for i := range diffs {
		diffs[i] = diffs[i].WithoutNotices()
	}
	if err := f.report(mod.Source, diags); err != nil {
		return err
	}
	if err := f.refuse(mod, diags, diffs); err != nil {
		return err
	}
	if f.verbose {
		fmt.Fprintln(f.err, summary(mod, false, diags))
	}
	if f.inPlace {
		return f.writeInPlace(mod, diffs)
	}
	return f.writeNew(mod, diffs)
}

// harmless are the warnings that flatten goes on with: what they tell is not in
// the way of saying the module exactly.
var harmless = []string{merge.NoEffect, merge.Clearing, merge.Conflicting, merge.OneFileOnly, load.UnknownBlock, render.CommentLost}

// refuse tells why a module can't be flattened, all reasons at once.
func (f *flattenCommand) refuse(mod *merge.Module, diags hcl.Diagnostics, diffs []*render.FileDiff) error {
	var reasons []string
	for _, e := range mod.Source.Names {
		if e.Status == load.Shadowed && e.Role == load.Primary {
			reasons = append(reasons, fmt.Sprintf("%s is hidden by %s, and only one of them can be meant; remove the other", load.Escape(e.Name), load.Escape(e.By)))
		}
	}
	for _, d := range diags {
		if d.Subject != nil && !slices.Contains(harmless, d.Summary) {
			reasons = append(reasons, fmt.Sprintf("what %s:%d does can't be said exactly: see the warning", load.Escape(d.Subject.Filename), d.Subject.Start.Line))
		}
	}
	if !f.forceEngine {
		reasons = append(reasons, otherEngine(mod)...)
	}
	for _, d := range diffs {
		if d.IsNew && slices.ContainsFunc(mod.Source.Names, func(e load.Entry) bool {
			return e.Role == load.Primary && e.Status == load.Shadowed && strings.HasPrefix(e.Name, "main.")
		}) {
			reasons = append(reasons, fmt.Sprintf("the new file %s would hide another one, or be hidden", d.Name))
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	return fmt.Errorf("nothing was written: %s", strings.Join(reasons, "; "))
}

// otherEngine tells which override files, and which overrides, the other engine
// reads differently: those in files that it does not read, and those by rules that
// not all engines follow.
func otherEngine(mod *merge.Module) []string {
	const only = "; --force-engine says that only OpenTofu counts"
	var reasons []string
	for _, f := range mod.Source.Files {
		if f.Role == load.Override && f.Tofu {
			reasons = append(reasons, fmt.Sprintf("%s is an override to OpenTofu alone, so that Terraform would read another module afterwards%s", load.Escape(f.Name), only))
		}
	}
	mod.Walk(func(address string, e *merge.Entry) {
		for _, o := range e.Outcomes() {
			counts := o.Status == merge.InEffect || e.Rule.TofuOnly
			isOther := !e.Rule.Engines.AreAll() || e.Place != nil && e.Place.Source().Tofu
			if f := o.Item.Source(); counts && f.Role == load.Override && !f.Tofu && isOther {
				at := load.Where(o.Item)
				reasons = append(reasons, fmt.Sprintf("Terraform reads %s at %s:%d in another way%s", load.Escape(address), load.Escape(at.Filename), at.Start.Line, only))
			}
		}
	})
	return reasons
}
