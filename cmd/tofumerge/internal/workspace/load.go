package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// How every command loads a module, as the flags of all commands require.

// Files redirects the reading of a module's files, if not all are read from the disk.
type Files struct {
	Read func(path string, limit int64) ([]byte, error) // load.Options.Read
	Open map[string][]byte                              // in an editor, with text that may not be saved
	// Settings are the texts of settings and version files that are open in an editor, by path.
	Settings map[string][]byte
}

// SettingsText returns the text of a settings or version file that is open in an editor, under any
// name of its directory.
func (s *Files) SettingsText(name string) (text []byte, isOpen bool) {
	if len(s.Settings) == 0 {
		return nil, false
	}
	name = repo.Absolute(name)
	if text, isOpen = s.Settings[name]; isOpen {
		return text, true
	}
	for path, text := range s.Settings {
		if filepath.Base(path) == filepath.Base(name) && repo.IsSameFile(filepath.Dir(path), filepath.Dir(name)) {
			return text, true
		}
	}
	return nil, false
}

// Options are the options set by the flags of all commands.
//
// They are computed once, because standard input is read once.
func (w *Workspace) Options() (load.Options, error) {
	w.loading.Lock()
	defer w.loading.Unlock()
	if w.Loading != nil {
		return *w.Loading, nil
	}
	opts, err := w.ReadOptions()
	if err == nil {
		w.Loading = &opts
	}
	return opts, err
}

// OptionsFor are those for the module of a directory.
func (w *Workspace) OptionsFor(dir string) (load.Options, error) {
	opts, err := w.Options()
	if err != nil {
		return opts, err
	}
	if w.Tracked {
		if opts.From, err = w.trackedDir(dir); err != nil {
			return opts, err
		}
	}
	engine, err := w.Engine(dir)
	opts.Engine = engine.Release
	return opts, err
}

// ReadOptions computes the options anew. It reads standard input, if an overlay comes from there.
func (w *Workspace) ReadOptions() (load.Options, error) {
	opts := load.Options{MaxFileSize: w.MaxFileSize, Sized: w.Heap.Sized, ShowSource: w.ShowSource, EscapesRepo: repo.EscapesRepo, Parsed: w.Parsed, Read: w.Files.Read, Ahead: &w.Engines.read}
	var err error
	if w.Schema != "" {
		if opts.Schema, err = providerschema.Read(repo.In(w.Base(), w.Schema), w.MaxFileSize); err != nil {
			return opts, err
		}
	}
	if opts.Overlays, err = w.readOverlays(); err != nil {
		return opts, err
	}
	opts.Excluded, err = w.exclusion()
	return opts, err
}

// readOverlays prepares the overlays. Standard input is read here, once.
func (w *Workspace) readOverlays() ([]load.Overlay, error) {
	var list []load.Overlay
	for i, name := range w.Overlays {
		switch {
		case name == "":
			return nil, errors.New("--overlay needs the name of a file, or - for standard input")
		case slices.Contains(w.Overlays[:i], name):
			return nil, fmt.Errorf("--overlay %s is given twice; remove one", diag.Escape(name))
		case name != "-":
			if info, err := os.Stat(repo.In(w.Base(), name)); err != nil {
				return nil, fmt.Errorf("can't read --overlay %s: %w", diag.Escape(name), input.StripPath(err))
			} else if info.IsDir() {
				return nil, fmt.Errorf("can't read --overlay %s: it is a directory", diag.Escape(name))
			} else if !info.Mode().IsRegular() {
				return nil, fmt.Errorf("can't read --overlay %s: it is not a regular file; for text from a command, pipe it into --overlay -", diag.Escape(name))
			}
			list = append(list, load.Overlay{Name: filepath.ToSlash(name), Path: repo.In(w.Base(), name)})
			continue
		}
		given, err := io.ReadAll(io.LimitReader(w.In, w.MaxFileSize+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("can't read standard input for --overlay -: %w", err)
		case int64(len(given)) > w.MaxFileSize:
			return nil, fmt.Errorf("can't read standard input for --overlay -: %w", input.TooLargeError(w.MaxFileSize))
		}
		list = append(list, load.Overlay{Name: load.Stdin, Raw: given})
	}
	return list, nil
}

// exclusion returns a function that reports whether --exclude-override leaves out an
// override file; nil without patterns.
func (w *Workspace) exclusion() (func(string) bool, error) {
	for _, glob := range w.Excluded {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return nil, fmt.Errorf(
				"invalid pattern of file names %s for --exclude-override; use one such as 'dev_*' or override.tf",
				diag.Escape(glob))
		}
	}
	if len(w.Excluded) == 0 {
		return nil, nil
	}
	w.isExcluding = make([]atomic.Bool, len(w.Excluded))
	return func(name string) bool {
		isOut := false
		for i, glob := range w.Excluded {
			if spelling.Matches(glob, name) {
				w.isExcluding[i].Store(true)
				isOut = true
			}
		}
		return isOut
	}, nil
}

// WarnOfIdleExclusions warns of the patterns of --exclude-override that have left out nothing so
// far. It is called once all modules of a run are loaded.
func (w *Workspace) WarnOfIdleExclusions() {
	for i := range w.isExcluding {
		if !w.isExcluding[i].Load() {
			w.Warn(fmt.Sprintf("--exclude-override %s matches no override file", diag.Escape(w.Excluded[i])))
		}
	}
}

// OpenOutput finds the file that a flag names. No flag may name the file of another one.
func (w *Workspace) OpenOutput(flag, name string) (*writeback.Output, error) {
	to, err := writeback.FindOutput(w.Base(), flag, name)
	if err != nil {
		return nil, err
	}
	for _, other := range w.outputs {
		if to.IsSame(other) {
			return nil, fmt.Errorf("%s is written twice; name two files", to)
		}
	}
	w.outputs = append(w.outputs, to)
	return to, nil
}

// CheckOutput refuses an output file that a module is made from, or that would become a part of it.
func (w *Workspace) CheckOutput(src *load.Module) error {
	var schema []writeback.Input
	if w.Schema != "" {
		schema = append(schema, writeback.Input{Path: repo.In(w.Base(), w.Schema), What: "the file of --provider-schema"})
	}
	for _, to := range w.outputs {
		if err := to.Check(src, policy.FileName, schema...); err != nil {
			return err
		}
	}
	return nil
}

// Load loads and merges the module of a directory. Diagnostics report its problems; the module is
// returned as far as it could be understood.
func (w *Workspace) Load(dir string, opts merge.Options) (*merge.Module, hcl.Diagnostics, error) {
	mod, diags, err := w.loadQuietly(dir, opts)
	if err == nil {
		w.WarnOfIdleExclusions()
	}
	return mod, diags, err
}

// loadQuietly is Load without warnings.
func (w *Workspace) loadQuietly(dir string, opts merge.Options) (*merge.Module, hcl.Diagnostics, error) {
	loading, err := w.OptionsFor(dir)
	if err != nil {
		return nil, nil, err
	}
	return merge.Dir(dir, loading, opts)
}

// SizeOf is the number of bytes in the files of a module, by their syntax.
func SizeOf(m *load.Module) (native, json int64) {
	for _, f := range m.Files {
		if f.Syntax == source.JSON {
			json += int64(len(f.Raw))
		} else {
			native += int64(len(f.Raw))
		}
	}
	return native, json
}

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
		return mine, report.NoFiles(mine, second), nil
	case otherErr == nil && errors.As(err, &none):
		return report.NoFiles(others, first), others, nil
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
