package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/notice"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How a command works on many modules: several at once, in the order of their
// directories, and each is let go when its part is done.

// A manyRun is a command's work on the modules of several directories.
type manyRun struct {
	*app
	targets []*workspace.Subject
	named   []string // as the arguments name them
	trees   load.Trees
	merging merge.Options
	search  *workspace.Search
	verb    string // what has been done, as progress says it: "checked"
	undone  string // what has not been done where one module has errors: "printed"

	// isMany says that messages name the module, and that there is a line of totals.
	isMany bool
	json   bool // the totals are part of the result
	totals report.TotalsRecord
	failed int // modules with errors
	// isMisnamed says that a directory which was named can't be read as a module.
	isMisnamed bool
	said       map[string]bool // errors that belong to no place in a file

	against *againstRevision // what the modules are compared with; may be nil
}

// A manyModule is one of them.
type manyModule struct {
	*merge.Module
	dir    string // as messages name it: as it was given or found, with slashes
	diags  hcl.Diagnostics
	blocks []*changes.Block // what overrides change, if the command has worked that out
	// What the command at hand has worked out besides.
	diffs   []*patch.File
	notices []*notice.File
	text    bytes.Buffer
	own     *report.ModuleRecord // of a module in a tree
	reasons []string             // why it can't be flattened
	others  []report.OtherFileRecord

	isNamed bool        // it was not found, and not only one of its files was named
	past    *pastModule // what it is compared with; may be nil
	err     error
}

// newMany finds the modules that arguments name, for a command with the flags of a search.
func (a *app) newMany(args []string, s *workspace.Search, verb string) (*manyRun, error) {
	targets, err := a.ws.Subjects(args, s)
	if err != nil {
		return nil, err
	}
	r := &manyRun{app: a, targets: targets, search: s, verb: verb, undone: "printed", isMany: s.Recursive || len(targets) > 1, said: map[string]bool{}}
	if r.named = args; len(args) == 0 {
		r.named = []string{"."}
	}
	if len(targets) == 0 && s.DirsOnly {
		return nil, r.nothing()
	}
	if r.isMany && len(a.ws.Overlays) > 0 {
		text := "--overlay is merged into one module; name only one " + s.For(a.ws).Takes()
		if s.Recursive {
			text += ", without -r"
		}
		return nil, errors.New(text)
	}
	return r, nil
}

// nothing is the error that there is no module.
func (r *manyRun) nothing() error {
	text := "no configuration files below " + diag.Escape(orList(r.named))
	if r.search.Skipped.Ignored > 0 {
		text += " but in directories that .gitignore names"
	}
	return errors.New(text + "; name a directory with modules")
}

// each calls work for each module, for several at once, and after that take, in the order
// of the modules and one at a time: take prints, work does not. Both get modules with
// errors, too. What they don't keep of a module is let go.
//
// take returns errReported for a module with errors that it has printed. Then each goes on
// with the others, and returns errReported in the end, as it does where a directory can't be
// read. Any other error ends the run.
func (r *manyRun) each(work func(*manyModule), take func(*manyModule) error) error {
	if r.isMany {
		r.ws.ExpectMany()
	}
	if _, err := r.ws.Options(); err != nil {
		return err
	}
	for _, t := range r.targets {
		_, _ = r.ws.Engine(repo.In(r.ws.Base(), t.Dir)) // so that what there is to say comes in their order
	}
	used := make([]bool, len(r.ws.Excluded)) // which patterns of --exclude-override
	fatal := r.goThrough(work, func(m *manyModule) error {
		for n, glob := range r.ws.Excluded {
			used[n] = used[n] || m.Module != nil && workspace.Excludes(glob, m.Source)
		}
		return r.take(m, take)
	})
	for n, glob := range r.ws.Excluded {
		if !used[n] && fatal == nil {
			r.ws.WarnIdleExclusion(glob)
		}
	}
	switch {
	case fatal != nil:
		return fatal
	case r.failed > 0:
		return r.refused()
	case r.totals.Modules == 0 && r.search.DirsOnly:
		return r.nothing()
	}
	return nil
}

// goThrough loads the modules and hands them on, up to the first error of take.
func (r *manyRun) goThrough(work func(*manyModule), take func(*manyModule) error) (fatal error) {
	var done atomic.Int64
	p := r.ws.Progress(r.verb, len(r.targets), &done)
	defer p.Stop()
	modules := make([]*manyModule, len(r.targets))
	parallel.Ordered(len(r.targets), func(i int) {
		if modules[i] = r.load(r.targets[i]); modules[i] != nil && modules[i].err == nil {
			work(modules[i])
			r.count(modules[i])
		}
		done.Add(1)
	}, func(i int) {
		m := modules[i]
		modules[i] = nil
		if m != nil && fatal == nil {
			p.Aside(func() { fatal = take(m) })
		}
	})
	return fatal
}

