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

// check checks one module. Only listed findings are kept if nothing needs the others.
func (g *Gate) check(t *workspace.Subject) ModuleReport {
	listsFew := g.Since == nil && !g.Baseline.IsSet() && !g.Fixing.IsOn && !g.suggests()
	in, err := g.inspect(t, inputs{isShort: listsFew})
	if err != nil {
		return ModuleReport{Err: err}
	}
	return g.reportOf(in)
}

// reportOf returns what to report of a module; nothing of a directory without one.
func (g *Gate) reportOf(in *Inspection) ModuleReport {
	src := &load.Module{}
	switch {
	case in.Module != nil:
		src = in.Module.Source
	case len(in.Found) == 0:
		return ModuleReport{}
	}
	dir := filepath.ToSlash(in.Subject.Dir)
	result := ModuleReport{
		tally:    in.tally,
		hidden:   in.hidden,
		Record:   &report.ModuleRecord{Directory: dir, Engine: in.Options.Engine.String(), Files: len(src.Files)},
		Findings: report.Findings(src, dir, in.Found),
		Silenced: report.Findings(src, dir, in.Ignores.Silenced),
	}
	if in.Module == nil {
		return result
	}
	result.Engine = in.Options.Engine
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
	Module  *merge.Module // nil if there is none, or if it can't be inspected for what was found
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

// Inspect looks at one module, some of whose files may have other contents than on disk.
func (g *Gate) Inspect(t *workspace.Subject, contents map[string][]byte) (*Inspection, error) {
	return g.inspect(t, inputs{contents: contents})
}

func (g *Gate) inspect(t *workspace.Subject, from inputs) (*Inspection, error) {
	want, broken := g.ws.Settings.For(repo.In(g.ws.Base(), t.Dir))
	var found []check.Finding
	for _, err := range broken { // half of a policy would be the wrong gate
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
	in, err := g.inspectFor(want, t, from)
	if err != nil || in.Module == nil {
		return in, err
	}
	g.compareAssumed(in, want, ahead, from.known)
	check.Sort(in.Module, in.Found)
	return in, nil
}

// inspectFor looks at one module by a policy.
func (g *Gate) inspectFor(want *policy.Policy, t *workspace.Subject, from inputs) (*Inspection, error) {
	opts, err := g.optionsOf(t)
	if noVersion := (*enginechoice.VersionFileError)(nil); errors.As(err, &noVersion) {
		return uninspected(t, engine.Default(), check.Unreadable("", err)), nil
	} else if err != nil {
		return nil, err
	}
	opts.Contents, opts.Cache = from.contents, t.Cache
	r, isKnown := from.known[opts.Engine]
	in := &Inspection{Subject: t, Options: opts, Module: r.Module, Diags: r.Diags}
	if !isKnown {
		if in, err = g.read(t, opts); err != nil || in.Module == nil {
			return in, err
		}
	}
	in.Found, in.tally = g.judge(in.Module, slices.Clone(in.Diags), t, want, from.isShort)
	if err := g.leaveUnknownSince(in, want); err != nil {
		return nil, err
	}
	if in.Found, err = g.withNewIgnores(in, want); err != nil {
		return nil, err
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
// is followed instead, which the options of the inspection then name.
func (g *Gate) read(t *workspace.Subject, opts load.Options) (*Inspection, error) {
	dir := repo.In(g.ws.Base(), t.Dir)
	r, err := compare.Read(dir, opts)
	var none *load.NoFilesError
	if errors.As(err, &none) && !t.Must && !g.ws.IsEngineGiven() {
		opts.Engine = otherReader(opts.Engine) // a version file takes no module out of the gate
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

// uninspected is the inspection of a module that can't be inspected, for reasons that are errors.
func uninspected(t *workspace.Subject, e engine.Release, reasons ...check.Finding) *Inspection {
	for i := range reasons {
		reasons[i].Fails = true
	}
	return &Inspection{Subject: t, Options: load.Options{Engine: e}, Found: reasons, tally: tally{failing: len(reasons)}}
}

// judge lists the wanted findings of a module. A short list holds the listed findings, and only
// totals of the others.
func (g *Gate) judge(
	mod *merge.Module, diags hcl.Diagnostics, t *workspace.Subject, want *policy.Policy, isShort bool,
) (found []check.Finding, n tally) {
	out := &leftOut{want: want, isShort: isShort}
	out.switchedOff(mod, slices.Clone(diags))
	s := &check.Sieve{Wants: want.Wants, Left: check.List{IsShort: isShort}, Silenced: check.List{IsShort: isShort}}
	if !g.ws.NoIgnore {
		s.Comments = check.CommentsOf(mod.Source)
	}
	s.LeftOut = func(f check.Finding) {
		if want.LooksFor(f.Rule.ID) { // those of the other rules have been added
			out.add(f)
		}
	}
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
	n.Ignores, n.leftOut = ignores{s.Comments, s.Silenced.All(mod)}, map[string][]check.Finding{}
	for by, list := range out.lists {
		n.leftOut[by] = list.All(mod)
	}
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
