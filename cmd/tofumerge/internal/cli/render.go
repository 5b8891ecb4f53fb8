package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A renderCommand prints the effective configuration.
type renderCommand struct {
	*app
	noOverrides bool
	onlyChanged bool
	sort        bool
	annotate    annotateFlag
	redact      bool
	noOutput    bool
	filter      []string
	output      string
	format      string
	json        bool
	modules     bool
}

func newRenderCommand(a *app) *cobra.Command {
	r := &renderCommand{app: a}
	cmd := &cobra.Command{
		Use:   "render [DIR]",
		Short: "Print the effective configuration (the default)",
		Long: `render prints the effective configuration of the module in DIR, which is the current
directory by default. tofumerge without a command does the same.

Nothing is evaluated: expressions stay as written, and no variables file, TF_VAR_ variable
or workspace is read.

Blocks come in the order in which the engine loads them, and what no override touches
keeps every byte. Saved as the only file of a directory, the output is the same module.
Save it as a .tofu file if a .tofu file of the module sets required_version, otherwise as
a .tf file; append .json to either for JSON.

--no-overrides still reads the override files and reports their errors. --annotate adds
comments, which are "//" properties in JSON; --annotate=full puts whole histories there.
--output replaces a file atomically.`,
		Example: `  tofumerge render modules/web
  tofumerge render --only-changed --annotate
  tofumerge render --filter 'aws_instance.*,module.vpc'
  diff <(tofumerge render --no-overrides) <(tofumerge render)
  tofumerge render --json -o merged.tf.json`,
		Args: a.oneDir,
		RunE: r.run,

		ValidArgsFunction: a.completeDir,
	}
	r.flags(cmd)
	return cmd
}

func (r *renderCommand) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&r.format, "format", "f", "hcl", "print in `FORMAT`: hcl or json")
	flags.BoolVar(&r.json, "json", false, "short for --format json")
	modulesFlag(flags, &r.modules)
	flags.BoolVar(&r.noOverrides, "no-overrides", false, "leave the override files out")
	flags.BoolVar(&r.onlyChanged, "only-changed", false, "print only the blocks an override touches")
	flags.BoolVar(&r.sort, "sort", false, "sort the blocks by kind and address")
	r.annotate.define(flags)
	flags.BoolVar(&r.redact, "redact", false, "hide the earlier values that --annotate prints")
	listVar(flags, &r.filter, "filter", "print only what `GLOBS` match, such as 'aws_instance.*'")
	flags.StringVarP(&r.output, "output", "o", "", "write to `FILE`, not to standard output")
	r.app.completeFlag(cmd, "filter", r.app.completeAddress)
	r.app.completeFlag(cmd, "annotate", cobra.FixedCompletions(annotateWays, cobra.ShellCompDirectiveNoFileComp))
	r.app.completeFlag(cmd, "format", cobra.FixedCompletions([]string{"hcl", "json"}, cobra.ShellCompDirectiveNoFileComp))
	flags.BoolVar(&r.noOutput, "no-output", false, "print errors and warnings, but no configuration")
}

// formatOf settles the format where --json may ask for it.
func formatOf(cmd *cobra.Command, format *string, asJSON bool) error {
	switch {
	case !asJSON:
	case cmd.Flags().Changed("format") && *format != "json":
		return fmt.Errorf("--json is short for --format json; use only one of --json and --format %s", diag.Escape(*format))
	default:
		*format = "json"
	}
	return nil
}

func (r *renderCommand) run(cmd *cobra.Command, args []string) error {
	if err := formatOf(cmd, &r.format, r.json); err != nil {
		return err
	}
	opts, err := r.options()
	if err != nil {
		return err
	}
	if r.noOutput && cmd.Flags().Changed("output") {
		return errors.New("--no-output prints no configuration to write to --output; use only one of them")
	}
	out, err := r.app.findOutput(cmd, r.output)
	if err != nil {
		return err
	}
	if r.modules {
		if err := r.checkModules(cmd); err != nil {
			return err
		}
		return r.runModules(args, opts, out)
	}
	return r.printModule(r.ws.Dir(args), opts, out)
}

