package sourcemap

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
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

// A text is a flattened file on the way to its map.
type text struct {
	name   string
	src    []byte
	lines  [][]byte
	base   []int            // by line: the line of the original that the patch keeps; 0 for none
	tokens hclsyntax.Tokens // that mean something; none of a JSON file
	own    map[int]mapLine  // by token, or by line of a JSON file: the origins from items
	file   *source.File     // as it was loaded again; nil if that failed
}

func newText(d *patch.File) *text {
	t := &text{name: d.Name, src: d.New(), own: map[int]mapLine{}}
	t.lines = linesOf(t.src)
	t.base = make([]int, 0, len(t.lines))
	at := 0
	for _, r := range d.Runs {
		for ; at < r.From; at++ {
			t.base = append(t.base, at+1)
		}
		t.base = append(t.base, make([]int, len(r.Lines))...)
		at = r.To
	}
	for ; len(t.base) < len(t.lines); at++ {
		t.base = append(t.base, at+1)
	}
	return t
}

func linesOf(src []byte) [][]byte {
	lines := bytes.SplitAfter(src, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	return lines
}

func (t *text) isJSON() bool { return strings.HasSuffix(t.name, ".json") }

// meaningful are the tokens of native text but for line ends and comments.
func meaningful(src []byte, start hcl.Pos) hclsyntax.Tokens {
	return slices.DeleteFunc(parse.Tokens(src, "", start), func(k hclsyntax.Token) bool {
		return k.Type == hclsyntax.TokenNewline || k.Type == hclsyntax.TokenComment || k.Type == hclsyntax.TokenEOF
	})
}

// between are the numbers of the tokens in a stretch of bytes.
func (t *text) between(from, to int) (first, last int) {
	if t.tokens == nil && !t.isJSON() {
		t.tokens = meaningful(t.src, hcl.InitialPos)
	}
	find := func(at int) int {
		i, _ := slices.BinarySearchFunc(t.tokens, at, func(k hclsyntax.Token, at int) int { return k.Range.Start.Byte - at })
		return i
	}
	return find(from), find(to)
}

// finish computes the origin of each line.
func (t *text) finish(mp *mapper) []mapLine {
	lines := make([]mapLine, len(t.lines))
	for i, at := range t.base {
		if at > 0 {
			lines[i] = mapLine{Origins: []Origin{{t.name, at}}}
		}
	}
	for i, found := range t.byItems() {
		if len(found.Origins) > 0 {
			slices.SortStableFunc(found.Origins, func(a, b Origin) int { return mp.rank(a) - mp.rank(b) })
			lines[i] = found
			if t.isJSON() {
				was, _ := mp.lineOf(found.Origins[0])
				lines[i].Approximate = !bytes.Equal(bytes.Trim(was, " \t\r\n,"), bytes.Trim(t.lines[i], " \t\r\n,"))
			}
		}
	}
	t.fill(lines, mp)
	return lines
}

// byItems are the origins of lines by the items in them.
func (t *text) byItems() map[int]mapLine {
	if t.isJSON() {
		return t.own
	}
	found := map[int]mapLine{}
	for i, k := range t.tokens {
		of, isOwned := t.own[i]
		first, last := k.Range.Start.Line-1, k.Range.End.Line-1
		if last > first && k.Range.End.Column == 1 {
			last-- // the token ends with the line
		}
		for at := first; at <= last; at++ {
			line := found[at]
			switch {
			case isOwned && of.Approximate:
				line = mapLine{union(line.Origins, of.Origins), true}
			case isOwned:
				line.Origins = union(line.Origins, forward(of.Origins, at-first))
			case t.base[at] > 0:
				line.Origins = union(line.Origins, []Origin{{t.name, t.base[at]}})
			}
			found[at] = line
		}
	}
	return found
}

func forward(list []Origin, by int) []Origin {
	list = slices.Clone(list)
	for i := range list {
		list[i].Line += by
	}
	return list
}

func union(list, more []Origin) []Origin {
	for _, o := range more {
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// fill gives an origin to the lines that have none, which are comments, blank lines and what nothing
// matched: comments are looked up above the origin of the line below, and the others are taken for
// parts of that, or of the line above.
func (t *text) fill(lines []mapLine, mp *mapper) {
	for i := len(lines) - 2; i >= 0; i-- {
		if len(lines[i].Origins) > 0 || len(lines[i+1].Origins) == 0 {
			continue
		}
		below := lines[i+1].Origins[0]
		above := Origin{below.File, below.Line - 1}
		if lead, ok := mp.lineOf(above); ok && bytes.Equal(bytes.TrimSpace(lead), bytes.TrimSpace(t.lines[i])) {
			lines[i] = mapLine{Origins: []Origin{above}}
			continue
		}
		if from, ok := mp.commentFrom(t.lines[i]); ok {
			lines[i] = from
			continue
		}
		lines[i] = mapLine{[]Origin{below}, true}
	}
	last := mapLine{[]Origin{mp.anyOrigin(t)}, true}
	for i := range lines {
		if len(lines[i].Origins) == 0 {
			lines[i] = last
		}
		last = mapLine{lines[i].Origins, true}
	}
}
