package command

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
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How flatten writes several modules: into one new directory, which is there as a whole or
// not at all, each at the place that it has among the others.

// A flatTree is the new directory of several modules.
type flatTree struct {
	*flattenOptions
	many *workspace.Run
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

func (o *flattenOptions) runMany(args []string) error {
	if o.inPlace {
		return errors.New("--in-place rewrites one module; to write several, use --out")
	}
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	r.Done, r.Undone = "merged", "written"
	t := &flatTree{
		flattenOptions: o, many: r, out: filepath.Clean(repo.In(o.ws.Base(), o.out)),
		places: map[string]bool{}, written: map[string]bool{},
	}
	for _, dir := range r.Named {
		if err := writeback.CheckNewDir(t.out, repo.In(o.ws.Base(), dir), diag.Escape(dir)); err != nil {
			return err
		}
	}
	err = replace.MakeDir(t.out, replace.Options{Warn: o.ws.Warn}, func(b *replace.Building) error {
		t.to = b
		if err := workspace.Each(r, t.merge, t.add); err != nil || !o.copyRest {
			return err
		}
		return t.copyOthers()
	})
	if err != nil {
		return err
	}
	t.reportLeftOut()
	r.Finish()
	return nil
}

// A flatModule is what flatten makes of one of several modules.
type flatModule struct {
	diffs   []*patch.File
	reasons []string // that speak against it
}

// merge works out the files of a module.
func (t *flatTree) merge(m *workspace.Module) (f flatModule) {
	if m.Diags.HasErrors() {
		return f
	}
	f.diffs, m.Diags = t.merged(m.Module, m.Diags)
	f.reasons = t.obstacles(m.Module, nil, m.Diags, f.diffs)
	if err := writeback.CheckAside(m.Source.Dir); err != nil {
		f.reasons = append(f.reasons, strings.TrimPrefix(err.Error(), "nothing was written: "))
	}
	return f
}

// add writes the files of a module, unless one before it has errors.
func (t *flatTree) add(m *workspace.Module, f flatModule) error {
	if m.Diags.HasErrors() {
		return t.ws.Report(m.Source, m.Diags)
	}
	if err := t.ws.ReportAll(m.Source, t.shown(m.Module, m.Diags)); err != nil {
		return err
	}
	if len(f.reasons) > 0 {
		t.ws.Message(term.ErrorHead, fmt.Sprintf("%s can't be flattened: %s", diag.Escape(m.Dir), strings.Join(f.reasons, "; ")))
		return workspace.ErrReported
	}
	t.many.Describe(m, m.Diags)
	if t.many.Failed > 0 {
		return nil // nothing will be there
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
	t.note(m, place)
	return writeback.WriteFiles(t.to, to, m.Source, f.diffs)
}

// place is where a directory is in the new one.
func (t *flatTree) place(dir string) (string, error) {
	place := filepath.Join(".", filepath.FromSlash(t.ws.Prefix(repo.In(t.ws.Base(), filepath.FromSlash(dir)))))
	if len(t.many.Named) == 1 {
		rel, err := filepath.Rel(t.many.Named[0], filepath.FromSlash(dir))
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
func (t *flatTree) note(m *workspace.Module, place string) {
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
	for _, dir := range t.many.Named {
		roots = append(roots, repo.Real(repo.In(t.ws.Base(), dir)))
	}
	for i, root := range roots {
		if slices.ContainsFunc(roots, func(other string) bool { return other != root && repo.IsWithin(root, other) }) ||
			slices.Contains(roots[:i], root) {
			continue
		}
		place, err := t.place(t.many.Named[i])
		if err != nil {
			return err
		}
		others := &writeback.Rest{
			To: t.to, At: filepath.Join(t.to.Path, place), From: root, Warn: t.ws.Warn,
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
		t.ws.Note(diag.Escape(t.out) + " holds only the configuration files; to copy the others, use --copy-rest")
	}
	for _, s := range t.relatives {
		if !t.places[s.to] && (!t.copyRest || !filepath.IsLocal(s.to)) {
			t.ws.Warn(s.String())
		}
	}
	if n := len(t.byDir); n > 0 {
		t.ws.Warn(fmt.Sprintf("path.module is another directory there, in %s; the first is %s",
			wording.Count(n, "module"), t.byDir[0]))
	}
}
