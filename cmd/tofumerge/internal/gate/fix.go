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

// A Fixing holds the flags about fixes.
type Fixing struct {
	IsOn, Writes bool
}

// A fixResult is a module with its files after the fixes.
type fixResult struct {
	dir     string // as it is opened
	diffs   []*patch.File
	paths   map[string]string // paths of the files, by Name of a diff
	read    []*source.File    // the files that the proof is about
	before  ModuleReport
	after   ModuleReport // with the fixes
	emptied []string     // names of files that declare nothing with the fixes
	pinned  int          // findings after the fixes that a block which a fix repeated equals the earlier one
}

// CheckFixFlags refuses flags that contradict --fix or --write.
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

// Fix prints the fixes of modules as a patch, and returns nil. Under --write, it writes them, and returns the
// report about the remaining findings.
func (g *Gate) Fix(targets []*workspace.Subject, walked []string) (left *report.Report, err error) {
	results := make([]fixResult, len(targets))
	g.prepareFor(targets)
	parallel.Each(len(targets), func(i int) { results[i] = g.fixRecovering(targets[i]) })
	var diffs []*patch.File
	for _, r := range results {
		if r.before.Err != nil {
			return nil, r.before.Err
		}
		diffs = append(diffs, r.diffs...)
	}
	known := map[string]*patch.File{} // by real path: a file with two names can't get two contents
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
	unfixed := make([]ModuleReport, len(results))
	for i, r := range results {
		unfixed[i] = r.after
	}
	after, err := g.reportOn(unfixed)
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
	return after, g.applyBaseline(after, unfixed, walked)
}

// fixRecovering fixes one module. If the program panics, that is a finding of the module.
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
	p := &fixProof{Gate: g, in: in, most: maxMergesToFix}
	contents, last := p.rounds()
	result.after = g.reportOf(last)
	p.explain(last, result.after.Findings)
	for _, f := range last.Found {
		if p.restored[f.Address] {
			result.pinned++
		}
	}
	prefix := g.ws.Prefix(dir)
	for _, f := range in.Module.Source.Files {
		text, isChanged := contents[f.Name]
		if !isChanged || bytes.Equal(text, f.Raw) {
			continue
		}
		whole := []textedit.Edit{textedit.Replace(0, len(f.Raw), string(text))}
		d := patch.Diff(prefix+f.Name, f.Raw, whole)
		result.diffs = append(result.diffs, d)
		result.paths[d.Name] = f.Path
		if last.Module.Source.File(f.Name).Len() == 0 && f.Len() > 0 {
			result.emptied = append(result.emptied, d.Name)
		}
	}
	return result
}

// explain adds to records of findings why they aren't fixed. It finds a record by rule, path and position,
// since records don't refer to findings.
func (p *fixProof) explain(last *Inspection, records []report.FindingRecord) {
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

// printFixes prints the fixes as a patch, and the remaining findings to standard error. Nothing is fixed on
// disk, so the findings before the fixes decide about the exit status.
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

// noteFixes prints how much was fixed or, without --write, would be. verb is "fixed" or "fixes".
func (g *Gate) noteFixes(results []fixResult, files int, after *report.Report, verb string) {
	found, offered, pinned := 0, 0, 0
	for _, r := range results {
		for i := range r.before.Findings {
			found += r.before.Findings[i].Count()
		}
		pinned += r.pinned
		offered += offeredIn(r.before.Findings) - offeredIn(r.after.Findings)
	}
	left := after.Counts.Findings() - pinned
	refused := slices.IndexFunc(after.Findings, func(r report.FindingRecord) bool { return r.NotFixed == whyRefused })
	switch {
	case found == 0:
	case files == 0 && refused >= 0:
		at := after.Findings[refused]
		g.ws.Note(fmt.Sprintf("fix the error in %s first; until then, nothing in its module is fixed", diag.Escape(at.Path)))
	case files == 0:
		g.ws.Note("no finding can be fixed")
	default:
		text := fmt.Sprintf("%s %d of %s in %s", verb, max(0, found-left), wording.Count(found, "finding"), wording.Count(files, "file"))
		if !g.Fixing.Writes {
			text += "; to write them, use --write"
		}
		if !g.Fixing.Writes && offered > 0 {
			text += fmt.Sprintf(", which leaves out %d that may be meant", offered)
		}
		g.ws.Note(text)
	}
	for _, r := range results {
		for _, name := range r.emptied {
			g.ws.Note(fmt.Sprintf("Note: %s no longer declares anything; you can remove it", diag.Escape(name)))
		}
	}
}

// offeredIn returns the number of findings whose fixes --write leaves out, because people may have meant
// them.
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
// changed meanwhile.
func (g *Gate) writeFixes(results []fixResult) error {
	set := replace.NewSet(replace.Options{Warn: g.ws.Warn, Step: g.ws.Interrupt})
	defer set.Close()
	known := map[string]bool{}
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
			if known[target] {
				continue // two modules share it
			}
			known[target] = true
			if err := set.Rewrite(target, diag.Escape(d.Name), d.Old, d.New()); err != nil {
				return writeback.NotWritten(d.Name, err)
			}
		}
	}
	if len(known) == 0 {
		return nil
	}
	return set.Run()
}

