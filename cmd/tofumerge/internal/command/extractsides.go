package command

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
)

// The two modules of extract. Both are kept in memory as they were read: the proof is about these
// texts, and a file that changes meanwhile is detected when it is written.

// extractSides are BASE, with the override files of EDITED, and EDITED.
type extractSides struct {
	extractDirs
	base, edited *load.Module
	options      load.Options
	files        map[string][]byte // of BASE with those override files
	names        []string
	into         string // the name of the file of --into
	besides      string // what to add if there is nothing to override
}

// extractDirs are the directories that the arguments and flags name.
type extractDirs struct {
	baseDir, editedDir   string
	baseName, editedName string // as they were written
	// lead is the module that determines the engine. It contains further files that the engine
	// reads, such as the lock file.
	lead   string
	homes  []string          // the directories in which the override may be
	mapped *sourcemap.Module // with --from-flat
}

// sides loads both modules.
func (o *extractOptions) sides(args []string) (*extractSides, error) {
	dirs, err := o.dirs(args)
	if err != nil {
		return nil, err
	}
	s := &extractSides{extractDirs: dirs}
	if s.options, err = o.ws.OptionsFor(s.lead); err != nil {
		return nil, err
	}
	s.options.Cache = load.NewCache() // the two have most blocks in common
	edited, diags, err := load.Dir(s.editedDir, s.options)
	if err != nil {
		return nil, err
	}
	if s.editedName != "" {
		edited.Prefix = filepath.ToSlash(s.editedName) + "/"
	}
	if err := o.ws.Report(edited, diag.Errors(diags)); err != nil {
		return nil, err
	}
	s.edited = edited
	files, prefix, err := o.baseFiles(s)
	if err != nil {
		return nil, err
	}
	if s.files = files; o.flat == "" {
		s.files = extract.Earlier(files, filesOf(edited))
		if !maps.EqualFunc(s.files, files, bytes.Equal) {
			s.besides = "; the edits of override files stay in them"
		}
	}
	s.names = slices.Sorted(maps.Keys(s.files))
	s.options.From = nil
	s.options.Absent = func(string) bool { return true }
	base, diags, err := s.load(nil)
	if err != nil {
		return nil, err
	}
	base.Prefix, s.base = prefix, base
	return s, o.ws.Report(base, diag.Errors(diags))
}

func (o *extractOptions) dirs(args []string) (d extractDirs, err error) {
	switch {
	case len(args) == 2:
		d.baseName, d.editedName = args[0], args[1]
	case o.flat != "":
		return o.flatDirs(args)
	default:
		d.baseName = append(args, ".")[0]
	}
	d.baseDir = repo.In(o.ws.Base(), d.baseName)
	if d.editedDir = d.baseDir; d.editedName != "" {
		d.editedDir = repo.In(o.ws.Base(), d.editedName)
	}
	d.lead, d.homes = d.editedDir, []string{d.baseDir, d.editedDir}
	return d, nil
}

// flatDirs finds the original of FLAT.
func (o *extractOptions) flatDirs(args []string) (d extractDirs, err error) {
	doc, err := readMap(o.ws, o.sourceMap)
	if err != nil {
		return d, err
	}
	if d.mapped = doc.Module(filepath.ToSlash(o.flat)); d.mapped == nil {
		return d, fmt.Errorf("--source-map %s is about several modules, none of which was flattened to %s; name one of those directories", diag.Escape(o.sourceMap), diag.Escape(o.flat))
	}
	d.baseName, d.editedName = append(args, d.mapped.Directory)[0], o.flat
	d.baseDir, d.editedDir = repo.In(o.ws.Base(), d.baseName), repo.In(o.ws.Base(), o.flat)
	d.lead, d.homes = d.baseDir, []string{d.baseDir}
	return d, nil
}

