package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A diffCommand says how override files change the primary files, as a patch.
type diffCommand struct {
	*app
	workspace.Search
	context              int
	stat, json, redact   bool
	ignoreBlanks         bool
	detailed, hasAgainst bool
	isInOrder            bool // the directories are arguments, the earlier one first
	against              string
	otherEngine          string
}

func newDiffCommand(a *app) *cobra.Command {
	d := &diffCommand{app: a, Search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "diff [DIR [DIR2]]",
		Short: "Show what overrides change, as a patch",
		Long: `diff compares each primary file with itself after the override files are merged in.
With DIR2 it compares the effective configurations of two directories.

The output is a patch for "patch -p1" or "git apply" in DIR. Each file keeps its syntax.
The patch contains values, including sensitive ones.

Two directories are compared block by block, however their blocks are spread over files.
That output can't be applied as a patch. --against DIR2 does the same.

With -r the output is one patch for all modules below DIR, to apply in the current
directory.

--against git:REV compares the directory as it is at a revision of its Git repository, such as
a branch, with what it is now. git:REV:DIR names another directory of the repository.

--against-engine compares how the chosen engine and another one read the module. It prints
nothing if they agree; otherwise warnings name each difference and the rules that cause it.`,
		Example: `  tofumerge diff modules/web
  tofumerge diff | patch -p1
  tofumerge diff -r modules --stat
  tofumerge diff staging production
  tofumerge diff modules/web --against git:main
  tofumerge diff --against-engine terraform@1.9 --detailed-exitcode`,
		Args: d.dirs,
		RunE: d.run,

		ValidArgsFunction: d.completeDirs,
	}
	flags := cmd.Flags()
	searchFlags(&d.Search, flags, "go through all modules below DIR")
	d.app.completeFlag(cmd, "exclude", d.app.completeDirFlag)
	flags.IntVarP(&d.context, "unified", "U", 3, "print `N` lines around each change")
	flags.BoolVarP(&d.ignoreBlanks, "ignore-all-space", "w", false, "leave out lines that differ only in blanks")
	flags.BoolVar(&d.stat, "stat", false, "print only how many lines change in each file")
	flags.BoolVar(&d.json, "json", false, "print JSON")
	flags.BoolVar(&d.detailed, "detailed-exitcode", false, "exit with status 2 if there is a difference")
	flags.StringVar(&d.against, "against", "", "compare with `DIR2`, or with a revision: git:REV[:DIR]")
	flags.StringVar(
		&d.otherEngine, "against-engine", "", "compare with what the module means to `ENGINE`",
	)
	flags.BoolVar(&d.redact, "redact", false, "with --json, hide values that are not effective")
	d.app.completeFlag(cmd, "against", d.app.completeDirFlag)
	d.app.completeFlag(cmd, "unified", completeNothing)
	d.app.completeFlag(cmd, "against-engine", completeEngine)
	return cmd
}

// dirs checks the arguments: one directory, or two that are compared.
func (d *diffCommand) dirs(cmd *cobra.Command, args []string) error {
	if d.Recursive {
		return nil
	}
	if len(args) < 2 {
		return d.app.oneDir(cmd, args)
	}
	for _, flag := range []string{"against", "against-engine"} {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s compares one directory; %s got %d (%s)", flag, cmd.CommandPath(), len(args), diag.Escape(strings.Join(args, ", ")))
		}
	}
	if len(args) > 2 {
		return fmt.Errorf("%s compares two directories; it got %d (%s)", cmd.CommandPath(), len(args), diag.Escape(strings.Join(args, ", ")))
	}
	return nil
}

// completeDirs has the shell complete the names of two directories.
func (d *diffCommand) completeDirs(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) < 2 {
		args = nil
	}
	return d.app.completeDir(cmd, args, word)
}

