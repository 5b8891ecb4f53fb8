package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/fix"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// check --fix applies the fixes that a fixProof proved safe. The exit status reflects the files after
// the run.

// A Fixing holds the flags about fixes: IsOn is --fix, Writes is --write.
type Fixing struct {
	IsOn, Writes bool
}

// A fixResult is what --fix does to one module.
type fixResult struct {
	dir           string // as it is opened
	diffs         []*patch.File
	paths         map[string]string // paths of the changed files, by the Name of their diff
	read          []*source.File    // all files of the module, as they were when the fixes were proved safe
	before        ModuleReport      // findings before the fixes
	after         ModuleReport      // findings after them
	emptied       []string          // names of files that declare nothing after the fixes
	causedByFixes int               // findings of after that fixes cause; see fixProof.restored
}

// CheckFixFlags refuses flags that contradict --fix or --write. isFormatGiven tells whether a flag names the
// format of the report.
func (g *Gate) CheckFixFlags(isFormatGiven bool) error {
	switch f := g.Fixing; {
	case f.Writes && !f.IsOn:
		return errors.New("--write writes the fixes of --fix; use both")
	case !f.IsOn:
		return nil
	case g.Baseline.Write != "":
		return errors.New("--fix fixes findings and --write-baseline records them; use only one of them")
	case g.OnlyNew != nil:
		return errors.New("--fix fixes all findings of a module; leave out --only-new")
	case g.ws.IsWhatIf():
		return errors.New("--fix needs all files of the module; leave out --overlay and --exclude-override")
	case !f.Writes && isFormatGiven:
		return errors.New("--fix prints a patch; to report the remaining findings, use --write")
	}
	return nil
}

// Fix fixes modules. Without --write, it prints the fixes as a patch and returns a nil report. With --write,
// it writes them to the files, and returns the report about the remaining findings. walked are the
// directories that the run searched.
func (g *Gate) Fix(targets []*workspace.Subject, walked []string) (left *report.Report, err error) {
	results := make([]fixResult, len(targets)) // one for each module
	g.prepareFor(targets)
	parallel.Each(len(targets), func(i int) { results[i] = g.fixRecovering(targets[i]) })
	var diffs []*patch.File
	for _, r := range results {
		if r.before.Err != nil {
			return nil, r.before.Err
		}
		diffs = append(diffs, r.diffs...)
	}
	// A file with two names can't get two contents.
	known := map[string]*patch.File{} // by real path
	for _, r := range results {
		for _, d := range r.diffs {
			target := repo.Real(r.paths[d.Name])
			if other := known[target]; other != nil && !bytes.Equal(other.New(), d.New()) {
				return nil, fmt.Errorf("%s and %s are the same file, but need different fixes; give each module its own copy",
					diag.Escape(other.Name), diag.Escape(d.Name))
			}
			known[target] = d
		}
	}
	// The report is about the findings that remain after the fixes.
	remaining := make([]ModuleReport, len(results))
	for i, r := range results {
		remaining[i] = r.after
	}
	after, err := g.reportOn(remaining)
	if err != nil {
		return nil, err
	}
	if !g.Fixing.Writes {
		return nil, g.printFixes(results, diffs, after)
	}
	if err := g.writeFixes(results); err != nil {
		return nil, err
	}
	g.noteFixes(results, len(diffs), after, "fixed")
	return after, g.applyBaseline(after, remaining, walked)
}

// fixRecovering fixes one module. If the program panics, that becomes a finding of the module, and the other
// modules are still fixed.
func (g *Gate) fixRecovering(t *workspace.Subject) (result fixResult) {
	defer func() {
		if r := recover(); r != nil {
			crash := g.crashedOn(t, parallel.Crashed(r))
			result = fixResult{before: crash, after: crash}
		}
	}()
	return g.fixModule(t)
}