// A fixProof finds out which fixes leave the meaning of a module unchanged.
type fixProof struct {
	*Gate
	in      *Inspection
	unfixed []skippedFix // in the last round
	// open holds texts of files that differ from those on disk.
	open map[string][]byte
	// wants, if set, selects the findings to fix.
	wants func(check.Finding) bool
	most  int // merges in each round, at most; see mergeBudget
	// restored holds addresses of blocks that a fix repeated. The override now equals the earlier file, and
	// stays, so that people see it.
	restored map[address.Address]bool
	// isOver, if set, reports whether nobody waits for the fixes any more.
	isOver func() bool
}

// Fixes are tried by merging the module with them, in memory, and comparing it with its earlier
// form.

// A trial tries fixes of one kind.
type trial struct {
	*fixProof
	in       *Inspection
	fixer    *fix.Fixer
	contents map[string][]byte // texts of files that other fixes have changed
	accepted []*fix.Fix        // fixes that together keep the meaning of the module
	after    readings          // of the module with the accepted fixes
	before   readings          // without any; nil before the first merge
	merges   int
	most     int // merges, at most; see mergeBudget
}

// Limits of the merges in a trial: a module with very many findings must not take the time of many
// modules. A report that only offers fixes stops sooner.
const (
	maxMergesToFix   = 400
	maxMergesToOffer = 32
	maxMergedBytes   = 16 << 20
	minMerges        = 8
)

// mergeBudget returns how many merges a trial may take: most, or fewer for a large module.
func (t *trial) mergeBudget(most int) int {
	size := 1
	for _, f := range t.in.Module.Source.Files {
		size += len(f.Raw)
	}
	return max(minMerges, min(most, maxMergedBytes/size))
}

// Why a fix is not taken.
const (
	whyChanges    = "without it, some engine may read the module differently"
	whyNotCertain = "the earlier values might not be restored"
	whyTooMany    = "too many fixes of the module were tried; run --fix again"
	whyOffered    = "somebody may have dropped it on purpose; the patch of --fix without --write repeats it"
	whyRefused    = "until this error is corrected, nothing in this module is fixed"
)

// accept adds to accepted the fixes of a list that, together with the accepted ones, keep the module's
// meaning. It tries them all at once and, if that fails, one half after the other. It skips the fixes that
// fail alone, and all that remain when the merges are used up.
func (t *trial) accept(list []*fix.Fix) {
	switch {
	case len(list) == 0:
	case t.merges >= t.mergeBudget(t.most), t.isOver != nil && t.isOver():
		for _, x := range list {
			t.skip(x.Finding, whyTooMany)
		}
	case t.keepsMeaning(append(t.accepted[:len(t.accepted):len(t.accepted)], list...)):
		t.accepted = append(t.accepted, list...)
	case len(list) == 1 && list[0].Repeats():
		t.skip(list[0].Finding, whyNotCertain)
	case len(list) == 1:
		t.skip(list[0].Finding, whyChanges)
	default:
		t.accept(list[:len(list)/2])
		t.accept(list[len(list)/2:])
	}
}

