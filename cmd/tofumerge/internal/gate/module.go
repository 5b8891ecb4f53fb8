package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// How check looks at one module.

// check checks one module.
func (g *Gate) check(t *workspace.Subject) ModuleReport {
	in, only := g.inspect(t, inputs{isShort: g.listsFew()})
	if only != nil {
		return *only
	}
	return g.checkedOf(in)
}

// listsFew reports whether only listed findings are needed.
func (g *Gate) listsFew() bool {
	return g.Since == nil && !g.Baseline.IsSet() && !g.Fixing.IsOn && !g.suggests()
}

// checkedOf is what there is to report of a module.
func (g *Gate) checkedOf(in *Inspection) ModuleReport {
	dir := filepath.ToSlash(in.Subject.Dir)
	result := ModuleReport{
		tally:    in.tally,
		hidden:   in.hidden,
		Engine:   in.Options.Engine,
		Record:   &report.ModuleRecord{Directory: dir, Engine: in.Options.Engine.String(), Files: len(in.Module.Source.Files)},
		Findings: report.Findings(in.Module.Source, dir, in.Found),
		Silenced: report.Findings(in.Module.Source, dir, in.Ignores.Silenced),
	}
	if choice, isAssumed := g.assumed(in.Subject, in.Options); isAssumed {
		result.Record.Assumed = choice.Reason()
	}
	if g.suggests() {
		g.suggest(in, result.Findings)
	}
	if g.writes("json") {
		result.Histories = report.FindingHistories(in.Module, dir, in.Found)
	}
	if g.Judged != nil {
		result.Err = g.Judged(in)
	}
	return result
}

// An Inspection is a module, and its findings.
type Inspection struct {
	Subject *workspace.Subject
	Options load.Options
	Module  *merge.Module
	Diags   hcl.Diagnostics
	Found   []check.Finding
	tally
	hidden *baselineHits
	// other is the reading by the engine that an assumed one may stand for, if fixes need it.
	other *compare.Reading
}

// inputs are what an inspection is about, besides a directory.
type inputs struct {
	contents map[string][]byte // of files that may have others on disk
	known    readings          // of these contents
	isShort  bool              // keeps only the listed ones of many similar findings
}

// readings are what engines make of one module.
type readings map[engine.Release]compare.Reading

// Inspect looks at one module, some of whose files may have other contents than on disk. If it
// can't be looked at, that is all there is to report.
func (g *Gate) Inspect(t *workspace.Subject, contents map[string][]byte) (in *Inspection, only *ModuleReport) {
	return g.inspect(t, inputs{contents: contents})
}

func (g *Gate) inspect(t *workspace.Subject, from inputs) (in *Inspection, only *ModuleReport) {
	want, broken := g.ws.Settings.For(repo.In(g.ws.Base(), t.Dir))
	switch i := slices.IndexFunc(broken, func(err error) bool { return !isConfigError(err) }); {
	case i >= 0:
		return nil, &ModuleReport{Err: broken[i]}
	case len(broken) > 0:
		return nil, g.ungoverned(t, broken)
	}
	ahead := g.factsAhead(t, want)
	if in, only = g.inspectFor(want, t, from); only != nil {
		return nil, only
	}
	g.compareAssumed(in, want, ahead, from.known)
	check.Sort(in.Module, in.Found)
	return in, nil
}

// inspectFor looks at one module by a policy.
func (g *Gate) inspectFor(want *policy.Policy, t *workspace.Subject, from inputs) (in *Inspection, only *ModuleReport) {
	opts, err := g.optionsOf(t)
	if noVersion := (*enginechoice.VersionFileError)(nil); errors.As(err, &noVersion) {
		return nil, unreadable(t, engine.Default(), err)
	} else if err != nil {
		return nil, &ModuleReport{Err: err}
	}
	opts.Contents, opts.Cache = from.contents, t.Cache
	r, isKnown := from.known[opts.Engine]
	if !isKnown {
		if r, only = g.read(t, &opts); only != nil {
			return nil, only
		}
	}
	in = &Inspection{Subject: t, Options: opts, Module: r.Module, Diags: r.Diags}
	in.Found, in.tally = g.judge(in.Module, slices.Clone(in.Diags), t, want, from.isShort)
	if err = g.leaveUnknownSince(in, want); err != nil {
		return nil, &ModuleReport{Err: err}
	}
	if in.Found, err = g.withNewIgnores(in, want); err != nil {
		return nil, &ModuleReport{Err: err}
	}
	in.Found, in.hidden = g.hide(in.Found, t, want)
	in.Found, in.filtered = g.filter(t, in.Module, in.Found)
	for by, list := range in.leftOut {
		in.leftOut[by], _ = g.filter(t, in.Module, list)
	}
	in.failing = want.Failing(in.Found)
	return in, nil
}

