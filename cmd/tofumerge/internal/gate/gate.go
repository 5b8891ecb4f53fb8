// Package gate finds what check reports about modules: mistakes in override files and overrides
// that a policy denies. Modules may come from the disk, an index, a revision or an editor.
//
// From the flags of check and the modules to inspect, it makes an Inspection of each module and a
// report about all of them. It also knows the findings of a revision (OnlyNew), accepted findings
// (Baseline), and which findings can be fixed without changing the meaning of the module (Fix). It
// accepts nothing that it could not inspect: that is a finding.
//
// A baseline holds the known findings of modules, totalled by their keys, as JSON with one sorted
// line for each, so that a version control system can merge it and a person can review it. Modules
// are identified by their directories, relative to the root of the repository or, without one, to the
// directory of the file.
package gate

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// A Gate holds what check looks for in modules.
type Gate struct {
	ws *workspace.Workspace
	workspace.Search
	Format   string          // of the report
	Also     []string        // other formats that the report is written in
	Config   ConfigFlags     // where the settings come from
	Flags    policy.Settings // settings on the command line
	Select   []string        // of --select: rules to report
	Baseline BaselineFile
	Fixing   Fixing
	OnlyNew  *workspace.Rev // of --only-new: the revision whose findings are left out; may be nil

	// Judged, if set, receives each module with its findings.
	Judged func(*Inspection) error
	notes  []string // for the report: about the revision of --only-new
}

// New returns the gate of a run.
func New(ws *workspace.Workspace) *Gate { return &Gate{ws: ws} }

// Workspace returns the workspace through which the gate finds and reads modules.
func (g *Gate) Workspace() *workspace.Workspace { return g.ws }

// Prepare refuses wrong flags, and reads the settings and options that all modules share. Call it before
// inspecting anything.
func (g *Gate) Prepare() error {
	if err := policy.CheckRules(g.Select); err != nil {
		return fmt.Errorf("--select: %w", err)
	}
	if len(g.Flags.AgainstEngines) > 0 {
		g.Flags.Enable = append(g.Flags.Enable, check.EnginesDiffer.ID)
	}
	if err := g.Flags.Prepare(); err != nil {
		return err
	}
	if err := g.Flags.CheckFlags(); err != nil {
		return err
	}
	g.ws.Settings.Warn = g.ws.Warn
	fromConfig := policy.Settings{} // those of --config, which count like flags
	switch {
	case g.Config.File != "":
		if err := g.ws.Settings.ReadConfig(repo.In(g.ws.Base(), g.Config.File)); err != nil {
			return err
		}
		fromConfig = *g.ws.Settings.Override // which ReadConfig has read
	case g.Config.Revision != "": // read later, for each module: fromConfig stays empty
		readConfigFrom(g.ws, g.Config.Revision)
	}
	var err error
	if g.ws.Settings.User, err = fromConfig.With(&g.Flags); err != nil {
		return err
	}
	for _, doubt := range g.ws.Settings.User.Doubts() {
		g.ws.Warn(doubt)
	}
	_, err = g.ws.Options() // reports wrong options before any module is read
	return err
}

// ConfigFlags are the values of --config and --config-from.
type ConfigFlags struct{ File, Revision string }

// readConfigFrom makes the workspace read settings files from the revision name instead of the disk, so that
// a change under review can't edit them. Each file comes from the repository that it is in. A directory
// outside of a repository has no settings, and its modules can't be judged.
func readConfigFrom(ws *workspace.Workspace, name string) {
	ws.Settings.Source = policy.Trees(func(dir string) (policy.Tree, error) {
		revision, err := ws.Revision(dir, name)
		if _, _, isInRepository := ws.Repository(dir); !isInRepository {
			return policy.Tree{Missing: err}, nil // err says that dir isn't in a repository
		}
		if err != nil {
			return policy.Tree{}, err
		}
		return policy.Tree{
			Files: revision, Root: revision.Root, IsForeign: true, // the change under review can't edit the revision
			Called: func(path string) string { return name + ":" + path },
		}, nil
	})
}

// A ModuleReport holds the findings of one module.
type ModuleReport struct {
	Record    *report.ModuleRecord // nil for a directory without a module
	Findings  []report.FindingRecord
	Silenced  []report.FindingRecord // by comments
	Histories []report.HistoryRecord // if the report will contain them
	Engine    engine.Release         // none if the module could not be read
	tally
	inBaseline *baselinePart // what the baseline hides; nil without a baseline, or if the module wasn't read
	Err        error
}

