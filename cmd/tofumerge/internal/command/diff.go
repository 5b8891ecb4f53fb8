package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// diffOptions holds the arguments and the flags of diff.
type diffOptions struct {
	ws               *workspace.Workspace
	search           workspace.Search
	format           format
	redact, detailed bool
}

// NewDiff returns the command that prints the overrides' changes as a patch.
func NewDiff(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &diffOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "diff [DIR]",
		Short: "Show what overrides change, as a patch",
		Long: `diff prints the patch that writes the overrides into the primary files.

The output is a patch for "patch -p1" or "git apply" in DIR. Each file keeps its syntax.
The patch contains values, including sensitive ones.

With -r the output is one patch for all modules below DIR, to apply in the current
directory.

--since REV, --from DIR2 and --without FILE compare effective configurations, block by
block, no matter which file holds a block; "tofumerge help changes" explains them. That
output can't be applied as a patch. With -r, every module that either side has is compared.`,
		Example: `  tofumerge diff modules/web
  tofumerge diff | patch -p1
  tofumerge diff -r modules | git apply
  tofumerge diff production --from staging
  tofumerge diff modules/web --since main`,
		Args: o.arguments,
		RunE: o.run,

		ValidArgsFunction: words.Dir,
	}
	flags := cmd.Flags()
	searchFlags(cmd, words, &o.search, "go through all modules below DIR")
	o.format.define(cmd, words, "print `FORMAT`: patch or json", "patch", "json")
	outputFlag(cmd, ws)
	flags.BoolVar(&o.detailed, "detailed-exitcode", false, "exit with status 2 if there is a difference")
	sideFlags(cmd, words, &o.search)
	flags.BoolVar(&o.redact, "redact", false, "with --json, hide values that are not effective")
	return cmd
}

// arguments refuses more than one directory.
func (o *diffOptions) arguments(_ *cobra.Command, args []string) error {
	switch list := diag.Escape(strings.Join(args, ", ")); {
	case len(args) < 2:
		return nil
	case o.search.Recursive:
		return fmt.Errorf("diff -r takes one directory; it got %d (%s)", len(args), list)
	case len(args) > 2 || len(o.search.Sides.Named()) > 0: // --from is no remedy for these
		return fmt.Errorf("diff takes one directory; it got %d (%s)", len(args), list)
	}
	// Two directories without a flag for the other side: the user probably wants to compare them.
	return fmt.Errorf("diff takes one directory; to compare two, run: tofumerge diff %s --from %s; for revisions, use --since %[2]s..%[1]s", diag.Escape(args[1]), diag.Escape(args[0]))
}

// run refuses flags that contradict each other, and prints a patch for the modules that the arguments name.
func (o *diffOptions) run(cmd *cobra.Command, args []string) error {
	switch err := cmp.Or(o.format.settle(cmd), o.search.Check()); {
	case err != nil:
		return err
	case o.redact && !o.format.isJSON:
		return errors.New("a patch can't hide values; use --redact with --json, or run: tofumerge changes --redact")
	}
	return o.compareModules(args)
}

// compareModules prints the patch from the files of each module to their merged form. If a flag such as --since names
// another side, the patch goes from the configuration there to the one here.
func (o *diffOptions) compareModules(args []string) error {
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	// HidesIdle: overrides without effect change nothing, so no warnings about them are printed.
	r.Done, r.NeedsTotals, r.HidesIdle = "compared", o.format.isJSON, true
	v := &diffView{diffOptions: o, view: view{work: r}}
	if err := workspace.Each(r, v.compare, v.add); err != nil {
		return err
	}
	if v.isOutside {
		o.ws.Warn(fmt.Sprintf("patch and git refuse this patch, because %s is outside the current directory; "+
			"run tofumerge in a directory above all modules, or use -C", diag.Escape(r.Named[0])))
	}
	if err := v.print(o.ws); err != nil {
		return err
	}
	r.Finish()
	return v.status()
}

// A diffView collects the output of diff.
type diffView struct {
	*diffOptions
	view
	isOutside  bool // the patch has files that patch and git refuse to change
	hasChanges bool
}

