package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// RenderOptions hold the flags of render, which the program itself accepts, too.
type RenderOptions struct {
	ws          *workspace.Workspace
	search      workspace.Search
	format      format
	noOverrides bool
	onlyChanged bool
	sort        bool
	annotate    string // a way of --annotate; empty for none
	redact      bool
}

// NewRender returns the command that prints the effective configuration.
func NewRender(ws *workspace.Workspace, words Words) *cobra.Command {
	o := NewRenderOptions(ws)
	cmd := &cobra.Command{
		Use:   "render [DIR]",
		Short: "Print the effective configuration (the default)",
		Long: `render prints the effective configuration of the module in DIR, which is the current
directory by default. tofumerge without a command does the same.

Nothing is evaluated: expressions stay as written, and no variables file, TF_VAR_ variable or
workspace is read.

Blocks come in the order in which the engine loads them. Text that no override touches
keeps every byte. Save the output as the only file of a directory, and the engine loads the
same module: as a .tofu file if a .tofu file of the module sets required_version, otherwise as
a .tf file; append .json to either for JSON.

--no-overrides still reads the override files and reports their errors. --annotate adds
comments, which are "//" properties in JSON; --annotate=full writes whole histories there.
--output replaces a file atomically.`,
		Example: `  tofumerge render modules/web
  tofumerge render --only-changed --annotate
  tofumerge render --filter 'aws_instance.*,module.vpc'
  diff <(tofumerge render --no-overrides) <(tofumerge render)
  tofumerge render --json -o merged.tf.json`,
		Args: o.Arguments,
		RunE: o.Run,

		ValidArgsFunction: words.Dir,
	}
	o.Define(cmd, words)
	return cmd
}

// NewRenderOptions returns options whose fields Define fills from flags.
func NewRenderOptions(ws *workspace.Workspace) *RenderOptions {
	return &RenderOptions{ws: ws, search: workspace.Search{DirsOnly: true, IsSingle: true}}
}

// Define defines the flags of render for cmd, which is that command or the program itself.
func (o *RenderOptions) Define(cmd *cobra.Command, words Words) {
	flags := cmd.Flags()
	o.format.define(cmd, words, "print in `FORMAT`: hcl or json", "hcl", "json")
	flags.BoolVar(&o.noOverrides, "no-overrides", false, "leave the override files out")
	flags.BoolVar(&o.onlyChanged, "only-changed", false, "print only blocks that an override touches")
	flags.BoolVar(&o.sort, "sort", false, "sort the blocks by kind and address")
	annotateFlag(cmd, words, &o.annotate)
	flags.BoolVar(&o.redact, "redact", false, "hide the earlier values that --annotate prints")
	filterFlag(cmd, words, &o.search, "print only what `GLOBS` match, such as 'aws_instance.*'")
	outputFlag(cmd, o.ws)
}

// IsJSON reports whether the format is JSON.
func (o *RenderOptions) IsJSON() bool { return o.format.isJSON }

// Arguments refuses more than one directory. In --annotate full, without an equals sign, "full" is an argument:
// unless it is a directory, the error shows how to write it.
func (o *RenderOptions) Arguments(cmd *cobra.Command, args []string) error {
	for _, word := range args {
		if !slices.Contains(annotateWays, word) || !cmd.Flags().Changed("annotate") {
			continue
		}
		if _, err := os.Stat(o.ws.Dir([]string{word})); os.IsNotExist(err) {
			return &FlagError{fmt.Errorf("no such directory: %s; did you mean --annotate=%[1]s?", word)}
		}
	}
	if len(args) > 1 {
		return fmt.Errorf("%s takes one directory, not %d (%s)", cmd.CommandPath(), len(args), diag.Escape(strings.Join(args, ", ")))
	}
	return nil
}

// Run prints the effective configuration of the module that the arguments name.
func (o *RenderOptions) Run(cmd *cobra.Command, args []string) error {
	opts, err := o.settle(cmd)
	if err != nil {
		return err
	}
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	r.Merging = merge.Options{NoOverrides: o.noOverrides}
	v := &renderView{RenderOptions: o, run: r, opts: opts}
	return r.Take(v.print)
}

