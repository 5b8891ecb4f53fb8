package editor_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
)

// What TestLSPEdits does to the files on disk.

func (d *desk) makeDir() {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) save() {
	name := pick(d.r, d.open)
	d.note("save %s", name)
	d.makeDir()
	d.write(name, d.open[name].Text, lsptest.Changed)
	d.c.Save(d.open[name])
}

// write writes a file, and notifies the server unless kind is 0.
func (d *desk) write(name, text string, kind int) {
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	if _, isThere := d.disk[name]; !isThere && kind != 0 {
		kind = lsptest.Created
	}
	d.disk[name] = text
	if kind != 0 {
		d.c.Watched(filepath.Join(d.dir, name), kind)
	}
}

// remove removes a file from the disk. It closes the file's document before: without unsaved edits, a document stops
// standing for its file once that is gone, and check would still see its text.
func (d *desk) remove(name string) {
	if d.open[name] != nil {
		d.close(name)
	}
	if err := os.Remove(filepath.Join(d.dir, name)); err != nil {
		d.t.Fatal(err)
	}
	delete(d.disk, name)
	d.c.Watched(filepath.Join(d.dir, name), lsptest.Deleted)
}

// changeDisk changes files as another program may do.
func (d *desk) changeDisk() {
	name := pick(d.r, d.disk)
	if name == "" {
		return
	}
	d.makeDir()
	switch n := d.r.IntN(4); {
	case n == 0:
		d.note("remove %s", name)
		d.remove(name)
	case n == 1 && !isSettings(name):
		to := strings.TrimSuffix(name, "_override.tf") + []string{"_override.tf", ".tf"}[d.r.IntN(2)]
		d.note("rename %s to %s", name, to)
		text := d.disk[name]
		d.remove(name)
		d.write(to, text, lsptest.Changed)
	case n == 2:
		text := d.disk[name]
		at := d.place(text)
		d.note("on disk: insert into %s at %d", name, at)
		d.write(name, text[:at]+"# x\n"+text[at:], lsptest.Changed)
	case n == 3:
		version := []string{"1.8.0", "1.10.3", "none"}[d.r.IntN(3)]
		d.note("on disk: .opentofu-version %s", version)
		d.write(".opentofu-version", version+"\n", lsptest.Changed)
		delete(d.disk, ".opentofu-version") // openOne must not open it: the server reads it from disk only
	}
}

// removeAll removes the directory of the module.
func (d *desk) removeAll() {
	if d.r.IntN(2) == 0 {
		return
	}
	d.note("remove the directory")
	names := slices.Sorted(maps.Keys(d.disk))
	if err := errors.Join(os.RemoveAll(d.dir), os.RemoveAll(filepath.Join(d.dir, settingsAbove))); err != nil {
		d.t.Fatal(err)
	}
	clear(d.disk)
	for _, name := range append(names, ".opentofu-version") {
		d.c.Watched(filepath.Join(d.dir, name), lsptest.Deleted)
	}
	d.c.Watched(d.dir, lsptest.Deleted)
}