// fixModule computes the fixed files of one module, and the findings before and after. It writes nothing.
func (g *Gate) fixModule(t *workspace.Subject) fixResult {
	dir := repo.In(g.ws.Base(), t.Dir)
	if t.Cache == nil { // each trial reads the module again, and most blocks stay the same
		again := *t
		again.Cache = load.NewCache()
		t = &again
	}
	in, err := g.Inspect(t, nil)
	switch {
	case err != nil:
		return fixResult{before: ModuleReport{Err: err}}
	case in.Module == nil:
		return fixResult{dir: dir, before: g.reportOf(in), after: g.reportOf(in)}
	}
	result := fixResult{dir: dir, before: g.reportOf(in), paths: map[string]string{}, read: in.Module.Source.Files}
	p := &fixProof{Gate: g, in: in, maxMerges: maxMergesToFix}
	contents, last := p.fixRepeatedly()
	result.after = g.reportOf(last)
	p.addReasons(last, result.after.Findings)
	// In the blocks of p.restored, fixes repeat what the blocks had dropped. Each now equals the earlier
	// block that it replaces, which is a finding of its own: the fix has caused it.
	for _, f := range last.Found {
		if p.restored[f.Address] {
			result.causedByFixes++
		}
	}
	// Each changed file becomes a part of the patch.
	prefix := g.ws.Prefix(dir)
	for _, f := range in.Module.Source.Files {
		text, isChanged := contents[f.Name]
		if !isChanged || bytes.Equal(text, f.Raw) {
			continue
		}
		wholeFile := []textedit.Edit{textedit.Replace(0, len(f.Raw), string(text))}
		d := patch.Diff(prefix+f.Name, f.Raw, wholeFile) // Diff finds the lines that differ
		result.diffs = append(result.diffs, d)
		result.paths[d.Name] = f.Path
		if last.Module.Source.File(f.Name).Len() == 0 && f.Len() > 0 {
			result.emptied = append(result.emptied, d.Name)
		}
	}
	return result
}

// addReasons sets NotFixed in the records of the findings that the last round skipped. It finds a record by
// rule, path and position, since records don't refer to findings.
func (p *fixProof) addReasons(last *Inspection, records []report.FindingRecord) {
	type place struct {
		rule, path   string
		line, column int
	}
	why := map[place]string{}
	for _, u := range p.unfixed {
		at := u.Finding.Range
		path := path.Join(filepath.ToSlash(last.Subject.Dir), at.Filename)
		why[place{u.Finding.Rule.ID, path, at.Start.Line, at.Start.Column}] = u.why
	}
	for i := range records {
		r := &records[i]
		r.NotFixed = why[place{r.Rule, r.Path, r.Range.Start.Line, r.Range.Start.Column}]
	}
}

// printFixes prints the fixes as a patch to standard output, and the remaining findings, those of after, to
// standard error. Nothing is fixed on disk, so the findings before the fixes decide whether the run fails:
// then it returns workspace.ErrFound.
func (g *Gate) printFixes(results []fixResult, diffs []*patch.File, after *report.Report) error {
	w := patch.Writer{Context: patch.Context, Palette: screen.NewPalette(g.ws.Colored(g.ws.Out))}
	if err := w.Write(g.ws.Out, diffs); err != nil {
		return err
	}
	g.noteFixes(results, len(diffs), after, "fixes")
	if !g.ws.Quiet && len(after.Findings) > 0 {
		var text bytes.Buffer
		format, _ := report.FindFormat("text")
		format.Write(&text, after, report.FormatOptions{Screen: g.ws.Screen(g.ws.Err)})
		g.ws.Block(text.Bytes())
	}
	// The findings before the fixes decide about the exit status.
	var before []ModuleReport
	for _, r := range results {
		before = append(before, r.before)
	}
	doc, err := g.reportOn(before)
	if err == nil && doc.Counts.Failing > 0 {
		err = workspace.ErrFound
	}
	return err
}

