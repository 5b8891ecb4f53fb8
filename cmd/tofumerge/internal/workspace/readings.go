package workspace

import (
	"cmp"
	"errors"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/enginediff"
)

// Readings of a module by different engines.

// Readings are the readings of two engines. An engine that finds no file to read refuses the module
// for that reason.
func (w *Workspace) Readings(dir string, first, second engine.Release) (mine, others compare.Reading, err error) {
	source, err := w.loadAs(dir, first)
	was := &load.Module{Dir: dir}
	if err == nil {
		was = source.Source
	}
	other, otherErr := w.LoadAgain(was, second, nil)
	var none *load.NoFilesError
	switch {
	case err == nil && errors.As(otherErr, &none):
		mine = source.Reading()
		return mine, enginediff.NoFiles(mine, second), nil
	case otherErr == nil && errors.As(err, &none):
		others = other.Reading()
		return enginediff.NoFiles(others, first), others, nil
	case err != nil || otherErr != nil:
		return mine, others, cmp.Or(err, otherErr)
	}
	mine, others = source.Beside(other)
	return mine, others, nil
}

// Reading loads and merges the module of a directory as one engine does.
func (w *Workspace) Reading(dir string, e engine.Release) (compare.Reading, error) {
	at, err := w.unloaded(dir)
	if err != nil {
		return compare.Reading{}, err
	}
	return w.ReadingOf(at, e)
}

// ReadingOf loads and merges a module again, as one engine does.
func (w *Workspace) ReadingOf(m *load.Module, e engine.Release) (compare.Reading, error) {
	l, err := w.LoadAgain(m, e, nil)
	if err != nil {
		return compare.Reading{}, err
	}
	return l.Reading(), nil
}

// An Unmerged is a loaded module that is not merged yet.
type Unmerged struct {
	Source *load.Module
	Diags  hcl.Diagnostics
}

func (w *Workspace) loadAs(dir string, e engine.Release) (*Unmerged, error) {
	at, err := w.unloaded(dir)
	if err != nil {
		return nil, err
	}
	return w.LoadAgain(at, e, nil)
}

// unloaded is a module that has not been read yet.
func (w *Workspace) unloaded(dir string) (*load.Module, error) {
	m := &load.Module{Dir: dir}
	var err error
	if w.Tracked {
		m.From, err = w.trackedDir(dir)
	}
	return m, err
}

// LoadAgain loads a module again, from where it is. Files that it has read are not read
// again, which keeps their texts in memory once. The cache is of earlier such loads, or nil.
func (w *Workspace) LoadAgain(m *load.Module, e engine.Release, cache *load.Cache) (*Unmerged, error) {
	opts, err := w.Options()
	if err != nil {
		return nil, err
	}
	opts.Engine, opts.From, opts.Cache = e, m.From, cache
	opts.Contents = m.Texts()
	for name, text := range w.Files.Open {
		if opts.Contents[name] == nil {
			opts.Contents[name] = text // of a file that only the other engine reads
		}
	}
	src, diags, err := load.Dir(m.Dir, opts)
	if err != nil {
		return nil, err
	}
	return &Unmerged{src, diags}, nil
}

func (l *Unmerged) Reading() compare.Reading {
	mod, more := merge.Files(l.Source, merge.Options{})
	return compare.Reading{Module: mod, Diags: append(l.Diags[:len(l.Diags):len(l.Diags)], more...)}
}

// Beside merges two modules that are one directory, to be compared.
func (l *Unmerged) Beside(other *Unmerged) (mine, others compare.Reading) {
	load.ShareSecrets(l.Source, other.Source)
	return l.Reading(), other.Reading()
}