// baseFiles are the files of BASE, and the prefix of their names in messages.
func (o *extractOptions) baseFiles(s *extractSides) (files map[string][]byte, prefix string, err error) {
	name := s.baseName
	if o.since == "" {
		src, _, err := load.Dir(s.baseDir, s.options)
		if err != nil {
			return nil, "", err
		}
		if s.mapped != nil {
			if changed := s.mapped.Changed(src); changed != "" {
				return nil, "", fmt.Errorf("%s has changed since it was flattened; flatten %s again", diag.Escape(name+"/"+changed), diag.Escape(name))
			}
		}
		return filesOf(src), filepath.ToSlash(name) + "/", nil
	}
	var past *workspace.PastDir
	if o.since == workspace.IndexRev {
		past, err = o.ws.PastIndex(name)
	} else {
		past, err = o.ws.Past(name, o.revision)
	}
	if err != nil {
		return nil, "", err
	}
	was, err := workspace.LoadFrom(s.baseDir, past, s.options)
	if err != nil {
		return nil, "", err
	}
	if len(was.Module.Source.Files) == 0 {
		return nil, "", fmt.Errorf("%s holds no module, so there is nothing to override", diag.Escape(past.Label()))
	}
	o.ws.NoteOnce(past.RenameNote())
	return filesOf(was.Module.Source), past.Prefix(), nil
}

// filesOf are the files that a module is made of, by name.
func filesOf(m *load.Module) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range m.Files {
		files[f.Name] = f.Raw
	}
	return files
}

// load loads BASE with more files.
func (s *extractSides) load(more map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
	opts := s.options
	opts.Contents = maps.Clone(s.files)
	maps.Copy(opts.Contents, more)
	return load.Dir(s.lead, opts)
}

// alone loads a module that consists of some files.
func (s *extractSides) alone(files map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
	opts := s.options
	opts.Contents, opts.Cache = files, nil
	return load.Dir(s.lead, opts)
}

// name is the name of the override file, which must be applied last if it is new.
func (s *extractSides) name(o *extractOptions) (string, error) {
	if o.into != "" {
		return s.nameInto(o)
	}
	ending := extract.Ending(s.names, s.edited.Engine)
	if o.format.isJSON {
		ending += ".json"
	}
	last := extract.LastName(s.names, ending, s.edited.Engine)
	if o.out == "" {
		return last, nil
	}
	name := filepath.Base(o.out)
	switch {
	case !extract.IsLast(name, s.names, s.edited.Engine):
		return "", fmt.Errorf("-o %s is not an override file that %s applies after all others; use a name such as %s", diag.Escape(o.out), s.edited.Engine.Title(), last)
	case o.format.isJSON != (filepath.Ext(name) == ".json"):
		remedy := "--format json"
		if o.format.isJSON {
			remedy = "--format hcl"
		}
		return "", fmt.Errorf("-o %s does not fit --format %s; use %s, or a name such as %s", diag.Escape(o.out), o.format.name, remedy, last)
	case slices.Contains(s.names, name):
		return "", fmt.Errorf("-o %s is an override file of the module already; use a name such as %s", diag.Escape(o.out), last)
	}
	return name, nil
}

// nameInto is the name of an override file that the module has.
func (s *extractSides) nameInto(o *extractOptions) (string, error) {
	path := repo.In(o.ws.Base(), o.into)
	name := filepath.Base(path)
	f := s.base.File(name)
	switch {
	case f == nil || f.Role != source.Override || !slices.ContainsFunc(s.homes, func(dir string) bool { return repo.IsSameFile(dir, filepath.Dir(path)) }):
		return "", fmt.Errorf("--into %s is not an override file of the module; for a new one, use -o", diag.Escape(o.into))
	case o.isFormatSet && o.format.isJSON != (f.Syntax == source.JSON):
		return "", fmt.Errorf("--into %s does not fit --format %s; leave --format out", diag.Escape(o.into), o.format.name)
	}
	now, err := input.Read(path, o.ws.MaxFileSize)
	if err != nil {
		return "", fmt.Errorf("can't read --into %s: %w", diag.Escape(o.into), input.StripPath(err))
	}
	if !bytes.Equal(now, f.Raw) {
		return "", fmt.Errorf("--into %s differs in the two directories; the override files of EDITED are used", diag.Escape(o.into))
	}
	s.into = name
	return name, nil
}

// refused reports why the engine refuses one of the modules.
func (s *extractSides) refused(ws *workspace.Workspace, err error) error {
	var refused *extract.RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	m := s.edited
	if refused.Of == extract.Base {
		m = s.base
	}
	if reported := ws.ReportAll(m, refused.Diags); refused.Of != extract.Merged {
		return reported
	}
	return errors.New("nothing was printed: the engine refuses the original with the override; see the errors")
}
