package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// explainOptions hold the arguments and the flags of explain.
type explainOptions struct {
	ws                *workspace.Workspace
	search            workspace.Search
	layers            layerOptions
	format            format
	all, full, redact bool
	sourceMap         string
	asked             []string // addresses, patterns, names and FILE:LINE
	behind            string   // appended to commands that errors propose: a blank and the directory, if one is named
}

// NewExplain returns the command that prints where values come from.
func NewExplain(ws *workspace.Workspace, words complete.Words) *cobra.Command {
	o := &explainOptions{ws: ws, search: workspace.Search{DirsOnly: true}, layers: layerOptions{ws: ws}}
	cmd := &cobra.Command{
		Use:   "explain [DIR] ADDRESS...",
		Short: "Show where a value comes from",
		Long: `explain prints the effective value at each ADDRESS, its file and line, what it replaces,
and the rule that decides.

ADDRESS is an argument, a block or a key, a pattern, a bare name, or FILE:LINE; "tofumerge
help addresses" lists all forms. DIR is the current directory by default.

Of a long value it prints only the lines that differ, unless you pass --full.

For a merged block, explain prints only the parts that overrides touch, unless you pass --all;
--all without an ADDRESS explains the whole module. If a word is both a directory and a name
in the module, write ./WORD for the directory, or . WORD for the name.

An ADDRESS such as module.network.aws_vpc.main is looked up in the called module. With
--modules, any other ADDRESS is looked up in all called modules, and --all without an ADDRESS
explains them all. -r does the same for all modules below DIR.

For a variable, explain also prints which variables files of the directory set it if the
module is run as the root module, and which value is in effect. --env, --var, --var-file
and --test add other sources of a run. If another module of the repository calls this one,
explain names what the calls set.

With --source-map, each ADDRESS is FLAT:LINE, a line of a file that flatten --source-map wrote,
and explain prints the original file and line.`,
		Example: `  tofumerge explain aws_instance.web.instance_type
  tofumerge explain modules/web 'aws_instance.*'
  tofumerge explain modules/web/override.tf:7
  tofumerge explain module.network.aws_vpc.main
  tofumerge explain -r . instance_type
  tofumerge explain live/prod var.stage --var-file prod.tfvars
  tofumerge explain instance_type --json`,
		RunE: o.run,

		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return words.DirOrAddress(cmd, args, word, o.isDir)
		},
	}
	modulesFlag(cmd.Flags(), &o.search.Modules)
	searchFlags(cmd, words, &o.search, "look in all modules below DIR")
	o.format.define(cmd, words, "print `FORMAT`: text or json", "text", "json")
	outputFlag(cmd, ws)
	cmd.Flags().BoolVar(&o.all, "all", false, "also explain parts that no override touches")
	fullFlag(cmd.Flags(), &o.full)
	cmd.Flags().BoolVar(&o.redact, "redact", false, "hide all values that are not effective")
	cmd.Flags().StringVar(&o.sourceMap, "source-map", "", "print the origin of FLAT:LINE, by source map `FILE`")
	o.layers.define(cmd, words)
	return cmd
}

func (o *explainOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.format.settle(cmd); err != nil {
		return err
	}
	if err := o.format.refuseFull(o.full); err != nil {
		return err
	}
	if cmd.Flags().Changed("source-map") {
		if o.format.isJSON {
			return errors.New("--source-map prints text; leave -f out, or read the map itself, which is JSON")
		}
		return o.lookUp(args)
	}
	dirs, asked, err := o.split(args)
	if err != nil {
		return err
	}
	if len(dirs) > 0 && dirs[0] != "." {
		o.behind = " " + diag.Escape(dirs[0])
	}
	if o.asked = asked; len(asked) == 0 && !o.all {
		return errNoAddress
	}
	if err := o.search.Check(); err != nil {
		return err
	}
	if i := slices.IndexFunc(asked, isPlaceInFile); i >= 0 {
		if o.search.Recursive {
			return fmt.Errorf("%s is in one module; leave -r out", diag.Escape(asked[i]))
		}
		o.search.Modules = false // the module of the file is meant
	}
	switch {
	case o.search.Recursive:
		return o.runSearch(dirs)
	case o.search.Modules:
		return o.runTree(dirs)
	}
	return o.runOne(dirs)
}

// An explainView is what explain prints.
type explainView struct {
	*explainOptions
	view
}

// newView selects the modules that are explained.
func (o *explainOptions) newView(dirs []string) (*explainView, error) {
	if err := o.layers.read(); err != nil {
		return nil, err
	}
	r, err := o.ws.Select(dirs, &o.search)
	if err != nil {
		return nil, err
	}
	r.Done = "explained"
	return &explainView{explainOptions: o, view: view{work: r}}, nil
}

// runOne explains one module, or the modules at the address of a call.
func (o *explainOptions) runOne(dirs []string) error {
	v, err := o.newView(dirs)
	if err != nil {
		return err
	}
	isCalled := false
	err = v.work.Take(func(m *workspace.Module) error {
		if slices.ContainsFunc(m.Source.Files, func(f *source.File) bool { return f.Broken }) {
			return o.ws.Report(m.Source, m.Diags)
		}
		targets, err := o.targets(m.Module, m.Source.Dir)
		if isCalled = err != nil && o.leadsIntoCall(m.Module); isCalled {
			return nil
		}
		if err != nil {
			o.mention(m.Module, m.Diags) // the requested items may be among those that could not be merged
			return err
		}
		if err := o.reportConcerning(m.Module, targets, m.Diags); err != nil {
			return err
		}
		o.ws.Summarize("", m.Module, false, nil) // the table shows items without effect
		return v.writeOne(m, targets)
	})
	if isCalled && err == nil {
		return o.runTree(dirs)
	}
	return err
}