// keepsMeaning reports whether some fixes together leave the module's meaning unchanged, for the followed
// engine and, if nothing names that one, for the other product, too. If so, t.after holds the readings with
// them.
func (t *trial) keepsMeaning(fixes []*fix.Fix) bool {
	t.merges++
	if t.before == nil {
		t.before = readings{t.in.Options.Engine: {Module: t.in.Module, Diags: t.in.Diags}}
		choice, err := t.fixProof.Gate.ws.Engine(t.in.Module.Source.Dir)
		// If nothing names the followed engine, the module must stay the same for the other one, too.
		e, isToo := t.in.Options.Engine.Product.Other().Newest(), err == nil && choice.IsDefault()
		switch {
		case isToo && t.in.other != nil:
			if !t.in.other.Diags.HasErrors() {
				t.before[e] = *t.in.other
			}
		case isToo:
			if r, ok := t.read(e, t.contents); ok {
				t.before[e] = r
			}
		}
	}
	next, after := t.contentsWith(fixes), readings{}
	for e, before := range t.before {
		r, ok := t.read(e, next)
		switch {
		case !ok:
			return false
		case fixes[0].Repeats() && !fix.Repeated(before.Module, r.Module, fixes):
			return false
		case !fixes[0].Repeats() && !fix.Same(before.Module, r.Module):
			return false
		}
		after[e] = r
	}
	t.after = after
	return true
}

// read reads the module with some contents, and reports whether the engine accepts it.
func (t *trial) read(e engine.Release, contents map[string][]byte) (compare.Reading, bool) {
	opts := t.in.Options
	if e != opts.Engine {
		opts.Cache = opts.Cache.Beside(e)
	}
	opts.Engine, opts.Contents, opts.Sized = e, contents, nil
	r, err := compare.Read(t.in.Module.Source.Dir, opts)
	return r, err == nil && !r.Diags.HasErrors()
}

// contentsWith returns the texts of the files that change with some fixes, and of those that changed before.
func (t *trial) contentsWith(fixes []*fix.Fix) map[string][]byte {
	next := map[string][]byte{}
	maps.Copy(next, t.contents)
	for name, edits := range t.fixer.Edits(fixes) {
		f := t.in.Module.Source.File(name)
		if f.Syntax == source.Native {
			edits = layOut(f, edits)
		}
		next[name] = textedit.Apply(f.Raw, 0, len(f.Raw), edits)
	}
	return next
}

// layOut returns edits of a native file, in order, in which a block whose layout was clean is replaced by its
// edited form, formatted again. edits must be in order.
func layOut(f *source.File, edits []textedit.Edit) []textedit.Edit {
	var list []textedit.Edit
	for i := range f.Len() {
		at := f.Block(i).Extent()
		from, to := at.Start.Byte, at.End.Byte
		n := slices.IndexFunc(edits, func(e textedit.Edit) bool { return e.End > from })
		if n < 0 {
			break
		}
		list, edits = append(list, edits[:n]...), edits[n:]
		last := 0
		for last < len(edits) && edits[last].Start >= from && edits[last].End <= to {
			last++
		}
		if inside := edits[:last]; last > 0 {
			edits = edits[last:]
			if text := f.Native[from:to]; !layout.IsClean(text) {
				list = append(list, inside...)
			} else {
				text = layout.Format(textedit.Apply(f.Native, from, to, inside))
				list = append(list, textedit.Replace(from, to, string(text)))
			}
		}
	}
	return append(list, edits...)
}

// Fixes in reports for programs that offer them one by one.

// suggests reports whether the report contains fixes, or marks findings as fixable for people.
func (g *Gate) suggests() bool {
	return g.writes("sarif") || g.marksFixable()
}

// marksFixable reports whether a text report for a terminal marks fixable findings. Only that may depend on
// fixes that repeat values of the configuration; fixes in SARIF never quote any.
func (g *Gate) marksFixable() bool {
	return g.Format == "text" && !g.Fixing.IsOn && terminal.IsTerminal(g.ws.Out)
}

