package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// How every command comes by a module: the flags of all commands say what is
// loaded.

// A fileSource says where the files of a module are, if not all on the disk as they are to
// be read.
type fileSource struct {
	read func(path string, limit int64) ([]byte, error) // load.Options.Read
	open map[string][]byte                              // in an editor, with text that may not be saved
	// settings are the texts of settings and version files that are open in an editor, by path.
	settings map[string][]byte
}

// settingsText returns the text of a settings or version file that is open in an editor, whatever
// name its directory has there.
func (s *fileSource) settingsText(name string) (text []byte, isOpen bool) {
	if len(s.settings) == 0 {
		return nil, false
	}
	name = repo.Absolute(name)
	if text, isOpen = s.settings[name]; isOpen {
		return text, true
	}
	for path, text := range s.settings {
		if filepath.Base(path) == filepath.Base(name) && repo.IsSameFile(filepath.Dir(path), filepath.Dir(name)) {
			return text, true
		}
	}
	return nil, false
}

// loadOptions are those that the flags of all commands ask for.
//
// Standard input is read once, so they are worked out once.
func (a *app) loadOptions() (load.Options, error) {
	if a.loading != nil {
		return *a.loading, nil
	}
	opts, err := a.readLoadOptions()
	if err == nil {
		a.loading = &opts
	}
	return opts, err
}

// optionsFor are those for the module of a directory.
func (a *app) optionsFor(dir string) (load.Options, error) {
	opts, err := a.loadOptions()
	if err != nil {
		return opts, err
	}
	engine, err := a.engineFor(dir)
	opts.Engine = engine.Release
	return opts, err
}

func (a *app) readLoadOptions() (load.Options, error) {
	opts := load.Options{
		MaxFileSize: a.maxSize, Sized: a.heap.Sized, ShowSource: a.showSource, LeadsOut: repo.LeadsOut, Parsed: a.parsed, Read: a.files.read,
	}
	var err error
	if a.schema != "" {
		if opts.Schema, err = jsonsyntax.ReadProviderSchema(repo.In(a.base(), a.schema), a.maxSize); err != nil {
			return opts, err
		}
	}
	if opts.Overlays, err = a.readOverlays(); err != nil {
		return opts, err
	}
	opts.Excluded, err = a.exclusion()
	return opts, err
}

// readOverlays prepares the overlays. Standard input is read here, once.
func (a *app) readOverlays() ([]load.Overlay, error) {
	var list []load.Overlay
	for i, name := range a.overlays {
		switch {
		case name == "":
			return nil, errors.New("--overlay needs the name of a file, or - for standard input")
		case slices.Contains(a.overlays[:i], name):
			return nil, fmt.Errorf("--overlay %s is given twice; remove one", diag.Escape(name))
		case name != "-":
			if info, err := os.Stat(repo.In(a.base(), name)); err != nil {
				return nil, fmt.Errorf("can't read --overlay %s: %w", diag.Escape(name), repo.Worldly(err))
			} else if info.IsDir() {
				return nil, fmt.Errorf("can't read --overlay %s: it is a directory", diag.Escape(name))
			}
			list = append(list, load.Overlay{Name: filepath.ToSlash(name), Path: repo.In(a.base(), name)})
			continue
		}
		given, err := io.ReadAll(io.LimitReader(a.In, a.maxSize+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("can't read standard input for --overlay -: %w", err)
		case int64(len(given)) > a.maxSize:
			return nil, fmt.Errorf(
				"standard input for --overlay - is larger than %d bytes; to raise the limit, use --max-file-size",
				a.maxSize)
		}
		list = append(list, load.Overlay{Name: load.Stdin, Given: given})
	}
	return list, nil
}

// exclusion returns a function that reports whether --exclude-override leaves out an
// override file; nil without patterns.
func (a *app) exclusion() (func(string) bool, error) {
	for _, glob := range a.excluded {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return nil, fmt.Errorf(
				"invalid pattern of file names %s for --exclude-override; use one such as 'dev_*' or override.tf",
				diag.Escape(glob))
		}
	}
	if len(a.excluded) == 0 {
		return nil, nil
	}
	return func(name string) bool {
		return slices.ContainsFunc(a.excluded, func(glob string) bool { return spelling.Matches(glob, name) })
	}, nil
}

// warnOfIdleExclusions warns of patterns that leave nothing out of a module.
func (a *app) warnOfIdleExclusions(src *load.Module) {
	for _, glob := range a.excluded {
		if !excludes(glob, src) {
			a.warnIdleExclusion(glob)
		}
	}
}

// warnIdleExclusion warns of a pattern that leaves nothing out.
func (a *app) warnIdleExclusion(glob string) {
	a.Warn(fmt.Sprintf("--exclude-override %s matches no override file", diag.Escape(glob)))
}

// module loads and merges the module of a directory. Diagnostics say what is
// wrong with it; the module comes back as far as it could be understood.
func (a *app) module(dir string, trees load.Trees, opts merge.Options) (*merge.Module, hcl.Diagnostics, error) {
	mod, diags, err := a.loadModule(dir, trees, opts)
	if err != nil {
		return nil, nil, err
	}
	a.warnOfIdleExclusions(mod.Source)
	return mod, diags, nil
}

// loadModule is module without a word about it.
func (a *app) loadModule(dir string, trees load.Trees, opts merge.Options) (*merge.Module, hcl.Diagnostics, error) {
	loading, err := a.optionsFor(dir)
	if err != nil {
		return nil, nil, err
	}
	loading.Trees = trees
	src, diags, err := load.Dir(dir, loading)
	if err != nil {
		return nil, nil, err
	}
	mod, more := merge.Files(src, opts)
	return mod, append(diags, more...), nil
}

// sizeOf is the number of bytes in the files of a module, by their syntax.
func sizeOf(m *load.Module) (native, json int64) {
	for _, f := range m.Files {
		if f.Syntax == source.JSON {
			json += int64(len(f.Given))
		} else {
			native += int64(len(f.Given))
		}
	}
	return native, json
}
