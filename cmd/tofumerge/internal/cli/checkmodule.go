package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// How check looks at one module.

// check checks one module.
func (c *checkCommand) check(t *target) checked {
	in, only := c.inspect(t, nil)
	if only != nil {
		return *only
	}
	return c.checkedOf(in)
}

// checkedOf is what there is to report of a module.
func (c *checkCommand) checkedOf(in *inspection) checked {
	dir := filepath.ToSlash(in.target.dir)
	result := checked{
		tally:    in.tally,
		hidden:   in.hidden,
		engine:   in.opts.Engine,
		record:   &report.ModuleRecord{Directory: dir, Engine: in.opts.Engine.String(), Files: len(in.mod.Source.Files)},
		findings: report.Findings(in.mod, dir, in.found),
		silenced: report.Findings(in.mod, dir, in.ignores.silenced),
	}
	if choice, isAssumed := c.assumed(in); isAssumed {
		result.record.Assumed = choice.Reason()
	}
	if c.format == "sarif" || c.format == "rdjson" {
		c.suggest(in, result.findings)
	}
	if c.format == "json" {
		result.histories = report.FindingHistories(in.mod, dir, in.found)
	}
	if c.judged != nil {
		result.err = c.judged(in)
	}
	return result
}

// An inspection is a module, and what was found in it.
type inspection struct {
	target *target
	opts   load.Options
	mod    *merge.Module
	diags  hcl.Diagnostics
	found  []check.Finding
	tally
	hidden *hidden
}

// inspect looks at one module, some of whose files may have other contents than on disk.
// Where it can't be looked at, that is all there is to report.
func (c *checkCommand) inspect(t *target, contents map[string][]byte) (in *inspection, only *checked) {
	want, broken := c.Settings.For(repo.In(c.Base(), t.dir))
	switch i := slices.IndexFunc(broken, func(err error) bool { return !isConfigError(err) }); {
	case i >= 0:
		return nil, &checked{err: broken[i]}
	case len(broken) > 0:
		return nil, c.ungoverned(t, broken)
	}
	opts, err := c.optionsOf(t)
	if noVersion := (*enginechoice.VersionFileError)(nil); errors.As(err, &noVersion) {
		return nil, unreadable(t, engine.Default(), err)
	} else if err != nil {
		return nil, &checked{err: err}
	}
	opts.Contents, opts.Cache = contents, t.cache
	src, diags, err := load.Dir(repo.In(c.Base(), t.dir), opts)
	var none *load.NoFilesError
	if errors.As(err, &none) && !t.must && !c.IsEngineGiven() {
		opts.Engine = otherReader(opts.Engine) // a version file takes no module out of the gate
		src, diags, err = load.Dir(repo.In(c.Base(), t.dir), opts)
	}
	switch {
	case errors.As(err, &none) && !t.must:
		return nil, &checked{}
	case errors.As(err, &none):
		return nil, &checked{err: fmt.Errorf("%w, or use -r to go through every module below it", err)}
	case err != nil:
		return nil, unreadable(t, opts.Engine, err)
	}
	in = &inspection{target: t, opts: opts}
	var more hcl.Diagnostics
	in.mod, more = merge.Files(src, merge.Options{})
	in.diags = slices.Concat(diags, more)
	in.found, in.tally = c.judge(in.mod, slices.Clone(in.diags), t, want)
	if in.found, err = c.unknownSince(t, opts, in.mod, want, in.found); err != nil {
		return nil, &checked{err: err}
	}
	if in.found, err = c.withNewIgnores(in, want); err != nil {
		return nil, &checked{err: err}
	}
	in.found, in.hidden = c.hide(in.found, t, want)
	in.failing = want.Failing(in.found)
	c.compareAssumed(in, want)
	check.Sort(in.mod, in.found)
	return in, nil
}

// unreadable is what there is to say of a module that can't be read.
func unreadable(t *target, e engine.Release, err error) *checked {
	return foundOnly(t, e, check.Unreadable("", err))
}

// ungoverned is what there is to say of a module whose settings make no sense: half
// of what is wanted of it would be the wrong gate.
func (c *checkCommand) ungoverned(t *target, broken []error) *checked {
	var found []check.Finding
	for _, err := range broken {
		f := check.Unreadable("", err)
		if settings := (*policy.Error)(nil); errors.As(err, &settings) {
			f = settings.FindingFor(repo.In(c.Base(), t.dir))
		}
		found = append(found, f)
	}
	return foundOnly(t, engine.Default(), found...)
}

// foundOnly is a module of which some findings are all there is to say.
func foundOnly(t *target, e engine.Release, list ...check.Finding) *checked {
	dir := filepath.ToSlash(t.dir)
	found := report.Findings(&merge.Module{Source: &load.Module{}}, dir, list)
	return &checked{
		record:   &report.ModuleRecord{Directory: dir, Engine: e.String()},
		findings: found,
		only:     list,
		tally:    tally{failing: len(list)}, // all are errors
	}
}

// judge lists what is found in a module and wanted.
func (c *checkCommand) judge(
	mod *merge.Module, diags hcl.Diagnostics, t *target, want *policy.Policy,
) (found []check.Finding, n tally) {
	found = check.Findings(mod, diags, want.LooksFor)
	found = append(found, c.lockFindings(mod)...)
	found = append(found, c.engineFindings(mod.Source, want)...)
	found = append(found, c.denied(mod, t, want)...)
	found, n.ignores = c.silence(mod, found, want)
	check.Sort(mod, found)
	return found, n
}

// lockFindings lists what is wrong with the lock file of a module, or with what it locks.
func (c *checkCommand) lockFindings(mod *merge.Module) []check.Finding {
	locked, diags, err := mod.Source.LockedProviders(c.MaxFileSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return []check.Finding{check.Unreadable(load.LockName, err)}
	case diags.HasErrors():
		return []check.Finding{check.BrokenLock(diags)}
	}
	return check.Locked(mod, providers.Compare(mod, locked))
}
