package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
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
	otherEngine      string
}

// NewDiff returns the command that prints the overrides' changes as a patch.
func NewDiff(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &diffOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "diff [DIR [DIR2]]",
		Short: "Show what overrides change, as a patch",
		Long: `diff prints the patch that writes the overrides into the primary files.
With DIR2 it compares the effective configurations of two directories.

The output is a patch for "patch -p1" or "git apply" in DIR. Each file keeps its syntax.
The patch contains values, including sensitive ones.

Two directories are compared block by block, no matter which file holds a block. That
output can't be applied as a patch.

With -r the output is one patch for all modules below DIR, to apply in the current
directory.

--since REV compares the directory with a Git revision, such as a branch. REV:DIR names
another directory of the repository. With -r it compares every module that either side has.

--against-engine compares how the chosen engine and another one read the module. It prints
nothing if they agree; otherwise warnings name each difference and the rules that cause it.`,
		Example: `  tofumerge diff modules/web
  tofumerge diff | patch -p1
  tofumerge diff -r modules | git apply
  tofumerge diff staging production
  tofumerge diff modules/web --since main
  tofumerge diff --against-engine terraform@1.9 --detailed-exitcode`,
		Args: o.arguments,
		RunE: o.run,

		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return words.Dir(cmd, args[min(1, len(args)):], word) // the first of two is there
		},
	}
	flags := cmd.Flags()
	searchFlags(cmd, words, &o.search, "go through all modules below DIR")
	o.format.define(cmd, words, "print `FORMAT`: patch or json", "patch", "json")
	outputFlag(cmd, ws)
	flags.BoolVar(&o.detailed, "detailed-exitcode", false, "exit with status 2 if there is a difference")
	sinceFlag(cmd, words, &o.search, "compare with the revision `REV[:DIR]`, such as main")
	flags.StringVar(&o.otherEngine, "against-engine", "", "compare with the reading of `ENGINE`")
	flags.BoolVar(&o.redact, "redact", false, "with --json, hide values that are not effective")
	words.ForFlag(cmd, "against-engine", Engines)
	return cmd
}