// count works out what overrides change, if the totals are to be printed and the command has
// not.
func (r *manyRun) count(m *manyModule) {
	if m.blocks == nil && r.isMany && (r.json || r.ws.Summarizes()) {
		m.blocks = m.changed()
	}
}

// refused is the error that some modules have errors, which have been printed. It says so
// if that leaves nothing of the others.
func (r *manyRun) refused() error {
	if !r.search.Recursive || r.undone == "" {
		return workspace.ErrReported
	}
	text := fmt.Sprintf("nothing was %s: %d of %s", r.undone, r.failed, wording.Count(r.totals.Modules, "module"))
	if r.failed == 1 {
		text += " has errors"
	} else {
		text += " have errors"
	}
	return errors.New(text + "; to skip a directory, use --exclude")
}

// take hands a module on, and counts it.
func (r *manyRun) take(m *manyModule, take func(*manyModule) error) error {
	err := m.err
	if err == nil {
		err = take(m)
	} else {
		r.reportOnce(err)
		r.isMisnamed = r.isMisnamed || m.isNamed
		err = workspace.ErrReported
	}
	if errors.Is(err, workspace.ErrReported) {
		r.failed++
		err = nil
	}
	if m.Module == nil {
		r.totals.Modules++
	} else {
		r.totals.Add(m.Module, m.diags, m.blocks)
	}
	return err
}

// reportOnce reports an error, which is the same for all modules if a flag is wrong.
func (r *manyRun) reportOnce(err error) {
	if text := err.Error(); !r.said[text] {
		r.said[text] = true
		r.ws.Error(err)
	}
}

// load loads the module of a directory; nil where there is none, and none was named.
func (r *manyRun) load(t *workspace.Subject) *manyModule {
	if r.against != nil {
		return r.against.load(t)
	}
	m := &manyModule{dir: filepath.ToSlash(t.Dir), isNamed: t.Must}
	path := repo.In(r.ws.Base(), t.Dir)
	m.Module, m.diags, m.err = r.ws.LoadQuietly(path, r.trees, r.merging)
	var none *load.NoFilesError
	switch isNone := errors.As(m.err, &none); {
	case isNone && !t.Must:
		return nil
	case isNone:
		m.err = orRecursive(m.err)
	case m.err == nil && r.isMany && m.dir != ".":
		m.Source.Prefix = m.dir + "/"
	}
	return m
}

// orRecursive adds to the error that a directory holds no module that -r looks below it.
func orRecursive(err error) error {
	var none *load.NoFilesError
	if errors.As(err, &none) {
		return fmt.Errorf("%w, or use -r to go through every module below it", err)
	}
	return err
}

// path is where the directory of a module is.
func (r *manyRun) path(m *manyModule) string { return repo.In(r.ws.Base(), filepath.FromSlash(m.dir)) }

// record is what JSON says of the module.
func (m *manyModule) record() report.ModuleRecord {
	if m.own != nil {
		return *m.own
	}
	return report.ModuleRecord{Directory: m.dir, Engine: m.Source.Engine.String(), Files: len(m.Source.Files), Against: m.past.label()}
}

// totalsRecord is what JSON says of all modules; nil for one that was named.
func (r *manyRun) totalsRecord() *report.TotalsRecord {
	if !r.isMany {
		return nil
	}
	return &r.totals
}

// changed reports what overrides change, or what is not as it was, if the module has no errors.
func (m *manyModule) changed() []*changes.Block {
	switch {
	case m.isRefused() || m.past != nil && m.past.isSame:
		return nil
	case m.past != nil:
		return changes.Between(m.past.module, m.Module)
	}
	return changes.Of(m.Module)
}

// finish ends a run with a line that says what the overrides of all modules do; one module
// has had its own.
func (r *manyRun) finish() {
	text := ""
	if r.isMany {
		text = r.totals.String()
	}
	r.search.Finish(r.ws, text)
}

// describe says what there is to say of one module: under -v, or if it is the only one.
func (r *manyRun) describe(m *manyModule, diags hcl.Diagnostics) {
	if !r.isMany || r.ws.Verbose {
		r.ws.Summarize(m.Source.Prefix, m.Module, false, diags)
	}
}
