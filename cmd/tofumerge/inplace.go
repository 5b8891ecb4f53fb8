package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
)

// How flatten works in place. It may be cut short at any moment; what is in the
// directory then is the same module to the engine.

// asideSuffix ends the names of override files that are out of the way: no engine
// loads such.
const asideSuffix = ".tofumerge-aside"

// A rewriting is the new text of one file on its way into the directory.
type rewriting struct {
	diff *render.FileDiff
	path string // the file itself, where a link leads to it
	temp string // the new text, beside it
}

// writeInPlace rewrites the primary files and removes the override files.
func (f *flattenCommand) writeInPlace(mod *merge.Module, diffs []*render.FileDiff) error {
	changed := slices.DeleteFunc(slices.Clone(diffs), func(d *render.FileDiff) bool { return !d.Changes() })
	files, err := rewritings(mod.Source.Dir, changed)
	if err != nil {
		return err
	}
	isSafe, err := f.isSafeAllTheWay(mod, changed)
	if err != nil {
		return err
	}
	steps := writeSteps(files)
	if !isSafe {
		for _, path := range overridesOf(mod.Source) {
			if _, err := os.Lstat(path + asideSuffix); err == nil {
				return fmt.Errorf("nothing was written: %s is there already, perhaps from a run that was cut short; see what it is, and move it away", load.Escape(filepath.Base(path)+asideSuffix))
			}
		}
		f.warn("with some of the files written, the engine would see another module: the override files are moved aside first. To go back, give NAME" + asideSuffix + " its name NAME again and restore the primary files.")
		steps = slices.Concat(steps[:len(files)], asideSteps(mod.Source), steps[len(files):])
	}
	steps = append(steps, removeSteps(mod.Source, isSafe)...)
	for i, s := range steps {
		if err := f.step(i); err != nil {
			return err
		}
		if err := s(); err != nil {
			return errors.Join(fmt.Errorf("%w; what was not done yet is as it was, but override files may have been moved to NAME%s", err, asideSuffix), discard(files))
		}
	}
	return syncDir(mod.Source.Dir)
}

// step lets tests cut a run short.
func (f *flattenCommand) step(i int) error {
	if f.interrupt == nil {
		return nil
	}
	return f.interrupt(i)
}

// rewritings finds where the new texts go: links are followed, but not out of
// the directory.
func rewritings(dir string, diffs []*render.FileDiff) ([]*rewriting, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	var files []*rewriting
	for _, d := range diffs {
		path := filepath.Join(dir, d.Name)
		if _, err := os.Lstat(path); d.IsNew && err == nil {
			return nil, fmt.Errorf("nothing was written: there is something called %s in the directory already", load.Escape(d.Name))
		}
		if !d.IsNew {
			if path, err = filepath.EvalSymlinks(path); err != nil {
				return nil, notWritten(d.Name, err)
			}
			if rel, err := filepath.Rel(root, path); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return nil, fmt.Errorf("nothing was written: %s is a link to a file outside of the directory", load.Escape(d.Name))
			}
		}
		files = append(files, &rewriting{diff: d, path: path})
	}
	return files, nil
}

// writeSteps write all new texts beside the old ones, and then rename them.
func writeSteps(files []*rewriting) []func() error {
	var write, rename []func() error
	for _, r := range files {
		write = append(write, func() error {
			old, err := os.Stat(r.path)
			if err != nil && !r.diff.IsNew {
				return notWritten(r.path, err)
			}
			tmp, err := besideFile(r.path)
			if err != nil {
				return notWritten(r.path, err)
			}
			r.temp = tmp.Name()
			if err := fill(tmp, bytes.NewReader(r.diff.New), old); err != nil {
				return notWritten(r.path, err)
			}
			return nil
		})
		rename = append(rename, func() error {
			err := os.Rename(r.temp, r.path)
			if err == nil {
				r.temp = ""
			}
			return err
		})
	}
	return append(write, rename...)
}

// discard removes the new texts that did not come into their place.
func discard(files []*rewriting) error {
	var errs []error
	for _, r := range files {
		if r.temp != "" {
			errs = append(errs, os.Remove(r.temp))
		}
	}
	return errors.Join(errs...)
}

// asideSteps move the override files out of the way.
func asideSteps(src *load.Module) []func() error {
	var steps []func() error
	for _, f := range overridesOf(src) {
		steps = append(steps, func() error { return os.Rename(f, f+asideSuffix) })
	}
	return steps
}

// removeSteps remove the override files: those that others hide first, so that
// they don't come to light, and the others in the order in which they are applied.
func removeSteps(src *load.Module, isSafe bool) []func() error {
	var steps []func() error
	for _, f := range overridesOf(src) {
		if !isSafe {
			f += asideSuffix
		}
		steps = append(steps, func() error { return os.Remove(f) })
	}
	return steps
}

// overridesOf lists the paths of override files in the order in which they are to go.
func overridesOf(src *load.Module) []string {
	var paths []string
	for _, e := range src.Names {
		if e.Role == load.Override && e.Status == load.Shadowed {
			paths = append(paths, filepath.Join(src.Dir, e.Name))
		}
	}
	for _, f := range src.Files {
		if f.Role == load.Override {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// isSafeAllTheWay tells whether the engine sees the same module after each step.
func (f *flattenCommand) isSafeAllTheWay(mod *merge.Module, diffs []*render.FileDiff) (bool, error) {
	want := render.Meaning(mod)
	opts, err := f.optionsFor(mod.Source.Dir)
	if err != nil {
		return false, err
	}
	opts.Trees = load.AllTrees
	opts.Contents = map[string][]byte{}
	gone := map[string]bool{}
	opts.Absent = func(name string) bool { return gone[name] }
	if err := f.isSafeAtTheEnd(mod, diffs, opts, want); err != nil {
		return false, err
	}
	// Blocks of different files don't depend on each other, so with all new files
	// there it is seen what the overrides do to each of them once more.
	for _, d := range diffs {
		opts.Contents[d.Name] = d.New
	}
	if same, err := means(mod.Source.Dir, opts, want); err != nil || !same {
		return false, err
	}
	for _, path := range overridesOf(mod.Source) {
		gone[filepath.Base(path)] = true
		if same, err := means(mod.Source.Dir, opts, want); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// isSafeAtTheEnd fails unless the engine sees the same module when all is done.
func (f *flattenCommand) isSafeAtTheEnd(mod *merge.Module, diffs []*render.FileDiff, opts load.Options, want []string) error {
	gone := map[string]bool{}
	for _, path := range overridesOf(mod.Source) {
		gone[filepath.Base(path)] = true
	}
	opts.Absent = func(name string) bool { return gone[name] }
	opts.Contents = map[string][]byte{}
	for _, d := range diffs {
		opts.Contents[d.Name] = d.New
	}
	same, err := means(mod.Source.Dir, opts, want)
	if err == nil && !same {
		err = errors.New("nothing was written: without the override files the engine would see another module")
	}
	var none *load.NoFilesError
	if errors.As(err, &none) {
		return nil // there was nothing in effect
	}
	return err
}

// means tells whether a directory, as options have it, has a meaning.
func means(dir string, opts load.Options, want []string) (bool, error) {
	src, diags, err := load.Dir(dir, opts)
	if err != nil {
		return false, err
	}
	mod, more := merge.Files(src, merge.Options{})
	if diags.HasErrors() || more.HasErrors() {
		return false, nil
	}
	return slices.Equal(want, render.Meaning(mod)), nil
}

// syncDir makes sure that what was renamed and removed is so after a crash, where
// the system can tell.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // not every system can sync a directory
	return d.Close()
}
