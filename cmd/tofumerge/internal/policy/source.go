package policy

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A Source is where settings files are.
type Source interface {
	// Above lists the directories whose settings files apply to a module, the nearest first.
	Above(dir string) ([]string, error)
	// Read reads the settings file of a directory that Above has listed, or that is on the disk.
	// The error is fs.ErrNotExist if there is none.
	Read(dir string) (File, error)
}

// A File is a settings file.
type File struct {
	// Path is the path of the file, perhaps in a checkout; empty for a file that only a revision
	// has.
	Path string
	// Name is how messages name a file without a Path.
	Name string
	Text []byte
	// IsWithheld means that no message may quote the text.
	IsWithheld bool
	// IsForeign means that the change under review can't have edited the file.
	IsForeign bool
}

// A Disk reads settings files from the disk.
type Disk struct {
	// Open, if set, returns the text of a file that is open in an editor.
	Open func(path string) (text []byte, isOpen bool)
}

// Above implements Source.
func (Disk) Above(dir string) ([]string, error) { return repo.SettingsDirs(dir), nil }

// Read implements Source. A broken link is a file that can't be read.
func (d Disk) Read(dir string) (File, error) {
	path := filepath.Join(dir, FileName)
	if !repo.Disk(d).Has(path) {
		return File{Path: path}, fs.ErrNotExist // a directory without access is a separate finding
	}
	return d.read(path)
}

// read reads a file that is there.
func (d Disk) read(path string) (File, error) {
	text, err := repo.Disk(d).Read(path, input.MaxSettingsSize)
	if errors.Is(err, fs.ErrNotExist) && repo.Disk(d).Has(path) {
		err = errDangling
	}
	return File{Path: path, Text: text, IsWithheld: repo.Disk(d).EscapesRepo(path)}, err
}

var errDangling = errors.New("the target of the symbolic link does not exist")