// compare returns the primary files that the overrides change, with their old and new text. In a comparison with
// another side it returns a single file for the module: its text is all blocks, whichever file they are in. compare
// adds diagnostics about what the syntax can't express to those of the module.
func (v *diffView) compare(m *workspace.Module) []*patch.File {
	if m.Left != nil { // a flag such as --since names another side
		if m.Left.IsSame { // the files are the same on both sides
			return nil
		}
		left, leftDiags := blocksOf(m.Left.Module, m.Left.Diags)
		right, rightDiags := blocksOf(m.Module, m.Diags)
		m.Left.Diags = append(m.Left.Diags, leftDiags...)
		m.Diags = append(m.Diags, rightDiags...)
		titles := [2]string{m.Left.Label(), m.Left.Right} // the names of the two sides
		return dropUnchanged([]*patch.File{patch.Compare(titles, left, right)})
	}
	// A module with errors has no merged form.
	if m.Diags.HasErrors() {
		return nil
	}
	diffs, more := rewrite.Diff(m.Module)
	// Reapply: the override files stay beside the patched files, so the engine merges them once more. isForOneFile: a
	// patch keeps each file apart, so warnings about a module in one file don't apply.
	m.Diags = slices.DeleteFunc(slices.Concat(m.Diags, more, m.Reapply()), isForOneFile)
	return dropUnchanged(diffs)
}

// blocksOf returns the merged blocks of a module as native text, sorted by kind and address, and diagnostics about
// what native syntax can't express. It returns nothing if diags, those of the module, have errors.
func blocksOf(mod *merge.Module, diags hcl.Diagnostics) ([]byte, hcl.Diagnostics) {
	if diags.HasErrors() {
		return nil, nil
	}
	var out bytes.Buffer
	text, doubts := native.NewSorted(mod)
	_ = text.Write(&out) // a buffer takes all
	return out.Bytes(), doubts
}

// dropUnchanged removes the files that the patch doesn't change from a list, in place, and returns the rest.
func dropUnchanged(diffs []*patch.File) []*patch.File {
	return slices.DeleteFunc(diffs, func(f *patch.File) bool { return !f.Changes() })
}

// writePatch writes the changes of files as a patch, in colour on a terminal.
func writePatch(to io.Writer, ws *workspace.Workspace, files []*patch.File) error {
	return patch.Writer{Context: patch.Context, Palette: ws.Screen(ws.Out).Palette}.Write(to, files)
}

// add adds the changed files of a module to the output, and prints the messages about it. With several modules it
// adds their paths to the names of the files.
func (v *diffView) add(m *workspace.Module, diffs []*patch.File) error {
	if err := v.work.Report(m, m.Diags); err != nil {
		return err
	}
	v.hasChanges = v.hasChanges || len(diffs) > 0
	if v.format.isJSON {
		if v.report == nil {
			v.report = report.New(m.Source.Engine)
			_, v.report.Sides = v.work.Compared()
			v.report.Files, v.report.Histories = []report.FileRecord{}, []report.HistoryRecord{}
		}
		dir := v.record(v.ws, m, m.Diags)
		v.report.AddFiles(dir, report.DiffRecords(diffs))
		v.report.AddHistories(dir, slices.Values(report.Overridden(m.Module, wording.NewRedactor(m.Source, v.redact))))
		return nil
	}
	if v.work.IsMany && m.Left == nil { // the patch is applied in the directory that the command runs in
		prefix := v.ws.Prefix(m.Source.Dir)
		if len(diffs) > 0 && prefix != "" && !filepath.IsLocal(prefix) { // it starts with .., or is absolute
			v.isOutside = true
		}
		for _, f := range diffs {
			f.Name = prefix + f.Name
		}
	}
	return writePatch(&v.text, v.ws, diffs)
}

// status returns ErrFound if --detailed-exitcode is set and there are differences: the exit status is then 2.
func (v *diffView) status() error {
	if v.detailed && v.hasChanges {
		return workspace.ErrFound
	}
	return nil
}
