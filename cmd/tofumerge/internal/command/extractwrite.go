package command

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

// writeFiles writes the override, and the file of new blocks, and takes back edits: all or nothing.
func (o *extractOptions) writeFiles(s *extractSides, r *extract.Result, name string) error {
	if len(r.Texts) == 0 {
		o.ws.Note("Note: there is nothing to override, so no file was written")
		return nil
	}
	dir := filepath.Dir(repo.In(o.ws.Base(), cmp.Or(o.out, o.into)))
	if o.write && o.since != "" && !repo.IsSameFile(dir, s.edited.Dir) {
		return fmt.Errorf("nothing was written: with --write the override belongs beside the files that are edited, in %s", diag.Escape(s.edited.Dir))
	}
	if err := writeback.CheckAside(dir); err != nil {
		return err
	}
	set := replace.NewSet(replace.Options{Warn: o.ws.Warn, Step: o.ws.Interrupt})
	defer set.Close()
	for _, made := range slices.Sorted(maps.Keys(r.Texts)) {
		if err := s.put(set, dir, made, r.Texts[made]); err != nil {
			return err
		}
	}
	if o.write && o.since != "" {
		if err := o.takeBack(set, s, r); err != nil {
			return err
		}
	}
	return set.Run()
}

// put adds a file that was made to a set: a new one, or more of one that the module has.
func (s *extractSides) put(set *replace.Set, dir, name string, text []byte) error {
	path := filepath.Join(dir, name)
	if name != s.into {
		if err := set.Create(path, diag.Escape(name), text); err != nil {
			return writeback.NotWritten(name, err)
		}
		return nil
	}
	target, err := writeback.TargetInside(dir, path, name)
	if err != nil {
		return err
	}
	if err := set.Rewrite(target, diag.Escape(name), s.base.File(name).Raw, text); err != nil {
		return writeback.NotWritten(name, err)
	}
	return nil
}

// printPatch prints what --write would write.
func (o *extractOptions) printPatch(s *extractSides, r *extract.Result) error {
	var files []*patch.File
	prefix := o.ws.Prefix(filepath.Dir(repo.In(o.ws.Base(), o.into)))
	for _, name := range slices.Sorted(maps.Keys(r.Texts)) {
		var was []byte
		if name == s.into {
			was = s.base.File(name).Raw
		}
		d := patch.Diff(prefix+name, was, []textedit.Edit{textedit.Replace(0, len(was), string(r.Texts[name]))})
		d.IsNew = name != s.into
		files = append(files, d)
	}
	return patch.Writer{Context: patch.Context, Palette: o.ws.Screen(o.ws.Out).Palette}.Write(o.ws.Out, files)
}

// takeBack takes back the edits that the override expresses. The override is there by then, so that
// the module means the same after each file.
func (o *extractOptions) takeBack(set *replace.Set, s *extractSides, r *extract.Result) error {
	files := filesOf(s.edited)
	maps.Copy(files, r.Texts)
	restored := r.TakeBack()
	for _, f := range restored {
		files[f.Name] = f.Text
	}
	opts := s.options
	opts.Contents = files
	if err := r.Prove(func() (*load.Module, error) {
		src, diags, err := load.Dir(s.edited.Dir, opts)
		if err == nil && diags.HasErrors() {
			err = diags
		}
		return src, err
	}); err != nil {
		return err
	}
	for _, f := range restored {
		was := s.edited.File(f.Name)
		for _, h := range f.Hunks {
			if !h.IsBack {
				o.ws.Note(fmt.Sprintf("Note: %s:%d keeps its edit: %s", diag.Escape(f.Name), h.From+1, h.Reason()))
			}
		}
		if string(was.Raw) == string(f.Text) {
			continue
		}
		target, err := writeback.TargetInside(s.edited.Dir, was.Path, f.Name)
		if err != nil {
			return err
		}
		if err := set.Rewrite(target, diag.Escape(f.Name), was.Raw, f.Text); err != nil {
			return writeback.NotWritten(f.Name, err)
		}
	}
	for _, f := range s.edited.Files {
		set.Expect(f.Path, diag.Escape(f.Name), f.Raw)
	}
	return nil
}
