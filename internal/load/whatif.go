package load

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// What a module would be with other override files than the directory has.

// An Overlay is a file that is merged as though it were one more override file
// of the directory.
type Overlay struct {
	Name  string // for people, and for the syntax: JSON if it ends in .json
	Path  string // as it is opened
	Given []byte // the content, where there is no file to open; nil where there is
}

// Stdin is the name of an overlay that came from standard input.
const Stdin = "<stdin>"

// file is the override file that an overlay stands for. Text without a name is
// JSON if it starts as JSON does.
func (o Overlay) file() *File {
	f := &File{Name: o.Name, Path: o.Path, Role: Override, Overlay: true, Given: o.Given}
	if strings.HasSuffix(o.Name, ".json") || o.Name == Stdin && startsLikeJSON(o.Given) {
		f.Syntax = JSON
	}
	f.Tofu = strings.HasSuffix(strings.TrimSuffix(o.Name, ".json"), ".tofu")
	return f
}

func startsLikeJSON(src []byte) bool {
	src = bytes.TrimLeft(src, " \t\r\n")
	return len(src) > 0 && (src[0] == '{' || src[0] == '[')
}

// overlay adds the overlays to a module. None may share its name with another
// file, since names tell in which file something is.
func (m *Module) overlay(overlays []Overlay) {
	for _, o := range overlays {
		f := o.file()
		for slices.ContainsFunc(m.Names, func(e Entry) bool { return e.Name == f.Name }) || m.File(f.Name) != nil {
			f.Name = "." + string(filepath.Separator) + f.Name
		}
		m.Files = append(m.Files, f)
	}
}

// exclude marks the override files that are to be left out. What they shadow
// stays shadowed.
func (m *Module) exclude(excluded func(name string) bool) {
	for i, e := range m.Names {
		if excluded != nil && e.Role == Override && e.Status != Ignored && e.Status != Foreign && excluded(e.Name) {
			m.Names[i].Status = Excluded
		}
	}
}
