package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/jsonfile"
	"github.com/tofumerge/tofumerge/internal/render/notice"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

// flattenOptions are what the flags of flatten ask for.
type flattenOptions struct {
	ws          *workspace.Workspace
	search      workspace.Search
	out         string
	inPlace     bool
	copyRest    bool
	forceEngine bool
}

// NewFlatten returns the command that writes merged modules file by file.
func NewFlatten(ws *workspace.Workspace, words complete.Words) *cobra.Command {
	o := &flattenOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
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
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	flags := cmd.Flags()
	searchFlags(cmd, words, &o.search, "with --out, write all modules below each directory")
	flags.StringVar(&o.out, "out", "", "write the files to `NEWDIR`, a new directory")
	flags.BoolVar(&o.inPlace, "in-place", false, "rewrite the primary files, remove the override files")
	flags.BoolVar(&o.copyRest, "copy-rest", false, "with --out, also copy all other files")
	flags.BoolVar(&o.forceEngine, "force-engine", false, "go on even if the other engine reads another module")
	words.ForFlag(cmd, "out", words.Dirs)
	return cmd
}

func (o *flattenOptions) run(cmd *cobra.Command, args []string) error {
	switch hasOut := cmd.Flags().Changed("out"); {
	case hasOut && o.inPlace:
		return errors.New("--out writes a new directory and --in-place the old one; use only one of them")
	case !hasOut && !o.inPlace:
		return errors.New("flatten needs either --out NEWDIR or --in-place")
	case hasOut && o.out == "":
		return errors.New("--out needs the name of a directory")
	case o.copyRest && o.inPlace:
		return errors.New("--copy-rest needs --out; with --in-place, the other files are already there")
	case len(o.ws.Overlays)+len(o.ws.Excluded) > 0 && o.inPlace:
		return errors.New("--in-place can't be used with --overlay or --exclude-override; use --out")
	}
	if o.search.Recursive || len(args) > 1 || len(o.search.Exclude) > 0 {
		return o.runMany(args)
	}
	dir := o.ws.Dir(args)
	other := o.readByOther(dir)
	mod, diags, err := o.ws.Load(dir, merge.Options{})
	switch {
	case err != nil && o.inPlace: // which takes no -r
		return err
	case err != nil:
		return workspace.OrRecursive(err)
	}
	if diags.HasErrors() {
		return o.ws.Report(mod.Source, diags)
	}
	diffs, diags := o.merged(mod, diags)
	if err := o.ws.ReportAll(mod.Source, o.shown(mod, diags)); err != nil {
		return err
	}
	if reasons := o.obstacles(mod, other, diags, diffs); len(reasons) > 0 {
		return fmt.Errorf("nothing was written: %s", strings.Join(reasons, "; "))
	}
	o.ws.Summarize("", mod, false, diags)
	if o.inPlace {
		loading, err := o.ws.OptionsFor(dir)
		if err != nil {
			return err
		}
		return writeback.InPlace(mod, diffs, loading, replace.Options{Warn: o.ws.Warn, Step: o.ws.Interrupt})
	}
	return o.writeNew(mod, diffs)
}

// merged are the primary files of a module with the overrides merged in, and its
// diagnostics, with those about that.
func (o *flattenOptions) merged(mod *merge.Module, diags hcl.Diagnostics) ([]*patch.File, hcl.Diagnostics) {
	diffs, more := render.Diff(mod)
	for i := range diffs {
		diffs[i] = notice.Without(diffs[i])
	}
	return diffs, slices.DeleteFunc(append(diags, more...), isForOneFile)
}

// shown are the diagnostics that are printed: those that nothing silences, and those that
// are obstacles.
func (o *flattenOptions) shown(mod *merge.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	wanted, ignored := o.ws.Unsilenced(mod.Source, diags)
	o.ws.CountIgnored(slices.DeleteFunc(ignored, func(x check.Silenced) bool { return isObstacle(x.Warning) }))
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
func (o *flattenOptions) obstacles(
	mod *merge.Module, other *otherReading, diags hcl.Diagnostics, diffs []*patch.File,
) []string {
	var reasons []string
	for _, e := range mod.Source.Names {
		if e.Status != load.Shadowed || e.Role != source.Primary {
			continue
		}
		hidden := fmt.Sprintf("%s is shadowed by %s", diag.Escape(e.Name), diag.Escape(e.By))
		switch {
		case o.inPlace:
			reasons = append(reasons, hidden+"; remove one of them, or use --out NEWDIR --force-engine")
		case !o.forceEngine:
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
	if !o.forceEngine {
		reasons = append(reasons, o.readDifferently(mod, other)...)
	}
	for _, d := range diffs {
		if o.inPlace && d.IsNew && slices.ContainsFunc(mod.Source.Names, func(e load.DirEntry) bool {
			return e.Role == source.Primary && e.Status == load.Shadowed && strings.HasPrefix(e.Name, "main.")
		}) {
			reasons = append(reasons, fmt.Sprintf("the new file %s would shadow another one, or be shadowed", d.Name))
		}
	}
	return reasons
}