// noteFixes prints how many findings were fixed in how many files or, without --write, would be. after is the
// report of the remaining findings. verb is "fixed" or "fixes".
func (g *Gate) noteFixes(results []fixResult, files int, after *report.Report, verb string) {
	// found counts the findings before the fixes. onlyInPatch counts those of them whose fixes are only in the patch,
	// and not written by --write, because a block may be dropped on purpose (fix.IsOffered).
	found, onlyInPatch, causedByFixes := 0, 0, 0
	for _, r := range results {
		for i := range r.before.Findings {
			found += r.before.Findings[i].Count()
		}
		causedByFixes += r.causedByFixes
		onlyInPatch += offeredIn(r.before.Findings) - offeredIn(r.after.Findings)
	}
	left := after.Counts.Findings() - causedByFixes // may exceed found, because fixes bring other findings to light
	refused := slices.IndexFunc(after.Findings, func(r report.FindingRecord) bool { return r.NotFixed == whyRefused })
	switch {
	case found == 0: // nothing to note
	case files == 0 && refused >= 0:
		refusal := after.Findings[refused]
		g.ws.Note(fmt.Sprintf("fix the error in %s first; until then, nothing in its module is fixed", diag.Escape(refusal.Path)))
	case files == 0:
		g.ws.Note("no finding can be fixed")
	default:
		text := fmt.Sprintf("%s %d of %s in %s", verb, max(0, found-left), wording.Count(found, "finding"), wording.Count(files, "file"))
		if !g.Fixing.Writes {
			text += "; to write them, use --write"
		}
		if !g.Fixing.Writes && onlyInPatch > 0 {
			text += fmt.Sprintf(", which leaves out %d that may be meant", onlyInPatch)
		}
		g.ws.Note(text)
	}
	for _, r := range results {
		for _, name := range r.emptied {
			g.ws.Note(fmt.Sprintf("Note: %s no longer declares anything; you can remove it", diag.Escape(name)))
		}
	}
}

// offeredIn counts findings whose fixes --fix only prints, and --write doesn't apply: the author of the override may
// have dropped the block on purpose.
func offeredIn(records []report.FindingRecord) int {
	n := 0
	for i := range records {
		if fix.IsOffered(check.FindRule(records[i].Rule)) {
			n += records[i].Count()
		}
	}
	return n
}

// writeFixes replaces the files that change, all or none. It writes nothing if any file of these modules has
// changed since it was read, because the fixes were proved for the files as they were.
func (g *Gate) writeFixes(results []fixResult) error {
	set := replace.NewSet(replace.Options{Warn: g.ws.Warn, Step: g.ws.Interrupt})
	defer set.Close()
	isQueued := map[string]bool{}
	for _, r := range results {
		set.ReportLeft(r.dir) // a killed run may have left temporary files and nothing to fix
		if len(r.diffs) == 0 {
			continue
		}
		for _, f := range r.read {
			set.Expect(f.Path, diag.Escape(f.Name), f.Raw)
		}
		for _, d := range r.diffs {
			target, err := writeback.TargetInside(r.dir, r.paths[d.Name], d.Name)
			if err != nil {
				return err
			}
			if isQueued[target] {
				continue // two modules share it
			}
			isQueued[target] = true
			if err := set.Rewrite(target, diag.Escape(d.Name), d.Old, d.New()); err != nil {
				return writeback.NotWritten(d.Name, err)
			}
		}
	}
	if len(isQueued) == 0 {
		return nil
	}
	return set.Run()
}

// A fixProof finds out which fixes of a module are safe: those with which the engine reads the same configuration.
type fixProof struct {
	*Gate
	in      *Inspection
	unfixed []skippedFix // in the last round
	// open holds the texts of files in an editor that differ from those on disk, by name.
	open map[string][]byte
	// wants, if set, selects the findings to fix.
	wants     func(check.Finding) bool
	maxMerges int // in each trial; see mergeBudget
	// restored holds addresses of blocks in which a fix repeated values that they had dropped. Such a block now
	// equals the earlier one, which is a finding, too, but the block stays, so that people see it.
	restored map[address.Address]bool
	// isCanceled, if set, reports whether nobody waits for the fixes any more.
	isCanceled func() bool
}

// Fixes are tried by merging the module with them, in memory, and comparing it with its earlier
// form.

// A trial finds the fixes of one kind that are safe together, by merging the module with them.
type trial struct {
	*fixProof
	in        *Inspection
	fixer     *fix.Fixer
	contents  map[string][]byte // texts of files that earlier rounds or an editor changed
	accepted  []*fix.Fix        // fixes that together keep the meaning of the module
	after     readings          // of the module with the fixes that were last found safe, by engine
	before    readings          // of the module without this trial's fixes; nil before the first merge
	merges    int               // how many this trial has made
	maxMerges int               // see mergeBudget
}

// Limits of the merges in a trial: a module with very many findings must not take the time of many
// modules. A report that only offers fixes stops sooner.
const (
	maxMergesToFix   = 400
	maxMergesToOffer = 32
	maxMergedBytes   = 16 << 20
	minMerges        = 8
)

