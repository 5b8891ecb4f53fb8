package gate

import (
	"fmt"
	"path/filepath"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/baseline"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// A Gate is what check looks for in modules.
type Gate struct {
	ws *workspace.Workspace
	workspace.Search
	Format   string   // of the report
	Also     []string // other formats that the report is written in
	Config   ConfigFlags
	Flags    policy.Settings
	Select   []string // of --select: rules to report
	Baseline BaselineFile
	Fixing   Fixing

	// Judged, if set, receives each module with its findings.
	Judged  func(*Inspection) error
	unfound []unfoundCall
	notes   []string // about the other side of the comparison
	// unjudged are variables files that git doesn't track. inOtherForm are variables files and lock
	// files that git stores in another form than people write them, and ofCalled variables files of
	// called modules.
	unjudged, inOtherForm, ofCalled nameSet
}

// New returns the gate of a run.
func New(ws *workspace.Workspace) *Gate { return &Gate{ws: ws} }

// Workspace is how the gate reaches modules.
func (g *Gate) Workspace() *workspace.Workspace { return g.ws }

// Prepare judges the flags, and reads what all modules need.
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
	given := policy.Settings{}
	switch {
	case g.Config.File != "":
		if err := g.ws.Settings.Give(repo.In(g.ws.Base(), g.Config.File)); err != nil {
			return err
		}
		given = *g.ws.Settings.Override
	case g.Config.Revision != "":
		readConfigFrom(g.ws, g.Config.Revision)
	}
	var err error
	if g.ws.Settings.User, err = given.With(&g.Flags); err != nil {
		return err
	}
	for _, doubt := range g.ws.Settings.User.Doubts() {
		g.ws.Warn(doubt)
	}
	_, err = g.ws.Options()
	return err
}

// ConfigFlags are the values of --config and --config-from.
type ConfigFlags struct{ File, Revision string }

// readConfigFrom has settings files read from a revision of the repository that they are in.
func readConfigFrom(ws *workspace.Workspace, name string) {
	ws.Settings.Source = policy.Trees(func(dir string) (policy.Tree, error) {
		revision, err := ws.Revision(dir, name)
		if _, _, ok := ws.Repository(dir); !ok {
			return policy.Tree{Missing: err}, nil
		}
		if err != nil {
			return policy.Tree{}, err
		}
		return policy.Tree{
			Files: revision, Root: revision.Root, IsForeign: true,
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
	hidden *baselineHits // by the baseline
	Err    error
}

// A tally holds the totals of a module that a report doesn't list.
type tally struct {
	failing int // findings that make the run fail
	// filtered is the number of findings that --filter and --select leave out.
	filtered int
	// leftOut are the findings that settings leave out, by the origin of the setting.
	leftOut map[string][]check.Finding
	Ignores ignores
}

// Look inspects modules, several at once, and returns the results in their order. verb is the
// participle in the progress line.
func (g *Gate) Look(verb string, subjects []*workspace.Subject) []ModuleReport {
	g.expect(subjects)
	results := make([]ModuleReport, 0, len(subjects))
	_ = workspace.InOrder(g.ws, verb, subjects, g.caught, func(c ModuleReport) error {
		results = append(results, c)
		return nil
	})
	g.ws.WarnOfIdleExclusions()
	return results
}

// All reports on modules in their order.
func (g *Gate) All(subjects []*workspace.Subject, s *searchScope) (*report.Report, error) {
	results := g.Look("checked", subjects)
	doc, err := g.reportOn(results)
	if err != nil {
		return nil, err
	}
	err = g.applyBaseline(doc, results, s)
	g.addUnfound(doc)
	g.noteUnjudged()
	return doc, err
}

// reportOn is the report on some modules, in their order.
func (g *Gate) reportOn(results []ModuleReport) (*report.Report, error) {
	doc := report.New(g.EngineOf(results))
	doc.Modules, doc.Findings, doc.Suppressed = []report.ModuleRecord{}, []report.FindingRecord{}, []report.FindingRecord{}
	doc.Since, doc.Notes = g.Since.String(), g.notes
	for _, r := range results {
		switch {
		case r.Err != nil:
			return nil, r.Err
		case r.Record != nil:
			doc.Modules = append(doc.Modules, *r.Record)
			doc.Findings = append(doc.Findings, r.Findings...)
			doc.Suppressed = append(doc.Suppressed, r.Silenced...)
			doc.Histories = append(doc.Histories, r.Histories...)
		}
	}
	doc.Skipped = g.Record()
	doc.CountFindings()
	for _, r := range results {
		if !g.ws.Settings.User.NeverFails() {
			doc.Counts.Failing += r.failing
		}
		doc.Counts.Ignored += check.Count(r.Ignores.Silenced)
		doc.Counts.Filtered += r.filtered
		r.countLeftOut(doc.Counts)
	}
	return doc, nil
}

// baselineFrom reads a baseline in the working tree as it is at the revision of --config-from. If
// the revision lacks it, nothing is accepted. A baseline outside the working tree can't be edited
// by a change, so it is not read this way.
func (g *Gate) baselineFrom(path string) (text []byte, isThere bool, err error) {
	if g.Config.Revision == "" || g.Baseline.Read == "" {
		return nil, false, nil
	}
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
	text, err = revision.Read(name, baseline.MaxSize)
	if err != nil {
		err = fmt.Errorf("can't read the baseline %s:%s: %w", diag.Escape(revision.Name), diag.Escape(name), err)
	}
	return text, true, err
}
