package replace

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Prefix begins the names of files on their way. No engine loads such names.
const Prefix = ".tofumerge-"

// partPrefix begins the names of files that are being written, or were replaced.
const partPrefix = Prefix + "part-"

// partName is a new name for such a file or directory.
func partName() string { return fmt.Sprintf("%s%08x", partPrefix, rand.Uint32()) }

// reportLeft warns of files in a directory that a killed run may have left.
func reportLeft(dir string, warn func(string)) {
	entries, _ := os.ReadDir(dir) // as far as it can be read
	var left []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), partPrefix) {
			left = append(left, filepath.ToSlash(filepath.Join(dir, e.Name())))
		}
	}
	if len(left) > 0 {
		warn(strings.Join(left, ", ") + " may be left from a killed run, or hold the old text of a file; check and remove it")
	}
}

// newPart makes a new file. If it will replace an old one, nobody else may read it before it has
// the old mode.
func (d *dir) newPart(hasOld bool) (f *os.File, name string, err error) {
	mode := os.FileMode(0o666)
	if hasOld {
		mode = 0o600
	}
	name = partName()
	f, err = d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	return f, name, err
}

// fill writes a text to the disk. If the file will replace an old one, it gets its owner and mode.
func fill(f *os.File, text []byte, old os.FileInfo, path string) (lost []string, err error) {
	_, err = f.Write(text)
	if err == nil && old != nil {
		lost, err = keep(f, old, path) // after the text, since writing ends setuid
	}
	if err == nil {
		err = f.Sync()
	}
	return lost, errors.Join(err, f.Close())
}

// keep gives a file or a directory the owner and the mode of the old one at a path, and returns
// warnings about what it lacks.
func keep(to *os.File, old os.FileInfo, path string) (lost []string, err error) {
	dropACL(to) // the directory's defaults may give rights that the old file did not
	if err := keepOwner(to, old); err != nil {
		return nil, err
	}
	if err := to.Chmod(old.Mode()); err != nil {
		return nil, err
	}
	// The system may drop bits without an error.
	if now, err := to.Stat(); err != nil || now.Mode() != old.Mode() {
		return nil, errors.Join(err, fmt.Errorf("the system doesn't let a new file have its mode (%v); change it first", old.Mode()))
	}
	if links(old) > 1 && old.Mode().IsRegular() {
		lost = append(lost, "other hard links to the old file keep the old text")
	}
	if names := lostAttributes(to, path); len(names) > 0 {
		lost = append(lost, "these attributes of the old one aren't copied: "+strings.Join(names, ", "))
	}
	return lost, nil
}