// mergeBudget returns how many merges a trial may make: limit, or fewer for a large module, since the trial should
// merge no more than maxMergedBytes; but at least minMerges.
func (t *trial) mergeBudget(limit int) int {
	size := 1
	for _, f := range t.in.Module.Source.Files {
		size += len(f.Raw)
	}
	return max(minMerges, min(limit, maxMergedBytes/size))
}

// Reasons for not applying a fix.
const (
	whyChanges    = "without it, some engine may read the module differently"
	whyNotCertain = "the earlier values might not be restored"
	whyTooMany    = "too many fixes of the module were tried; run --fix again"
	whyOffered    = "somebody may have dropped it on purpose; the patch of --fix without --write repeats it"
	whyRefused    = "until this error is corrected, nothing in this module is fixed"
)

// acceptSafe adds to t.accepted those fixes of a list with which, together with the accepted ones, the module
// keeps its meaning. It tries them all at once and, if that fails, each half by itself, down to single fixes.
// It skips those that fail alone, and all that remain when no merges are left.
func (t *trial) acceptSafe(list []*fix.Fix) {
	switch {
	case len(list) == 0:
	case t.merges >= t.mergeBudget(t.maxMerges), t.isCanceled != nil && t.isCanceled():
		for _, x := range list {
			t.skip(x.Finding, whyTooMany)
		}
	case t.keepsMeaning(append(t.accepted[:len(t.accepted):len(t.accepted)], list...)): // the capacity forces a copy
		t.accepted = append(t.accepted, list...)
	case len(list) == 1 && list[0].Repeats():
		t.skip(list[0].Finding, whyNotCertain)
	case len(list) == 1:
		t.skip(list[0].Finding, whyChanges)
	default:
		t.acceptSafe(list[:len(list)/2])
		t.acceptSafe(list[len(list)/2:])
	}
}

// keepsMeaning reports whether the module means the same with fixes as without, to its engine and, if nothing names
// that engine, to the other product, too. Fixes that repeat dropped parts must bring these back and change nothing
// else. If it returns true, t.after holds the readings with the fixes.
func (t *trial) keepsMeaning(fixes []*fix.Fix) bool {
	t.merges++
	if t.before == nil {
		t.before = t.readingsBefore()
	}
	next, after := t.contentsWith(fixes), readings{}
	isRepetition := fixes[0].Repeats() // all fixes of a trial are of one kind
	for e, before := range t.before {
		r, isAccepted := t.read(e, next)
		switch {
		case !isAccepted:
			return false
		case isRepetition && !fix.Repeated(before.Module, r.Module, fixes):
			return false
		case !isRepetition && !fix.Same(before.Module, r.Module):
			return false
		}
		after[e] = r
	}
	t.after = after
	return true
}

// readingsBefore returns the module without this trial's fixes, as its engine reads it. If nothing names that engine,
// it adds the other product's reading, unless that product refuses the module.
func (t *trial) readingsBefore() readings {
	before := readings{t.in.Options.Engine: {Module: t.in.Module, Diags: t.in.Diags}}
	choice, err := t.fixProof.Gate.ws.Engine(t.in.Module.Source.Dir)
	if err != nil || !choice.IsDefault() {
		return before
	}
	other := t.in.Options.Engine.Product.Other().Newest()
	if t.in.other != nil { // the inspection has read it already
		if !t.in.other.Diags.HasErrors() {
			before[other] = *t.in.other
		}
	} else if r, isAccepted := t.read(other, t.contents); isAccepted {
		before[other] = r
	}
	return before
}

// read reads the module as the engine e does, with contents in place of files, and reports whether e accepts
// it.
func (t *trial) read(e engine.Release, contents map[string][]byte) (compare.Reading, bool) {
	opts := t.in.Options
	if e != opts.Engine {
		opts.Cache = opts.Cache.Beside(e) // each engine has a cache of its own
	}
	// Sized tunes the heap by the size of the module, which the first reading has done.
	opts.Engine, opts.Contents, opts.Sized = e, contents, nil
	r, err := compare.Read(t.in.Module.Source.Dir, opts)
	return r, err == nil && !r.Diags.HasErrors()
}

