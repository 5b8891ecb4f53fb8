package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
)

// A diffCommand says how override files change the primary files, as a patch.
type diffCommand struct {
	*app
	context              int
	stat, json, redact   bool
	detailed, hasAgainst bool
	against              string
}

// errDifferent ends a run that found a difference where that is asked for.
var errDifferent = errors.New("there is a difference")

func newDiffCommand(a *app) *cobra.Command {
	d := &diffCommand{app: a}
	cmd := &cobra.Command{
		Use:   "diff [DIR]",
		Short: "Show what the overrides change in each primary file, as a patch",
		Long: `diff compares each primary file with itself after the override files are merged
in. The output is a patch that "patch -p1" and "git apply" take in DIR; each file
keeps its syntax. It holds the values themselves, sensitive ones too.

With --against, the effective configurations of two directories are compared,
block by block, wherever their files are cut; that is no patch.`,
		Example: "  tofumerge diff | patch -p1\n  tofumerge diff modules/web --stat\n  tofumerge diff staging --against production",
		Args:    a.oneDir,
		RunE:    d.run,

		ValidArgsFunction: onlyDirs,
	}
	flags := cmd.Flags()
	flags.IntVarP(&d.context, "unified", "U", 3, "show `N` lines around each change")
	flags.BoolVar(&d.stat, "stat", false, "only say how many lines change in each file")
	flags.BoolVar(&d.json, "json", false, "print JSON, by docs/report.schema.json")
	flags.BoolVar(&d.detailed, "detailed-exitcode", false, "exit with status 2 if there is a difference")
	flags.StringVar(&d.against, "against", "", "compare the effective configuration with that of `DIR2`")
	flags.BoolVar(&d.redact, "redact", false, "with --json, hide all values that are not in effect")
	_ = cmd.MarkFlagDirname("against")
	return cmd
}

func (d *diffCommand) run(cmd *cobra.Command, args []string) error {
	d.hasAgainst = cmd.Flags().Changed("against")
	if err := d.check(); err != nil {
		return err
	}
	mod, diags, err := d.module(d.moduleDir(args), d.trees(), merge.Options{})
	if err != nil {
		return err
	}
	if diags.HasErrors() {
		return d.report(mod.Source, diags)
	}
	var diffs []*render.FileDiff
	var more hcl.Diagnostics
	if d.hasAgainst {
		diffs, more, err = d.compare(mod, args)
	} else {
		diffs, more = render.Diff(mod)
		more = append(more, mod.Again()...)
	}
	if err != nil {
		return err
	}
	diags = append(diags, more...)
	if err := d.report(mod.Source, diags); err != nil {
		return err
	}
	if d.verbose {
		fmt.Fprintln(d.err, summary(mod, false, diags))
	}
	if err := d.write(mod, diags, diffs); err != nil {
		return err
	}
	if d.detailed && slices.ContainsFunc(diffs, (*render.FileDiff).Changes) {
		return errDifferent
	}
	return nil
}

// check refuses flags that make no sense together.
func (d *diffCommand) check() error {
	switch {
	case d.context < 0:
		return fmt.Errorf("-U takes a number of lines from 0 on, not %d", d.context)
	case d.stat && d.json:
		return errors.New("--json tells what --stat does, and more; leave out one of them")
	case d.hasAgainst && d.against == "":
		return errors.New("the name given to --against is empty; name a directory")
	case d.redact && !d.json && !d.stat:
		return errors.New("a patch without its values is none; --redact goes with --stat and --json")
	}
	return nil
}

// trees tells which trees are needed: for histories all.
func (d *diffCommand) trees() load.Trees { return load.AddressedTrees }

func (d *diffCommand) write(mod *merge.Module, diags hcl.Diagnostics, diffs []*render.FileDiff) error {
	palette := render.NewPalette(d.colored(d.out))
	switch {
	case d.json:
		report := render.NewReport(mod.Source, diags)
		report.Files = render.DiffRecords(diffs)
		if !d.hasAgainst {
			report.Histories = render.Explain(mod, palette, render.ExplainOptions{Redact: d.redact}).Overridden()
		}
		return report.Write(d.out)
	case d.stat:
		return render.WriteStat(d.out, diffs, palette)
	}
	return render.PatchWriter{Context: d.context, Palette: palette}.Write(d.out, diffs)
}

// compare compares the module with that of another directory.
func (d *diffCommand) compare(mod *merge.Module, args []string) ([]*render.FileDiff, hcl.Diagnostics, error) {
	other, diags, err := d.module(inDir(d.base(), d.against), d.trees(), merge.Options{})
	if err != nil {
		return nil, nil, err
	}
	wording := render.Wording(other, render.Options{})
	if err := d.report(other.Source, append(diags, wording...)); err != nil {
		return nil, nil, err
	}
	var texts [2]bytes.Buffer
	for i, m := range []*merge.Module{mod, other} {
		if err := render.Native(&texts[i], m, render.Options{Sort: true}); err != nil {
			return nil, nil, err
		}
	}
	name := "."
	if len(args) > 0 {
		name = args[0]
	}
	diff := render.Compare([2]string{filepath.ToSlash(name), filepath.ToSlash(d.against)}, texts[0].Bytes(), texts[1].Bytes())
	return []*render.FileDiff{diff}, render.Wording(mod, render.Options{}), nil
}