// read loads and merges a module. If the followed engine reads none of its files, the other product
// is followed instead, which opts then names.
func (g *Gate) read(t *workspace.Subject, opts *load.Options) (compare.Reading, *ModuleReport) {
	dir := repo.In(g.ws.Base(), t.Dir)
	r, err := compare.Read(dir, *opts)
	var none *load.NoFilesError
	if errors.As(err, &none) && !t.Must && !g.ws.IsEngineGiven() {
		opts.Engine = otherReader(opts.Engine) // a version file takes no module out of the gate
		r, err = compare.Read(dir, *opts)
	}
	switch {
	case errors.As(err, &none) && !t.Must:
		return r, &ModuleReport{}
	case errors.As(err, &none):
		return r, &ModuleReport{Err: fmt.Errorf("%w, or use -r to go through every module below it", err)}
	case err != nil:
		return r, unreadable(t, opts.Engine, err)
	}
	if err := g.ws.CheckOutput(r.Module.Source); err != nil {
		return r, &ModuleReport{Err: err}
	}
	return r, nil
}

// unreadable is the report about a module that can't be read.
func unreadable(t *workspace.Subject, e engine.Release, err error) *ModuleReport {
	return foundOnly(t, e, check.Unreadable("", err))
}

// ungoverned is the report about a module with invalid settings: half of a policy would be the
// wrong gate.
func (g *Gate) ungoverned(t *workspace.Subject, broken []error) *ModuleReport {
	var found []check.Finding
	for _, err := range broken {
		f := check.Unreadable("", err)
		if settings := (*policy.Error)(nil); errors.As(err, &settings) {
			f = settings.FindingFor(repo.In(g.ws.Base(), t.Dir))
		}
		found = append(found, f)
	}
	return foundOnly(t, engine.Default(), found...)
}

// foundOnly is the report about a module with nothing but some findings.
func foundOnly(t *workspace.Subject, e engine.Release, list ...check.Finding) *ModuleReport {
	dir := filepath.ToSlash(t.Dir)
	for i := range list {
		list[i].Fails = true // all are errors
	}
	found := report.Findings(&load.Module{}, dir, list)
	return &ModuleReport{
		Record:   &report.ModuleRecord{Directory: dir, Engine: e.String()},
		Findings: found,
		Only:     list,
		tally:    tally{failing: len(list)},
	}
}

// judge lists the wanted findings of a module.
func (g *Gate) judge(
	mod *merge.Module, diags hcl.Diagnostics, t *workspace.Subject, want *policy.Policy, isShort bool,
) (found []check.Finding, n tally) {
	out := &leftOut{want: want, isShort: isShort}
	s := g.sieve(mod, want, out, isShort)
	out.switchedOff(mod, slices.Clone(diags))
	check.Each(mod, diags, want.LooksFor, s.Take)
	s.LeftOut = out.add
	for _, list := range [][]check.Finding{
		g.lockFindings(mod, t), g.engineFindings(mod.Source, want), g.denied(mod, t, want), g.trackingFindings(mod.Source, want),
		g.variableFindings(mod, t, want),
	} {
		for _, f := range list {
			s.Take(f)
		}
	}
	s.TakeComments(mod, len(g.ws.Overlays)+len(g.ws.Excluded) == 0)
	n.Ignores, n.leftOut = ignores{s.Comments, s.Silenced.All(mod)}, out.all(mod)
	return s.Left.All(mod), n
}

// lockFindings lists problems of a module's lock file, or of the locked versions. In the index of
// git it may be in another form, which is noted.
func (g *Gate) lockFindings(mod *merge.Module, t *workspace.Subject) []check.Finding {
	locked, diags, err := mod.Source.LockedProviders(g.ws.MaxFileSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case gitrev.IsOtherForm(err):
		g.inOtherForm.add(path.Join(filepath.ToSlash(t.Dir), load.LockName))
		return nil
	case err != nil:
		return []check.Finding{check.Unreadable(load.LockName, err)}
	case diags.HasErrors():
		return []check.Finding{check.BrokenLock(diags)}
	}
	return check.Locked(mod, providers.Compare(mod, locked))
}
