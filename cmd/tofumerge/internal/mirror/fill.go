package mirror

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// The files of the copy besides flattened modules.

// longFile is the size from which on a file is a link in the copy.
const longFile = 1 << 20

// settings are the names of files that tools look for above a module.
var settings = []string{
	".checkov.yaml", ".checkov.yml", ".editorconfig", ".infracost", ".opentofu-version", ".pre-commit-config.yaml",
	".terraform-docs.yaml", ".terraform-docs.yml", ".terraform-version", ".tflint.hcl", ".tflint.json", ".tfsec", ".tool-versions",
	".tofumerge.hcl", ".trivyignore", ".trivyignore.yaml", "infracost.yml", "trivy.yaml",
}

// copyRest copies everything but the modules that have been added.
func (t *Tree) copyRest(b *replace.Building) error {
	at := t.Copied(t.Base)
	if err := b.Step(func() error { return os.MkdirAll(at, 0o700) }); err != nil {
		return writeback.NotWritten(at, err)
	}
	rest := &writeback.DirCopy{
		To: b, At: at, From: t.Base, Warn: t.opts.Warn, Mirror: &writeback.Mirror{In: t.Within, IsLinked: t.isLinked},
		IsWritten: func(rel string) bool { return t.written[filepath.Join(t.Base, rel)] },
	}
	if err := rest.Copy(); err != nil {
		return err
	}
	t.targets = rest.Mirror.Targets
	if t.opts.HasGit {
		if err := t.copyGit(b); err != nil {
			return fmt.Errorf("can't copy .git: %w", input.StripPath(err))
		}
	}
	t.copyAbove(b)
	for _, path := range t.opts.States {
		if err := t.linkState(b, path); err != nil {
			return err
		}
	}
	slices.Sort(t.outside)
	kept := t.outside[:0]
	for _, dir := range t.outside {
		if len(kept) > 0 && repo.IsWithin(dir, kept[len(kept)-1]) {
			continue // that is a link already
		}
		if err := t.link(b, dir); err != nil {
			t.opts.Warn(fmt.Sprintf("a module call loads %s, which is not in the copy", diag.Escape(dir)))
			continue
		}
		kept = append(kept, dir)
	}
	t.outside, t.targets = kept, append(t.targets, kept...)
	return nil
}

// isLinked reports whether something is a link to the original in the copy.
func (t *Tree) isLinked(rel string, d fs.DirEntry) bool {
	name := d.Name()
	switch {
	case name == ".git":
		return false
	case filepath.Base(filepath.Dir(rel)) == ".terraform":
		return d.IsDir() && (name == "providers" || name == "modules")
	case writeback.IsKept(name):
		return t.opts.HasStates && name != ".terraform"
	case d.Type().IsRegular():
		info, err := d.Info()
		return err == nil && info.Size() > longFile
	}
	return false
}

// linkStates makes links to the states that a module does not have yet.
func (t *Tree) linkStates(b *replace.Building, dir string) error {
	if !t.opts.MakesStates {
		return nil
	}
	for _, name := range writeback.StateFiles {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			continue // a link comes with the rest
		}
		if err := t.linkState(b, path); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tree) linkState(b *replace.Building, path string) error {
	if err := t.link(b, path); err != nil {
		return fmt.Errorf("nothing was run: can't link %s: %w", diag.Escape(path), input.StripPath(err))
	}
	return nil
}

// link makes a link to the original in the copy.
func (t *Tree) link(b *replace.Building, path string) error {
	to := t.Copied(path)
	return b.Step(func() error {
		err := os.MkdirAll(filepath.Dir(to), 0o700)
		if err == nil {
			err = os.Symlink(path, to)
		}
		return err
	})
}

// copyAbove copies the settings of tools above the directory that is copied.
func (t *Tree) copyAbove(b *replace.Building) {
	for dir := filepath.Dir(t.Base); ; dir = filepath.Dir(dir) {
		for _, name := range settings {
			from, to := filepath.Join(dir, name), filepath.Join(t.Copied(dir), name)
			text, err := input.Read(from, longestBack)
			if err != nil {
				continue
			}
			if err := b.Step(func() error { return os.WriteFile(to, text, 0o600) }); err != nil {
				t.opts.Warn(fmt.Sprintf("%s is left out of the copy: %v", diag.Escape(from), input.StripPath(err)))
			}
		}
		if dir == filepath.Dir(dir) {
			return
		}
	}
}

// gitParts are what git needs of its directory, besides the objects.
var gitParts = []string{"HEAD", "config", "index", "info", "packed-refs", "refs", "shallow"}

// copyGit makes a repository that shares the objects of the original and nothing else, so that no command
// of git changes that.
func (t *Tree) copyGit(b *replace.Building) error {
	own, shared := repo.GitDirs(t.Base)
	if _, err := os.Stat(own); err != nil {
		return err
	}
	to := filepath.Join(t.Copied(t.Base), ".git")
	alternates := filepath.Join(to, "objects", "info", "alternates")
	return b.Step(func() error {
		err := os.MkdirAll(filepath.Dir(alternates), 0o700)
		if err == nil {
			err = os.WriteFile(alternates, []byte(filepath.Join(shared, "objects")+"\n"), 0o600)
		}
		if err != nil {
			return err
		}
		for _, name := range gitParts {
			from := filepath.Join(own, name)
			if _, err := os.Stat(from); err != nil || name == "refs" {
				from = filepath.Join(shared, name)
			}
			if err := copyAll(from, filepath.Join(to, name)); err != nil {
				return err
			}
		}
		return nil
	})
}

// copyAll copies a file or a directory, if it is there.
func copyAll(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path) // which is below it
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(to, rel), text, 0o600)
		}
		return err
	})
}