// writes reports whether the report is written in a format.
func (g *Gate) writes(format string) bool {
	return g.Format == format || slices.Contains(g.Also, format)
}

// suggest adds fixes to the records of a module's findings, each proved to work without the others. If the
// engine refuses the module, it adds none.
func (g *Gate) suggest(in *Inspection, records []report.FindingRecord) {
	listed := check.Bounded(in.Found) // in the order of records
	if slices.ContainsFunc(listed, func(f check.Finding) bool { return f.IsRefusal() }) {
		return
	}
	fixer := fix.New(in.Module, in.Found)
	at := map[*fix.Fix]int{}
	var removals, repeats, marks []*fix.Fix
	for i, f := range listed {
		if fix.IsRepeated(f.Rule) && !g.marksFixable() {
			continue // its fix writes values
		}
		made, _ := fixer.Of(f)
		switch {
		case made == nil:
			continue
		case made.Marks():
			marks = append(marks, made)
		case !made.Repeats():
			removals = append(removals, made)
		case !made.IsSecret:
			repeats = append(repeats, made)
		}
		at[made] = i
	}
	for _, list := range [][]*fix.Fix{removals, repeats, marks} {
		t := &trial{fixProof: &fixProof{Gate: g, in: in}, in: in, fixer: fixer, most: maxMergesToOffer}
		for _, made := range t.safeAlone(list) {
			records[at[made]].Fix = fixRecord(in, fixer, made)
		}
	}
}

// safeAlone returns the fixes that each keep the module's meaning without the others. A fix that is accepted
// with the others also works without them, unless another one is about the same block: then it is tried by
// itself.
func (t *trial) safeAlone(list []*fix.Fix) []*fix.Fix {
	t.accept(list)
	counts := map[address.Address]int{}
	for _, made := range t.accepted {
		counts[made.Finding.Address.Kind()]++
	}
	return slices.DeleteFunc(t.accepted, func(made *fix.Fix) bool {
		return counts[made.Finding.Address.Kind()] > 1 && (t.merges >= t.mergeBudget(t.most) || !t.keepsMeaning([]*fix.Fix{made}))
	})
}

// fixRecord returns a fix as a report shows it.
func fixRecord(in *Inspection, fixer *fix.Fixer, made *fix.Fix) *report.FixRecord {
	rec := &report.FixRecord{Text: "Remove it.", Quotes: made.Repeats()}
	switch {
	case made.Repeats():
		rec.Text = "Repeat what it drops."
	case made.Marks():
		rec.Text = "Update the comment."
	}
	edits := fixer.Edits([]*fix.Fix{made})
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		text := in.Module.Source.File(name).Raw
		at := path.Join(filepath.ToSlash(in.Subject.Dir), name)
		rec.Edits = append(rec.Edits, report.FixEdits(at, text, slices.DeleteFunc(edits[name], func(e textedit.Edit) bool {
			return e.Start == e.End && e.Text == ""
		}))...)
	}
	return rec
}

// Fixes for the language server, proved in the same way as for check --fix.

// whyGone explains why a finding that the module no longer has isn't fixed.
const whyGone = "the module has changed since the action was listed"

// FixOne fixes one finding of a module that is open in an editor. It returns the new contents
// of the files that change, or the reason why none does.
func (g *Gate) FixOne(
	ctx context.Context, dir string, open map[string][]byte, is func(check.Finding) bool,
) (contents map[string][]byte, why string, err error) {
	in, err := g.Inspect(&workspace.Subject{Dir: dir}, open)
	if err != nil || in.Module == nil {
		return nil, whyGone, err
	}
	i := slices.IndexFunc(in.Found, is)
	switch {
	case slices.ContainsFunc(in.Found, func(f check.Finding) bool { return f.IsRefusal() }):
		return nil, whyRefused, nil
	case i < 0:
		return nil, whyGone, nil
	}
	fixer := fix.New(in.Module, in.Found)
	made, why := fixer.Of(in.Found[i])
	if made == nil {
		return nil, why, nil
	}
	p := g.offeredProof(ctx, in, open)
	t := &trial{fixProof: p, in: in, fixer: fixer, contents: open, most: p.most}
	t.accept([]*fix.Fix{made})
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case len(t.accepted) == 0:
		return nil, p.unfixed[0].why, nil
	}
	return changedIn(in, t.contentsWith(t.accepted)), "", nil
}

