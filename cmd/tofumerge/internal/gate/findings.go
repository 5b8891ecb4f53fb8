package gate

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// Hiding names the flags that leave out findings, with their verb, for the note on hidden findings: "--filter
// hides".
func (g *Gate) Hiding() string {
	switch {
	case len(g.Select) == 0:
		return "--filter hides"
	case len(g.Filter) == 0:
		return "--select hides"
	}
	return "--filter and --select hide"
}

// filter returns the findings that --filter and --select match, and how many it removed. An error about a
// whole module always stays, because the module may have findings that nobody knows.
func (g *Gate) filter(m *merge.Module, found []check.Finding) (rest []check.Finding, removed int) {
	if len(g.Filter) == 0 && len(g.Select) == 0 {
		return found, 0
	}
	passes := g.PassesFilter(m)
	isWanted := func(f check.Finding) bool {
		// An error without an address is about the whole module.
		if f.Address.IsEmpty() && f.Severity == check.Error {
			return true
		}
		return (len(g.Select) == 0 || slices.Contains(g.Select, f.Rule.ID)) && passes(f.Address)
	}
	rest = slices.DeleteFunc(slices.Clone(found), func(f check.Finding) bool { return !isWanted(f) })
	g.NoteMatch(len(rest) > 0, m) // a --filter that matches in no module is an error
	return rest, len(found) - len(rest)
}

// deniedFindings returns a finding for each item of an override file that the policy denies, and for each override
// file that it denies as a whole. If the run is about some files of the module (t.Files), it omits the whole files
// that aren't among these.
func (g *Gate) deniedFindings(mod *merge.Module, t *workspace.Subject, want *policy.Policy) []check.Finding {
	// Items, in files that this engine reads and in those that only others read.
	found := append(deny.Items(mod, want.DeniedIn, g.factsOf(mod)), g.deniedInUnreadFiles(mod, want)...)
	// Whole files. A shadowed x.tf counts even if the user chose the engine: others read it instead of x.tofu.
	for _, e := range mod.Source.Names {
		isReadByAny := e.Status == load.Read || g.isReadByOthers(e) || e.Status == load.Shadowed
		isJudged := t.Files == nil || t.Files[e.Name]
		if e.Role == source.Override && isReadByAny && isJudged && want.DeniesFile(e.Name) {
			f := deny.File(e.Name)
			if text, err := mod.Source.TextOf(e.Name, g.ws.MaxFileSize); err == nil && g.OnlyNew != nil {
				f.Fact = deny.FactOfFile(text) // a hash, by which --only-new recognizes the same file
			}
			found = append(found, f)
		}
	}
	return found
}

// factsOf returns the hashes by which --only-new recognizes denied items in another revision; nil without
// --only-new.
func (g *Gate) factsOf(mod *merge.Module) *deny.Facts {
	if g.OnlyNew == nil {
		return nil
	}
	return deny.FactsOf(mod)
}

// deniedInUnreadFiles returns denied items in override files that the chosen engine ignores but another
// product reads, such as x_override.tofu. Otherwise a change under review could hide them by choosing the
// engine in a version file.
func (g *Gate) deniedInUnreadFiles(mod *merge.Module, want *policy.Policy) []check.Finding {
	unread := map[string]bool{}
	for _, e := range mod.Source.Names {
		if e.Role == source.Override && g.isReadByOthers(e) && want.DeniedIn(e.Name).Len() > 0 {
			unread[e.Name] = true
		}
	}
	if len(unread) == 0 {
		return nil
	}
	other, err := g.ws.ReadAgain(mod.Source, releaseForIgnoredFiles(mod.Source.Engine), nil)
	if err != nil {
		return nil // an unreadable file is a finding already
	}
	found := slices.DeleteFunc(deny.Items(other.Module, want.DeniedIn, g.factsOf(other.Module)), func(f check.Finding) bool {
		return !unread[f.Range.Filename]
	})
	for i := range found {
		found[i].Item = nil // it belongs to another reading of the module
	}
	return found
}

