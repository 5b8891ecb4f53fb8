package command

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
)

// An execTree is the copy that a tool runs in.
type execTree struct {
	*flattener
	*execOptions
	root string // that is copied
	copy string // of the root
	temp *replace.TempDir

	modules []string             // directories, as seen from the root
	flat    map[string]*flatText // by path, as seen from the root
	written map[string]bool      // paths of files that modules have, as seen from the root
	links   int
	known   map[string]stamp // what the copy holds before the tool runs
}

// A flatText is a flattened file in the copy.
type flatText struct {
	dir   string // of the module, as seen from the root
	text  []byte
	lines *sourcemap.File
}

// A stamp tells whether a file changed.
type stamp struct {
	size int64
	time time.Time
	mode fs.FileMode
}

func newExecTree(o *execOptions, r *workspace.Run, temp *replace.TempDir) *execTree {
	t := &execTree{
		flattener: &flattener{flattenOptions: &flattenOptions{ws: o.ws}, run: r}, execOptions: o, temp: temp,
		flat: map[string]*flatText{}, written: map[string]bool{}, known: map[string]stamp{},
	}
	t.root = repo.Real(repo.In(o.ws.Base(), r.Named[0]))
	if root := repo.Root(t.root); repo.IsRoot(root) {
		t.root = repo.Real(root)
	}
	t.copy = filepath.Join(repo.Real(temp.Path), filepath.Base(t.root))
	return t
}

// longFile is the size from which on a file is a link in the copy.
const longFile = 1 << 20

// build makes the copy.
func (t *execTree) build() error {
	if repo.IsWithin(repo.Real(t.temp.Path), t.root) {
		return fmt.Errorf("nothing was run: the directory for temporary files, %s, is inside %s, which is copied there; "+
			"name another one in TMPDIR", diag.Escape(filepath.Dir(t.temp.Path)), diag.Escape(t.root))
	}
	err := replace.MakeDir(t.copy, replace.Options{Warn: t.flattener.ws.Warn}, func(b *replace.Building) error {
		err := workspace.Each(t.flattener.run, t.mergeOne, func(m *workspace.Module, flat flatModule) error { return t.add(b, m, flat) })
		if err != nil {
			return err
		}
		rest := &writeback.DirCopy{
			To: b, At: b.Path, From: t.root, Warn: t.flattener.ws.Warn, Mirror: true, Links: t.isLink,
			IsWritten: func(rel string) bool { return t.written[rel] },
		}
		return rest.Copy()
	})
	if err != nil {
		return err
	}
	if t.links > 0 && t.flattener.ws.Verbose {
		t.flattener.ws.Note("links to the original in the copy: " + strconv.Itoa(t.links))
	}
	return t.walk(func(rel string, info fs.FileInfo) error {
		t.known[rel] = stamp{info.Size(), info.ModTime(), info.Mode()}
		return nil
	})
}

// mergeOne works out the files of a module.
func (t *execTree) mergeOne(m *workspace.Module) (flat flatModule) {
	if !m.Diags.HasErrors() {
		flat.diffs, m.Diags = t.merged(m.Module, m.Diags)
		flat.lines = sourcemap.Of(m.Module, flat.diffs)
	}
	return flat
}

// add writes the files of a module into the copy.
func (t *execTree) add(b *replace.Building, m *workspace.Module, flat flatModule) error {
	ws := t.flattener.ws
	if m.Diags.HasErrors() {
		return ws.Report(m.Source, m.Diags)
	}
	if err := ws.ReportAll(m.Source, t.shown(m.Module, m.Diags)); err != nil {
		return err
	}
	dir := repo.Real(m.Source.Dir)
	rel, err := filepath.Rel(t.root, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("nothing was run: %s is a link that leads out of %s", diag.Escape(m.Dir), diag.Escape(t.root))
	}
	for _, e := range m.Source.Names {
		if writeback.IsPart(e) {
			t.written[filepath.Join(rel, e.Name)] = true
		}
	}
	t.modules = append(t.modules, rel)
	for i, d := range flat.diffs {
		t.flat[filepath.Join(rel, d.Name)] = &flatText{rel, d.New(), flat.lines[i]}
	}
	to := filepath.Join(b.Path, rel)
	if err := b.Step(func() error { return os.MkdirAll(to, 0o700) }); err != nil {
		return writeback.NotWritten(to, err)
	}
	return writeback.WriteFiles(b, to, m.Source, flat.diffs)
}

// isLink reports whether something is a link in the copy.
func (t *execTree) isLink(rel string, d fs.DirEntry) bool {
	isLink := false
	switch name := d.Name(); {
	case t.written[rel]:
	case name == ".git":
		isLink = t.git
	case filepath.Base(filepath.Dir(rel)) == ".terraform" && d.IsDir():
		isLink = name == "providers" || name == "modules"
	case d.Type().IsRegular() && !writeback.IsKept(name):
		info, err := d.Info()
		isLink = err == nil && info.Size() > longFile
	}
	if isLink {
		t.links++
	}
	return isLink
}

// walk visits the files of the copy, and follows no links.
func (t *execTree) walk(visit func(rel string, info fs.FileInfo) error) error {
	return filepath.WalkDir(t.copy, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("can't read the copy: %w", input.StripPath(err))
		}
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return fmt.Errorf("can't read the copy: %w", input.StripPath(err))
		}
		rel, err := filepath.Rel(t.copy, path)
		if err != nil {
			return err
		}
		return visit(rel, info)
	})
}
