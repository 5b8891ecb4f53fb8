package sourcemap

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

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
	for i, said := range t.said() {
		if len(said.Origins) > 0 {
			slices.SortStableFunc(said.Origins, func(a, b Origin) int { return mp.rank(a) - mp.rank(b) })
			lines[i] = said
			if t.isJSON() {
				was, _ := mp.lineOf(said.Origins[0])
				lines[i].Approximate = !bytes.Equal(bytes.Trim(was, " \t\r\n,"), bytes.Trim(t.lines[i], " \t\r\n,"))
			}
		}
	}
	t.fill(lines, mp)
	return lines
}

// said are the lines as determined by the items in them.
func (t *text) said() map[int]mapLine {
	if t.isJSON() {
		return t.own
	}
	said := map[int]mapLine{}
	for i, k := range t.tokens {
		of, isOwned := t.own[i]
		first, last := k.Range.Start.Line-1, k.Range.End.Line-1
		if last > first && k.Range.End.Column == 1 {
			last-- // the token ends with the line
		}
		for at := first; at <= last; at++ {
			line := said[at]
			switch {
			case isOwned && of.Approximate:
				line = mapLine{union(line.Origins, of.Origins), true}
			case isOwned:
				line.Origins = union(line.Origins, forward(of.Origins, at-first))
			case t.base[at] > 0:
				line.Origins = union(line.Origins, []Origin{{t.name, t.base[at]}})
			}
			said[at] = line
		}
	}
	return said
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
