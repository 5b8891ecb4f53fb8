package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// gather finds the modules: absolute paths, without repetition.
func gather(work string, o options) ([]string, error) {
	unpacked := filepath.Join(work, "modules")
	empty := filepath.Join(unpacked, "empty")
	if err := os.MkdirAll(empty, 0o755); err != nil {
		return nil, err
	}
	modules := []string{empty}
	for i, dir := range append([]string{"testdata/rules", "testdata/modules"}, o.dirs...) {
		found, err := find(dir, filepath.Join(unpacked, fmt.Sprintf("%d", i)))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no configuration files and no archives in %s or below", dir)
		}
		modules = append(modules, found...)
	}
	seen := map[string]bool{}
	modules = slices.DeleteFunc(modules, func(m string) bool {
		known := seen[m]
		seen[m] = true
		return known
	})
	made, err := generate(filepath.Join(unpacked, "generated"), modules[1:], o)
	return append(modules, made...), err
}

// find lists the modules in and below a directory, and those in its archives,
// which are unpacked into another one.
func find(dir, unpacked string) ([]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory; compare runs in the top directory of the project", dir)
	}
	var modules []string
	archives := 0
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch name := e.Name(); {
		case err != nil:
			return err
		case e.IsDir() && (name == ".terraform" || name == ".git") && path != dir:
			return fs.SkipDir
		case e.IsDir():
		case isConfiguration(name):
			modules = append(modules, filepath.Dir(path))
		case filepath.Ext(name) == ".txtar":
			archives++
			to := filepath.Join(unpacked, fmt.Sprintf("%d-%s", archives, strings.TrimSuffix(name, ".txtar")))
			return unpack(path, to)
		}
		return nil
	})
	if err == nil && archives > 0 {
		var more []string
		more, err = find(unpacked, "")
		modules = append(modules, more...)
	}
	slices.Sort(modules)
	return slices.Compact(modules), err
}

func isConfiguration(name string) bool {
	return slices.ContainsFunc([]string{".tf", ".tofu", ".tf.json", ".tofu.json"}, func(suffix string) bool {
		return strings.HasSuffix(name, suffix)
	})
}

// unpack writes the files of an archive, and what engine a rule case is about.
func unpack(archive, to string) error {
	a, err := txtar.ParseFile(archive)
	if err != nil {
		return err
	}
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "want.") || filepath.Ext(f.Name) == ".txtar" || !filepath.IsLocal(f.Name) {
			continue
		}
		if err := put(filepath.Join(to, f.Name), f.Data); err != nil {
			return err
		}
	}
	for line := range strings.Lines(string(a.Comment)) {
		if engine, ok := strings.CutPrefix(strings.TrimSpace(line), "engine: "); ok {
			product, release, _ := strings.Cut(engine, "@")
			return put(filepath.Join(to, "."+product+"-version"), []byte(release+"\n"))
		}
	}
	return nil
}

func put(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// maxBelow is how many files below a module are copied with it.
const maxBelow = 300

// copyModule copies a module's files and, unless there are too many, the contents of directories
// below it. Nothing in the copy points outside it.
func copyModule(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	below := 0
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && path != from && (err != nil || e.Name() == ".terraform" || e.Name() == ".git") {
			return fs.SkipDir
		}
		if filepath.Dir(path) != from && path != from {
			if below++; below > maxBelow {
				return fs.SkipAll
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		switch name := e.Name(); {
		case path == from:
			return err
		case e.IsDir() && (err != nil || below > maxBelow || name == ".terraform" || name == ".git"):
			return fs.SkipDir
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return copyEntry(path, rel, to)
	})
}

// copyEntry copies a directory, a file or a link, but nothing else.
func copyEntry(path, rel, to string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	as := filepath.Join(to, rel)
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(path)
		if err != nil {
			return err
		}
		if filepath.IsLocal(filepath.Join(filepath.Dir(rel), target)) && !filepath.IsAbs(target) {
			return os.Symlink(target, as)
		}
		if info, err = os.Stat(path); err != nil || info.IsDir() {
			return nil
		}
	}
	switch {
	case info.IsDir():
		return os.MkdirAll(as, 0o755)
	case info.Mode().IsRegular():
		return copyFile(path, as, info.Mode().Perm())
	}
	return nil
}

func copyFile(from, to string, mode fs.FileMode) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, mode)
}
