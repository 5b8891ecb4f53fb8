package main

import (
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
)

// isThere reports whether a directory has a name, even if that is a link that leads
// nowhere.
func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
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
	for _, at := range slices.Backward(repo.Governing(dir)) {
		switch s, err := a.settingsIn(at); {
		case err != nil:
			broken = append(broken, err)
		case s != nil:
			list = append(list, s)
		}
	}
	return list, broken
}
