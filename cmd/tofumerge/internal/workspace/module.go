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
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A Module is one of a run, loaded and merged as far as it could be.
type Module struct {
	*merge.Module
	Subject *Subject
	Dir     string // in messages and records: as it was given or found, with slashes
	Diags   hcl.Diagnostics
	Past    *pastModule // the other side of a comparison; may be nil

	Prepared any // by Run.Prepare
	Hidden   int // changes that --filter leaves out, once Changes has been called

	search    *Search
	isNamed   bool // the directory itself was named
	changes   []*changes.Block
	isCounted bool // changes has been computed
	err       error
}

// A pastModule is a module as it was at a revision.
type pastModule struct {
	*PastDir
	compare.Reading
	Note   string // that one of the two sides doesn't exist
	IsSame bool   // its files are the present ones
}

// Label names it for people; empty for none.
func (p *pastModule) Label() string {
	if p == nil {
		return ""
	}
	return p.PastDir.Label()
}

// Heading is the heading of the module in text: its directory, and its address among calls.
func (m *Module) Heading() string {
	if m.Own().IsEmpty() {
		return m.Dir
	}
	return fmt.Sprintf("%s (%s)", m.Own(), m.Dir)
}

// Own is the address of the module as seen from the root of a tree; empty for all others.
func (m *Module) Own() address.Address {
	if n := m.Subject.node; n != nil {
		return n.Own
	}
	return address.Address{}
}

// Path lists the names of the calls from the root of a tree to the module.
func (m *Module) Path() []string {
	if n := m.Subject.node; n != nil {
		return n.Path
	}
	return nil
}

// IsCalled reports whether another module calls this one. Of such a module, engines read only
// the configuration.
func (m *Module) IsCalled() bool { return !m.Own().IsEmpty() }

// IsRepeated reports whether an earlier call loads the same directory. Everything except the
// address and the directory belongs to that module.
func (m *Module) IsRepeated() bool {
	return m.Subject.node != nil && m.Subject.node.First != m.Subject.node
}

// SameAs words which module a repeated one is.
func (m *Module) SameAs() string {
	if first := m.Subject.node.First.Own; !first.IsEmpty() {
		return "the same module as " + diag.Escape(first.String())
	}
	return "the same module as the root"
}

// Record is the JSON record of the module.
func (m *Module) Record() report.ModuleRecord {
	rec := report.ModuleRecord{Directory: m.Dir, Engine: m.Source.Engine.String(), Files: len(m.Source.Files), Against: m.Past.Label(), Address: m.Own().String()}
	if m.IsRepeated() {
		first := m.Subject.node.First
		same := first.Own.String()
		rec.Directory, rec.SameAs = m.Subject.tree.Shown(first.Dir), &same
	}
	return rec
}

// IsRefused reports whether nothing can be compared, because one side has errors.
func (m *Module) IsRefused() bool {
	return m.Diags.HasErrors() || m.Past != nil && m.Past.Diags.HasErrors()
}

// Changes lists the overrides' changes in the module, or the differences from the past one, by
// addresses from the root of a tree. It lists nothing for a refused module.
func (m *Module) Changes() []*changes.Block {
	if m.isCounted {
		return m.changes
	}
	m.isCounted = true
	all := changesOf(m)
	if len(m.search.Filter) == 0 {
		m.changes = all
		return all
	}
	var past *merge.Module
	if m.Past != nil {
		past = m.Past.Module
	}
	passes := m.search.PassesFilter(m.Own(), m.Module, past)
	for _, b := range all {
		wanted := *b
		wanted.Changes = slices.DeleteFunc(slices.Clone(b.Changes), func(c changes.Change) bool {
			own, _ := c.Address.In(m.Own())
			return !passes(own.Join(c.Path.Address()))
		})
		m.Hidden += len(b.Changes) - len(wanted.Changes)
		if len(wanted.Changes) > 0 {
			m.changes = append(m.changes, &wanted)
		}
	}
	return m.changes
}

