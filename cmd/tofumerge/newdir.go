package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How flatten writes a new directory: beside it first, under another name, so that
// it is there as a whole or not at all.

func (f *flattenCommand) writeNew(mod *merge.Module, diffs []*patch.File) error {
	out := filepath.Clean(repo.In(f.base(), f.out))
	if err := checkAside(mod.Source.Dir); err != nil {
		return err
	}
	if err := checkNewDir(out, mod.Source.Dir, "the module"); err != nil {
		return err
	}
	err := replace.MakeDir(out, replace.Options{Warn: f.Warn}, func(b *replace.Building) error {
		if err := writeFiles(b, b.Path, mod.Source, diffs); err != nil || !f.copyRest {
			return err
		}
		others := &rest{
			to: b, at: b.Path, from: repo.Real(mod.Source.Dir), warn: f.Warn,
			isWritten: func(name string) bool { return takesPart(mod.Source, name) },
		}
		return others.copy()
	})
	if err == nil {
		f.reportLeftOut(mod)
	}
	return err
}

// checkNewDir refuses a directory that holds something, and one inside of what
// is flattened, of which it would become a part.
func checkNewDir(out, dir, what string) error {
	info, err := os.Lstat(out)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("nothing was written: %s is a link; name the directory itself", diag.Escape(out))
	case err == nil:
		found, err := os.ReadDir(out)
		if err != nil {
			return notWritten(out, err)
		}
		if len(found) > 0 {
			return fmt.Errorf("nothing was written: %s is not empty; name a new directory", diag.Escape(out))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return notWritten(out, err)
	}
	parent := repo.Real(filepath.Dir(out))
	if _, err := os.Stat(parent); err != nil {
		return fmt.Errorf("nothing was written: no such directory: %s", diag.Escape(filepath.Dir(out)))
	}
	for at := parent; ; at = filepath.Dir(at) {
		if repo.IsSameFile(at, dir) {
			return fmt.Errorf("nothing was written: %s is inside %s; name a directory elsewhere",
				diag.Escape(out), what)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// writeFiles writes the primary files into a directory, each with the mode that it has in the
// module.
func writeFiles(b *replace.Building, to string, src *load.Module, diffs []*patch.File) error {
	for _, d := range diffs {
		mode := os.FileMode(0o666)
		if info, err := os.Stat(filepath.Join(src.Dir, d.Name)); err == nil {
			mode = info.Mode().Perm()
		}
		err := b.Step(func() error { return os.WriteFile(filepath.Join(to, d.Name), d.New(), mode) })
		if err != nil {
			return notWritten(d.Name, err)
		}
	}
	return nil
}

// reportLeftOut says what is not in the new directory, and what means something else
// there.
func (f *flattenCommand) reportLeftOut(mod *merge.Module) {
	if !f.copyRest && hasRest(mod.Source) {
		f.Note(diag.Escape(f.out) + " holds only the configuration files; to copy the others, use --copy-rest")
	}
	f.warnLeftOut(mod)
	for _, place := range wording.RelativeToModule(mod, f.copyRest) {
		f.Warn(place)
	}
}

// warnLeftOut warns of configuration that is not in the new directory.
func (f *flattenCommand) warnLeftOut(mod *merge.Module) {
	own := mod.Source.Engine.Product
	for _, e := range mod.Source.Names {
		switch {
		case e.Status == load.Shadowed:
			f.Warn(fmt.Sprintf("%s is left out because %s shadows it for %s",
				diag.Escape(mod.Source.Prefix+e.Name), diag.Escape(e.By), own.Title()))
		case e.Status == load.Foreign && !f.copyRest:
			f.Warn(fmt.Sprintf("%s is left out: %s does not read it", diag.Escape(mod.Source.Prefix+e.Name), own.Title()))
		}
	}
}

// takesPart reports whether the module loads a name of the directory, or would if others
// did not.
func takesPart(src *load.Module, name string) bool {
	return slices.ContainsFunc(src.Names, func(e load.DirEntry) bool {
		return e.Name == name && isPart(e)
	})
}

// isPart reports whether the module loads a name, or would if others did not.
func isPart(e load.DirEntry) bool {
	return e.Status == load.Read || e.Status == load.Shadowed || e.Status == load.Excluded
}