// printModule prints the effective configuration of the module in a directory.
// It goes to standard output where out is nil.
func (r *renderCommand) printModule(dir string, opts render.Options, out *writeback.Output) error {
	mod, diags, err := r.ws.Load(dir, load.AddressedTrees, merge.Options{NoOverrides: r.noOverrides})
	if err != nil {
		return err
	}
	src := mod.Source
	if err := r.app.checkOutput(out, src); err != nil {
		return err
	}
	if diags.HasErrors() {
		return r.ws.Report(src, diags)
	}
	if err := r.checkFilter(mod, opts.Filter); err != nil {
		return err
	}
	if r.json || opts.Annotate {
		r.ws.Heap.ForRewrite(workspace.SizeOf(src))
	}
	print, more, err := r.printer(mod, opts)
	if err != nil {
		return err
	}
	if err := r.ws.Report(src, append(diags, more...)); err != nil {
		return err
	}
	r.ws.Summarize("", mod, r.noOverrides, diags)
	if r.noOutput {
		return nil
	}
	return r.write(print, out)
}

// printer returns what writes the result, and what is doubtful about saying it
// in the format asked for.
func (r *renderCommand) printer(
	mod *merge.Module, opts render.Options,
) (func(io.Writer) error, hcl.Diagnostics, error) {
	if !r.json {
		text, diags := render.Native(mod, opts)
		return text.Write, diags, nil
	}
	doc, diags, nothing := render.JSON(mod, opts)
	write := func(w io.Writer) error {
		if err := doc.Write(w); err != nil {
			return err
		}
		return nothing
	}
	return write, diags, nil
}

func (r *renderCommand) options() (render.Options, error) {
	switch {
	case r.format != "hcl" && r.format != "json":
		return render.Options{}, fmt.Errorf("--format takes hcl or json, not %q", r.format)
	case r.format == "json":
		r.json = true
	case r.annotate == annotateFull:
		return render.Options{}, errFullNative
	}
	opts := render.Options{
		Selection: plan.Selection{OnlyChanged: r.onlyChanged, Sort: r.sort},
		Annotate:  r.annotate != annotateNone,
		Histories: r.annotate == annotateFull,
		Redact:    r.redact,
	}
	opts.Screen = screen.Plain()
	if r.output == "" {
		opts.Screen, opts.Highlight = r.ws.Screen(r.ws.Out), r.ws.Highlights(r.ws.Out)
	}
	for _, text := range r.filter {
		g, err := address.ParsePattern(text)
		if err != nil {
			return opts, err
		}
		opts.Filter = append(opts.Filter, g)
	}
	return opts, nil
}

// checkFilter refuses a filter that matches nothing, and warns of its patterns that do.
func (r *renderCommand) checkFilter(mod *merge.Module, filter []address.Pattern) error {
	idle := plan.Unmatched(mod, filter)
	if len(idle) == 0 {
		return nil
	}
	var given []string
	for _, i := range idle {
		given = append(given, diag.Escape(r.filter[i]))
	}
	text := "no block matches --filter " + orList(given)
	if len(idle) < len(filter) {
		r.ws.Warn(text)
		return nil
	}
	if len(given) == 1 && !address.IsPattern(r.filter[0]) {
		if near := similarAddresses(mod, r.filter[0]); len(near) > 0 {
			text += fmt.Sprintf("; did you mean %s?", orList(near))
		}
	}
	return errors.New(text)
}

// findOutput finds what --output names, before anything is read; nil without it.
func (a *app) findOutput(cmd *cobra.Command, name string) (*writeback.Output, error) {
	if !cmd.Flags().Changed("output") {
		return nil, nil
	}
	return writeback.FindOutput(a.ws.Base(), name)
}

// checkOutput refuses an output file that takes part in what is printed of a module.
func (a *app) checkOutput(out *writeback.Output, src *load.Module) error {
	if a.ws.Schema == "" {
		return out.Check(src, policy.FileName)
	}
	return out.Check(src, policy.FileName, writeback.Input{Path: repo.In(a.ws.Base(), a.ws.Schema), What: "the file of --provider-schema"})
}

func (r *renderCommand) write(print func(io.Writer) error, file *writeback.Output) error {
	var text bytes.Buffer
	out := r.ws.Out
	switch {
	case file != nil:
		out = &text
	case r.json:
		out = r.ws.JSONOut()
	}
	err := print(out)
	if errors.Is(err, plan.ErrNoneSelected) {
		r.ws.Warn("no override changes what --filter matches")
		err = nil
	}
	if err == nil && file != nil {
		err = file.Write(text.Bytes(), r.ws.Warn)
	}
	return err
}
