package command

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How flatten writes modules into a new directory, which is there as a whole or not at all: beside
// it first, under another name.

// A flatTree is the new directory.
type flatTree struct {
	*flattener
	out string
	to  *replace.Building

	places    map[string]bool // of the modules, in the new directory
	written   map[string]bool // absolute names of the files that modules have
	relatives []relativeSource
	byDir     []string // locations that name path.module, one for each module
	hasRest   bool     // there are other files in directories of modules
}

// A relativeSource is a reference from one module to another directory.
type relativeSource struct {
	pathSource
	to string // from the new directory
}

// writeTree writes all modules into the new directory.
func (f *flattener) writeTree() error {
	t := &flatTree{
		flattener: f, out: filepath.Clean(repo.In(f.ws.Base(), f.newDir)), places: map[string]bool{}, written: map[string]bool{},
	}
	for _, dir := range f.run.Named {
		if err := writeback.CheckNewDir(t.out, repo.In(f.ws.Base(), dir), diag.Escape(dir)); err != nil {
			return err
		}
	}
	err := replace.MakeDir(t.out, replace.Options{Warn: f.ws.Warn}, func(b *replace.Building) error {
		t.to = b
		if err := workspace.Each(f.run, t.merge, t.add); err != nil || f.onlyConfig {
			return err
		}
		return t.copyOthers()
	})
	if err == nil {
		t.reportLeftOut()
	}
	return err
}

// add writes the files of a module, unless one before it has errors.
func (t *flatTree) add(m *workspace.Module, flat flatModule) error {
	if err := t.report(m, flat); err != nil || t.run.Failed > 0 {
		return err
	}
	place, err := t.place(m.Dir)
	if err != nil {
		return err
	}
	t.places[place] = true
	to := filepath.Join(t.to.Path, place)
	if err := t.to.Step(func() error { return os.MkdirAll(to, 0o777) }); err != nil {
		return writeback.NotWritten(filepath.Join(t.out, place), err)
	}
	t.keep(m, place)
	if err := t.note(m, filepath.Join(t.newDir, place), flat); err != nil {
		return err
	}
	return writeback.WriteFiles(t.to, to, m.Source, flat.diffs)
}

// place is the path of a directory in the new one.
func (t *flatTree) place(dir string) (string, error) {
	place := filepath.Join(".", filepath.FromSlash(t.ws.Prefix(repo.In(t.ws.Base(), filepath.FromSlash(dir)))))
	if len(t.run.Named) == 1 {
		rel, err := filepath.Rel(t.run.Named[0], filepath.FromSlash(dir))
		if err != nil {
			return "", err
		}
		place = rel
	}
	if !filepath.IsLocal(place) {
		return "", fmt.Errorf("nothing was written: %s is not below the current directory, so it has no path below %s; "+
			"run tofumerge in a directory above, or use -C", diag.Escape(dir), diag.Escape(t.out))
	}
	return place, nil
}

// keep keeps the remarks about a module until all are written.
func (t *flatTree) keep(m *workspace.Module, place string) {
	own := map[string]bool{}
	for _, e := range m.Source.Names {
		if writeback.IsPart(e) {
			own[e.Name] = true
			t.written[filepath.Join(repo.Real(m.Source.Dir), e.Name)] = true
		}
	}
	for _, s := range relativeSources(m.Module) {
		s.Place = diag.Escape(m.Source.Prefix) + s.Place
		t.relatives = append(t.relatives, relativeSource{s, filepath.Join(place, filepath.FromSlash(s.Source))})
	}
	t.warnLeftOut(m.Module)
	if !t.onlyConfig {
		return
	}
	if places := moduleDirs(m.Module); len(places) > 0 {
		t.byDir = append(t.byDir, diag.Escape(m.Source.Prefix)+places[0])
	}
	entries, _ := os.ReadDir(m.Source.Dir)
	t.hasRest = t.hasRest || slices.ContainsFunc(entries, func(d fs.DirEntry) bool {
		return !d.IsDir() && !writeback.IsKept(d.Name()) && !own[d.Name()]
	})
}

// copyOthers copies the files that aren't configuration of the modules. A file in two named
// directories is copied once.
func (t *flatTree) copyOthers() error {
	var roots []string
	for _, dir := range t.run.Named {
		roots = append(roots, repo.Real(repo.In(t.ws.Base(), dir)))
	}
	for i, root := range roots {
		if slices.ContainsFunc(roots, func(other string) bool { return other != root && repo.IsWithin(root, other) }) ||
			slices.Contains(roots[:i], root) {
			continue
		}
		place, err := t.place(t.run.Named[i])
		if err != nil {
			return err
		}
		others := &writeback.DirCopy{
			To: t.to, At: filepath.Join(t.to.Path, place), From: root, Warn: t.ws.Warn,
			IsWritten: func(rel string) bool { return t.written[filepath.Join(root, rel)] },
		}
		if err := others.Copy(); err != nil {
			return err
		}
	}
	return nil
}

// reportLeftOut lists everything that is missing from the new directory, or means something else
// there.
func (t *flatTree) reportLeftOut() {
	if t.hasRest {
		t.ws.Note(diag.Escape(t.newDir) + " holds only the configuration files; to copy the others, leave --only-config out")
	}
	for _, s := range t.relatives {
		if !t.places[s.to] && (t.onlyConfig || !filepath.IsLocal(s.to)) {
			t.ws.Warn(s.String())
		}
	}
	if n := len(t.byDir); n > 0 {
		t.ws.Warn(fmt.Sprintf("path.module is another directory there, in %s; the first is %s",
			wording.Count(n, "module"), t.byDir[0]))
	}
}

// warnLeftOut warns of configuration that is not in the new directory.
func (t *flatTree) warnLeftOut(mod *merge.Module) {
	own := mod.Source.Engine.Product
	for _, e := range mod.Source.Names {
		switch {
		case e.Status == load.Shadowed:
			t.ws.Warn(fmt.Sprintf("%s is left out because %s shadows it for %s",
				diag.Escape(mod.Source.Prefix+e.Name), diag.Escape(e.By), own.Title()))
		case e.Status == load.Foreign && t.onlyConfig:
			t.ws.Warn(fmt.Sprintf("%s is left out: %s does not read it", diag.Escape(mod.Source.Prefix+e.Name), own.Title()))
		}
	}
}