func (d *diffCommand) run(cmd *cobra.Command, args []string) error {
	d.hasAgainst = cmd.Flags().Changed("against")
	if len(args) == 2 && !d.Recursive {
		d.hasAgainst, d.isInOrder, d.against, args = true, true, args[1], args[:1]
	}
	if err := cmp.Or(d.check(), d.Search.CheckSearch()); err != nil {
		return err
	}
	switch {
	case d.Recursive:
		return d.runRecursive(args)
	case cmd.Flags().Changed("against-engine"):
		return d.runAgainstEngine(args)
	case d.hasAgainst:
		return d.runAgainst(args)
	}
	mod, diags, err := d.ws.Load(d.ws.Dir(args), load.AddressedTrees, merge.Options{})
	if err != nil {
		return orRecursive(err)
	}
	if diags.HasErrors() {
		return d.ws.Report(mod.Source, diags)
	}
	diffs, more := render.Diff(mod)
	diags = slices.DeleteFunc(slices.Concat(diags, more, mod.Reapply()), isForOneFile)
	if err := d.ws.Report(mod.Source, diags); err != nil {
		return err
	}
	d.ws.Summarize("", mod, false, diags)
	return d.write(diffs, func() *report.Report {
		doc := report.New(mod.Source, d.ws.Unignored(mod.Source, diags))
		doc.Histories = report.Overridden(mod, wording.NewRedactor(mod.Source, d.redact))
		return doc
	})
}

// isForOneFile reports whether a warning matters only where one file is made of a module.
func isForOneFile(d *hcl.Diagnostic) bool { return diag.CodeOf(d) == merge.OneFileOnly }

// check refuses flags that make no sense together.
func (d *diffCommand) check() error {
	switch {
	case d.context < 0:
		return fmt.Errorf("-U takes a number of lines, 0 or more, not %d", d.context)
	case d.stat && d.json:
		return errors.New("--json includes what --stat prints; use only one of them")
	case d.hasAgainst && d.against == "":
		return errors.New("--against needs the name of a directory")
	case d.hasAgainst && d.otherEngine != "":
		return errors.New("--against compares two directories and --against-engine two engines; use only one of them")
	case d.redact && !d.json && !d.stat:
		return errors.New("a patch can't hide values; use --redact with --stat or --json")
	}
	return nil
}

// write prints the differences in the way that the flags ask for.
func (d *diffCommand) write(diffs []*patch.File, newReport func() *report.Report) error {
	to := d.ws.Screen(d.ws.Out)
	if d.ignoreBlanks {
		for _, diff := range diffs {
			diff.IgnoreBlanks()
		}
	}
	var err error
	switch {
	case d.json:
		r := newReport()
		r.Files = report.DiffRecords(diffs)
		err = r.Write(d.ws.JSONOut())
	case d.stat:
		err = term.Stat(d.ws.Out, diffs, to)
	default:
		err = patch.Writer{Context: d.context, Palette: to.Palette}.Write(d.ws.Out, diffs)
	}
	if err == nil && d.detailed && slices.ContainsFunc(diffs, (*patch.File).Changes) {
		return workspace.ErrFound
	}
	return err
}

// runAgainst compares the effective configurations of two directories.
func (d *diffCommand) runAgainst(args []string) error {
	names := d.sides(args)
	old, other, err := d.bothSides(names)
	if err != nil {
		return err
	}
	if err := errors.Join(d.ws.Report(old.mod.Source, old.diags), d.ws.Report(other.mod.Source, other.diags)); err != nil {
		return err
	}
	diff := patch.Compare([2]string{old.title, other.title}, old.text.Bytes(), other.text.Bytes())
	return d.write([]*patch.File{diff}, func() *report.Report {
		doc := report.New(old.mod.Source, d.ws.Unignored(old.mod.Source, old.diags))
		doc.Add(other.mod.Source, d.ws.Unignored(other.mod.Source, other.diags))
		return doc
	})
}

// A side is one of two modules that are compared.
type side struct {
	title string
	mod   *merge.Module
	diags hcl.Diagnostics
	text  bytes.Buffer // its blocks by kind and address
}

func (d *diffCommand) side(dir string) (*side, error) {
	mod, diags, err := d.ws.Load(repo.In(d.ws.Base(), dir), load.AddressedTrees, merge.Options{})
	if err != nil {
		return nil, err
	}
	return newSide(dir, mod, diags)
}

// newSide is the module of a directory.
func newSide(dir string, mod *merge.Module, diags hcl.Diagnostics) (*side, error) {
	mod.Source.Prefix = filepath.ToSlash(dir) + "/"
	s := &side{title: filepath.ToSlash(dir), mod: mod, diags: diags}
	return s, s.write()
}

// write writes the blocks, unless there are errors.
func (s *side) write() error {
	if s.diags.HasErrors() {
		return nil
	}
	text, doubts := native.NewSorted(s.mod)
	s.diags = append(s.diags, doubts...)
	return text.Write(&s.text)
}