// isReadByOthers reports whether the module's engine ignores a file that another engine reads: x.tofu for Terraform,
// or x.tf for OpenTofu if there is an x.tofu. If the user chose the engine, only that one counts, so it returns
// false.
func (g *Gate) isReadByOthers(e load.DirEntry) bool {
	return (e.Status == load.Shadowed || e.Status == load.Foreign) && !g.ws.IsEngineGiven()
}

// releaseForIgnoredFiles returns an engine that reads the files which e ignores because of their extension: .tofu
// files if e is Terraform, or .tf files that have a .tofu counterpart if e is OpenTofu. It is the newest release of a
// product that differs from e in reading .tofu files; e itself if there is none.
func releaseForIgnoredFiles(e engine.Release) engine.Release {
	for _, product := range engine.Products() {
		if other := product.Newest(); other.ReadsTofuFiles() != e.ReadsTofuFiles() {
			return other
		}
	}
	return e
}

// The treatment of comments that switch rules off. They may be part of the change under review, so
// all their effects are visible: silenced findings are in the report, comments that silence nothing
// are findings, and so are comments that the revision of --only-new does not have.

// ignores holds the comments of a module that switch rules off, and the findings that they silence.
type ignores struct {
	comments *check.Comments // nil if they must be ignored
	Silenced []check.Finding
}

// addNewIgnores adds a finding to in.Found for each comment that silences findings and that the revision rev lacks:
// such a comment is a change to review, too. earlier are the comments of that revision. A finding that a setting
// leaves out goes into in.leftOut instead.
func (in *Inspection) addNewIgnores(earlier *check.Comments, rev *workspace.Rev, want *policy.Policy) {
	if in.Ignores.comments == nil {
		return
	}
	added := in.Ignores.comments.Added(in.Module, earlier, diag.Escape(rev.String()))
	for _, f := range added {
		if by := want.LeftOutBy(f); by != "" {
			in.leftOut[by] = append(in.leftOut[by], f)
		}
	}
	// Drop the unwanted ones. All of them are in in.leftOut, because only a setting can make them unwanted.
	added = slices.DeleteFunc(added, func(f check.Finding) bool { return !want.Wants(f) })
	// One finding about each comment is enough: that it is new outranks that it is unused.
	in.Found = append(check.WithoutUnused(in.Found, added), added...)
	check.Sort(in.Module, in.Found)
}

// EngineOf returns the engine that the report as a whole names: that of the first module that was read, or
// else that of the working directory.
func (g *Gate) EngineOf(results []ModuleReport) engine.Release {
	for _, r := range results {
		if r.Engine.Version != "" {
			return r.Engine
		}
	}
	if choice, err := g.ws.Engine(g.ws.Dir(nil)); err == nil {
		return choice.Release
	}
	return engine.Default()
}

// prepareFor tunes the heap for several modules, and prints messages about their engines and settings in the
// order of the modules. Without it, goroutines would print them in any order.
func (g *Gate) prepareFor(subjects []*workspace.Subject) {
	if len(subjects) > 1 {
		g.ws.ExpectMany()
	}
	for _, t := range subjects {
		g.reportEngineFirst(t)
	}
}

// reportEngineFirst prints the messages about the engine of a module, its settings and its earlier revision, before
// modules are checked at the same time, so that the messages come in order. It ignores errors and panics, because the
// check itself will meet and report them.
func (g *Gate) reportEngineFirst(t *workspace.Subject) {
	defer func() { _ = recover() }()
	// Choosing the engine and reading the settings print their warnings.
	_, _ = g.ws.Engine(repo.In(g.ws.Base(), t.Dir))
	_, _ = g.ws.Settings.For(repo.In(g.ws.Base(), t.Dir))
	// The revision of --only-new has notes of its own.
	if g.OnlyNew != nil {
		if past, err := g.ws.Past(t.Dir, *g.OnlyNew); err == nil {
			for _, note := range []string{past.RenameNote(), past.MergeNote(), g.ws.EngineNote(past, t.Dir)} {
				g.ws.NoteOnce(note)
				if text := strings.TrimPrefix(note, "Note: "); text != "" && !slices.Contains(g.notes, text) {
					g.notes = append(g.notes, text)
				}
			}
		}
	}
}

