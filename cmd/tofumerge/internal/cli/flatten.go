package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/jsonfile"
	"github.com/tofumerge/tofumerge/internal/render/notice"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

// A flattenCommand writes the merged module file by file.
type flattenCommand struct {
	*app
	workspace.Search
	out         string
	inPlace     bool
	copyRest    bool
	forceEngine bool
}

func newFlattenCommand(a *app) *cobra.Command {
	f := &flattenCommand{app: a, Search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "flatten [DIR...] {--out NEWDIR | --in-place}",
		Short: "Write the merged module without override files",
		Long: `flatten writes each primary file with the overrides merged in, into a new directory or
in place. In place it removes the override files.

In-place changes happen in an order that keeps the module the same at every moment.

flatten refuses what it can't do exactly: shadowed primary files, overrides that the other
engine reads differently, and anything that can't be decided or written. --force-engine
ignores the other engine, and then --out leaves shadowed files out.

With -r it writes all modules below DIR, each at the same place below NEWDIR, or none.
Several DIRs get the places below NEWDIR that they have below the current directory.`,
		Example: `  tofumerge flatten --out /tmp/flat --copy-rest
  tofumerge flatten -r infra --out /tmp/infra --copy-rest
  tofumerge flatten modules/web --in-place`,
		RunE: f.run,

		ValidArgsFunction: a.completeDirFlag,
	}
	flags := cmd.Flags()
	searchFlags(&f.Search, flags, "with --out, write all modules below each directory")
	f.app.completeFlag(cmd, "exclude", f.app.completeDirFlag)
	flags.StringVar(&f.out, "out", "", "write the files to `NEWDIR`, a new directory")
	flags.BoolVar(&f.inPlace, "in-place", false, "rewrite the primary files, remove the override files")
	flags.BoolVar(&f.copyRest, "copy-rest", false, "with --out, also copy all other files")
	flags.BoolVar(&f.forceEngine, "force-engine", false, "go on even if the other engine reads another module")
	f.app.completeFlag(cmd, "out", f.app.completeDirFlag)
	return cmd
}

func (f *flattenCommand) run(cmd *cobra.Command, args []string) error {
	switch hasOut := cmd.Flags().Changed("out"); {
	case hasOut && f.inPlace:
		return errors.New("--out writes a new directory and --in-place the old one; use only one of them")
	case !hasOut && !f.inPlace:
		return errors.New("flatten needs either --out NEWDIR or --in-place")
	case hasOut && f.out == "":
		return errors.New("--out needs the name of a directory")
	case f.copyRest && f.inPlace:
		return errors.New("--copy-rest needs --out; with --in-place, the other files are already there")
	case len(f.ws.Overlays)+len(f.ws.Excluded) > 0 && f.inPlace:
		return errors.New("--in-place can't be used with --overlay or --exclude-override; use --out")
	}
	if f.Recursive || len(args) > 1 || len(f.Exclude) > 0 {
		return f.runMany(args)
	}
	dir := f.ws.Dir(args)
	other := f.readByOther(dir)
	mod, diags, err := f.ws.Load(dir, load.AddressedTrees, merge.Options{})
	switch {
	case err != nil && f.inPlace: // which takes no -r
		return err
	case err != nil:
		return orRecursive(err)
	}
	if diags.HasErrors() {
		return f.ws.Report(mod.Source, diags)
	}
	diffs, diags := f.merged(mod, diags)
	if err := f.ws.ReportAll(mod.Source, f.shown(mod, diags)); err != nil {
		return err
	}
	if reasons := f.obstacles(mod, other, diags, diffs); len(reasons) > 0 {
		return fmt.Errorf("nothing was written: %s", strings.Join(reasons, "; "))
	}
	f.ws.Summarize("", mod, false, diags)
	if f.inPlace {
		loading, err := f.ws.OptionsFor(dir)
		if err != nil {
			return err
		}
		return writeback.InPlace(mod, diffs, loading, replace.Options{Warn: f.ws.Warn, Step: f.ws.Interrupt})
	}
	return f.writeNew(mod, diffs)
}

// merged are the primary files of a module with the overrides merged in, and its
// diagnostics, with those about that.
func (f *flattenCommand) merged(mod *merge.Module, diags hcl.Diagnostics) ([]*patch.File, hcl.Diagnostics) {
	diffs, more := render.Diff(mod)
	for i := range diffs {
		diffs[i] = notice.Without(diffs[i])
	}
	return diffs, slices.DeleteFunc(append(diags, more...), isForOneFile)
}

// shown are the diagnostics that are printed: those that nothing silences, and those that
// are obstacles.
func (f *flattenCommand) shown(mod *merge.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	wanted := f.ws.Unsilenced(mod.Source, diags)
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		return !isObstacle(d) && !slices.Contains(wanted, d)
	})
}

// harmless are the warnings that flatten goes on with: what they say is not in
// the way of saying the module exactly.
var harmless = []diag.Code{
	diag.NoEffect, variable.DefaultsIgnored, merge.Clearing, merge.Conflicting, merge.OneFileOnly, diag.UnknownBlock,
	diag.NoRegistrySource, diag.IncompatibleModule, diag.OddBytes, jsonfile.CommentLost,
}

// isObstacle reports whether a warning is a reason not to flatten.
func isObstacle(d *hcl.Diagnostic) bool {
	return d.Subject != nil && !slices.Contains(harmless, diag.CodeOf(d))
}

// obstacles returns all reasons why a module can't be flattened. other is how the other
// product reads it, nil where nobody asked yet.
func (f *flattenCommand) obstacles(
	mod *merge.Module, other *otherReading, diags hcl.Diagnostics, diffs []*patch.File,
) []string {
	var reasons []string
	for _, e := range mod.Source.Names {
		if e.Status != load.Shadowed || e.Role != source.Primary {
			continue
		}
		hidden := fmt.Sprintf("%s is shadowed by %s", diag.Escape(e.Name), diag.Escape(e.By))
		switch {
		case f.inPlace:
			reasons = append(reasons, hidden+"; remove one of them, or use --out NEWDIR --force-engine")
		case !f.forceEngine:
			reasons = append(reasons, hidden+" and would be left out; remove one of them, or use --force-engine")
		}
	}
	for _, d := range diags {
		if isObstacle(d) {
			reasons = append(reasons, fmt.Sprintf(
				"%s:%d can't be written exactly (see the warning)",
				diag.Escape(d.Subject.Filename), d.Subject.Start.Line,
			))
		}
	}
	if !f.forceEngine {
		reasons = append(reasons, f.readDifferently(mod, other)...)
	}
	for _, d := range diffs {
		if f.inPlace && d.IsNew && slices.ContainsFunc(mod.Source.Names, func(e load.DirEntry) bool {
			return e.Role == source.Primary && e.Status == load.Shadowed && strings.HasPrefix(e.Name, "main.")
		}) {
			reasons = append(reasons, fmt.Sprintf("the new file %s would shadow another one, or be shadowed", d.Name))
		}
	}
	return reasons
}