// FixAll fixes the wanted findings of a module that is open in an editor, and returns the new contents of the
// files that change.
func (g *Gate) FixAll(ctx context.Context, dir string, open map[string][]byte, wants func(check.Finding) bool) (map[string][]byte, error) {
	in, err := g.Inspect(&workspace.Subject{Dir: dir}, open)
	if err != nil || in.Module == nil {
		return nil, err
	}
	p := g.offeredProof(ctx, in, open)
	p.wants = wants
	contents, _ := p.rounds()
	return changedIn(in, contents), ctx.Err()
}

// offeredProof returns a proof for an editor, whose user waits: it merges less often than check --fix, and
// stops when ctx is done.
func (g *Gate) offeredProof(ctx context.Context, in *Inspection, open map[string][]byte) *fixProof {
	return &fixProof{
		Gate: g, in: in, open: open, most: maxMergesToOffer,
		isOver: func() bool { return ctx.Err() != nil },
	}
}

// changedIn returns the contents that differ from the module's files; nil if none does.
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
	why string
}

// maxRounds limits how often a module is fixed and inspected again. A fix may bring another finding to light.
const maxRounds = 20

// rounds fixes the module until nothing is left to fix. It returns the texts of its files, changed or not,
// and the last inspection.
func (p *fixProof) rounds() (contents map[string][]byte, last *Inspection) {
	contents, last = p.in.Module.Source.Texts(), p.in
	maps.Copy(contents, p.open)
	for range maxRounds {
		next, known := p.round(last, contents)
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

// round returns the texts with the fixes of one round and the readings with them, or nil if it fixes nothing.
// A round fixes one kind of findings. Removals come first, because repetitions depend on what overrides
// change; comments come last, because they name the remaining overrides.
func (p *fixProof) round(in *Inspection, contents map[string][]byte) (map[string][]byte, readings) {
	p.unfixed = nil
	if i := slices.IndexFunc(in.Found, func(f check.Finding) bool { return f.IsRefusal() }); i >= 0 {
		p.unfixed = []skippedFix{{in.Found[i], whyRefused}}
		return nil, nil
	}
	fixer := fix.New(in.Module, in.Found)
	var removals, repeats, marks []*fix.Fix
	for _, f := range in.Found {
		if p.wants != nil && !p.wants(f) {
			continue
		}
		switch made, why := fixer.Of(f); {
		case made == nil && why != "":
			p.skip(f, why)
		case made != nil && p.Fixing.Writes && fix.IsOffered(f.Rule):
			p.skip(f, whyOffered)
		case made == nil, !made.Repeats() && p.restored[f.Address]:
		case made.Marks():
			marks = append(marks, made)
		case made.Repeats():
			repeats = append(repeats, made)
		default:
			removals = append(removals, made)
		}
	}
	for _, list := range [][]*fix.Fix{removals, repeats, marks} {
		t := &trial{fixProof: p, in: in, fixer: fixer, contents: contents, most: p.most}
		if t.accept(list); len(t.accepted) > 0 {
			if p.restored == nil {
				p.restored = map[address.Address]bool{}
			}
			for _, made := range t.accepted {
				if fix.IsOffered(made.Finding.Rule) {
					p.restored[made.Finding.Address] = true
				}
			}
			return t.contentsWith(t.accepted), t.after
		}
	}
	return nil, nil
}

// skip notes why a finding isn't fixed, if its rule has fixes at all.
func (p *fixProof) skip(f check.Finding, why string) {
	if fix.IsFixable(f.Rule) {
		p.unfixed = append(p.unfixed, skippedFix{f, why})
	}
}
