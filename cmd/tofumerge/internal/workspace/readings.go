package workspace

import (
	"cmp"
	"errors"
	"maps"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/phrases"
)

// Readings of a module by different engines.

// Readings are the readings of two engines. An engine that finds no file to read refuses the module
// for that reason.
func (w *Workspace) Readings(dir string, first, second engine.Release) (mine, others compare.Reading, err error) {
	mine, err = w.Reading(dir, first)
	was := &load.Module{Dir: dir}
	if err == nil {
		was = mine.Module.Source
	}
	others, otherErr := w.ReadAgain(was, second, nil)
	var none *load.NoFilesError
	switch {
	case err == nil && errors.As(otherErr, &none):
		return mine, phrases.NoFiles(mine, second), nil
	case otherErr == nil && errors.As(err, &none):
		return phrases.NoFiles(others, first), others, nil
	case err != nil || otherErr != nil:
		return mine, others, cmp.Or(err, otherErr)
	}
	load.ShareSecrets(mine.Module.Source, others.Module.Source)
	return mine, others, nil
}

// Reading loads and merges the module of a directory as one engine does.
func (w *Workspace) Reading(dir string, e engine.Release) (r compare.Reading, err error) {
	m := &load.Module{Dir: dir} // which has not been read yet
	if w.Tracked {
		if m.From, err = w.trackedDir(dir); err != nil {
			return r, err
		}
	}
	return w.ReadAgain(m, e, nil)
}

// ReadAgain loads and merges a module again, from where it is, as an engine does. Files that it has
// read are not read again, which keeps their texts in memory once. The cache is of earlier such
// loads, or nil.
func (w *Workspace) ReadAgain(m *load.Module, e engine.Release, cache *load.Cache) (compare.Reading, error) {
	opts, err := w.Options()
	if err != nil {
		return compare.Reading{}, err
	}
	opts.Engine, opts.From, opts.Cache = e, m.From, cache
	opts.Contents = map[string][]byte{}
	maps.Copy(opts.Contents, w.Files.Open)
	for _, f := range m.Files {
		if f.Raw != nil && !f.Overlay {
			opts.Contents[f.Name] = f.Raw
		}
	}
	return compare.Read(m.Dir, opts)
}
