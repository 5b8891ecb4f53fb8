package sourcemap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
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

// Find returns the files that a path may name: the one that it names, or those whose paths end so.
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