// A tally holds what a report counts or names about a module, but doesn't list.
type tally struct {
	against []string // engines whose reading was compared
	failing int      // number of findings that make the run fail
	// filtered is the number of findings that --filter and --select leave out.
	filtered int
	// leftOut holds the findings that settings leave out, by the origin of the setting.
	leftOut map[string][]check.Finding
	Ignores ignores
}

// Look inspects modules, several at once, and returns their results in the order of subjects. Errors are in
// the results. verb completes the progress line, such as "checked".
func (g *Gate) Look(verb string, subjects []*workspace.Subject) []ModuleReport {
	g.prepareFor(subjects)
	results := make([]ModuleReport, 0, len(subjects))
	_ = workspace.InOrder(g.ws, verb, subjects, g.checkRecovering, func(c ModuleReport) error {
		results = append(results, c)
		return nil
	})
	if err := g.ws.WarnOfIdleExclusions(); err != nil {
		results = append(results, ModuleReport{Err: err})
	}
	return results
}

// All inspects modules, reports on them in their order, and applies or writes the baseline. walked are the
// directories that the run searched: only within these, it notices that a module of the baseline was removed.
func (g *Gate) All(subjects []*workspace.Subject, walked []string) (*report.Report, error) {
	results := g.Look("checked", subjects)
	doc, err := g.reportOn(results)
	if err != nil {
		return nil, err
	}
	err = g.applyBaseline(doc, results, walked)
	return doc, err
}

// reportOn combines the results of modules, in their order, into a report. If any has an error, it returns
// the first.
func (g *Gate) reportOn(results []ModuleReport) (*report.Report, error) {
	doc := report.New(g.EngineOf(results))
	doc.Modules, doc.Findings, doc.Suppressed = []report.ModuleRecord{}, []report.FindingRecord{}, []report.FindingRecord{}
	doc.OnlyNew, doc.Notes = g.OnlyNew.String(), g.notes
	// First list the findings.
	for _, r := range results {
		switch {
		case r.Err != nil:
			return nil, r.Err
		case r.Record != nil: // nil for a directory without a module, which has nothing to list or to count
			doc.Modules = append(doc.Modules, *r.Record)
			doc.Findings = append(doc.Findings, r.Findings...)
			doc.Suppressed = append(doc.Suppressed, r.Silenced...)
			doc.Histories = append(doc.Histories, r.Histories...)
		}
	}
	doc.Skipped = g.Record()
	// Then count. CountFindings makes doc.Counts from the listed findings; the loop adds what isn't listed.
	doc.CountFindings()
	for _, r := range results {
		if !g.ws.Settings.User.NeverFails() {
			doc.Counts.Failing += r.failing
		}
		doc.Counts.Ignored += check.Count(r.Ignores.Silenced)
		doc.Counts.Filtered += r.filtered
		r.addLeftOutTo(doc.Counts)
	}
	return doc, nil
}

// baselineAtRevision reads the baseline at path from the revision of --config-from, because the change under
// review could edit the file in the working tree. isOfRevision is false if the file must be read from the
// disk instead: without --config-from, or if it is outside of the working tree, where no change can edit it.
// If the revision lacks the file, text is empty, so that no finding is known.
func (g *Gate) baselineAtRevision(path string) (text []byte, isOfRevision bool, err error) {
	if g.Config.Revision == "" || g.Baseline.Read == "" {
		return nil, false, nil
	}
	// The repository is that of the working directory or, failing that, of the file.
	at := repo.In(g.ws.Base(), ".")
	if _, _, ok := g.ws.Repository(at); !ok {
		at = filepath.Dir(path)
	}
	if _, _, ok := g.ws.Repository(at); !ok {
		return nil, false, nil
	}
	revision, err := g.ws.Revision(at, g.Config.Revision)
	if err != nil {
		return nil, false, err
	}
	name, ok := revision.PathOf(path)
	switch {
	case !ok:
		return nil, false, nil
	case !revision.Has(name):
		g.ws.Note(fmt.Sprintf("Note: %s has no baseline %s, so no finding is known", diag.Escape(revision.Name), diag.Escape(name)))
		return nil, true, nil
	}
	text, err = revision.Read(name, MaxBaseline)
	if err != nil {
		err = fmt.Errorf("can't read the baseline %s:%s: %w", diag.Escape(revision.Name), diag.Escape(name), err)
	}
	return text, true, err
}