// settle refuses flags that contradict each other, and turns the others into options of package render.
func (o *RenderOptions) settle(cmd *cobra.Command) (opts render.Options, err error) {
	if err := o.format.settle(cmd); err != nil {
		return opts, err
	}
	if !o.format.isJSON && o.annotate == annotateFull {
		return opts, errors.New("--annotate=full prints whole histories, which only JSON output can hold; add --json, or use explain --all")
	}
	opts = render.Options{
		Selection: plan.Selection{OnlyChanged: o.onlyChanged, Sort: o.sort},
		Annotate:  o.annotate != "",
		Redact:    o.redact,
		Screen:    o.ws.Screen(o.ws.Out),
		Highlight: o.ws.Highlights(o.ws.Out),
	}
	opts.Filter = o.search.Filter
	return opts, nil
}

// A renderView prints one merged module for render.
type renderView struct {
	*RenderOptions
	run  *workspace.Run
	opts render.Options
}

// print prints the effective configuration of a module, after the messages about it; for a module with errors, only
// the errors.
func (v *renderView) print(m *workspace.Module) error {
	if m.Diags.HasErrors() {
		return v.ws.Report(m.Source, m.Diags)
	}
	if err := v.checkFilter(m.Module); err != nil {
		return err
	}
	if v.format.isJSON || v.opts.Annotate {
		v.ws.Heap.ForRewrite(workspace.SizeOf(m.Source)) // these outputs make much garbage
	}
	if v.annotate == annotateFull {
		v.opts.Describe = report.Provenance(m.Module, wording.NewRedactor(m.Source, v.redact))
	}
	printTo, formatDiags := v.printer(m.Module)
	diags := slices.Concat(m.Diags, formatDiags)
	if v.opts.Annotate { // the output itself marks overrides without effect
		diags = unmarked(m.Module, diags)
	}
	if err := v.run.Report(m, diags); err != nil {
		return err
	}
	if err := v.write(printTo); err != nil {
		return err
	}
	v.ws.NoteHidden("--filter hides", plan.LeftOut(m.Module, v.opts.Filter), "block")
	return nil
}

// unmarked returns the diagnostics except for the warnings about overrides without effect that --annotate marks in
// the output. It marks them in every block that is printed.
func unmarked(m *merge.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	var printed []address.Target
	for _, e := range m.Root.Items {
		if e.InEffect() {
			printed = append(printed, address.Target{Item: e})
		}
	}
	isMarked := lookup.NewConcern(printed).IsAbout
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool { return isAboutNoEffect(d) && isMarked(d) })
}

// printer returns a function that writes the module in the wanted format, and diagnostics about what the format can't
// express.
func (v *renderView) printer(m *merge.Module) (func(io.Writer) error, hcl.Diagnostics) {
	if !v.format.isJSON {
		text, diags := render.Native(m, v.opts)
		return text.Write, diags
	}
	doc, diags, noneSelected := render.JSON(m, v.opts) // noneSelected: no printed block matches --filter
	return func(w io.Writer) error {
		if err := doc.Write(w); err != nil {
			return err
		}
		return noneSelected
	}, diags
}

// checkFilter refuses a --filter that matches nothing, because a slip would hide everything. If only some of its
// patterns match nothing, it warns.
func (v *renderView) checkFilter(m *merge.Module) error {
	unmatched := plan.Unmatched(m, v.opts.Filter)
	if len(unmatched) == 0 {
		return nil
	}
	var given []string
	for _, i := range unmatched {
		given = append(given, diag.Escape(v.opts.Filter[i].String()))
	}
	text := "no block matches --filter " + diag.Joined(given, "or")
	if len(unmatched) < len(v.opts.Filter) {
		v.ws.Warn(text)
		return nil
	}
	if len(given) == 1 && !address.IsPattern(given[0]) {
		if near := similar(m, given[0]); len(near) > 0 {
			text += fmt.Sprintf("; did you mean %s?", diag.Joined(near, "or"))
		}
	}
	return errors.New(text)
}

// write prints the output by calling print. If nothing is selected, because --filter matches only blocks that no
// override changes, it warns instead of failing.
func (v *renderView) write(print func(io.Writer) error) error {
	err := print(v.ws.Out)
	if errors.Is(err, plan.ErrNoneSelected) {
		v.ws.Warn("no override changes what --filter matches")
		return nil
	}
	return err
}