// contentsWith returns t.contents with the fixes applied, by the name of the file. It adds the files that the fixes
// change.
func (t *trial) contentsWith(fixes []*fix.Fix) map[string][]byte {
	next := map[string][]byte{}
	maps.Copy(next, t.contents)
	for name, edits := range t.fixer.Edits(fixes) {
		f := t.in.Module.Source.File(name)
		if f.Syntax == source.Native {
			edits = formatEditedBlocks(f, edits)
		}
		next[name] = textedit.Apply(f.Raw, 0, len(f.Raw), edits)
	}
	return next
}

// formatEditedBlocks changes the edits of a native file so that its top-level blocks stay formatted. It replaces the
// edits inside a formatted block by one edit, which replaces the block by its edited and formatted text. Other edits
// stay as they are. edits must be in order.
func formatEditedBlocks(f *source.File, edits []textedit.Edit) []textedit.Edit {
	var list []textedit.Edit
	for i := range f.Len() {
		at := f.Block(i).Extent()
		from, to := at.Start.Byte, at.End.Byte
		before := slices.IndexFunc(edits, func(e textedit.Edit) bool { return e.End > from })
		if before < 0 {
			break
		}
		list, edits = append(list, edits[:before]...), edits[before:] // those before the block stay
		n := 0                                                        // how many edits are inside of the block
		for n < len(edits) && edits[n].Start >= from && edits[n].End <= to {
			n++
		}
		inside := edits[:n]
		edits = edits[n:]
		switch {
		case n == 0:
		case layout.IsClean(f.Native[from:to]):
			edited := layout.Format(textedit.Apply(f.Native, from, to, inside))
			list = append(list, textedit.Replace(from, to, string(edited)))
		default: // formatting would change more than the fix
			list = append(list, inside...)
		}
	}
	return append(list, edits...)
}

// Fixes in reports for programs that offer them one by one.

// wantsFixes reports whether the report contains fixes, as SARIF does, or marks fixable findings for people.
func (g *Gate) wantsFixes() bool {
	return g.writesFormat("sarif") || g.marksFixable()
}

// marksFixable reports whether the report marks fixable findings: a text report on a terminal does, without --fix.
func (g *Gate) marksFixable() bool {
	return g.Format == "text" && !g.Fixing.IsOn && terminal.IsTerminal(g.ws.Out)
}

// writesFormat reports whether the report is written in a format, alone or among others.
func (g *Gate) writesFormat(format string) bool {
	return g.Format == format || slices.Contains(g.Also, format)
}

// suggestFixes sets Fix in the records of in.Found, for programs that offer fixes one by one. Each of these fixes is
// proved to keep the module's meaning without the others. If the engine refuses the module, nothing can be proved,
// and no record gets a fix.
func (g *Gate) suggestFixes(in *Inspection, records []report.FindingRecord) {
	listed := check.Bounded(in.Found) // in the order of records
	if slices.ContainsFunc(listed, func(f check.Finding) bool { return f.IsRefusal() }) {
		return
	}
	fixer := fix.New(in.Module, in.Found)
	index := map[*fix.Fix]int{} // by fix: the index of its finding's record
	// Removals delete overrides, repeats add dropped parts, and marks correct comments in primary files.
	var removals, repeats, marks []*fix.Fix
	for i, f := range listed {
		if fix.IsRepeated(f.Rule) && !g.marksFixable() {
			continue // its fix writes values of the configuration, which a report must not quote
		}
		candidate, _ := fixer.Of(f)
		switch {
		case candidate == nil:
			continue
		case candidate.Marks():
			marks = append(marks, candidate)
		case !candidate.Repeats():
			removals = append(removals, candidate)
		case !candidate.IsSecret: // nothing offers a fix that would show a secret
			repeats = append(repeats, candidate)
		}
		index[candidate] = i
	}
	// Each kind has a trial of its own, whose fixes are proved alone.
	for _, list := range [][]*fix.Fix{removals, repeats, marks} {
		t := &trial{fixProof: &fixProof{Gate: g, in: in}, in: in, fixer: fixer, maxMerges: maxMergesToOffer}
		for _, candidate := range t.safeAlone(list) {
			records[index[candidate]].Fix = fixRecord(in, fixer, candidate)
		}
	}
}

