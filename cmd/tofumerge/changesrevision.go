package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
)

// Modules against what they were at a revision, value by value.

// An againstRevision loads modules together with what they were.
type againstRevision struct {
	*manyRun
	name revisionName
}

// A pastModule is a module as it was.
type pastModule struct {
	*pastDir
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
	return p.pastDir.label()
}

// compareWith has modules compared with what --against names, also those that are there no
// more.
func (c *changesCommand) compareWith(cmd *cobra.Command, r *manyRun) error {
	if !cmd.Flags().Changed("against") {
		return nil
	}
	name, isRevision := revisionIn(c.against)
	switch {
	case !isRevision:
		return fmt.Errorf("--against takes a revision, such as git:main, not %s; to compare two directories, run: tofumerge diff DIR DIR2", diag.Escape(c.against))
	case name.hasDir && r.isMany:
		return fmt.Errorf("--against %s names one directory for several modules; use git:%s, or name one DIR", diag.Escape(c.against), diag.Escape(name.rev))
	}
	r.against = &againstRevision{r, name}
	if !r.search.recursive {
		return nil
	}
	for _, root := range r.named {
		if err := r.against.addGone(root); err != nil {
			return err
		}
	}
	return nil
}

// load loads the module of a directory, or what is left of it.
func (x *againstRevision) load(t *target) *manyModule {
	m := &manyModule{dir: filepath.ToSlash(t.dir), isNamed: t.must}
	dir, err := x.pastOf(t.dir, x.name)
	if err != nil {
		m.err = err
		return m
	}
	m.past = &pastModule{pastDir: dir}
	m.err = x.both(m, t.dir)
	var none *load.NoFilesError
	if errors.As(m.err, &none) && !t.must {
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
	now, note, err := x.loadPresent(dir, past.pastDir)
	if err != nil {
		return err
	}
	past.note = note
	if past.from != nil && now.src.IsSameAs(past.from, x.maxSize) {
		r := now.reading()
		m.Module, m.diags = r.Module, r.Diags
		past.module, past.isSame = r.Module, true
		return nil
	}
	was, err := x.loadPast(dir, past.pastDir)
	if err != nil {
		return err
	}
	changes.Align(was.src, now.src)
	load.ShareSecrets(was.src, now.src)
	then, r := was.reading(), now.reading()
	m.Module, m.diags = r.Module, r.Diags
	past.module, past.diags = then.Module, then.Diags
	return nil
}

// isRefused reports whether there is nothing to compare, since one side has errors.
func (m *manyModule) isRefused() bool {
	return m.diags.HasErrors() || m.past != nil && m.past.diags.HasErrors()
}

// addGone adds the directories below one that held modules at the revision and hold none.
func (x *againstRevision) addGone(root string) error {
	past, err := x.pastOf(root, x.name)
	if err != nil || past.from == nil {
		return err
	}
	known, moved := map[string]bool{}, map[string]bool{}
	for _, t := range x.targets {
		known[filepath.Clean(t.dir)] = true
		if was, err := x.pastOf(t.dir, x.name); err == nil && was.now != "" {
			moved[was.path] = true
		}
	}
	err = past.revision.Walk(past.path, func(rel string, names []string) error {
		if slices.Contains(skipped, path.Base(rel)) || rel != "" && x.search.isExcluded(rel) {
			return fs.SkipDir
		}
		dir := filepath.Join(root, filepath.FromSlash(rel))
		isMoved := moved[path.Join(past.path, rel)]
		if slices.ContainsFunc(names, isConfigName) && !known[dir] && !isMoved && !holdsModule(repo.In(x.base(), dir)) {
			x.targets = append(x.targets, &target{dir: dir})
		}
		return nil
	})
	slices.SortStableFunc(x.targets, func(a, b *target) int {
		return strings.Compare(filepath.ToSlash(a.dir)+"/", filepath.ToSlash(b.dir)+"/")
	})
	return err
}

// holdsModule reports whether a directory of the disk holds configuration.
func holdsModule(dir string) bool { return slices.ContainsFunc(entriesOf(dir), isReadByAny) }

// reportPast says what there is to say of what a module is compared with. Its warnings are
// about what is over.
func (c *changesCommand) reportPast(m *manyModule) error {
	if m.past == nil {
		return nil
	}
	c.NoteOnce(m.past.renameNote())
	c.NoteOnce(c.engineNote(m.past.pastDir, m.dir))
	if m.past.note != "" {
		c.Note(m.past.note)
	}
	return c.report(m.past.module.Source, errorsOf(m.past.diags))
}

// completeRevision begins the name of a revision for a shell.
func (a *app) completeRevision(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{revisionPrefix}, noSpace | noFiles
}
