package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
)

// How flatten writes a new directory: beside it first, under another name, so that
// it is there as a whole or not at all.

func (f *flattenCommand) writeNew(mod *merge.Module, diffs []*render.FileDiff) error {
	out := filepath.Clean(inDir(f.base(), f.out))
	if err := checkNewDir(out, mod.Source.Dir); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(out), fmt.Sprintf(".tofumerge-%08x", rand.Uint32()))
	if err := os.Mkdir(temp, 0o777); err != nil {
		return notWritten(f.out, err)
	}
	err := f.fillDir(temp, mod.Source, diffs)
	if err == nil {
		err = replaceDir(temp, out)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(temp))
	}
	f.tell(mod)
	return nil
}

// checkNewDir refuses a directory that holds something, and one inside of the
// module, of which it would become a part.
func checkNewDir(out, dir string) error {
	found, err := os.ReadDir(out)
	switch {
	case err == nil && len(found) > 0:
		return fmt.Errorf("nothing was written: %s is not empty", load.Escape(out))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return notWritten(out, err)
	}
	if _, err := os.Stat(filepath.Dir(out)); err != nil {
		return fmt.Errorf("nothing was written: there is no directory %s", load.Escape(filepath.Dir(out)))
	}
	inside := filepath.Join(targetOf(filepath.Dir(out)), filepath.Base(out))
	module := targetOf(dir)
	if rel, err := filepath.Rel(module, inside); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return fmt.Errorf("nothing was written: %s is inside of the module; name a directory elsewhere", load.Escape(out))
	}
	return nil
}

// replaceDir gives a directory its name. An empty one of that name goes.
func replaceDir(temp, out string) error {
	if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return notWritten(out, err)
	}
	if err := os.Rename(temp, out); err != nil {
		return notWritten(out, err)
	}
	return syncDir(filepath.Dir(out))
}

func (f *flattenCommand) fillDir(temp string, src *load.Module, diffs []*render.FileDiff) error {
	for _, d := range diffs {
		mode := os.FileMode(0o666)
		if info, err := os.Stat(filepath.Join(src.Dir, d.Name)); err == nil {
			mode = info.Mode().Perm()
		}
		if err := os.WriteFile(filepath.Join(temp, d.Name), d.New, mode); err != nil {
			return notWritten(d.Name, err)
		}
	}
	if !f.copyRest {
		return nil
	}
	return f.copyOthers(temp, src)
}

// copyOthers copies what is no configuration file of the module, links as links.
func (f *flattenCommand) copyOthers(temp string, src *load.Module) error {
	from, err := filepath.EvalSymlinks(src.Dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil || rel == "." {
			return err
		}
		to := filepath.Join(temp, rel)
		switch {
		case d.IsDir() && (d.Name() == ".terraform" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir():
			return os.Mkdir(to, 0o777)
		case slices.ContainsFunc(src.Names, func(e load.Entry) bool { return e.Name == rel && isLoaded(e) }):
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			return f.copyLink(from, name, to)
		case !d.Type().IsRegular():
			return fmt.Errorf("can't copy %s: it is no regular file", load.Escape(rel))
		}
		return copyFile(name, to)
	})
}

// isLoaded tells the names that take part in the module, or would if others did not.
func isLoaded(e load.Entry) bool {
	return e.Status == load.Read || e.Status == load.Shadowed || e.Status == load.Excluded
}

// copyLink copies a link as it is, which leads elsewhere if it led out of the
// directory by a relative path.
func (f *flattenCommand) copyLink(dir, name, to string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(dir, filepath.Join(filepath.Dir(name), target))
	if !filepath.IsAbs(target) && (err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))) {
		f.warn(fmt.Sprintf("%s is a link to %s, which is another place as seen from the new directory", load.Escape(filepath.Base(name)), load.Escape(target)))
	}
	return os.Symlink(target, to)
}

func copyFile(from, to string) error {
	old, info, err := load.OpenFile(from)
	if err != nil {
		return err
	}
	defer old.Close()
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(f, old)
	return errors.Join(err, f.Close())
}

// tell says what is not in the new directory, and what means something else there.
func (f *flattenCommand) tell(mod *merge.Module) {
	if !f.copyRest {
		fmt.Fprintf(f.err, "%s holds the configuration files only; --copy-rest copies the others, too\n", load.Escape(f.out))
	}
	own := mod.Source.Engine.Product
	for _, e := range mod.Source.Names {
		switch {
		case e.Status == load.Shadowed:
			f.warn(fmt.Sprintf("%s is left out: %s hides it from %s", load.Escape(e.Name), load.Escape(e.By), own.Title()))
		case e.Status == load.Foreign && !f.copyRest:
			f.warn(fmt.Sprintf("%s is left out: %s does not read it", load.Escape(e.Name), own.Title()))
		}
	}
	for _, place := range render.RelativeToModule(mod, f.copyRest) {
		f.warn(place)
	}
}
