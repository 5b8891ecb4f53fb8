package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How flatten writes several modules: into one new directory, which is there as a whole or
// not at all, each at the place that it has among the others.

// A flatTree is the new directory of several modules.
type flatTree struct {
	*flattenCommand
	many *manyRun
	out  string
	to   *replace.Building

	places    map[string]bool // of the modules, in the new directory
	written   map[string]bool // absolute names of the files that modules have
	relatives []relativeSource
	byDir     []string // places that name path.module, one of each module
	hasRest   bool     // there are other files in directories of modules
}

// A relativeSource leads from one module to another directory.
type relativeSource struct {
	wording.RelativeSource
	to string // from the new directory
}

func (f *flattenCommand) runMany(args []string) error {
	if f.inPlace {
		return errors.New("--in-place rewrites one module; to write several, use --out")
	}
	r, err := f.app.newMany(args, &f.Search, "merged")
	if err != nil {
		return err
	}
	r.undone = "written"
	t := &flatTree{
		flattenCommand: f, many: r, out: filepath.Clean(repo.In(f.ws.Base(), f.out)),
		places: map[string]bool{}, written: map[string]bool{},
	}
	for _, dir := range r.named {
		if err := writeback.CheckNewDir(t.out, repo.In(f.ws.Base(), dir), diag.Escape(dir)); err != nil {
			return err
		}
	}
	err = replace.MakeDir(t.out, replace.Options{Warn: f.ws.Warn}, func(b *replace.Building) error {
		t.to = b
		if err := r.each(t.merge, t.add); err != nil || !f.copyRest {
			return err
		}
		return t.copyOthers()
	})
	if err != nil {
		return err
	}
	t.reportLeftOut()
	r.finish()
	return nil
}

// merge works out the files of a module.
func (t *flatTree) merge(m *manyModule) {
	if m.diags.HasErrors() {
		return
	}
	m.diffs, m.diags = t.merged(m.Module, m.diags)
	m.reasons = t.obstacles(m.Module, nil, m.diags, m.diffs)
	if err := writeback.CheckAside(m.Source.Dir); err != nil {
		m.reasons = append(m.reasons, strings.TrimPrefix(err.Error(), "nothing was written: "))
	}
}

// add writes the files of a module, unless one before it has errors.
func (t *flatTree) add(m *manyModule) error {
	if m.diags.HasErrors() {
		return t.flattenCommand.ws.Report(m.Source, m.diags)
	}
	if err := t.flattenCommand.ws.ReportAll(m.Source, t.shown(m.Module, m.diags)); err != nil {
		return err
	}
	if len(m.reasons) > 0 {
		t.flattenCommand.ws.Message(term.ErrorHead, fmt.Sprintf("%s can't be flattened: %s", diag.Escape(m.dir), strings.Join(m.reasons, "; ")))
		return workspace.ErrReported
	}
	t.many.describe(m, m.diags)
	if t.many.failed > 0 {
		return nil // nothing will be there
	}
	place, err := t.place(m.dir)
	if err != nil {
		return err
	}
	t.places[place] = true
	to := filepath.Join(t.to.Path, place)
	if err := t.to.Step(func() error { return os.MkdirAll(to, 0o777) }); err != nil {
		return writeback.NotWritten(filepath.Join(t.out, place), err)
	}
	t.note(m, place)
	return writeback.WriteFiles(t.to, to, m.Source, m.diffs)
}

// place is where a directory is in the new one.
func (t *flatTree) place(dir string) (string, error) {
	place := filepath.Join(".", filepath.FromSlash(t.flattenCommand.ws.Prefix(repo.In(t.flattenCommand.ws.Base(), filepath.FromSlash(dir)))))
	if len(t.many.named) == 1 {
		rel, err := filepath.Rel(t.many.named[0], filepath.FromSlash(dir))
		if err != nil {
			return "", err
		}
		place = rel
	}
	if !filepath.IsLocal(place) {
		return "", fmt.Errorf("nothing was written: %s is not below the current directory, so it has no place below %s; "+
			"run tofumerge in a directory above, or use -C", diag.Escape(dir), diag.Escape(t.out))
	}
	return place, nil
}

// note keeps what is to be said of a module when all are written.
func (t *flatTree) note(m *manyModule, place string) {
	own := map[string]bool{}
	for _, e := range m.Source.Names {
		if writeback.IsPart(e) {
			own[e.Name] = true
			t.written[filepath.Join(repo.Real(m.Source.Dir), e.Name)] = true
		}
	}
	for _, s := range wording.RelativeSources(m.Module) {
		s.Place = diag.Escape(m.Source.Prefix) + s.Place
		t.relatives = append(t.relatives, relativeSource{s, filepath.Join(place, filepath.FromSlash(s.Source))})
	}
	if t.copyRest {
		return
	}
	if places := wording.ModuleDirs(m.Module); len(places) > 0 {
		t.byDir = append(t.byDir, diag.Escape(m.Source.Prefix)+places[0])
	}
	entries, _ := os.ReadDir(m.Source.Dir)
	t.hasRest = t.hasRest || slices.ContainsFunc(entries, func(d fs.DirEntry) bool {
		return !d.IsDir() && !writeback.IsKept(d.Name()) && !own[d.Name()]
	})
	t.warnLeftOut(m.Module)
}

// copyOthers copies what is not configuration of the modules. What is in one directory that
// was named and in another one is copied once.
func (t *flatTree) copyOthers() error {
	var roots []string
	for _, dir := range t.many.named {
		roots = append(roots, repo.Real(repo.In(t.flattenCommand.ws.Base(), dir)))
	}
	for i, root := range roots {
		if slices.ContainsFunc(roots, func(other string) bool { return other != root && repo.IsWithin(root, other) }) ||
			slices.Contains(roots[:i], root) {
			continue
		}
		place, err := t.place(t.many.named[i])
		if err != nil {
			return err
		}
		others := &writeback.Rest{
			To: t.to, At: filepath.Join(t.to.Path, place), From: root, Warn: t.flattenCommand.ws.Warn,
			IsWritten: func(rel string) bool { return t.written[filepath.Join(root, rel)] },
		}
		if err := others.Copy(); err != nil {
			return err
		}
	}
	return nil
}

// reportLeftOut says what is not in the new directory, and what means something else there.
func (t *flatTree) reportLeftOut() {
	if t.hasRest {
		t.ws.Note(diag.Escape(t.flattenCommand.out) + " holds only the configuration files; to copy the others, use --copy-rest")
	}
	for _, s := range t.relatives {
		if !t.places[s.to] && (!t.copyRest || !filepath.IsLocal(s.to)) {
			t.flattenCommand.ws.Warn(s.String())
		}
	}
	if n := len(t.byDir); n > 0 {
		t.flattenCommand.ws.Warn(fmt.Sprintf("path.module is another directory there, in %s; the first is %s",
			wording.Count(n, "module"), t.byDir[0]))
	}
}