// How check looks at one module.

// checkModule inspects one module for the report. To bound memory, it keeps only the findings that the report
// lists, unless a later step compares or fixes all.
func (g *Gate) checkModule(t *workspace.Subject) ModuleReport {
	listsFew := g.OnlyNew == nil && !g.Baseline.IsSet() && !g.Fixing.IsOn && !g.wantsFixes()
	in, err := g.inspect(t, inputs{isShort: listsFew})
	if err != nil {
		return ModuleReport{Err: err}
	}
	return g.reportOf(in)
}

// reportOf turns an inspection into the part of the report about its module. The result is empty for a
// directory without a module.
func (g *Gate) reportOf(in *Inspection) ModuleReport {
	src := &load.Module{} // stays empty for a module that can't be inspected
	switch {
	case in.Module != nil:
		src = in.Module.Source
	case len(in.Found) == 0: // no module, and nothing went wrong
		return ModuleReport{}
	}
	dir := filepath.ToSlash(in.Subject.Dir)
	result := ModuleReport{
		tally:      in.tally,
		inBaseline: in.inBaseline,
		Record:     &report.ModuleRecord{Directory: dir, Engine: in.Options.Engine.String(), Files: len(src.Files), AgainstEngines: in.against},
		Findings:   report.Findings(src, dir, in.Found),
		Silenced:   report.Findings(src, dir, in.Ignores.Silenced),
	}
	if in.Module == nil {
		return result
	}
	result.Engine = in.Options.Engine
	if choice, isAssumed := g.assumedChoice(in.Subject, in.Options); isAssumed {
		result.Record.Assumed = choice.Reason()
	}
	if g.wantsFixes() {
		g.suggestFixes(in, result.Findings)
	}
	if g.writesFormat("json") {
		result.Histories = report.FindingHistories(in.Module, dir, in.Found)
	}
	if g.Judged != nil {
		result.Err = g.Judged(in)
	}
	return result
}

// An Inspection is a module and its findings.
type Inspection struct {
	Subject *workspace.Subject
	Options load.Options
	Module  *merge.Module // nil if there is none, or if Found says why it can't be inspected
	Diags   hcl.Diagnostics
	Found   []check.Finding
	tally
	inBaseline *baselinePart // what the baseline hides; nil without a baseline
	// other is the reading by the engine that an assumed one may stand for, if fixes need it.
	other *compare.Reading
}

// inputs replace what an inspection would read.
type inputs struct {
	contents map[string][]byte // texts of files that may differ from those on disk
	known    readings          // what engines make of these contents
	isShort  bool              // keeps only the listed ones of many similar findings
}

// readings holds a module as engines read it.
type readings map[engine.Release]compare.Reading

// Inspect inspects one module. contents replace the texts of some of its files; it may be nil.
func (g *Gate) Inspect(t *workspace.Subject, contents map[string][]byte) (*Inspection, error) {
	return g.inspect(t, inputs{contents: contents})
}

// inspect inspects one module by its settings. If its engine is only assumed, it marks the findings that don't hold
// for the other product. If the settings are wrong, it reports only that. from holds what it needn't read: texts that
// an editor has open, and readings that the caller has.
func (g *Gate) inspect(t *workspace.Subject, from inputs) (*Inspection, error) {
	want, broken := g.ws.Settings.For(repo.In(g.ws.Base(), t.Dir))
	var found []check.Finding
	for _, err := range broken { // half of a policy could accept too much
		settings := (*policy.Error)(nil)
		if !errors.As(err, &settings) {
			return nil, err
		}
		found = append(found, settings.FindingFor(repo.In(g.ws.Base(), t.Dir)))
	}
	if len(found) > 0 {
		return uninspected(t, engine.Default(), found...), nil
	}
	ahead := g.factsAhead(t, want)
	in, err := g.inspectByPolicy(want, t, from)
	if err != nil || in.Module == nil {
		return in, err
	}
	g.markAssumed(in, want, ahead, from.known)
	return in, nil
}

