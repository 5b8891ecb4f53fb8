package replace

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// manyNames is how many names of a directory are looked at for leftovers.
const manyNames = 20_000

var leftover = lazyregexp.New(`^\.tofumerge-(?:part-[0-9a-f]{8}|[0-9a-f]{8}-([0-9a-f]{16})-([0-9a-f]{16}))$`)

// Clean removes from a directory the leftovers of killed runs, if that is certain, and reports the
// removed and the remaining ones.
func Clean(path string, warn func(string)) {
	found := leftoversIn(path)
	if len(found) == 0 {
		return
	}
	d, err := openDir(path)
	if err != nil {
		return
	}
	defer d.close()
	if !lock(d.file, true) {
		return // another process is writing at this moment
	}
	defer unlock(d.file)
	var removed, left []string
	for _, name := range found {
		switch err := d.cleanUp(name); {
		case err == nil:
			removed = append(removed, name)
		case !errors.Is(err, os.ErrNotExist):
			left = append(left, name)
		}
	}
	if len(removed) > 0 {
		warn(fmt.Sprintf("removed files of a killed run: %s", d.listed(removed)))
	}
	if len(left) > 0 {
		warn(fmt.Sprintf("%s may be left from a killed run, or hold the old text of a file; check and remove it",
			d.listed(left)))
	}
}

// claim removes the leftovers of killed runs from a directory, and lets other processes know that
// files are being written there, until release is called.
func claim(path string, warn func(string)) (release func()) {
	Clean(path, warn)
	d, err := os.Open(path)
	if err != nil {
		return func() {}
	}
	lock(d, false)
	return func() { _ = d.Close() } // nothing was written to it
}

func (d *dir) listed(names []string) string {
	for i, name := range names {
		names[i] = filepath.ToSlash(d.join(name))
	}
	return strings.Join(names, ", ")
}

func leftoversIn(path string) []string {
	d, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(manyNames) // as far as it can be read
	var found []string
	for _, name := range names {
		if leftover().MatchString(name) {
			found = append(found, name)
		}
	}
	return found
}

var errNotOurs = errors.New("it may be the user's own file")

// cleanUp removes a file if it is certainly a leftover: it was not finished, or its text matches
// its name.
func (d *dir) cleanUp(name string) error {
	info, err := d.root.Lstat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || !isOurs(info) {
		return errNotOurs
	}
	if strings.HasPrefix(name, partPrefix) {
		if names(info) > 1 {
			return errNotOurs
		}
		return d.root.Remove(name)
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|openNonblocking, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	is := fmt.Sprintf("%x", sum.Sum(nil)[:8])
	if of := leftover().FindStringSubmatch(name); is != of[1] && is != of[2] {
		return errNotOurs
	}
	return d.root.Remove(name)
}
