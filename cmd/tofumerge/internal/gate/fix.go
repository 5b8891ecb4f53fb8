package gate

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/fix"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// check --fix applies the fixes that fixProof proved safe. The exit status reflects the files after
// the run.

// A Fixing holds the flags about fixes.
type Fixing struct {
	IsOn, Writes bool
}

// A fixResult is a module, and its files after the fixes.
type fixResult struct {
	dir     string // as it is opened
	diffs   []*patch.File
	paths   map[string]string // of the files, by Name of a diff
	read    []*source.File    // the basis of the proof
	before  ModuleReport
	after   ModuleReport // with the fixes
	emptied []string
	pinned  int // findings that a repeated block equals the earlier one
}

// checkFixFlags refuses flags that make no sense together.
func (g *Gate) CheckFixFlags(isFormatGiven bool) error {
	switch f := g.Fixing; {
	case f.Writes && !f.IsOn:
		return errors.New("--write writes the fixes of --fix; use both")
	case !f.IsOn:
		return nil
	case g.Baseline.Write != "":
		return errors.New("--fix fixes findings and --write-baseline records them; use only one of them")
	case g.Since != nil:
		return errors.New("--fix fixes all findings of a module; leave out --since")
	case g.Modules:
		return errors.New("--fix fixes the modules that are named; leave out --modules")
	case len(g.ws.Overlays)+len(g.ws.Excluded) > 0:
		return errors.New("--fix needs all files of the module; leave out --overlay and --exclude-override")
	case !f.Writes && isFormatGiven:
		return errors.New("--fix prints a patch; to report the remaining findings, use --write")
	}
	return nil
}

// Fix prints the fixes of modules as a patch, or writes them. If it writes them, it returns the
// report about the remaining findings.
func (g *Gate) Fix(targets []*workspace.Subject, s *searchScope) (left *report.Report, err error) {
	results := make([]fixResult, len(targets))
	g.expect(targets)
	parallel.Each(len(targets), func(i int) { results[i] = g.fixCaught(targets[i]) })
	var diffs []*patch.File
	for _, r := range results {
		if r.before.Err != nil {
			return nil, r.before.Err
		}
		diffs = append(diffs, r.diffs...)
	}
	if err := checkSharedFixes(results); err != nil {
		return nil, err
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
	return after, g.applyBaseline(after, unfixed, s)
}

// fixCaught fixes one module, unless the program itself fails on it.
func (g *Gate) fixCaught(t *workspace.Subject) (result fixResult) {
	defer func() {
		if r := recover(); r != nil {
			crash := g.crashedOn(t, parallel.Crashed(r))
			result = fixResult{before: crash, after: crash}
		}
	}()
	return g.fixModule(t)
}

// fixModule computes the fixed files of one module.
func (g *Gate) fixModule(t *workspace.Subject) fixResult {
	dir := repo.In(g.ws.Base(), t.Dir)
	if t.Cache == nil {
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

// explain adds to records of findings why they are not fixed.
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

// printFixes prints the fixes as a patch, and the remaining findings to standard error.
func (g *Gate) printFixes(results []fixResult, diffs []*patch.File, after *report.Report) error {
	w := patch.Writer{Context: patch.Context, Palette: screen.NewPalette(g.ws.Colored(g.ws.Out))}
	if err := w.Write(g.ws.Out, diffs); err != nil {
		return err
	}
	g.noteFixes(results, len(diffs), after, "fixes")
	if !g.ws.Quiet && len(after.Findings) > 0 {
		var text bytes.Buffer
		format, _ := report.FindFormat("text")
		if err := format.Write(&text, after, report.FormatOptions{Screen: g.ws.Screen(g.ws.Err)}); err != nil {
			return err
		}
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

// noteFixes prints how much was fixed, or would be.
func (g *Gate) noteFixes(results []fixResult, files int, after *report.Report, verb string) {
	found, offered, pinned := 0, 0, 0
	for _, r := range results {
		for i := range r.before.Findings {
			found += r.before.Findings[i].Count()
		}
		pinned += r.pinned
		offered += offeredIn(r.before.Findings) - offeredIn(r.after.Findings)
	}
	left := after.Found() - pinned
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

// offeredIn returns the number of findings whose fixes are in the patch only.
func offeredIn(records []report.FindingRecord) int {
	n := 0
	for i := range records {
		if fix.IsOffered(check.FindRule(records[i].Rule)) {
			n += records[i].Count()
		}
	}
	return n
}

// checkSharedFixes refuses a file with two names, by a link, that would get different contents.
func checkSharedFixes(results []fixResult) error {
	known := map[string]*patch.File{}
	for _, r := range results {
		for _, d := range r.diffs {
			target := repo.Real(r.paths[d.Name])
			if other := known[target]; other != nil && !bytes.Equal(other.New(), d.New()) {
				return fmt.Errorf("%s and %s are the same file, but need different fixes; give each module its own copy",
					diag.Escape(other.Name), diag.Escape(d.Name))
			}
			known[target] = d
		}
	}
	return nil
}

// writeFixes replaces the files that change, all or none, unless a file of their modules has
// changed.
func (g *Gate) writeFixes(results []fixResult) error {
	set := replace.NewSet(replace.Options{Warn: g.ws.Warn, Step: g.ws.Interrupt})
	defer set.Close()
	known := map[string]bool{}
	for _, r := range results {
		set.ReportLeft(r.dir) // even if nothing is left to fix, as after a run that was killed at its end
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
	unfixed []skippedFix // of the last round
	// open are contents of files that are not those on disk.
	open map[string][]byte
	// wants says which findings are fixed; nil if all are.
	wants func(check.Finding) bool
	most  int // merges in each round, see limited
	// restored are the addresses of blocks that a fix repeated, so the override now equals the
	// earlier file: it stays for people to see.
	restored map[address.Address]bool
	// isOver reports whether nobody waits for the fixes any more; nil if somebody does.
	isOver func() bool
}
