package gate

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// EngineOf is the engine that the report as a whole is about: the first module's, else that of the
// working directory.
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

// expect prepares for checking modules: messages about their engines are printed in their order.
func (g *Gate) expect(subjects []*workspace.Subject) {
	if len(subjects) > 1 {
		g.ws.ExpectMany()
	}
	for _, t := range subjects {
		g.reportEngineFirst(t)
	}
}

// reportEngineFirst prints the messages about the engine of a module and about its settings. If
// that fails, it will fail again when the module is loaded.
func (g *Gate) reportEngineFirst(t *workspace.Subject) {
	defer func() { _ = recover() }()
	_, _ = g.ws.Engine(repo.In(g.ws.Base(), t.Dir))
	_, _ = g.ws.Settings.For(repo.In(g.ws.Base(), t.Dir))
	g.reportPast(t)
}

// EnginesOf names the engines that the modules of a report follow, each once, in the order of the
// modules. The reason for the choice is added if all modules share it, unless -v has printed it.
func (g *Gate) EnginesOf(doc *report.Report) string {
	var names, whole []string
	for _, m := range doc.Modules {
		if !slices.Contains(names, m.Engine) {
			names = append(names, m.Engine)
		}
		choice, err := g.ws.Engine(repo.In(g.ws.Base(), m.Directory))
		if err == nil && choice.Release.String() == m.Engine && !slices.Contains(whole, choice.Brief()) {
			whole = append(whole, choice.Brief())
		}
	}
	if len(names) == 1 && len(whole) == 1 && !g.ws.Verbose {
		names = whole
	}
	return cmp.Or(strings.Join(names, ", "), doc.Engine)
}

// assumed returns what chose the engine of a module, and whether no file and no user does.
func (g *Gate) assumed(t *workspace.Subject, opts load.Options) (enginechoice.Choice, bool) {
	dir := repo.In(g.ws.Base(), t.Dir)
	if t.Called != nil {
		dir = t.Called.Root
	}
	choice, err := g.ws.Engine(dir)
	return choice, err == nil && choice.IsAssumed() && choice.Release == opts.Engine
}

// manyOverrides is the total size of override files from which no two readings of a module are kept
// in memory: most of the memory is for their changes.
const manyOverrides = 1 << 20

// factsAhead are the facts for the other product, if the engine is assumed and the module will be
// released before its findings are compared; otherwise nil. A module with a cache stays in memory.
func (g *Gate) factsAhead(t *workspace.Subject, want *policy.Policy) *check.Facts {
	opts, err := g.optionsOf(t)
	if err != nil || t.Cache != nil {
		return nil
	}
	dir := repo.In(g.ws.Base(), t.Dir)
	choice, isAssumed := g.assumed(t, opts)
	if !isAssumed || opts.OverrideBytes(dir) <= manyOverrides {
		return nil
	}
	r, err := g.ws.ReadAgain(&load.Module{Dir: dir, From: opts.From}, otherOf(choice), nil)
	if err != nil {
		return nil
	}
	return g.findingsOf(r, t, want)
}

func otherOf(choice enginechoice.Choice) engine.Release { return choice.Product.Other().Newest() }

// compareAssumed marks findings that don't hold for the other product, if the engine is assumed.
// ahead holds the findings for that product, and known its reading, if they are known. An engine
// that reads none of the files has no findings.
func (g *Gate) compareAssumed(in *Inspection, want *policy.Policy, ahead *check.Facts, known readings) {
	choice, isAssumed := g.assumed(in.Subject, in.Options)
	if !isAssumed || len(in.Found) == 0 {
		return
	}
	if ahead != nil {
		check.Compare(in.Found, ahead, otherOf(choice))
		return
	}
	r, isKnown := known[otherOf(choice)]
	if !isKnown {
		var err error
		if r, err = g.ws.ReadAgain(in.Module.Source, otherOf(choice), in.Subject.Cache.Beside(otherOf(choice))); err != nil {
			return
		}
	}
	check.Compare(in.Found, g.findingsOf(r, in.Subject, want), otherOf(choice))
	if g.Fixing.IsOn {
		in.other = &r
	}
}

// findingsOf returns the findings of a module as an engine reads it.
func (g *Gate) findingsOf(r compare.Reading, t *workspace.Subject, want *policy.Policy) *check.Facts {
	facts := check.NewFacts(r.Module.Source)
	check.Each(r.Module, r.Diags, want.LooksFor, facts.Note)
	for _, f := range slices.Concat(g.variableFindings(r.Module, t, want), g.lockFindings(r.Module, t)) {
		facts.Note(f)
	}
	return facts
}

// NoteAssumed notes in one line which engines were assumed, unless -v or the summary does.
func (g *Gate) NoteAssumed(doc *report.Report) {
	assumed := doc.AssumedEngines()
	isSaid := g.ws.Verbose || g.ws.Summarizes() && len(assumed) == 1
	if len(assumed) > 0 && !isSaid {
		g.ws.Note("Note: " + report.AssumedText(assumed))
	}
}

// engineFindings returns the findings about engines that read the module of a directory
// differently, if the settings require them.
func (g *Gate) engineFindings(src *load.Module, want *policy.Policy) []check.Finding {
	if !want.LooksFor(check.EnginesDiffer.ID) {
		return nil
	}
	mine, err := g.ws.ReadAgain(src, src.Engine, nil)
	if err != nil {
		return []check.Finding{check.Unreadable("", err)}
	}
	var found []check.Finding
	for _, other := range want.OtherEngines(src.Engine) {
		var none *load.NoFilesError
		others, err := g.ws.ReadAgain(src, other, nil)
		switch {
		case errors.As(err, &none):
			found = append(found, report.NoReading(mine, other))
		case err != nil:
			found = append(found, check.Unreadable("", err))
		default:
			load.ShareSecrets(mine.Module.Source, others.Module.Source)
			found = append(found, report.EngineFindings(mine, others)...)
		}
	}
	return found
}
