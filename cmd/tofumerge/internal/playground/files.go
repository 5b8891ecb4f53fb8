package main

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// maxFile is how many bytes a file may have. The merge of a larger one would take the time that
// the page grants.
const maxFile = 4 << 20

// texts are files by their paths, with slashes, from the top of what the page holds. They stand for
// a disk: a directory is there if a file is in it.
type texts map[string]string

// Has implements enginechoice.Tree.
func (t texts) Has(name string) bool {
	if _, isFile := t[name]; isFile {
		return true
	}
	for other := range t {
		if strings.HasPrefix(other, name+"/") {
			return true
		}
	}
	return false
}

// Read implements enginechoice.Tree.
func (t texts) Read(name string, limit int64) ([]byte, error) {
	text, isFile := t[name]
	switch {
	case !isFile:
		return nil, fs.ErrNotExist
	case int64(len(text)) > min(limit, maxFile):
		return nil, fmt.Errorf("it is larger than %d bytes, which the playground reads at most", min(limit, maxFile))
	}
	return []byte(text), nil
}

// EscapesRepo implements enginechoice.Tree: there are no links.
func (texts) EscapesRepo(string) bool { return false }

// A directory is one of a set of texts. It implements load.Directory.
type directory struct {
	texts
	dir string
}

// Names lists the files in the directory itself.
func (d directory) Names() (names []string, links map[string]bool, err error) {
	for name := range d.texts {
		if path.Dir(name) == d.dir {
			names = append(names, path.Base(name))
		}
	}
	slices.Sort(names)
	return names, nil, nil
}

// Read implements load.Directory.
func (d directory) Read(name string, limit int64) ([]byte, error) {
	return d.texts.Read(path.Join(d.dir, name), limit)
}

// settings are the settings files among texts. It implements policy.Source.
type settings struct{ texts }

// Above lists the directory of the module and those around it.
func (settings) Above(dir string) (list []string, err error) {
	for {
		list = append(list, dir)
		if dir == "." {
			return list, nil
		}
		dir = path.Dir(dir)
	}
}

// Read implements policy.Source.
func (s settings) Read(dir string) (policy.File, error) {
	name := path.Join(dir, policy.FileName)
	text, err := s.texts.Read(name, input.MaxSettingsSize)
	return policy.File{Name: name, Text: text}, err
}
