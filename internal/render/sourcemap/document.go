package sourcemap

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
)

// Format is the number of the form in which maps are written.
const Format = 1

// A Document is the maps of several modules, as they are written to a file.
type Document struct {
	Format  int      `json:"version"`
	Modules []Module `json:"modules"`
}

// A Module is the map of one module. Its directories have slashes.
type Module struct {
	Directory string  `json:"directory"` // of the original, to which the names of files are relative
	Flattened string  `json:"flattened"` // directory of the files after flattening
	Files     []*File `json:"files"`
	// Originals are the files of the original, in load order.
	Originals []original `json:"originals"`
	// Comments are those for tools that override files brought along.
	Comments []Comment `json:"comments,omitempty"`
}

// A Comment is a line for a tool that stood in an override file, and stands above a merged item now.
type Comment struct {
	Address string `json:"address"` // of the item
	Text    string `json:"text"`
	File    string `json:"file"` // of the original
	Line    int    `json:"line"`
}

// An original is a file as it was when it was flattened.
type original struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of its bytes, in hexadecimal
}

// OriginalsOf are the files of a module.
func OriginalsOf(m *load.Module) []original {
	list := make([]original, 0, len(m.Files))
	for _, f := range m.Files {
		sum := sha256.Sum256(f.Raw)
		list = append(list, original{f.Name, hex.EncodeToString(sum[:])})
	}
	return list
}

// Changed names a file of a module that changed, appeared or disappeared since it was flattened; ""
// if there is none.
func (m *Module) Changed(now *load.Module) string {
	then := map[string]string{}
	for _, o := range m.Originals {
		then[o.Name] = o.SHA256
	}
	for _, o := range OriginalsOf(now) {
		if then[o.Name] != o.SHA256 {
			return o.Name
		}
		delete(then, o.Name)
	}
	for _, o := range m.Originals {
		if _, isGone := then[o.Name]; isGone {
			return o.Name
		}
	}
	return ""
}

// Write writes the document.
func (d *Document) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(d)
}

// Read reads a document, and refuses one whose ranges are not in order.
func Read(text []byte) (*Document, error) {
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("it is not a source map: %w", err)
	}
	if d.Format != Format {
		return nil, fmt.Errorf("it is not a source map of format %d; make it again with flatten --source-map", Format)
	}
	for _, m := range d.Modules {
		for _, f := range m.Files {
			if f == nil || !f.isWhole() {
				return nil, errors.New("it is not a source map: the ranges of a file don't cover its lines")
			}
		}
	}
	return &d, nil
}

// isWhole reports whether the ranges follow one another, from the first line to the last.
func (f *File) isWhole() bool {
	next := 1
	for _, r := range f.Ranges {
		if r.Line != next || r.Count < 1 || r.Count > f.Lines || len(r.Origins) == 0 {
			return false
		}
		next += r.Count
	}
	return next == f.Lines+1
}

// Module returns the module that was flattened to a directory, or the only one. It returns nil if
// there are several and none matches.
func (d *Document) Module(flattened string) *Module {
	for i := range d.Modules {
		if path.Clean(d.Modules[i].Flattened) == path.Clean(flattened) {
			return &d.Modules[i]
		}
	}
	if len(d.Modules) == 1 {
		return &d.Modules[0]
	}
	return nil
}

// Find returns the files that a path may mean: the file with that path, or those whose paths end
// with it.
func (d *Document) Find(name string) (modules []Module, files []*File) {
	name = path.Clean(name)
	for _, m := range d.Modules {
		for _, f := range m.Files {
			switch full := path.Join(m.Flattened, f.Name); {
			case full == name:
				return []Module{m}, []*File{f}
			case strings.HasSuffix(full, "/"+name):
				modules, files = append(modules, m), append(files, f)
			}
		}
	}
	return modules, files
}
