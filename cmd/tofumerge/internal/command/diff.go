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
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// diffOptions hold the arguments and the flags of diff.
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
output can't be applied as a patch. With -r, every module that either side has is compared.

--against-engine compares how the chosen engine and another one read the module. It prints
nothing if they agree; otherwise warnings name each difference and the rules that cause it.`,
		Example: `  tofumerge diff modules/web
  tofumerge diff | patch -p1
  tofumerge diff -r modules | git apply
  tofumerge diff production --from staging
  tofumerge diff modules/web --since main
  tofumerge diff --against-engine terraform@1.9 --detailed-exitcode`,
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
	flags.StringVar(&o.search.Engine, "against-engine", "", "compare with the reading of `ENGINE`")
	flags.BoolVar(&o.redact, "redact", false, "with --json, hide values that are not effective")
	words.ForFlag(cmd, "against-engine", Engines)
	return cmd
}

// arguments checks the arguments: one directory.
func (o *diffOptions) arguments(_ *cobra.Command, args []string) error {
	switch list := diag.Escape(strings.Join(args, ", ")); {
	case len(args) < 2:
		return nil
	case o.search.Recursive:
		return fmt.Errorf("diff -r takes one directory; it got %d (%s)", len(args), list)
	case len(args) > 2 || len(o.search.Sides.Named()) > 0:
		return fmt.Errorf("diff takes one directory; it got %d (%s)", len(args), list)
	}
	return fmt.Errorf("diff takes one directory; to compare two, run: tofumerge diff %s --from %s; for revisions, use --since %[2]s..%[1]s", diag.Escape(args[1]), diag.Escape(args[0]))
}

func (o *diffOptions) run(cmd *cobra.Command, args []string) error {
	switch err := cmp.Or(o.format.settle(cmd), o.search.Check()); {
	case err != nil:
		return err
	case o.redact && !o.format.isJSON:
		return errors.New("a patch can't hide values; use --redact with --json, or run: tofumerge changes --redact")
	case o.search.Recursive && o.search.Engine != "":
		return errors.New("--against-engine compares one module; use it without -r, or run: tofumerge check -r --against-engine")
	case cmd.Flags().Changed("against-engine"):
		return o.compareEngines(args)
	}
	return o.compareModules(args)
}

// compareModules compares the files of modules with their merged form, or modules with the other side.
func (o *diffOptions) compareModules(args []string) error {
	o.search.SeesIgnored = o.detailed
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
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

// A diffView is what diff prints.
type diffView struct {
	*diffOptions
	view
	isOutside  bool // the patch has files that it can't be applied to
	hasChanges bool
}

// compare compares the files of a module with their merged form.
func (v *diffView) compare(m *workspace.Module) []*patch.File {
	if m.Left != nil {
		if m.Left.IsSame {
			return nil
		}
		was, doubts := blocksOf(m.Left.Module, m.Left.Diags)
		now, more := blocksOf(m.Module, m.Diags)
		m.Left.Diags, m.Diags = append(m.Left.Diags, doubts...), append(m.Diags, more...)
		return changed([]*patch.File{patch.Compare([2]string{m.Left.Label(), m.Left.Right}, was, now)})
	}
	if m.Diags.HasErrors() {
		return nil
	}
	diffs, more := rewrite.Diff(m.Module)
	m.Diags = slices.DeleteFunc(slices.Concat(m.Diags, more, m.Reapply()), isForOneFile)
	return changed(diffs)
}

// blocksOf is the text of the blocks of a module by kind and address, unless there are errors, and
// diagnostics about the wording.
func blocksOf(mod *merge.Module, diags hcl.Diagnostics) ([]byte, hcl.Diagnostics) {
	if diags.HasErrors() {
		return nil, nil
	}
	var out bytes.Buffer
	text, doubts := native.NewSorted(mod)
	_ = text.Write(&out) // a buffer takes all
	return out.Bytes(), doubts
}

// changed are the files that are not the same.
func changed(diffs []*patch.File) []*patch.File {
	return slices.DeleteFunc(diffs, func(f *patch.File) bool { return !f.Changes() })
}

// writePatch writes the changes of files, for people in colour.
func writePatch(to io.Writer, ws *workspace.Workspace, files []*patch.File) error {
	return patch.Writer{Context: patch.Context, Palette: ws.Screen(ws.Out).Palette}.Write(to, files)
}

// add adds the files of a module.
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
	if v.work.IsMany && m.Left == nil { // names are those from the directory that the command runs in
		prefix := v.ws.Prefix(m.Source.Dir)
		v.isOutside = v.isOutside || len(diffs) > 0 && prefix != "" && !filepath.IsLocal(prefix)
		for _, f := range diffs {
			f.Name = prefix + f.Name
		}
	}
	return writePatch(&v.text, v.ws, diffs)
}

// status reports by its status that there are differences, if that is wanted.
func (v *diffView) status() error {
	if v.detailed && v.hasChanges {
		return workspace.ErrFound
	}
	return nil
}

// Comparison of a module's meaning to two engines.

// compareEngines compares two readings of one module.
func (o *diffOptions) compareEngines(args []string) error {
	other, err := engine.Parse(o.search.Engine)
	if err != nil {
		return fmt.Errorf("--against-engine: %w", err)
	}
	dir := o.ws.Dir(args)
	engine, err := o.ws.Engine(dir)
	if err != nil {
		return err
	}
	mine, others, err := o.ws.Readings(dir, engine.Release, other)
	if err != nil {
		return err
	}
	o.ws.WarnOfIdleExclusions()
	if a, b := mine.Refusals(), others.Refusals(); len(a) > 0 && len(b) > 0 { // there is nothing to compare
		o.reportBoth(mine, others, [2]hcl.Diagnostics{a, workspace.Without(b, a)})
		return fmt.Errorf("both %s and %s refuse the module", mine.Engine(), others.Engine())
	}
	return o.writeReadings(mine, others)
}

// reportBoth prints the diagnostics of two readings.
func (o *diffOptions) reportBoth(a, b compare.Reading, diags [2]hcl.Diagnostics) {
	_ = o.ws.Report(a.Module.Source, diags[0]) // the caller knows about errors
	if len(diags[0]) > 0 && len(diags[1]) > 0 && !terminal.IsTerminal(o.ws.Err) {
		fmt.Fprintln(o.ws.Err)
	}
	_ = o.ws.Report(b.Module.Source, diags[1])
}

func (o *diffOptions) writeReadings(a, b compare.Reading) error {
	var differences []compare.Difference
	texts := [2][]byte{refusedText(a, b), refusedText(b, a)}
	if len(a.Refusals())+len(b.Refusals()) == 0 {
		differences = compare.Differences(a, b)
	}
	if len(differences) > 0 {
		var doubts [2]hcl.Diagnostics
		for i, r := range []compare.Reading{a, b} {
			// Notes on the items that don't mean the same to both stand above the configuration.
			var out bytes.Buffer
			for _, difference := range differences {
				for _, note := range report.EngineNotes(difference, i) {
					fmt.Fprintf(&out, "# %s: %s\n", difference.Address.String(), note)
				}
			}
			text, diags := native.NewSorted(r.Module)
			_ = text.Write(&out)                     // a buffer takes all
			texts[i], doubts[i] = out.Bytes(), diags // which are about the wording
		}
		mine, others := diag.Refusals(doubts[0]), diag.Errors(doubts[1]) // those that native syntax can't express
		if err := errors.Join(o.ws.Report(a.Module.Source, mine), o.ws.Report(b.Module.Source, workspace.Without(others, mine))); err != nil {
			return err
		}
	}
	diff := patch.Compare([2]string{a.Engine().String(), b.Engine().String()}, texts[0], texts[1])
	var warnings [2]hcl.Diagnostics // by the reading that contains their ranges
	for _, difference := range differences {
		warning, side := report.EngineWarning(difference)
		warnings[side] = append(warnings[side], warning)
	}
	a.Module.Source.Places(warnings[0])
	b.Module.Source.Places(warnings[1])
	o.reportBoth(a, b, warnings)
	v := &diffView{diffOptions: o, hasChanges: diff.Changes()}
	diffs := changed([]*patch.File{diff})
	if o.format.isJSON {
		doc := report.New(a.Module.Source.Engine)
		v.report, doc.Files = doc, report.DiffRecords(diffs)
		doc.AgainstEngine = b.Engine().String()
		for _, r := range []compare.Reading{a, b} {
			if len(r.Refusals()) > 0 {
				doc.RefusedBy = append(doc.RefusedBy, r.Engine().String())
			}
		}
		o.ws.Record(doc, a.Module, append(warnings[0], a.Refusals()...))
		o.ws.Record(doc, b.Module, append(warnings[1], b.Refusals()...))
		doc.Differences = []report.DifferenceRecord{}
		for _, difference := range differences {
			doc.Differences = append(doc.Differences, report.DifferenceOf(difference))
		}
	} else if err := writePatch(&v.text, o.ws, diffs); err != nil {
		return err
	}
	return cmp.Or(v.print(o.ws), v.status())
}

// refusedText lists why an engine refuses a module, a line each; nothing if it doesn't.
func refusedText(r, other compare.Reading) []byte {
	var out bytes.Buffer
	for _, d := range r.Refusals() {
		detail := safetext.Printable(strings.ReplaceAll(report.Refusal(r, other, d), "\n", " "))
		fmt.Fprintf(&out, "refused: %s%s: %s\n", wherePrefix(d.Subject), d.Summary, detail)
	}
	return out.Bytes()
}

// wherePrefix is the location of a diagnostic before its message; a whole file has no line, and a
// directory no name.
func wherePrefix(at *hcl.Range) string {
	switch {
	case at == nil:
		return ""
	case at.Start.Line == 0:
		return diag.Escape(at.Filename) + ": "
	}
	return fmt.Sprintf("%s:%d: ", diag.Escape(at.Filename), at.Start.Line)
}