// inspectByPolicy reads one module and judges it by the policy want. Then it removes the findings that the revision
// of --only-new has, then those in the baseline, and last those that --filter and --select don't match.
func (g *Gate) inspectByPolicy(want *policy.Policy, t *workspace.Subject, from inputs) (*Inspection, error) {
	opts, err := g.ws.OptionsFor(repo.In(g.ws.Base(), t.Dir))
	if noVersion := (*enginechoice.VersionFileError)(nil); errors.As(err, &noVersion) {
		return uninspected(t, engine.Default(), check.Unreadable("", err)), nil
	} else if err != nil {
		return nil, err
	}
	opts.Contents, opts.Cache = from.contents, t.Cache
	// A reading that the caller already has is used instead of the files.
	var in *Inspection
	if r, isKnown := from.known[opts.Engine]; isKnown {
		in = &Inspection{Subject: t, Options: opts, Module: r.Module, Diags: r.Diags}
	} else if in, err = g.readModule(t, opts); err != nil || in.Module == nil {
		return in, err
	}
	in.Found, in.tally = g.judge(in.Module, slices.Clone(in.Diags), t, want, from.isShort)
	if err := g.keepOnlyNew(in, want); err != nil {
		return nil, err
	}
	in.Found, in.inBaseline = g.hideKnown(in, want)
	in.Found, in.filtered = g.filter(in.Module, in.Found)
	for by, list := range in.leftOut { // by the setting that leaves them out
		in.leftOut[by], _ = g.filter(in.Module, list)
	}
	in.failing = want.Failing(in.Found)
	if want.LooksFor(check.EnginesDiffer.ID) {
		for _, other := range want.OtherEngines(in.Module.Source.Engine) {
			in.against = append(in.against, other.String())
		}
	}
	return in, nil
}

// readModule loads and merges a module into an inspection without findings. If its engine reads none of the
// files, it tries the other product, and names that in the options of the inspection. Otherwise a change could take a
// module of .tofu files out of the gate by adding a version file that names Terraform.
func (g *Gate) readModule(t *workspace.Subject, opts load.Options) (*Inspection, error) {
	dir := repo.In(g.ws.Base(), t.Dir)
	r, err := compare.Read(dir, opts)
	var none *load.NoFilesError
	// t.Must: the user named the directory, so an error says that this engine reads nothing there.
	if errors.As(err, &none) && !t.Must && !g.ws.IsEngineGiven() {
		opts.Engine = releaseForIgnoredFiles(opts.Engine)
		r, err = compare.Read(dir, opts)
	}
	switch {
	case errors.As(err, &none) && !t.Must:
		return uninspected(t, opts.Engine), nil
	case errors.As(err, &none):
		return nil, fmt.Errorf("%w, or use -r to go through every module below it", err)
	case err != nil:
		return uninspected(t, opts.Engine, check.Unreadable("", err)), nil
	}
	if err := g.ws.CheckOutput(r.Module.Source); err != nil {
		return nil, err
	}
	return &Inspection{Subject: t, Options: opts, Module: r.Module, Diags: r.Diags}, nil
}

// uninspected returns the inspection of a module that can't be read, with the reasons as its findings. All of
// them make the run fail. Without reasons, it stands for a directory without a module.
func uninspected(t *workspace.Subject, e engine.Release, reasons ...check.Finding) *Inspection {
	for i := range reasons {
		reasons[i].Fails = true
	}
	return &Inspection{Subject: t, Options: load.Options{Engine: e}, Found: reasons, tally: tally{failing: len(reasons)}}
}

// judge returns the findings of a module that the policy wants and no comment silences. totals holds the others:
// those that settings leave out, and those that comments silence. isShort keeps only the first of many similar
// findings, and the number of the rest.
func (g *Gate) judge(
	mod *merge.Module, diags hcl.Diagnostics, t *workspace.Subject, want *policy.Policy, isShort bool,
) (found []check.Finding, totals tally) {
	out := &leftOutFindings{want: want, isShort: isShort}
	if want.SwitchesOff() {
		out.addSwitchedOff(mod, slices.Clone(diags))
	}
	// The sieve keeps what remains of the findings in Left.
	sieve := &check.Sieve{Wants: want.Wants, Left: check.List{IsShort: isShort}, Silenced: check.List{IsShort: isShort}}
	if !g.ws.NoIgnore {
		sieve.Comments = check.CommentsOf(mod.Source)
	}
	sieve.LeftOut = func(f check.Finding) {
		if want.LooksFor(f.Rule.ID) { // addSwitchedOff has added findings of the other rules
			out.add(f)
		}
	}
	check.Each(mod, diags, want.LooksFor, sieve.Take)
	sieve.LeftOut = out.add // addSwitchedOff doesn't look for what follows, so nothing is added twice
	for _, list := range [][]check.Finding{
		g.engineFindings(mod.Source, want), g.deniedFindings(mod, t, want), g.trackingFindings(mod.Source, want),
	} {
		for _, f := range list {
			sieve.Take(f)
		}
	}
	sieve.TakeComments(mod, !g.ws.IsWhatIf())
	totals.Ignores, totals.leftOut = ignores{sieve.Comments, sieve.Silenced.All(mod)}, map[string][]check.Finding{}
	for by, list := range out.lists {
		totals.leftOut[by] = list.All(mod)
	}
	return sieve.Left.All(mod), totals
}