// writeOne writes while it works: the explanation of a whole module may be long.
func (v *explainView) writeOne(m *workspace.Module, targets []address.Target) error {
	set, diags, err := v.layersOf(m, targets)
	if err != nil {
		return err
	}
	if !v.format.isJSON {
		return cmp.Or(v.ws.Report(m.Source, diags), v.explanation(m, set).Write(v.ws.Out, targets))
	}
	v.ws.Heap.ForRewrite(workspace.SizeOf(m.Source))
	v.report = report.New(m.Source.Engine)
	v.ws.Record(v.report, m.Module, address.Address{}, slices.Concat(m.Diags, diags))
	v.report.Variables = v.variables(m, set, targets)
	v.report.Later(report.Histories(m.Module, wording.NewRedactor(m.Source, v.redact), targets, v.all))
	return v.print(v.ws)
}

func (v *explainView) explanation(m *workspace.Module, set *layers.Set) *term.Explanation {
	return term.Explain(m.Module, v.ws.Screen(v.ws.Out), term.ExplainOptions{
		All: v.all, Full: v.full, Redact: v.redact, Highlight: v.ws.Highlights(v.ws.Out), Within: m.Own(), Layers: set,
	})
}

// layersOf finds the layers of a module if a target may have some. Other modules need no
// variables files.
func (v *explainView) layersOf(m *workspace.Module, targets []address.Target) (*layers.Set, hcl.Diagnostics, error) {
	if !slices.ContainsFunc(targets, func(t address.Target) bool { return layers.Declares(t.Item) }) {
		return nil, nil, nil
	}
	found, err := workspace.Beside(m.Source)
	if err != nil {
		return nil, nil, err
	}
	set, diags, err := v.layers.of(m.Module, found)
	isGiven := func(t address.Target) bool { return set.Of(t.Item) != nil }
	if err == nil && (m.IsCalled() || slices.ContainsFunc(targets, isGiven)) {
		set.Callers = m.Callers(v.ws)
	}
	return set, diags, err
}

// variables records the targets that have layers, and all targets of a called module.
func (v *explainView) variables(m *workspace.Module, set *layers.Set, targets []address.Target) []report.VariableRecord {
	var list []*layers.Variable
	isListed := map[*layers.Variable]bool{nil: true}
	for _, t := range targets {
		of := set.Of(t.Item)
		if set.IsCalled() {
			of = set.DeclaredBy(t.Item)
		}
		if !isListed[of] {
			list, isListed[of] = append(list, of), true
		}
	}
	return report.Variables(wording.NewRedactor(m.Source, v.redact), set, list)
}

// add adds the explanation of one of several modules.
func (v *explainView) add(m *workspace.Module, targets []address.Target, diags hcl.Diagnostics) error {
	set, more, err := v.layersOf(m, targets)
	if err != nil {
		return err
	}
	if !v.format.isJSON {
		var text bytes.Buffer
		text.WriteString(v.ws.Screen(v.ws.Out).Place(diag.Escape(m.Heading())+":") + "\n")
		err := cmp.Or(v.ws.Report(m.Source, more), v.explanation(m, set).Write(&text, targets))
		v.addText(text.Bytes())
		return err
	}
	dir := v.record(v.ws, m, slices.Concat(diags, more))
	for _, of := range v.variables(m, set, targets) {
		of.Module, of.Address = dir, segments.Concat(m.Own().String(), of.Address)
		v.report.Variables = append(v.report.Variables, of)
	}
	v.report.AddHistories(dir, m.Own(), report.Histories(m.Module, wording.NewRedactor(m.Source, v.redact), targets, v.all))
	return nil
}

// begin begins the JSON on several modules, with the engine of the first.
func (v *explainView) begin(m *workspace.Module) {
	if v.format.isJSON && v.report == nil {
		v.report = report.New(m.Source.Engine)
		v.report.Modules, v.report.Histories = []report.ModuleRecord{}, []report.HistoryRecord{}
	}
}

// mention warns that the engine refuses the module because of something other than the targets.
func (o *explainOptions) mention(mod *merge.Module, others hcl.Diagnostics) {
	errs := diag.Refusals(others)
	if len(errs) == 0 {
		return
	}
	first := errs[0]
	where := ""
	if first.Subject != nil {
		where = fmt.Sprintf(" at %s:%d", diag.Escape(mod.Source.Shown(first.Subject.Filename)), first.Subject.Start.Line)
	}
	if more := len(errs) - 1; more > 0 {
		where += fmt.Sprintf(", and %s more", wording.Count(more, "error"))
	}
	o.ws.Warn(fmt.Sprintf("%s refuses this module: %s%s; for details, run: tofumerge list%s",
		mod.Source.Engine.Product.Title(), first.Summary, where, o.behind))
}

// isInTable reports whether the explanation repeats a diagnostic: it has a row, with the rule,
// for each item without effect.
func isInTable(d *hcl.Diagnostic) bool {
	return d.Severity == hcl.DiagWarning && diag.CodeOf(d) == diag.NoEffect
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

// reportConcerning reports diagnostics about targets in a module, and mentions the rest.
func (o *explainOptions) reportConcerning(mod *merge.Module, targets []address.Target, diags hcl.Diagnostics) error {
	own, others := concerning(targets, diags)
	if own.HasErrors() {
		return o.ws.Report(mod.Source, own)
	}
	o.mention(mod, others)
	if !o.format.isJSON {
		own = slices.DeleteFunc(own, isInTable)
	}
	return o.ws.Report(mod.Source, own)
}
