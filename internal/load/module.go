package load

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/secrets"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Module holds the contents of a directory's files, file by file, not combined.
type Module struct {
	Dir    string
	Engine engine.Release
	Files  []*source.File // those that were read: primary files, then override files, each in load order
	Names  []DirEntry     // every name of the directory that looks like configuration, in byte order

	// Schema decides which names are arguments and which are nested blocks; it may be nil.
	Schema *providerschema.Schema
	// From is where the files were read, if not on the disk.
	From Directory
	// Prefix is the path of the directory with a slash, as messages print it before the names of its files.
	Prefix string
	// ShowSource allows messages to show lines of files that can't be parsed, whatever they
	// contain.
	ShowSource bool

	once    sync.Once // finds secrets
	secrets *secrets.Set
	locals  struct {
		sync.Once
		byName map[string]*source.Attr
		kept   sync.Map // what OfLocal returns, by name
	}
	byName map[string]*source.File
	// addressed are the blocks of primary files that override files may change.
	addressed *addressedBlocks
}

// File returns the file that was read under a name, or nil.
func (m *Module) File(name string) *source.File { return m.byName[name] }

// Texts returns the contents of the files that were read in the directory, by name, so that it can be
// loaded again without reading them. It leaves out overlays.
func (m *Module) Texts() map[string][]byte {
	texts := make(map[string][]byte, len(m.Files))
	for _, f := range m.Files {
		if f.Raw != nil && !f.Overlay {
			texts[f.Name] = f.Raw
		}
	}
	return texts
}

// Shown is the name of a file for people: its path from the working directory. An overlay has such a
// name already.
func (m *Module) Shown(name string) string {
	if f := m.File(name); f != nil && f.Overlay {
		return name
	}
	return m.Prefix + name
}

// ShownIn is Shown for a file that a diagnostic names.
func (m *Module) ShownIn(d *hcl.Diagnostic, name string) string {
	if diag.IsGiven(d) {
		return name
	}
	return m.Shown(name)
}

// index builds the map from names to files; of files with the same name it keeps the first.
func (m *Module) index() {
	m.byName = make(map[string]*source.File, len(m.Files))
	for _, f := range m.Files {
		if m.byName[f.Name] == nil {
			m.byName[f.Name] = f
		}
	}
}

// ItemAt is the innermost item at the start of a range of a file's content, or nil, even if the
// file is broken.
func ItemAt(m *Module, r hcl.Range) source.Item {
	f := m.File(r.Filename)
	if f == nil || f.Broken {
		return nil
	}
	return f.ItemAt(r.Start.Byte)
}

// Guesses returns a warning for each name in JSON files that only its form classifies as an
// argument or a nested block. It calls matters with the item of that name, to leave out warnings
// that make no difference.
func (m *Module) Guesses(matters func(source.Item) bool) hcl.Diagnostics {
	return jsonsyntax.Guesses(m.Files, matters)
}

// Unsayable calls visit for everything in the JSON files that native syntax can't express: with the
// item that contains it, and an error.
func (m *Module) Unsayable(visit func(source.Item, *hcl.Diagnostic)) {
	for _, f := range m.Files {
		f.EachInexpressible(visit)
	}
}

// Places converts the ranges of diagnostics about a module's items to ranges in the files as they
// are on disk.
func (m *Module) Places(diags hcl.Diagnostics) {
	placeAll(diags, func(r hcl.Range) hcl.Range {
		if f := m.File(r.Filename); f != nil {
			return f.Place(r)
		}
		return r
	})
}

// files lists the files to be read, primary files first.
func (m *Module) files(dir string) []*source.File {
	var primary, override []*source.File
	dir = filepath.Join(dir, "x")
	dir = dir[:len(dir)-1] // the prefix of a name, which Join would compute for each
	for _, e := range m.Names {
		if e.Status != Read {
			continue
		}
		f := &source.File{Name: e.Name, Path: dir + e.Name, Role: e.Role, Syntax: e.Syntax, Tofu: e.Tofu}
		if e.Role == source.Override {
			override = append(override, f)
		} else {
			primary = append(primary, f)
		}
	}
	return append(primary, override...)
}

