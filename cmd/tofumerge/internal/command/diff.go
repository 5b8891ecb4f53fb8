package command

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// diffOptions are what the arguments and the flags of diff ask for.
type diffOptions struct {
	ws                   *workspace.Workspace
	search               workspace.Search
	context              int
	stat, json, redact   bool
	ignoreBlanks         bool
	detailed, hasAgainst bool
	isInOrder            bool // the directories are arguments, the earlier one first
	against              string
	otherEngine          string
}

// NewDiff returns the command that prints what overrides change as a patch.
func NewDiff(ws *workspace.Workspace, words complete.Words) *cobra.Command {
	o := &diffOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
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
		Args: o.arguments,
		RunE: o.run,

		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return words.Dir(cmd, args[min(1, len(args)):], word) // the first of two is there
		},
	}
	flags := cmd.Flags()
	searchFlags(cmd, words, &o.search, "go through all modules below DIR")
	flags.IntVarP(&o.context, "unified", "U", 3, "print `N` lines around each change")
	flags.BoolVarP(&o.ignoreBlanks, "ignore-all-space", "w", false, "leave out lines that differ only in blanks")
	flags.BoolVar(&o.stat, "stat", false, "print only how many lines change in each file")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.BoolVar(&o.detailed, "detailed-exitcode", false, "exit with status 2 if there is a difference")
	flags.StringVar(&o.against, "against", "", "compare with `DIR2`, or with a revision: git:REV[:DIR]")
	flags.StringVar(&o.otherEngine, "against-engine", "", "compare with what the module means to `ENGINE`")
	flags.BoolVar(&o.redact, "redact", false, "with --json, hide values that are not effective")
	words.ForFlag(cmd, "against", words.Dirs)
	words.ForFlag(cmd, "unified", complete.Nothing)
	words.ForFlag(cmd, "against-engine", complete.Engines)
	return cmd
}

// arguments checks the arguments: one directory, or two that are compared.
func (o *diffOptions) arguments(cmd *cobra.Command, args []string) error {
	if o.search.Recursive || len(args) < 2 {
		return nil
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

func (o *diffOptions) run(cmd *cobra.Command, args []string) error {
	o.hasAgainst = cmd.Flags().Changed("against")
	if len(args) == 2 && !o.search.Recursive {
		o.hasAgainst, o.isInOrder, o.against, args = true, true, args[1], args[:1]
	}
	if err := cmp.Or(o.refuse(), o.search.Check(), o.refuseRecursive(args)); err != nil {
		return err
	}
	switch {
	case cmd.Flags().Changed("against-engine"):
		return o.compareEngines(args)
	case o.hasAgainst:
		return o.compareDirs(args)
	}
	return o.compareFiles(args)
}

// refuse refuses flags that make no sense together.
func (o *diffOptions) refuse() error {
	switch {
	case o.context < 0:
		return fmt.Errorf("-U takes a number of lines, 0 or more, not %d", o.context)
	case o.stat && o.json:
		return errors.New("--json includes what --stat prints; use only one of them")
	case o.hasAgainst && o.against == "":
		return errors.New("--against needs the name of a directory")
	case o.hasAgainst && o.otherEngine != "":
		return errors.New("--against compares two directories and --against-engine two engines; use only one of them")
	case o.redact && !o.json && !o.stat:
		return errors.New("a patch can't hide values; use --redact with --stat or --json")
	}
	return nil
}

// refuseRecursive refuses what can't be compared module by module.
func (o *diffOptions) refuseRecursive(args []string) error {
	switch {
	case !o.search.Recursive:
	case len(args) > 1:
		return fmt.Errorf("diff -r takes one directory, not %d: it compares each module below with itself without its overrides; "+
			"to compare two modules, leave -r out", len(args))
	case o.hasAgainst:
		return errors.New("--against compares one module; use it without -r, or run: tofumerge changes -r --against git:REV")
	case o.otherEngine != "":
		return errors.New("--against-engine compares one module; use it without -r, or run: tofumerge check -r --against-engine")
	}
	return nil
}

// compareFiles compares the files of modules with what they are after the merge.
func (o *diffOptions) compareFiles(args []string) error {
	o.search.SeesIgnored = o.detailed
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	r.Done, r.NeedsTotals = "compared", o.json
	v := &diffView{diffOptions: o, run: r}
	if err := workspace.Each(r, v.compare, v.add); err != nil {
		return err
	}
	if err := v.write(); err != nil {
		return err
	}
	r.Finish()
	if o.detailed && v.hasChanges {
		return workspace.ErrFound
	}
	return nil
}

// compareDirs compares the effective configurations of two directories.
func (o *diffOptions) compareDirs(args []string) error {
	old, other, err := o.bothSides(o.sides(args))
	if err != nil {
		return err
	}
	if err := errors.Join(o.ws.Report(old.mod.Source, old.diags), o.ws.Report(other.mod.Source, other.diags)); err != nil {
		return err
	}
	diff := patch.Compare([2]string{old.title, other.title}, old.text.Bytes(), other.text.Bytes())
	return o.writeOne(diff, func() *report.Report {
		doc := report.New(old.mod.Source, nil)
		o.ws.Record(doc, old.mod.Source, old.diags)
		o.ws.Record(doc, other.mod.Source, other.diags)
		return doc
	})
}

// writeOne writes the differences between two configurations.
func (o *diffOptions) writeOne(diff *patch.File, newReport func() *report.Report) error {
	v := &diffView{diffOptions: o}
	if o.json {
		v.report = newReport()
		v.report.Files = []report.FileRecord{}
	}
	if err := v.addFiles("", v.wanted([]*patch.File{diff})); err != nil {
		return err
	}
	if err := v.write(); err != nil {
		return err
	}
	if o.detailed && v.hasChanges {
		return workspace.ErrFound
	}
	return nil
}
