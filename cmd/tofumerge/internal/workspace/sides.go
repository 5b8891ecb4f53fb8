package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// The two sides of a comparison. The right one is what the workspace reads: the working tree, the
// index, a revision, or modules without some override files. The left one is found here, for each
// module. If no flag names a side, the primary files of a module are compared with all its files.

// Sides are the flags that name a side, of which a run has one at most.
type Sides struct {
	Since   *Rev     // of --since; may be nil
	From    string   // of --from: a directory
	Without []string // of --without: override files, or patterns of their names
	Engine  string   // of --against-engine, in diff
}

// Named lists the flags that are set.
func (s *Sides) Named() (flags []string) {
	for i, isSet := range [...]bool{s.Since != nil, s.From != "", len(s.Without) > 0, s.Engine != ""} {
		if isSet {
			flags = append(flags, [...]string{"--since", "--from", "--without", "--against-engine"}[i])
		}
	}
	return flags
}

// AreTwo reports whether a flag names one of two modules to compare.
func (s *Sides) AreTwo() bool { return len(s.Named()) > 0 && s.Engine == "" }

// CheckDirs refuses what isn't a directory, or isn't there, unless it may be gone.
func (w *Workspace) CheckDirs(paths []string, mayBeGone bool) error {
	for _, path := range paths {
		if _, ok := w.IsTracked(path); ok {
			continue
		}
		switch info, err := os.Stat(repo.In(w.Base(), path)); {
		case os.IsNotExist(err) && path != "" && !mayBeGone:
			return load.MissingError{Kind: "directory", Name: path}
		case err == nil && !info.IsDir():
			return load.MissingError{Name: path}
		}
	}
	return nil
}

// Compared names the comparison for people, behind a word such as "changes": "since main", and its
// sides for programs. Both are empty if no flag names a side.
func (r *Run) Compared() (phrase string, sides *report.SidesRecord) {
	s, tree := r.Search, "working tree"
	if r.ws.Tracked {
		tree = gitrev.IndexName
	}
	switch from := filepath.ToSlash(s.From); {
	case s.Since != nil:
		return "since " + r.ws.LabelOf(s.Since), &report.SidesRecord{Left: s.Since.Left, Right: cmp.Or(s.Since.Right, tree)}
	case from != "":
		return "from " + from, &report.SidesRecord{Left: from, Right: filepath.ToSlash(r.Named[0])}
	case len(s.Without) > 0:
		return s.without(), &report.SidesRecord{Left: tree, Right: tree + " " + s.without()}
	}
	return "", nil
}

func (s *Sides) without() string { return "without " + strings.Join(s.Without, ", ") }

// A leftModule is a module on the left side of a comparison.
type leftModule struct {
	compare.Reading
	IsSame bool // its files are those on the right

	past                 *PastDir // at a revision; nil if it isn't at one
	label, prefix, Right string   // of its directory, before the names of its files, and of the right side
	dir                  string
	notes                []string // about the two sides
}

// Label names it for people; empty for none.
func (l *leftModule) Label() string {
	if l == nil {
		return ""
	}
	return l.label
}

// Compare loads both sides of a comparison of a module.
func (r *Run) Compare(s *Subject) (*Module, error) {
	m := &Module{Subject: s, Dir: filepath.ToSlash(s.Dir), search: r.Search}
	return m, r.loadSides(m)
}