// findOutside marks the files that are links to files which messages may not quote.
func (m *Module) findOutside(links map[string]bool, escapesRepo func(path string) bool) {
	if escapesRepo == nil {
		return
	}
	isDirOutside := escapesRepo(m.Dir)
	for _, f := range m.Files {
		switch {
		case f.Path == "" || f.Raw != nil && !links[f.Name]:
		case f.Overlay || links[filepath.Base(f.Path)]:
			f.Outside = escapesRepo(f.Path)
		default:
			f.Outside = isDirOutside
		}
	}
}

// Unquote removes everything that may quote files outside the repository from diagnostics about
// them.
func (m *Module) Unquote(diags hcl.Diagnostics) {
	if m.ShowSource {
		return
	}
	for _, d := range diags {
		if d.Subject == nil {
			continue
		}
		if f := m.File(d.Subject.Filename); f != nil && f.Outside {
			Withhold(d)
		}
	}
}

// Withhold removes everything that may quote a file outside the repository from a diagnostic about
// it.
func Withhold(d *hcl.Diagnostic) {
	if diag.CodeOf(d) != diag.Unreadable {
		d.Detail = NotQuoted + " To quote it, use --show-source."
	}
}

// Secrets returns the values that must not be shown. It is computed once.
func (m *Module) Secrets() *secrets.Set {
	m.once.Do(func() { m.secrets = secrets.Find(m.Files, m.Engine, m.ShowSource) })
	return m.secrets
}

// ShareSecrets makes two readings of one directory hide what either of them calls sensitive. The
// engines may read different files of it.
func ShareSecrets(a, b *Module) { a.Secrets().Share(b.Secrets()) }

// maxLocal is how long the text of a local value may be for Local: very many arguments may refer to it.
const maxLocal = 2048

// Local is the effective argument of a local value, the last one in load order; nil for a long one.
func (m *Module) Local(name string) *source.Attr {
	m.locals.Do(func() {
		m.locals.byName = map[string]*source.Attr{}
		for _, f := range m.Files {
			for i := range f.Len() {
				if string(f.TypeOf(i)) != "locals" {
					continue
				}
				for _, it := range f.Block(i).Items() {
					if a, ok := it.(*source.Attr); ok && len(a.File.Text(a.Value())) <= maxLocal {
						m.locals.byName[a.Name] = a
					} else {
						delete(m.locals.byName, it.Called())
					}
				}
			}
		}
	})
	return m.locals.byName[name]
}

// OfLocal is what compute makes of a local value, which is kept: very many arguments may refer to it.
func (m *Module) OfLocal(name string, compute func() any) any {
	kept, ok := m.locals.kept.Load(name)
	if !ok {
		kept, _ = m.locals.kept.LoadOrStore(name, compute())
	}
	return kept
}

// overlay adds the overlays to a module. None may share its name with another file, because ranges
// identify files by name.
func (m *Module) overlay(overlays []Overlay) {
	for _, o := range overlays {
		f := o.file()
		for slices.ContainsFunc(m.Names, func(e DirEntry) bool { return e.Name == f.Name }) ||
			slices.ContainsFunc(m.Files, func(other *source.File) bool { return other.Name == f.Name }) {
			f.Name = "." + string(filepath.Separator) + f.Name
		}
		m.Files = append(m.Files, f)
	}
}

// exclude marks the override files to leave out. Files that they shadow stay shadowed.
func (m *Module) exclude(excluded func(name string) bool) {
	for i, e := range m.Names {
		if excluded != nil && e.Role == source.Override && e.Status != Ignored && e.Status != Foreign &&
			excluded(e.Name) {
			m.Names[i].Status = Excluded
		}
	}
}

// placeAll converts the ranges of diagnostics by place.
func placeAll(diags hcl.Diagnostics, place func(hcl.Range) hcl.Range) hcl.Diagnostics {
	for _, d := range diags {
		if d.Subject != nil {
			d.Subject, d.Context = place(*d.Subject).Ptr(), nil
		}
		if related, ok := diag.RelatedOf(d); ok {
			related.Range = place(related.Range)
			diag.WithRelated(related, d)
		}
		if also := diag.AlsoOf(d); len(also) > 0 {
			placed := make([]hcl.Range, len(also))
			for i, at := range also {
				placed[i] = place(at)
			}
			diag.WithAlso(placed, d)
		}
	}
	return diags
}