// safeAlone returns the fixes of a list that each keep the module's meaning without the others. To save merges,
// acceptSafe first finds those that keep it together. One of these needs a trial of its own only if another one is
// about the same name, such as a.b for both a.b[0] and a.b[1]: what one name means doesn't depend on fixes about
// others.
func (t *trial) safeAlone(list []*fix.Fix) []*fix.Fix {
	t.acceptSafe(list)
	counts := map[address.Address]int{} // of accepted fixes about each name
	for _, candidate := range t.accepted {
		counts[candidate.Finding.Address.Kind()]++ // Kind is the address up to its first index
	}
	return slices.DeleteFunc(t.accepted, func(candidate *fix.Fix) bool {
		if counts[candidate.Finding.Address.Kind()] == 1 { // no other one is about the name
			return false
		}
		canTry := t.merges < t.mergeBudget(t.maxMerges) // without merges left, nothing can be proved
		return !canTry || !t.keepsMeaning([]*fix.Fix{candidate})
	})
}

// fixRecord returns a fix with its edits and a short title, as a report shows it. Quotes is set if the edits contain
// values of the configuration.
func fixRecord(in *Inspection, fixer *fix.Fixer, candidate *fix.Fix) *report.FixRecord {
	rec := &report.FixRecord{Text: "Remove it.", Quotes: candidate.Repeats()} // the override goes
	switch {
	case candidate.Repeats(): // the override gets the values that it drops
		rec.Text = "Repeat what it drops."
	case candidate.Marks(): // a comment in the primary file, which marks what is overridden, is corrected
		rec.Text = "Update the comment."
	}
	edits := fixer.Edits([]*fix.Fix{candidate})
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		text := in.Module.Source.File(name).Raw
		at := path.Join(filepath.ToSlash(in.Subject.Dir), name)
		rec.Edits = append(rec.Edits, report.FixEdits(at, text, slices.DeleteFunc(edits[name], func(e textedit.Edit) bool {
			return e.Start == e.End && e.Text == "" // changes nothing
		}))...)
	}
	return rec
}

// Fixes for the language server, proved in the same way as for check --fix.

// whyGone explains why a finding that the module no longer has isn't fixed.
const whyGone = "the module has changed since the action was listed"

// FixOne fixes one finding of the module in dir, the first for which isWanted returns true. open holds the texts of
// the files that are open in an editor, by name. It returns the new contents of the files that change, by name. If it
// can't fix the finding, contents is nil, and why words the reason.
func (g *Gate) FixOne(
	ctx context.Context, dir string, open map[string][]byte, isWanted func(check.Finding) bool,
) (contents map[string][]byte, why string, err error) {
	in, err := g.Inspect(&workspace.Subject{Dir: dir}, open)
	if err != nil || in.Module == nil {
		return nil, whyGone, err
	}
	i := slices.IndexFunc(in.Found, isWanted)
	switch {
	case slices.ContainsFunc(in.Found, func(f check.Finding) bool { return f.IsRefusal() }):
		return nil, whyRefused, nil
	case i < 0:
		return nil, whyGone, nil
	}
	fixer := fix.New(in.Module, in.Found)
	candidate, why := fixer.Of(in.Found[i])
	if candidate == nil {
		return nil, why, nil
	}
	p := g.offeredProof(ctx, in, open)
	t := &trial{fixProof: p, in: in, fixer: fixer, contents: open, maxMerges: p.maxMerges}
	t.acceptSafe([]*fix.Fix{candidate})
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case len(t.accepted) == 0:
		return nil, p.unfixed[0].why, nil
	}
	return changedIn(in, t.contentsWith(t.accepted)), "", nil
}

// FixAll fixes the findings of a module for which wants returns true. The module is open in an editor, with
// the texts in open. It returns the new contents of the files that change.
func (g *Gate) FixAll(ctx context.Context, dir string, open map[string][]byte, wants func(check.Finding) bool) (map[string][]byte, error) {
	in, err := g.Inspect(&workspace.Subject{Dir: dir}, open)
	if err != nil || in.Module == nil {
		return nil, err
	}
	p := g.offeredProof(ctx, in, open)
	p.wants = wants
	contents, _ := p.fixRepeatedly()
	return changedIn(in, contents), ctx.Err()
}

