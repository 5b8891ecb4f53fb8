package cli

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// An explainCommand says where values come from.
type explainCommand struct {
	*app
	workspace.Search
	json, all, redact, modules bool
}

func newExplainCommand(a *app) *cobra.Command {
	x := &explainCommand{app: a, Search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "explain [DIR] ADDRESS...",
		Short: "Show where a value comes from",
		Long: `explain prints the effective value at each ADDRESS, its file and line, what it replaces,
and the rule that decides.

ADDRESS is an argument, a block or a key, a pattern, a bare name, or FILE:LINE; for all
forms, run: tofumerge help addresses. DIR is the current directory by default.

For a merged block explain prints what overrides touch in it. --all adds the rest; without
an ADDRESS it explains the whole module. If a word is both a directory and a name in the
module, write ./WORD for the directory, or . WORD for the name.

An ADDRESS such as module.network.aws_vpc.main leads into modules that are called. With
--modules any other ADDRESS is looked up in all of them, and --all without an ADDRESS
explains them all. -r does the same for all modules below DIR.`,
		Example: `  tofumerge explain aws_instance.web.instance_type
  tofumerge explain modules/web 'aws_instance.*'
  tofumerge explain modules/web/override.tf:7
  tofumerge explain module.network.aws_vpc.main
  tofumerge explain -r . instance_type
  tofumerge explain instance_type --json`,
		RunE: x.run,

		ValidArgsFunction: x.complete,
	}
	modulesFlag(cmd.Flags(), &x.modules)
	searchFlags(&x.Search, cmd.Flags(), "look in all modules below DIR")
	x.app.completeFlag(cmd, "exclude", x.app.completeDirFlag)
	cmd.Flags().BoolVar(&x.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&x.all, "all", false, "also explain what no override touches")
	cmd.Flags().BoolVar(&x.redact, "redact", false, "hide all values that are not effective")
	return cmd
}

func (x *explainCommand) run(_ *cobra.Command, args []string) error {
	dirs, asked, err := x.split(args)
	if err != nil {
		return err
	}
	if len(asked) == 0 && !x.all {
		return errNoAddress
	}
	if err := x.settleExplain(); err != nil {
		return err
	}
	if x.Recursive {
		return x.runMany(dirs, asked)
	}
	if x.modules && !slices.ContainsFunc(asked, isPlaceInFile) {
		return x.runTree(dirs, asked)
	}
	dir := x.ws.Dir(dirs)
	mod, diags, err := x.ws.Load(dir, load.AllTrees, merge.Options{})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(mod.Source.Files, func(f *source.File) bool { return f.Broken }) {
		return x.ws.Report(mod.Source, diags)
	}
	targets, err := x.targets(mod, dir, asked)
	if err != nil && leadsIntoModule(asked) && x.callsModule(mod, asked) {
		return x.runTree(dirs, asked)
	}
	if err != nil {
		x.mention(mod, diags) // what could not be merged may be what was asked for
		return err
	}
	if err := x.reportConcerning(mod, targets, diags); err != nil {
		return err
	}
	x.ws.Summarize("", mod, false, diags)
	explanation := term.Explain(mod, x.ws.Screen(x.ws.Out), term.ExplainOptions{
		All: x.all, Redact: x.redact, Highlight: x.ws.Highlights(x.ws.Out),
	})
	if x.json {
		x.ws.Heap.ForRewrite(workspace.SizeOf(mod.Source))
		doc := report.New(mod.Source, x.ws.Unignored(mod.Source, diags))
		doc.Later(report.Histories(mod, wording.NewRedactor(mod.Source, x.redact), targets, x.all))
		return doc.Write(x.ws.JSONOut())
	}
	return explanation.Write(x.ws.Out, targets)
}

// settleExplain judges the flags of a search.
func (x *explainCommand) settleExplain() error {
	if x.modules {
		return x.CheckForCalls()
	}
	return x.CheckSearch()
}

// mention warns that the engine refuses the module for something other than what was
// asked for.
func (x *explainCommand) mention(mod *merge.Module, others hcl.Diagnostics) {
	errs := errorsOf(others)
	if len(errs) == 0 {
		return
	}
	first := errs[0]
	where := ""
	if first.Subject != nil {
		where = fmt.Sprintf(" at %s:%d", diag.Escape(first.Subject.Filename), first.Subject.Start.Line)
	}
	if more := len(errs) - 1; more > 0 {
		where += fmt.Sprintf(", and %s more", wording.Count(more, "error"))
	}
	x.ws.Warn(fmt.Sprintf("%s refuses this module: %s%s; for details, run: tofumerge list",
		mod.Source.Engine.Product.Title(), first.Summary, where))
}

// isInTable reports whether the explanation says the same as a diagnostic: it has a row,
// with the rule, for each item without effect.
func isInTable(d *hcl.Diagnostic) bool {
	return d.Severity == hcl.DiagWarning && diag.CodeOf(d) == diag.NoEffect
}

func errorsOf(diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return d.Severity != hcl.DiagError })
}

// concerning parts the diagnostics that are about the blocks of targets from others.
func concerning(targets []address.Target, diags hcl.Diagnostics) (own, others hcl.Diagnostics) {
	concern := address.NewConcern(targets)
	for _, d := range diags {
		if concern.IsAbout(d) {
			own = append(own, d)
		} else {
			others = append(others, d)
		}
	}
	return own, others
}

// reportConcerning reports what is wrong with targets in a module, and mentions what else is.
func (x *explainCommand) reportConcerning(mod *merge.Module, targets []address.Target, diags hcl.Diagnostics) error {
	own, others := concerning(targets, diags)
	if own.HasErrors() {
		return x.ws.Report(mod.Source, own)
	}
	x.mention(mod, others)
	if !x.json {
		own = slices.DeleteFunc(own, isInTable)
	}
	return x.ws.Report(mod.Source, own)
}