// arguments checks the arguments: one directory, or two that are compared.
func (o *diffOptions) arguments(cmd *cobra.Command, args []string) error {
	if o.search.Recursive || len(args) < 2 {
		return nil
	}
	for _, flag := range []string{"since", "against-engine"} {
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
	if err := cmp.Or(o.format.settle(cmd), o.refuse(), o.search.Check(), o.refuseRecursive(args)); err != nil {
		return err
	}
	switch {
	case cmd.Flags().Changed("against-engine"):
		return o.compareEngines(args)
	case o.search.Since != nil && !o.search.Recursive:
		return o.compareRevision(args)
	case len(args) == 2:
		return o.compareDirs(args[0], args[1])
	}
	return o.compareFiles(args)
}

// refuse refuses flags that make no sense together.
func (o *diffOptions) refuse() error {
	switch {
	case o.search.Since != nil && o.otherEngine != "":
		return errors.New("--since compares two revisions and --against-engine two engines; use only one of them")
	case o.redact && !o.format.isJSON:
		return errors.New("a patch can't hide values; use --redact with --json, or run: tofumerge changes --redact")
	}
	return nil
}

// refuseRecursive refuses arguments that can't be compared module by module.
func (o *diffOptions) refuseRecursive(args []string) error {
	switch {
	case !o.search.Recursive:
	case len(args) > 1:
		return fmt.Errorf("diff -r takes one directory, not %d: it compares each module below with itself without its overrides; "+
			"to compare two modules, leave -r out", len(args))
	case o.otherEngine != "":
		return errors.New("--against-engine compares one module; use it without -r, or run: tofumerge check -r --against-engine")
	}
	return nil
}

// compareFiles compares the files of modules with their merged form, or modules below a directory
// with a revision.
func (o *diffOptions) compareFiles(args []string) error {
	o.search.SeesIgnored, o.search.SeesPast = o.detailed, true
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	r.Done, r.NeedsTotals, r.CountsIdle = "compared", o.format.isJSON, true
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

// compareRevision compares a module with its earlier state.
func (o *diffOptions) compareRevision(args []string) error {
	dir := append(args, ".")[0]
	past, err := o.ws.Past(dir, *o.search.Since)
	if err != nil {
		return err
	}
	was, err := o.ws.LoadPast(dir, past)
	if err != nil {
		return err
	}
	now, note, err := o.ws.LoadPresent(dir, past)
	if err != nil {
		return err
	}
	o.ws.NoteOnce(past.RenameNote())
	o.ws.NoteOnce(o.ws.EngineNote(past, dir))
	o.ws.NoteOnce(note)
	o.ws.WarnOfIdleExclusions()
	return o.compareSides(
		newSide(past.Label(), was.Module, diag.Refusals(was.Diags)), // warnings are about the past
		newSideIn(dir, now.Module, now.Diags),
	)
}

// compareDirs compares the effective configurations of two directories.
func (o *diffOptions) compareDirs(dirs ...string) error {
	if err := o.ws.RefuseRevisions("since", dirs); err != nil {
		return err
	}
	var sides []*diffSide
	for _, dir := range dirs {
		mod, diags, err := o.ws.Load(repo.In(o.ws.Base(), dir), merge.Options{})
		if err != nil {
			return err
		}
		sides = append(sides, newSideIn(dir, mod, diags))
	}
	return o.compareSides(sides[0], sides[1])
}

// compareSides compares two modules.
func (o *diffOptions) compareSides(old, other *diffSide) error {
	dirs := []string{old.title, other.title}
	if o.search.Since != nil {
		dirs = dirs[1:] // warnings about the past were left out
	}
	if err := o.ws.ReportPair([2]*load.Module{old.mod.Source, other.mod.Source}, [2]hcl.Diagnostics{old.diags, other.diags}, dirs); err != nil {
		return err
	}
	return o.printOne(old.compare(other), func() *report.Report {
		doc := report.New(old.mod.Source.Engine)
		o.ws.Record(doc, old.mod, address.Address{}, old.diags)
		o.ws.Record(doc, other.mod, address.Address{}, other.diags)
		return doc
	})
}

// printOne prints the differences between two configurations.
func (o *diffOptions) printOne(diff *patch.File, newReport func() *report.Report) error {
	v := &diffView{diffOptions: o}
	diffs := changed([]*patch.File{diff})
	v.hasChanges = len(diffs) > 0
	if o.format.isJSON {
		v.report = newReport()
		v.report.Files = report.DiffRecords(diffs)
	} else if err := writePatch(&v.text, o.ws, diffs); err != nil {
		return err
	}
	return cmp.Or(v.print(o.ws), v.status())
}

// A diffSide is one of two modules that are compared.
type diffSide struct {
	title string
	mod   *merge.Module
	diags hcl.Diagnostics
	text  bytes.Buffer // its blocks by kind and address, unless there are errors
}

func newSide(title string, mod *merge.Module, diags hcl.Diagnostics) *diffSide {
	s := &diffSide{title: title, mod: mod, diags: diags}
	if !diags.HasErrors() {
		text, doubts := native.NewSorted(mod)
		s.diags = append(s.diags, doubts...)
		_ = text.Write(&s.text) // a buffer takes all
	}
	return s
}

// newSideIn is a module whose files messages name by their directory.
func newSideIn(dir string, mod *merge.Module, diags hcl.Diagnostics) *diffSide {
	mod.Source.Prefix = filepath.ToSlash(dir) + "/"
	return newSide(filepath.ToSlash(dir), mod, diags)
}

func (s *diffSide) compare(other *diffSide) *patch.File {
	return patch.Compare([2]string{s.title, other.title}, s.text.Bytes(), other.text.Bytes())
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
	if m.Past != nil {
		if m.Past.IsSame {
			return nil
		}
		was, now := newSide(m.Past.Label(), m.Past.Module, diag.Refusals(m.Past.Diags)), newSide(m.Dir, m.Module, m.Diags)
		m.Diags = now.diags
		return changed([]*patch.File{was.compare(now)})
	}
	if m.Diags.HasErrors() {
		return nil
	}
	diffs, more := rewrite.Diff(m.Module)
	m.Diags = slices.DeleteFunc(slices.Concat(m.Diags, more, m.Reapply()), isForOneFile)
	return changed(diffs)
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
	if err := v.work.ReportPast(m); err != nil {
		return err
	}
	if err := v.work.Report(m, m.Diags); err != nil {
		return err
	}
	v.hasChanges = v.hasChanges || len(diffs) > 0
	if v.format.isJSON {
		if v.report == nil {
			v.report = report.New(m.Source.Engine)
			v.report.Files, v.report.Histories = []report.FileRecord{}, []report.HistoryRecord{}
		}
		dir := v.record(v.ws, m, m.Diags)
		v.report.AddFiles(dir, report.DiffRecords(diffs))
		v.report.AddHistories(dir, m.Own(), slices.Values(report.Overridden(m.Module, wording.NewRedactor(m.Source, v.redact))))
		return nil
	}
	if v.work.IsMany && m.Past == nil { // names are those from the directory that the command runs in
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
	other, err := engine.Parse(o.otherEngine)
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
	if err := o.bothRefuse(mine, others); err != nil {
		return err
	}
	idle := slices.DeleteFunc(slices.Clone(mine.Diags), func(d *hcl.Diagnostic) bool { return diag.CodeOf(d) != diag.NoEffect })
	o.ws.WarnOfIdleIn(mine.Module.Source, idle, args)
	return o.writeReadings(mine, others)
}

// bothRefuse reports why neither engine accepts a module: there is nothing to compare. Messages of
// both are printed once.
func (o *diffOptions) bothRefuse(a, b compare.Reading) error {
	mine, others := a.Refusals(), b.Refusals()
	if len(mine) == 0 || len(others) == 0 {
		return nil
	}
	others = without(others, mine)
	o.reportBoth(a, b, [2]hcl.Diagnostics{mine, others})
	return fmt.Errorf("both %s and %s refuse the module", a.Engine(), b.Engine())
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
		if err := errors.Join(o.ws.Report(a.Module.Source, mine), o.ws.Report(b.Module.Source, without(others, mine))); err != nil {
			return err
		}
	}
	diff := patch.Compare([2]string{a.Engine().String(), b.Engine().String()}, texts[0], texts[1])
	warnings := o.warnOfDifferences(a, b, differences)
	return o.printOne(diff, func() *report.Report {
		doc := report.New(a.Module.Source.Engine)
		doc.AgainstEngine = b.Engine().String()
		for _, r := range []compare.Reading{a, b} {
			if len(r.Refusals()) > 0 {
				doc.RefusedBy = append(doc.RefusedBy, r.Engine().String())
			}
		}
		o.ws.Record(doc, a.Module, address.Address{}, append(warnings[0], a.Refusals()...))
		o.ws.Record(doc, b.Module, address.Address{}, append(warnings[1], b.Refusals()...))
		doc.Differences = []report.DifferenceRecord{}
		for _, difference := range differences {
			doc.Differences = append(doc.Differences, report.DifferenceOf(difference))
		}
		return doc
	})
}

// warnOfDifferences warns of each difference, and returns the warnings by the reading that contains
// their ranges.
func (o *diffOptions) warnOfDifferences(a, b compare.Reading, differences []compare.Difference) [2]hcl.Diagnostics {
	var warnings [2]hcl.Diagnostics
	for _, difference := range differences {
		warning, side := report.EngineWarning(difference)
		warnings[side] = append(warnings[side], warning)
	}
	a.Module.Source.Places(warnings[0])
	b.Module.Source.Places(warnings[1])
	o.reportBoth(a, b, warnings)
	return warnings
}

// without returns the diagnostics that are not among others, which may be as many.
func without(diags, others hcl.Diagnostics) hcl.Diagnostics {
	type words struct {
		summary, detail string
		at              hcl.Range
	}
	wordsOf := func(d *hcl.Diagnostic) words {
		w := words{summary: d.Summary, detail: d.Detail}
		if d.Subject != nil {
			w.at = *d.Subject
		}
		return w
	}
	known := map[words]hcl.Diagnostics{}
	for _, d := range others {
		known[wordsOf(d)] = append(known[wordsOf(d)], d)
	}
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool {
		return slices.ContainsFunc(known[wordsOf(d)], func(o *hcl.Diagnostic) bool { return reflect.DeepEqual(o, d) })
	})
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