// offeredProof returns the fixProof of fixes that an editor offers. Because its user waits, it tries fixes by fewer
// merges than check --fix, and stops when ctx is done.
func (g *Gate) offeredProof(ctx context.Context, in *Inspection, open map[string][]byte) *fixProof {
	return &fixProof{
		Gate: g, in: in, open: open, maxMerges: maxMergesToOffer,
		isCanceled: func() bool { return ctx.Err() != nil },
	}
}

// changedIn returns those contents that differ from the module's files, by name; nil if none does.
func changedIn(in *Inspection, contents map[string][]byte) map[string][]byte {
	changed := maps.Clone(contents)
	maps.DeleteFunc(changed, func(name string, text []byte) bool {
		f := in.Module.Source.File(name)
		return f == nil || bytes.Equal(f.Raw, text)
	})
	if len(changed) == 0 {
		return nil
	}
	return changed
}

// A skippedFix is a finding that wasn't fixed.
type skippedFix struct {
	check.Finding
	why string // the reason
}

// maxRounds limits how often a module is fixed and inspected again. A fix may bring another finding to light.
const maxRounds = 20

// fixRepeatedly fixes the module round by round, until a round fixes nothing, because a fix may bring another finding
// to light. It returns the texts of all files by name, changed or not, and the inspection of the fixed module.
func (p *fixProof) fixRepeatedly() (contents map[string][]byte, last *Inspection) {
	contents, last = p.in.Module.Source.Texts(), p.in
	maps.Copy(contents, p.open)
	for range maxRounds {
		next, known := p.fixOneKind(last, contents)
		if next == nil {
			break
		}
		in, err := p.inspect(p.in.Subject, inputs{contents: next, known: known})
		if err != nil || in.Module == nil {
			break
		}
		contents, last = next, in
	}
	return contents, last
}

// fixOneKind does one round with the first kind of fixes that has a safe one. It returns the texts and the readings
// with these fixes; nil if it fixes nothing. Removals come first, because repetitions depend on what overrides
// change. Corrected comments come last, because they name the remaining overrides.
func (p *fixProof) fixOneKind(in *Inspection, contents map[string][]byte) (map[string][]byte, readings) {
	p.unfixed = nil
	if i := slices.IndexFunc(in.Found, func(f check.Finding) bool { return f.IsRefusal() }); i >= 0 {
		p.unfixed = []skippedFix{{in.Found[i], whyRefused}}
		return nil, nil
	}
	fixer := fix.New(in.Module, in.Found)
	var removals, repeats, marks []*fix.Fix // marks correct comments
	for _, f := range in.Found {
		if p.wants != nil && !p.wants(f) {
			continue
		}
		switch candidate, why := fixer.Of(f); {
		case candidate == nil && why != "":
			p.skip(f, why)
		case candidate == nil: // its rule has no fixes, which needs no reason
		case p.Fixing.Writes && fix.IsOffered(f.Rule): // only people may choose this fix, so --write doesn't apply it
			p.skip(f, whyOffered)
		case !candidate.Repeats() && p.restored[f.Address]: // a removal would undo the repetition
		case candidate.Marks():
			marks = append(marks, candidate)
		case candidate.Repeats():
			repeats = append(repeats, candidate)
		default:
			removals = append(removals, candidate)
		}
	}
	for _, list := range [][]*fix.Fix{removals, repeats, marks} {
		t := &trial{fixProof: p, in: in, fixer: fixer, contents: contents, maxMerges: p.maxMerges}
		t.acceptSafe(list)
		if len(t.accepted) > 0 {
			p.noteRestored(t.accepted)
			return t.contentsWith(t.accepted), t.after
		}
	}
	return nil, nil
}

// noteRestored adds to p.restored the blocks in which fixes repeat dropped blocks.
func (p *fixProof) noteRestored(fixes []*fix.Fix) {
	if p.restored == nil {
		p.restored = map[address.Address]bool{}
	}
	for _, x := range fixes {
		if fix.IsOffered(x.Finding.Rule) { // true only for the rule about dropped blocks
			p.restored[x.Finding.Address] = true
		}
	}
}

// skip records why a finding isn't fixed. Rules that never have fixes need no reason.
func (p *fixProof) skip(f check.Finding, why string) {
	if fix.IsFixable(f.Rule) {
		p.unfixed = append(p.unfixed, skippedFix{f, why})
	}
}
