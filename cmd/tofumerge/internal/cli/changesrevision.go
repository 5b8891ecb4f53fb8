package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
)

// Modules against what they were at a revision, value by value.

// An againstRevision loads modules together with what they were.
type againstRevision struct {
	*manyRun
	name workspace.Rev
}

// A pastModule is a module as it was.
type pastModule struct {
	*workspace.PastDir
	module *merge.Module
	diags  hcl.Diagnostics
	note   string // that it, or the module of now, is not there
	isSame bool   // its files are those of now
}

// label names it for people; empty for none.
func (p *pastModule) label() string {
	if p == nil {
		return ""
	}
	return p.PastDir.Label()
}

// pastName reads the name of the revision to compare with, and has modules found that were
// there. Without --against there is none.
func (c *changesCommand) pastName(cmd *cobra.Command) (name workspace.Rev, ok bool, err error) {
	if !cmd.Flags().Changed("against") {
		return name, false, nil
	}
	name, isRevision := workspace.ParseRev(c.against)
	if !isRevision {
		return name, false, fmt.Errorf("--against takes a revision, such as git:main, not %s; to compare two directories, run: tofumerge diff DIR DIR2", diag.Escape(c.against))
	}
	if c.Recursive && !name.HasDir {
		c.Search.FindPast = func(root string) (*discover.Past, error) { return c.ws.PastBelow(root, name) }
	}
	return name, true, nil
}

// compareWith has the modules of a run compared with what they were.
func (c *changesCommand) compareWith(r *manyRun, name workspace.Rev) error {
	if name.HasDir && r.isMany {
		return fmt.Errorf("--against %s names one directory for several modules; use git:%s, or name one DIR", diag.Escape(c.against), diag.Escape(name.Name))
	}
	r.against = &againstRevision{r, name}
	return nil
}

// load loads the module of a directory, or what is left of it.
func (x *againstRevision) load(t *workspace.Subject) *manyModule {
	m := &manyModule{dir: filepath.ToSlash(t.Dir), isNamed: t.Must}
	dir, err := x.manyRun.ws.Past(t.Dir, x.name)
	if err != nil {
		m.err = err
		return m
	}
	m.past = &pastModule{PastDir: dir}
	m.err = x.both(m, t.Dir)
	var none *load.NoFilesError
	if errors.As(m.err, &none) && !t.Must {
		return nil
	}
	if m.err == nil && x.isMany && m.dir != "." {
		m.Source.Prefix = m.dir + "/"
	}
	return m
}

// both loads a module and what it was, and merges them.
func (x *againstRevision) both(m *manyModule, dir string) error {
	past := m.past
	now, note, err := x.manyRun.ws.LoadPresent(dir, past.PastDir)
	if err != nil {
		return err
	}
	past.note = note
	if past.From != nil && now.Source.IsSameAs(past.From, x.manyRun.ws.MaxFileSize) {
		r := now.Reading()
		m.Module, m.diags = r.Module, r.Diags
		past.module, past.isSame = r.Module, true
		return nil
	}
	was, err := x.manyRun.ws.LoadPast(dir, past.PastDir)
	if err != nil {
		return err
	}
	changes.Align(was.Source, now.Source)
	load.ShareSecrets(was.Source, now.Source)
	then, r := was.Reading(), now.Reading()
	m.Module, m.diags = r.Module, r.Diags
	past.module, past.diags = then.Module, then.Diags
	return nil
}

// isRefused reports whether there is nothing to compare, since one side has errors.
func (m *manyModule) isRefused() bool {
	return m.diags.HasErrors() || m.past != nil && m.past.diags.HasErrors()
}

// reportPast says what there is to say of what a module is compared with. Its warnings are
// about what is over.
func (c *changesCommand) reportPast(m *manyModule) error {
	if m.past == nil {
		return nil
	}
	c.ws.NoteOnce(m.past.RenameNote())
	c.ws.NoteOnce(c.ws.EngineNote(m.past.PastDir, m.dir))
	if m.past.note != "" {
		c.ws.Note(m.past.note)
	}
	return c.ws.Report(m.past.module.Source, errorsOf(m.past.diags))
}

// completeRevision begins the name of a revision for a shell.
func (a *app) completeRevision(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{workspace.RevPrefix}, noSpace | noFiles
}
