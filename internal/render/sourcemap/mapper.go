package sourcemap

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

// A mapper matches the items of flattened files with those that they were made from.
type mapper struct {
	module *merge.Module
	texts  []*text
	lines  map[string][][]byte // computed on demand
	wants  func(*source.File, int) bool
	// comments are the comment lines of native files, by their texts; those of override files come
	// first. It is nil until needed.
	comments map[string][]Origin
}

func newMapper(m *merge.Module, flattened []*patch.File) *mapper {
	mp := &mapper{module: m, lines: map[string][][]byte{}, wants: none}
	for _, d := range flattened {
		mp.texts = append(mp.texts, newText(d))
	}
	return mp
}

// rank sorts origins in override files before others.
func (mp *mapper) rank(o Origin) int {
	if f := mp.module.Source.File(o.File); f != nil && f.Role == source.Override {
		return 0
	}
	return 1
}

// lineOf is the text of a line of the original.
func (mp *mapper) lineOf(o Origin) ([]byte, bool) {
	f := mp.module.Source.File(o.File)
	if f == nil {
		return nil, false
	}
	lines, isKnown := mp.lines[o.File]
	if !isKnown {
		lines = linesOf(f.Raw)
		mp.lines[o.File] = lines
	}
	if o.Line < 1 || o.Line > len(lines) {
		return nil, false
	}
	return lines[o.Line-1], true
}

// commentFrom is the origin of a comment on a separate line that moved to another item.
func (mp *mapper) commentFrom(line []byte) (from mapLine, ok bool) {
	line = bytes.TrimSpace(line)
	if !isComment(line) {
		return mapLine{}, false
	}
	if mp.comments == nil {
		mp.findComments()
	}
	found := mp.comments[string(line)]
	if len(found) == 0 {
		return mapLine{}, false
	}
	return mapLine{found[:1:1], len(found) > 1}, true
}

func isComment(line []byte) bool {
	return bytes.HasPrefix(line, []byte("#")) || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*"))
}

func (mp *mapper) findComments() {
	mp.comments = map[string][]Origin{}
	for _, f := range slices.Backward(mp.module.Source.Files) { // override files come last
		if f.Syntax == source.JSON {
			continue
		}
		for i, line := range linesOf(f.Raw) {
			if line = bytes.TrimSpace(line); isComment(line) {
				mp.comments[string(line)] = append(mp.comments[string(line)], Origin{f.Name, i + 1})
			}
		}
	}
}

// anyOrigin is the origin for a text in which nothing has one.
func (mp *mapper) anyOrigin(t *text) Origin {
	if mp.module.Source.File(t.name) != nil {
		return Origin{t.name, 1}
	}
	for _, f := range mp.module.Source.Files {
		if f.Role == source.Override {
			return Origin{f.Name, 1}
		}
	}
	return Origin{t.name, 1}
}

// Reload merges the flattened files of a module as one without overrides; nil if nothing is in
// effect.
func Reload(m *merge.Module, flattened []*patch.File) (*merge.Module, hcl.Diagnostics) {
	texts := map[string][]byte{}
	for _, d := range flattened {
		texts[d.Name] = d.New()
	}
	return reload(m, texts)
}

func reload(was *merge.Module, texts map[string][]byte) (*merge.Module, hcl.Diagnostics) {
	flat, diags, _ := merge.Dir(was.Source.Dir, load.Options{ // an error means that there are no files
		Engine: was.Source.Engine, Schema: was.Source.Schema, MaxFileSize: 1 << 40, From: was.Source.From,
		Contents: texts, Absent: func(string) bool { return true },
	}, merge.Options{})
	return flat, diags
}
