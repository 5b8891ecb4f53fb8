package command

import (
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
	"github.com/tofumerge/tofumerge/internal/merge/extract"
)

// The two modules of extract. Both are held in memory as they were read: what is proved is
// about these texts, and a file that changes meanwhile is noticed when it is written.

// extractSides are BASE, with the override files of EDITED, and EDITED.
type extractSides struct {
	base, edited *load.Module
	options      load.Options
	files        map[string][]byte // of BASE with those override files
	names        []string
}

// sides loads both modules.
func (o *extractOptions) sides(args []string) (*extractSides, error) {
	dirs := [2]string{o.ws.Dir(args[:min(1, len(args))]), ""}
	if dirs[1] = dirs[0]; len(args) == 2 {
		dirs[1] = repo.In(o.ws.Base(), args[1])
	}
	options, err := o.ws.OptionsFor(dirs[1])
	if err != nil {
		return nil, err
	}
	edited, diags, err := load.Dir(dirs[1], options)
	if err != nil {
		return nil, err
	}
	if len(args) == 2 {
		edited.Prefix = filepath.ToSlash(args[1]) + "/"
	}
	if err := o.ws.Report(edited, diag.Errors(diags)); err != nil {
		return nil, err
	}
	s := &extractSides{edited: edited, options: options}
	was, err := o.baseFiles(args, dirs[0], options)
	if err != nil {
		return nil, err
	}
	s.files = extract.Earlier(was.files, filesOf(edited))
	s.names = slices.Sorted(maps.Keys(s.files))
	s.options.Cache, s.options.From = load.NewCache(), nil
	s.options.Absent = func(string) bool { return true }
	base, diags, err := s.load(nil)
	if err != nil {
		return nil, err
	}
	base.Prefix, s.base = was.prefix, base
	return s, o.ws.Report(base, diag.Errors(diags))
}

// earlierFiles are those of BASE, and what goes before their names in messages.
type earlierFiles struct {
	files  map[string][]byte
	prefix string
}

func (o *extractOptions) baseFiles(args []string, dir string, options load.Options) (earlierFiles, error) {
	if o.since == "" {
		src, _, err := load.Dir(dir, options)
		if err != nil {
			return earlierFiles{}, err
		}
		return earlierFiles{filesOf(src), filepath.ToSlash(args[0]) + "/"}, nil
	}
	name := append(args, ".")[0]
	var past *workspace.PastDir
	var err error
	if o.since == workspace.IndexRev {
		past, err = o.ws.PastIndex(name)
	} else {
		past, err = o.ws.Past(name, o.revision)
	}
	if err != nil {
		return earlierFiles{}, err
	}
	l, err := o.ws.LoadPast(name, past)
	if err != nil {
		return earlierFiles{}, err
	}
	if len(l.Source.Files) == 0 {
		return earlierFiles{}, fmt.Errorf("%s holds no module, so there is nothing to override", diag.Escape(past.Label()))
	}
	o.ws.NoteOnce(past.RenameNote())
	return earlierFiles{filesOf(l.Source), l.Source.Prefix}, nil
}

// filesOf are the files that a module is made of, by name.
func filesOf(m *load.Module) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range m.Files {
		files[f.Name] = f.Given
	}
	return files
}

// load loads BASE with more files.
func (s *extractSides) load(more map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
	opts := s.options
	opts.Contents = maps.Clone(s.files)
	maps.Copy(opts.Contents, more)
	return load.Dir(s.edited.Dir, opts)
}

// name is that of the override file, which must be applied last.
func (s *extractSides) name(o *extractOptions) (string, error) {
	ending := ".tf"
	if slices.ContainsFunc(s.names, func(name string) bool { return filepath.Ext(name) == ".tofu" }) && s.edited.Engine.ReadsTofuFiles() {
		ending = ".tofu"
	}
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
		return "", fmt.Errorf("-o %s does not fit --format %s; use a name such as %s", diag.Escape(o.out), o.format.name, last)
	case slices.Contains(s.names, name):
		return "", fmt.Errorf("-o %s is an override file of the module already; use a name such as %s", diag.Escape(o.out), last)
	}
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
