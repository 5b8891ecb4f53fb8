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
type Files struct {
	Read func(path string, limit int64) ([]byte, error) // load.Options.Read
	Open map[string][]byte                              // in an editor, with text that may not be saved
	// settings are the texts of settings and version files that are open in an editor, by path.
	Settings map[string][]byte
}

// settingsText returns the text of a settings or version file that is open in an editor, whatever
// name its directory has there.
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

// loadOptions are those that the flags of all commands ask for.
//
// Standard input is read once, so they are worked out once.
func (a *app) Options() (load.Options, error) {
	if a.Loading != nil {
		return *a.Loading, nil
	}
	opts, err := a.ReadOptions()
	if err == nil {
		a.Loading = &opts
	}
	return opts, err
}

// optionsFor are those for the module of a directory.
func (a *app) OptionsFor(dir string) (load.Options, error) {
	opts, err := a.Options()
	if err != nil {
		return opts, err
	}
	engine, err := a.Engine(dir)
	opts.Engine = engine.Release
	return opts, err
}

func (a *app) ReadOptions() (load.Options, error) {
	opts := load.Options{
		MaxFileSize: a.MaxFileSize, Sized: a.Heap.Sized, ShowSource: a.ShowSource, LeadsOut: repo.LeadsOut, Parsed: a.Parsed, Read: a.Files.Read,
	}
	var err error
	if a.Schema != "" {
		if opts.Schema, err = jsonsyntax.ReadProviderSchema(repo.In(a.Base(), a.Schema), a.MaxFileSize); err != nil {
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
	for i, name := range a.Overlays {
		switch {
		case name == "":
			return nil, errors.New("--overlay needs the name of a file, or - for standard input")
		case slices.Contains(a.Overlays[:i], name):
			return nil, fmt.Errorf("--overlay %s is given twice; remove one", diag.Escape(name))
		case name != "-":
			if info, err := os.Stat(repo.In(a.Base(), name)); err != nil {
				return nil, fmt.Errorf("can't read --overlay %s: %w", diag.Escape(name), repo.Worldly(err))
			} else if info.IsDir() {
				return nil, fmt.Errorf("can't read --overlay %s: it is a directory", diag.Escape(name))
			}
			list = append(list, load.Overlay{Name: filepath.ToSlash(name), Path: repo.In(a.Base(), name)})
			continue
		}
		given, err := io.ReadAll(io.LimitReader(a.In, a.MaxFileSize+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("can't read standard input for --overlay -: %w", err)
		case int64(len(given)) > a.MaxFileSize:
			return nil, fmt.Errorf(
				"standard input for --overlay - is larger than %d bytes; to raise the limit, use --max-file-size",
				a.MaxFileSize)
		}
		list = append(list, load.Overlay{Name: load.Stdin, Given: given})
	}
	return list, nil
}

// exclusion returns a function that reports whether --exclude-override leaves out an
// override file; nil without patterns.
func (a *app) exclusion() (func(string) bool, error) {
	for _, glob := range a.Excluded {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return nil, fmt.Errorf(
				"invalid pattern of file names %s for --exclude-override; use one such as 'dev_*' or override.tf",
				diag.Escape(glob))
		}
	}
	if len(a.Excluded) == 0 {
		return nil, nil
	}
	return func(name string) bool {
		return slices.ContainsFunc(a.Excluded, func(glob string) bool { return spelling.Matches(glob, name) })
	}, nil
}

// warnOfIdleExclusions warns of patterns that leave nothing out of a module.
func (a *app) WarnOfIdleExclusions(src *load.Module) {
	for _, glob := range a.Excluded {
		if !Excludes(glob, src) {
			a.WarnIdleExclusion(glob)
		}
	}
}

// warnIdleExclusion warns of a pattern that leaves nothing out.
func (a *app) WarnIdleExclusion(glob string) {
	a.Warn(fmt.Sprintf("--exclude-override %s matches no override file", diag.Escape(glob)))
}

// module loads and merges the module of a directory. Diagnostics say what is
// wrong with it; the module comes back as far as it could be understood.
func (a *app) Load(dir string, trees load.Trees, opts merge.Options) (*merge.Module, hcl.Diagnostics, error) {
	mod, diags, err := a.LoadQuietly(dir, trees, opts)
	if err != nil {
		return nil, nil, err
	}
	a.WarnOfIdleExclusions(mod.Source)
	return mod, diags, nil
}

// loadModule is module without a word about it.
func (a *app) LoadQuietly(dir string, trees load.Trees, opts merge.Options) (*merge.Module, hcl.Diagnostics, error) {
	loading, err := a.OptionsFor(dir)
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
func SizeOf(m *load.Module) (native, json int64) {
	for _, f := range m.Files {
		if f.Syntax == source.JSON {
			json += int64(len(f.Given))
		} else {
			native += int64(len(f.Given))
		}
	}
	return native, json
}