func changesOf(m *Module) []*changes.Block {
	switch {
	case m.IsRefused() || m.Past != nil && m.Past.IsSame:
		return nil
	case m.Past != nil:
		return changes.Between(m.Past.Module, m.Module)
	}
	return changes.Within(m.Own(), changes.Of(m.Module))
}

// load loads the module of a subject; nil if there is none, and none was named.
func (r *Run) load(s *Subject) *Module {
	if s.node != nil {
		return r.called(s)
	}
	m := &Module{Subject: s, Dir: filepath.ToSlash(s.Dir), search: r.Search, isNamed: s.Must}
	if r.Prepare != nil {
		m.Prepared = r.Prepare(repo.In(r.ws.Base(), s.Dir))
	}
	if r.Search.Since == nil {
		m.Module, m.Diags, m.err = r.ws.loadQuietly(repo.In(r.ws.Base(), s.Dir), r.Merging)
	} else {
		m.err = r.loadBoth(m)
	}
	var none *load.NoFilesError
	switch isNone := errors.As(m.err, &none); {
	case isNone && !s.Must:
		return nil
	case isNone && r.Search.IsSingle:
		m.err = r.withModulesBelow(m.err, s.Dir)
	case isNone && r.Search.Since == nil:
		m.err = fmt.Errorf("%w, or use -r to go through every module below it", m.err)
	case m.err == nil && m.Dir != ".":
		m.Source.Prefix = m.Dir + "/"
	}
	return m
}

// called is a module of a tree, which has been loaded.
func (r *Run) called(s *Subject) *Module {
	first := s.node.First
	return &Module{Module: first.Module, Subject: s, Dir: s.Dir, Diags: slices.Concat(first.Diags, first.Unfound), search: r.Search, isNamed: true}
}

// Unfound lists warnings about calls in the module that can't be followed.
func (m *Module) Unfound() hcl.Diagnostics {
	if n := m.Subject.node; n != nil {
		return n.First.Unfound
	}
	return nil
}

// LoadSince loads a module and its state at a revision.
func (w *Workspace) LoadSince(s *Subject, rev Rev) (*Module, error) {
	r := &Run{ws: w, Search: &Search{Since: &rev}}
	m := &Module{Subject: s, search: r.Search}
	if err := r.loadBoth(m); err != nil {
		return nil, err
	}
	return m, nil
}

// loadBoth loads a module and its state at a revision.
func (r *Run) loadBoth(m *Module) error {
	past, err := r.ws.Past(m.Subject.Dir, *r.Search.Since)
	if err != nil {
		return err
	}
	m.Past = &pastModule{PastDir: past}
	now, note, err := r.ws.LoadPresent(m.Subject.Dir, past)
	if err != nil {
		return err
	}
	m.Past.Note = note
	if past.From != nil && now.Module.Source.IsSameAs(past.From, r.ws.MaxFileSize) {
		m.Module, m.Diags = now.Module, now.Diags
		m.Past.Module, m.Past.IsSame = now.Module, true
		return nil
	}
	was, err := r.ws.LoadPast(m.Subject.Dir, past)
	if err != nil {
		return err
	}
	load.ShareSecrets(was.Module.Source, now.Module.Source)
	m.Module, m.Diags = now.Module, now.Diags
	m.Past.Reading = was
	return nil
}

// withModulesBelow adds to the error that a directory holds no module which ones are below it.
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

// ReportPast reports on the past side of a comparison. Its warnings are left out, because they are
// about the past.
func (r *Run) ReportPast(m *Module) error {
	if m.Past == nil {
		return nil
	}
	r.ws.NoteOnce(m.Past.RenameNote())
	r.ws.NoteOnce(r.ws.EngineNote(m.Past.PastDir, m.Dir))
	if m.Past.Note != "" {
		r.ws.Note(m.Past.Note)
	}
	return r.ws.Report(m.Past.Module.Source, diag.Refusals(m.Past.Diags))
}