// leftOutFindings collects the findings that settings leave out. The settings may be part of the change
// under review, so a report counts these findings, and names the setting.
type leftOutFindings struct {
	want    *policy.Policy
	isShort bool
	lists   map[string]*check.List // by the origin of the setting
}

// addSwitchedOff adds the findings of rules that settings switch off. It looks for them in a run of its own, because
// a rule that is off may give way to another one: where blocks and arguments are dropped, only one finding is made,
// by block-replace-drops-blocks if that is on, and otherwise by block-replace-drops-arguments.
func (o *leftOutFindings) addSwitchedOff(mod *merge.Module, diags hcl.Diagnostics) {
	check.Each(mod, diags, o.want.Judges, func(f check.Finding) {
		if !o.want.LooksFor(f.Rule.ID) {
			o.add(f)
		}
	})
}

// add adds an unwanted finding to the list of the setting that leaves it out. It ignores a finding that no setting
// leaves out: its rule is off by default.
func (o *leftOutFindings) add(f check.Finding) {
	by := o.want.LeftOutBy(f)
	if by == "" {
		return
	}
	if o.lists[by] == nil {
		if o.lists == nil {
			o.lists = map[string]*check.List{}
		}
		o.lists[by] = &check.List{IsShort: o.isShort}
	}
	o.lists[by].Add(f)
}

// addLeftOutTo adds the number of findings that each setting leaves out to the totals of a report.
func (n *tally) addLeftOutTo(to *report.CountsRecord) {
	for by, list := range n.leftOut {
		if count := check.Count(list); count > 0 {
			to.LeftOut[by] += count
		}
	}
}

// LeftOut words how many findings of some modules the settings leave out; empty if none.
func LeftOut(results []ModuleReport) string {
	var doc report.Report
	doc.CountFindings() // makes doc.Counts, with zeros, since the report lists nothing
	for i := range results {
		results[i].addLeftOutTo(doc.Counts)
	}
	return doc.LeftOut()
}

// Failures of the program itself. A script that reads the exit status must never take them for
// findings: Go ends a program that panics, or that runs out of stack or memory, with the status 2.

// checkRecovering checks one module. If the program panics, that is a finding of the module, and the run goes
// on with the others.
func (g *Gate) checkRecovering(t *workspace.Subject) (result ModuleReport) {
	defer func() {
		if r := recover(); r != nil {
			result = g.crashedOn(t, parallel.Crashed(r))
		}
	}()
	if g.ws.Checking != nil {
		g.ws.Checking(t.Dir)
	}
	return g.checkModule(t)
}

// crashedOn prints the stack of a crash, and returns the crash as the only finding of the module t.
func (g *Gate) crashedOn(t *workspace.Subject, crash *parallel.Crash) ModuleReport {
	g.ws.Stack(crash)
	message := fmt.Sprintf("tofumerge crashed on this module and did not finish checking it: %s. This is a bug in "+
		"tofumerge. Report it at %s", terminal.CrashText(crash), terminal.WhereToReport)
	return g.reportOf(uninspected(t, g.engineAfterCrash(t), check.InternalError(message)))
}

// engineAfterCrash returns the engine of a module on which the program crashed. Choosing the engine may be
// what crashed, and crash again; then it returns the default.
func (g *Gate) engineAfterCrash(t *workspace.Subject) (e engine.Release) {
	e = engine.Default()
	defer func() { _ = recover() }()
	if chosen, err := g.ws.Engine(repo.In(g.ws.Base(), t.Dir)); err == nil && chosen.Version != "" {
		e = chosen.Release
	}
	return e
}
