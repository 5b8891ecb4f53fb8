package sourcemap

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

// An Origin is a line of a file of the original module, starting at 1.
type Origin struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// A Range is a number of lines, one after the other, whose origins are so, too.
type Range struct {
	Line    int      `json:"line"` // the first line, starting at 1
	Count   int      `json:"count"`
	Origins []Origin `json:"origins"` // of the first line; those in override files come first
	// Approximate is set where no line of the original has the same tokens: for values that are
	// computed or translated from the other syntax, and for comments and blank lines that moved.
	Approximate bool `json:"approximate,omitempty"`
}

// A File is where the lines of a flattened file come from. Its ranges cover every line.
type File struct {
	Name   string  `json:"name"`
	Lines  int     `json:"lines"`
	Ranges []Range `json:"ranges"`
}

// A mapLine is where one line comes from.
type mapLine struct {
	Origins     []Origin
	Approximate bool
}

// At returns the origin of a line, which starts at 1. It reports false if the file does not have
// the line.
func (f *File) At(line int) (mapLine, bool) {
	i, found := slices.BinarySearchFunc(f.Ranges, line, func(r Range, line int) int { return r.Line - line })
	if !found {
		i--
	}
	if i < 0 || line >= f.Ranges[i].Line+f.Ranges[i].Count {
		return mapLine{}, false
	}
	r := f.Ranges[i]
	at := mapLine{slices.Clone(r.Origins), r.Approximate}
	for k := range at.Origins {
		at.Origins[k].Line += line - r.Line
	}
	return at, true
}

// Of maps the files of a module after flattening. The module has no errors.
func Of(m *merge.Module, flattened []*patch.File) []*File {
	mp := newMapper(m, flattened)
	mp.matchItems()
	files := make([]*File, 0, len(flattened))
	for _, t := range mp.texts {
		files = append(files, pack(t.name, t.finish(mp)))
	}
	return files
}

// OfText maps a text that holds the effective configuration of a module, or a part of it, in native
// syntax or in JSON.
func OfText(m *merge.Module, name string, text []byte, isJSON bool) *File {
	loaded := "main.tf" // any name, so that it is loaded
	if isJSON {
		loaded += ".json"
	}
	mp := newMapper(m, []*patch.File{patch.Diff(loaded, nil, []textedit.Edit{textedit.Replace(0, 0, string(text))})})
	mp.wants = every
	mp.matchItems()
	return pack(name, mp.texts[0].finish(mp))
}

// pack joins lines to ranges.
func pack(name string, lines []mapLine) *File {
	f := &File{Name: name, Lines: len(lines)}
	for i, line := range lines {
		if n := len(f.Ranges); n > 0 && continues(f.Ranges[n-1], line) {
			f.Ranges[n-1].Count++
			continue
		}
		f.Ranges = append(f.Ranges, Range{i + 1, 1, line.Origins, line.Approximate})
	}
	return f
}

// continues reports whether the origin of a line continues a range.
func continues(r Range, line mapLine) bool {
	return r.Approximate == line.Approximate && slices.EqualFunc(r.Origins, line.Origins, func(a, b Origin) bool {
		return a.File == b.File && a.Line+r.Count == b.Line
	})
}