// EnginesOf names the engines of a report's modules, each once, in the order of the modules. If there is only one,
// and one reason for choosing it, it adds the reason, unless -v has printed that. Without modules, it is the report's
// engine.
func (g *Gate) EnginesOf(doc *report.Report) string {
	var names, withReasons []string
	for _, m := range doc.Modules {
		if !slices.Contains(names, m.Engine) {
			names = append(names, m.Engine)
		}
		choice, err := g.ws.Engine(repo.In(g.ws.Base(), m.Directory))
		if err == nil && choice.Release.String() == m.Engine && !slices.Contains(withReasons, choice.Brief()) {
			withReasons = append(withReasons, choice.Brief())
		}
	}
	if len(names) == 1 && len(withReasons) == 1 && !g.ws.Verbose {
		names = withReasons
	}
	return cmp.Or(strings.Join(names, ", "), doc.Engine)
}

// assumedChoice returns the choice of a module's engine. It reports true if that choice is only an assumption, and
// the module is read by that engine, according to opts.
func (g *Gate) assumedChoice(t *workspace.Subject, opts load.Options) (enginechoice.Choice, bool) {
	choice, err := g.ws.Engine(repo.In(g.ws.Base(), t.Dir))
	return choice, err == nil && choice.IsAssumed() && choice.Release == opts.Engine
}

// manyOverrides is the total size of override files, in bytes, above which memory should hold only one
// reading of a module at a time: most of the memory is for the changes by overrides.
const manyOverrides = 1 << 20

// factsAhead returns the facts that markAssumed compares findings with: what check finds when the other product reads
// the module. Call it before the module itself is read: then memory never holds both readings, which are large if the
// override files are. It returns nil if the engine isn't just assumed, and if it would save little: the override
// files are small, or a cache holds both readings anyway. Then markAssumed reads the module again, if it needs that.
func (g *Gate) factsAhead(t *workspace.Subject, want *policy.Policy) *check.Facts {
	dir := repo.In(g.ws.Base(), t.Dir)
	opts, err := g.ws.OptionsFor(dir)
	if err != nil || t.Cache != nil {
		return nil
	}
	choice, isAssumed := g.assumedChoice(t, opts)
	if !isAssumed || !opts.OverridesExceed(dir, manyOverrides) {
		return nil
	}
	// This Module has no files yet, so ReadAgain reads all.
	r, err := g.ws.ReadAgain(&load.Module{Dir: dir, From: opts.From}, newestOfOther(choice), nil)
	if err != nil {
		return nil
	}
	return check.FactsOf(r.Module, r.Diags, want.LooksFor, nil)
}

// newestOfOther returns the newest release of the product that wasn't chosen.
func newestOfOther(choice enginechoice.Choice) engine.Release { return choice.Product.Other().Newest() }

// markAssumed sets Unlike in those of in.Found that don't hold for the other product. It does so only if the engine
// is just assumed, because then the user may use that product. ahead is what check finds for that product, if that is
// known already (factsAhead). If it is nil, markAssumed takes the other product's reading from known or reads the
// module again. If the other product can't read the module, it marks nothing.
func (g *Gate) markAssumed(in *Inspection, want *policy.Policy, ahead *check.Facts, known readings) {
	choice, isAssumed := g.assumedChoice(in.Subject, in.Options)
	if !isAssumed || len(in.Found) == 0 {
		return
	}
	other := newestOfOther(choice)
	// unsettled points to elements of in.Found, in which MarkUnlike sets Unlike. All others certainly hold for the other
	// product, too.
	unsettled := check.Unsettled(in.Module.Source, in.Found, other)
	switch {
	case len(unsettled) == 0:
		return
	case ahead != nil:
		check.MarkUnlike(unsettled, ahead, other)
		return
	}
	r, isKnown := known[other]
	if !isKnown {
		var err error
		if r, err = g.ws.ReadAgain(in.Module.Source, other, in.Subject.Cache.Beside(other)); err != nil {
			return
		}
	}
	check.MarkUnlike(unsettled, check.FactsOf(r.Module, r.Diags, want.LooksFor, unsettled), other)
	if g.Fixing.IsOn { // trials of fixes compare with this reading
		in.other = &r
	}
}

