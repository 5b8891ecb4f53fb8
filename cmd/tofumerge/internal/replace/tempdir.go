package replace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Prefixes of temporary directories; directories that are kept have another one, so that no run
// removes them.
const (
	tempPrefix = "tofumerge-exec-"
	keptPrefix = "tofumerge-kept-"
)

// A TempDir is a temporary directory that nobody else may read. While the process runs it is locked, by
// which later runs know whether they may remove it.
type TempDir struct {
	Path string
	file *os.File
}

// NewTempDir makes a temporary directory, and removes those that killed runs left.
func NewTempDir(isKept bool, warn func(string)) (*TempDir, error) {
	cleanTempDirs(os.TempDir(), warn)
	prefix := tempPrefix
	if isKept {
		prefix = keptPrefix
	}
	for {
		path, err := os.MkdirTemp("", prefix)
		if err != nil {
			return nil, input.NoTempDir(err)
		}
		t := &TempDir{Path: path}
		if t.file, err = os.Open(path); err == nil {
			lock(t.file, false)
			_, err = os.Lstat(path)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return t, err
		}
		// Another run took it for a leftover, since it wasn't locked yet.
	}
}

// Fill has something made in the directory. A signal that comes meanwhile removes the directory and ends
// the process.
func (t *TempDir) Fill(fill func(*Building) error) error {
	b := &Building{Path: t.Path}
	b.guard = watch(func(os.Signal) { _ = t.Remove() }) // if not, the next run does
	defer b.guard.stop()
	return fill(b)
}

// Keep has the directory stay, under another name: no run removes it.
func (t *TempDir) Keep() error {
	name := filepath.Base(t.Path)
	rest, isTemporary := strings.CutPrefix(name, tempPrefix)
	if !isTemporary {
		return nil
	}
	kept := filepath.Join(filepath.Dir(t.Path), keptPrefix+rest)
	if err := os.Rename(t.Path, kept); err != nil {
		return err
	}
	t.Path = kept
	return nil
}

// Remove removes the directory, even if its contents may not be written.
func (t *TempDir) Remove() error {
	err := removeTree(t.Path)
	if t.file != nil {
		_ = t.file.Close() // nothing was written to it
	}
	return err
}

func cleanTempDirs(parent string, warn func(string)) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) || !isOurs(info) {
			continue
		}
		path := filepath.Join(parent, e.Name())
		d, err := os.Open(path)
		if err != nil {
			continue
		}
		if lock(d, true) {
			if err := os.RemoveAll(path); err == nil {
				warn("removed files of a killed run: " + path)
			} else {
				warn("can't remove the files of a killed run; check and remove them: " + path)
			}
		}
		_ = d.Close() // nothing was written to it
	}
}

// removeTree removes a directory with all that it holds. Links in it are not followed.
func removeTree(path string) error {
	if os.RemoveAll(path) == nil {
		return nil
	}
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700) // unchangeable files are reported below
		}
		return nil
	})
	return os.RemoveAll(path)
}
