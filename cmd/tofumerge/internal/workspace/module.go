package workspace

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A Module is a module of a run, loaded and merged as far as that was possible.
type Module struct {
	*merge.Module
	Subject *Subject
	Dir     string // in messages and records: as it was given or found, with slashes
	Diags   hcl.Diagnostics
	Left    *leftModule // the left side of a comparison; may be nil

	Hidden int // changes that --filter leaves out, once Changes has been called
	// About lists the items that the command is asked about; nil for all.
	About []*merge.MergedItem

	search     *Search
	isNamed    bool             // the directory itself was named
	changes    []*changes.Block // the result of Changes
	isCompared bool             // changes has been computed
	err        error            // why it couldn't be loaded
}

// Record returns the JSON record of the module.
func (m *Module) Record() report.ModuleRecord {
	return report.ModuleRecord{Directory: m.Dir, Engine: m.Source.Engine.String(), Files: len(m.Source.Files), Against: m.Left.Label()}
}

// IsRefused reports whether nothing can be compared, because the module or its left side has errors.
func (m *Module) IsRefused() bool {
	return m.Diags.HasErrors() || m.Left != nil && m.Left.Diags.HasErrors()
}

// Changes lists what overrides change in the module or, in a comparison, the differences from the left side.
// It applies --filter, and computes the list once. A refused module has no changes.
func (m *Module) Changes() []*changes.Block {
	if m.isCompared {
		return m.changes
	}
	m.isCompared = true
	all := changesOf(m)
	if len(m.search.Filter) == 0 {
		m.changes = all
		return all
	}
	// The filter may match items of either side.
	var past *merge.Module
	if m.Left != nil {
		past = m.Left.Module
	}
	passes := m.search.PassesFilter(m.Module, past)
	for _, b := range all {
		// A copy of b with the changes that pass: the filter may name an element by its present or its earlier index.
		wanted := *b
		wanted.Changes = slices.DeleteFunc(slices.Clone(b.Changes), func(c changes.Change) bool {
			earlier := c.Path.AddressBy((*values.Path).Earlier) // with the indexes on the left side
			return !passes(c.Address.Join(c.Name())) && !passes(c.Address.Join(earlier))
		})
		m.Hidden += len(b.Changes) - len(wanted.Changes)
		if len(wanted.Changes) > 0 {
			m.changes = append(m.changes, &wanted)
		}
	}
	m.search.NoteMatch(len(m.changes) > 0 || m.IsRefused(), m.Module)
	return m.changes
}

// changesOf computes Changes without the filter.
func changesOf(m *Module) []*changes.Block {
	switch {
	case m.IsRefused() || m.Left != nil && m.Left.IsSame:
		return nil
	case m.Left != nil:
		return changes.Between(m.Left.Module, m.Module)
	}
	return changes.Of(m.Module)
}

// load loads the module of a subject, or both sides of a comparison. It returns nil if the directory holds no
// module and wasn't named; other errors are in err of the result.
func (r *Run) load(s *Subject) *Module {
	m := &Module{Subject: s, Dir: filepath.ToSlash(s.Dir), search: r.Search, isNamed: s.Must}
	if !r.Search.AreTwo() {
		m.Module, m.Diags, m.err = r.ws.Load(repo.In(r.ws.Base(), s.Dir), r.Merging)
	} else {
		m.err = r.loadSides(m)
	}
	var none *load.NoFilesError
	// A directory without a module: no result, or an error that says what else to do.
	switch isNone := errors.As(m.err, &none); {
	case isNone && !s.Must:
		return nil
	case isNone && r.Search.IsSingle:
		m.err = r.withModulesBelow(m.err, s.Dir)
	case isNone && !r.Search.AreTwo():
		m.err = fmt.Errorf("%w, or use -r to go through every module below it", m.err)
	case m.err == nil && m.Dir != ".": // messages name files with their directory
		m.Source.Prefix = m.Dir + "/"
	}
	return m
}

// withModulesBelow adds the modules below a directory to the error that the directory holds none.
func (r *Run) withModulesBelow(err error, dir string) error {
	found, findErr := r.ws.Subjects([]string{dir}, &Search{Recursive: true, DirsOnly: true})
	if findErr != nil || len(found) == 0 {
		return err
	}
	var names []string
	for _, s := range found {
		names = append(names, diag.Escape(filepath.ToSlash(s.Dir)))
	}
	return fmt.Errorf("no configuration files in %s, but %s below: %s; run: tofumerge %s, or for all of them: tofumerge check -r %s",
		diag.Escape(dir), wording.Count(len(names), "module"), wording.Some(names, ", "), names[0], diag.Escape(dir))
}

// Overrides without effect: check, render and flatten print a warning for each of them. Other commands show
// them in the result, or are about other things.

// ReportAll prints diagnostics of a module, including silenced ones. Under HidesIdle it leaves out those
// about overrides without effect.
func (r *Run) ReportAll(m *Module, diags hcl.Diagnostics) error {
	if r.HidesIdle {
		diags, _ = withoutIdle(diags)
	}
	return r.ws.ReportAll(m.Source, diags)
}

// withoutIdle returns all diagnostics but the warnings about overrides without effect, and then these (idle).
func withoutIdle(diags hcl.Diagnostics) (others, idle hcl.Diagnostics) {
	return Part(diags, func(d *hcl.Diagnostic) bool { return diag.CodeOf(d) != diag.NoEffect || diag.IsError(d) })
}

// Part separates the elements of a list that a function selects from the others.
func Part[S ~[]T, T any](list S, is func(T) bool) (selected, others S) {
	for _, x := range list {
		if is(x) {
			selected = append(selected, x)
		} else {
			others = append(others, x)
		}
	}
	return selected, others
}