// engineFindings returns findings about what the engines named in the settings read differently from the
// module's own. It returns nil if the rule is off.
func (g *Gate) engineFindings(src *load.Module, want *policy.Policy) (found []check.Finding) {
	if !want.LooksFor(check.EnginesDiffer.ID) {
		return nil
	}
	mine, err := g.ws.ReadAgain(src, src.Engine, nil)
	if err != nil {
		return []check.Finding{check.Unreadable("", err)}
	}
	for _, other := range want.OtherEngines(src.Engine) {
		var none *load.NoFilesError
		others, err := g.ws.ReadAgain(src, other, nil)
		switch {
		case errors.As(err, &none):
			found = append(found, report.NoReading(mine, other))
		case err != nil:
			found = append(found, check.Unreadable("", err))
		default:
			// A value that one engine treats as secret must not show in the text of the other.
			load.ShareSecrets(mine.Module.Source, others.Module.Source)
			found = append(found, report.EngineFindings(mine, others)...)
		}
	}
	return found
}

// What check finds about override files and git: those that only this working tree has, and
// those that others would take for such.

// trackingFindings returns findings about override files that git doesn't track, or tracks although it
// ignores them. To save time, it looks for ignored files only if it opens git's index anyway.
func (g *Gate) trackingFindings(src *load.Module, want *policy.Policy) []check.Finding {
	looksForUntracked := want.LooksFor(check.UntrackedOverride.ID)
	opensIndex := g.ws.Tracked || looksForUntracked
	// Judges is also true if a setting switches the rule off, because the report counts what settings leave out.
	looksForIgnored := opensIndex && want.Judges(check.IgnoredOverride.ID)
	if !looksForUntracked && !looksForIgnored {
		return nil
	}
	index, err := g.ws.Index(src.Dir)
	if err != nil {
		// Without a repository, there is nothing to note.
		if _, _, isInRepository := g.ws.Repository(src.Dir); isInRepository && !errors.Is(err, gitrev.ErrNoRepository) {
			g.ws.NoteOnce(fmt.Sprintf("Note: can't determine which override files are tracked: %v", err))
		}
		return nil
	}
	dir, ok := workspace.PathIn(index, src.Dir)
	if !ok {
		return nil
	}
	var found []check.Finding
	tree, isTree := src.From.(*gitrev.Directory) // else the module is on disk
	isOfRevision := isTree && tree.Of() != gitrev.IndexName
	// Only a revision needs no look at the disk: all its files are tracked.
	for _, name := range overridesIn(src, !isOfRevision) {
		at := path.Join(dir, name)
		isTracked := isOfRevision || index.Has(at)
		switch {
		case !isTracked && looksForUntracked:
			found = append(found, check.Untracked(name))
		case isTracked && looksForIgnored:
			if by, err := index.IgnoredBy(at); err == nil && by != "" {
				found = append(found, check.Ignored(name, diag.Escape(by)))
			}
		}
	}
	return found
}

// overridesIn returns the names of a module's override files, including those that only other engines read. If the
// module was read from git's index, which lacks untracked files, onDisk adds the override files on disk.
func overridesIn(src *load.Module, onDisk bool) (names []string) {
	known := map[string]bool{}
	add := func(entries []load.DirEntry) {
		for _, e := range entries {
			isNoConfig := e.Status == load.Ignored || e.Status == load.Unread
			if e.Role == source.Override && !isNoConfig && !known[e.Name] {
				known[e.Name] = true
				names = append(names, e.Name)
			}
		}
	}
	add(src.Names)
	if src.From != nil && onDisk {
		entries, _ := os.ReadDir(src.Dir)
		var files []string
		for _, e := range entries {
			if !e.IsDir() {
				files = append(files, e.Name())
			}
		}
		add(load.Classify(files, engine.Default()))
	}
	return names
}