// loadSides loads a module and the other side of its comparison.
func (r *Run) loadSides(m *Module) error {
	at := repo.In(r.ws.Base(), m.Subject.Dir)
	left, err := r.left(m.Subject.Dir, at)
	if err != nil {
		return err
	}
	opts, err := r.ws.OptionsFor(at)
	if err != nil {
		return err
	}
	now, missing, err := readIfThere(at, opts)
	if err != nil {
		return err
	}
	m.Left, m.Module, m.Diags = left, now.Module, now.Diags
	if p := left.past; p != nil && p.From != nil && missing == nil && now.Module.Source.IsSameAs(p.From, r.ws.MaxFileSize) {
		left.Module, left.IsSame = now.Module, true
		return nil
	}
	var lacking error
	if left.past != nil { // by the options of the right side
		left.Reading, err = LoadFrom(at, left.past, opts)
	} else if opts, err = r.ws.optionsFor(left.dir, false); err == nil {
		opts.Sized = nil
		left.Reading, lacking, err = readIfThere(left.dir, opts)
	}
	if err != nil {
		return err
	}
	left.Module.Source.Prefix = left.prefix
	load.ShareSecrets(left.Module.Source, m.Source)
	isNew := len(left.Module.Source.Files) == 0
	label, dir, note := diag.Escape(left.label), diag.Escape(m.Subject.Dir), ""
	switch p := left.past; {
	case p == nil && !r.Search.Recursive && (missing != nil || lacking != nil):
		return cmp.Or(missing, lacking) // both were named
	case missing != nil && isNew:
		return fmt.Errorf("%w; %s holds no module either; for all modules below, use -r", missing, label)
	case missing != nil && p == nil:
		note = fmt.Sprintf("Note: %s holds no module; %s does", dir, label)
	case missing != nil:
		note = fmt.Sprintf("Note: %s holds no module any more; %s does", dir, label)
	case isNew:
		note = fmt.Sprintf("Note: %s holds no module, so all of %s is new", label, dir)
		if p != nil {
			name, _, _ := strings.Cut(p.Revision.Name, "...")
			note += fmt.Sprintf(". If it was in another directory, name that: %s:DIR", diag.Escape(name))
		}
	}
	left.notes = append(left.notes, note)
	return nil
}

// left finds where the left side for the module of a directory is.
func (r *Run) left(dir, at string) (l *leftModule, err error) {
	l = &leftModule{label: filepath.ToSlash(dir), Right: filepath.ToSlash(dir), dir: at}
	switch s := r.Search; {
	case len(s.Without) > 0:
		l.Right += " " + s.without()
	case s.Since != nil:
		if s.Since.Right != "" {
			now, err := r.ws.Past(dir, Rev{Name: s.Since.Right})
			if err != nil {
				return nil, err
			}
			l.Right = now.Label()
		}
		if l.past, err = r.ws.Past(dir, *s.Since); err == nil {
			l.label, l.prefix = l.past.Label(), l.past.Prefix()
			l.notes = []string{l.past.RenameNote(), r.ws.EngineNote(l.past, dir)}
		}
		return l, err
	case s.From != "":
		rel, _ := filepath.Rel(r.Named[0], dir) // which is that or below it
		other := filepath.Join(s.From, rel)
		l.dir, l.label = repo.In(r.ws.Base(), other), filepath.ToSlash(other)
	}
	l.prefix = l.label + "/"
	return l, nil
}

// readIfThere reads the module of a directory. If there is none, it is empty, and missing is the
// reason.
func readIfThere(dir string, opts load.Options) (r compare.Reading, missing, err error) {
	r, err = compare.Read(dir, opts)
	if none := (*load.NoFilesError)(nil); errors.As(err, &none) || err != nil && opts.From == nil && !isThere(dir) {
		return emptyModule(dir, opts), err, nil
	}
	return r, nil, err
}

// pastOf returns a function that reads which modules the left side has below a directory; nil if
// that has none of its own.
func (s *Search) pastOf(ws *Workspace, found *discover.Search) func(root string) (*discover.Past, error) {
	switch {
	case !s.Recursive:
	case s.Since != nil && !s.Since.HasDir:
		return func(root string) (*discover.Past, error) { return ws.pastBelow(root, *s.Since) }
	case s.From != "":
		other := *found
		return func(string) (*discover.Past, error) { return discover.ReadOther(&other, s.From) }
	}
	return nil
}
