package main

import (
	"cmp"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
)

// Where settings and version files are looked for. A directory or a file .git ends the
// search only where the working directory itself is inside of it: one that lies further
// down may be a part of what is judged, as in an archive or a submodule, and must not
// keep the files above from counting.

// upward goes through a directory and those above it, the nearest first: up to the
// root of the repository that the program runs in, outside of a repository up to the
// working directory. Above a directory that is elsewhere it goes up to the outermost
// repository, outside of one to the root of the file system.
func upward(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		at, here := absolute(dir), absolute(".")
		last := highest(at, here)
		for yield(at) && at != last && at != filepath.Dir(at) {
			at = filepath.Dir(at)
		}
	}
}

// highest is the last directory above one that counts, for a working directory.
func highest(dir, here string) string {
	if root := repositoryOf(here); isWithin(dir, root) {
		return root
	}
	last := ""
	for at := dir; ; at = filepath.Dir(at) {
		if isRepository(at) {
			last = at
		}
		if at == filepath.Dir(at) {
			return last // "" is no file: the search goes on to the root of the file system
		}
	}
}

// repositoryOf is the root of the repository that a directory is in, else the
// directory itself.
func repositoryOf(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if isRepository(at) {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

func isRepository(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

func isWithin(dir, root string) bool {
	return dir == root ||
		strings.HasPrefix(dir, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
}

// leadsOut reports whether a path goes through a link that leads out of where settings are
// looked for. The author of the link may not be allowed to read what is there, but may see
// the messages about it.
func leadsOut(path string) bool {
	whole := absolute(path)
	target, err := filepath.EvalSymlinks(whole)
	if err == nil && target == whole {
		return false
	}
	dir := filepath.Dir(whole)
	if info, statErr := os.Stat(whole); statErr == nil && info.IsDir() {
		dir = whole
	}
	root := cmp.Or(highest(dir, absolute(".")), dir)
	realRoot, rootErr := filepath.EvalSymlinks(root)
	return err != nil || rootErr != nil || isWithin(whole, root) && !isWithin(target, realRoot)
}

func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// governing are the directories whose settings files count for a module, the nearest
// first: above the name of its directory, and, where that is a link, above what it
// leads to, so that no other name takes a module away from its settings.
func governing(dir string) []string {
	list := slices.Collect(upward(dir))
	target, err := filepath.EvalSymlinks(absolute(dir))
	if err != nil || target == absolute(dir) {
		return list
	}
	known := list
	for at := range upward(target) {
		if !slices.ContainsFunc(known, func(other string) bool { return isSameFile(at, other) }) {
			list = append(list, at)
		}
	}
	return list
}

// isSameFile reports whether two paths lead to one file or directory.
func isSameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, alsoErr := os.Stat(b)
	return err == nil && alsoErr == nil && os.SameFile(one, other)
}

// settingsFiles are the settings files that a run came across.
type settingsFiles struct {
	given *settings // of --config, instead of all others
	file  string    // that holds them
	warns bool      // of what they can't say
	known sync.Map  // what reading each file gave, by its name
}

// A readSettingsFile is a settings file, or what is wrong with it.
type readSettingsFile struct {
	*settings
	err error
}

// settingsIn reads the settings file of a directory, once; without one there is
// nothing to give. A link that leads nowhere is one that can't be read.
func (a *app) settingsIn(dir string) (*settings, error) {
	name := filepath.Join(dir, configName)
	if _, isOpen := a.files.settingsText(name); !isOpen && !isThere(name) {
		return nil, nil // a directory that can't be looked into is a finding of its own
	}
	if known, ok := a.settings.known.Load(name); ok {
		return known.(readSettingsFile).settings, known.(readSettingsFile).err
	}
	s, err := a.readSettings(name)
	if err == nil {
		err = notOfFiles(name, s)
	}
	if err == nil && a.settings.warns {
		a.warnOfErrorsDisabled(name, s)
	}
	a.settings.known.Store(name, readSettingsFile{s, err})
	return s, err
}

// settingsAbove are the settings of the files that count for a module, the
// outermost first, and what is wrong with those that make no sense.
func (a *app) settingsAbove(dir string) (list []*settings, broken []error) {
	if a.settings.given != nil {
		return nil, nil
	}
	for _, at := range slices.Backward(governing(dir)) {
		switch s, err := a.settingsIn(at); {
		case err != nil:
			broken = append(broken, err)
		case s != nil:
			list = append(list, s)
		}
	}
	return list, broken
}

// isForeignLink reports whether a file to write is reached by a link in a repository, and is
// not in its working tree. The link may be part of a change under review, which must not
// choose what is overwritten.
func isForeignLink(path string) bool {
	path = absolute(path)
	root := repositoryOf(filepath.Dir(path))
	if !isRepository(root) {
		return false
	}
	own := filepath.Join(root, ".git")
	out, err := replace.FindOutput(path)
	if err != nil || out.Path == "" || isWithin(path, own) {
		return false
	}
	return !isWithin(out.Path, targetOf(root)) || isWithin(out.Path, targetOf(own))
}
