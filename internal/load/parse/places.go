package parse

import (
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// An offsetMap converts a position in the shortened text, which the parser knows, to a position in
// the file.
type offsetMap struct {
	by    int       // from the offset in the file that the parser knows to one in the shortened text
	ends  []hcl.Pos // of the prefix and of each stand-in; the offset is in the shortened text
	moved []hcl.Pos // for the text behind each; the column applies to the rest of the line
	seen  map[*hcl.Diagnostic]bool
}

// newOffsetMap makes the map for a text that starts at a position in the file, which the parser
// takes for another one. It covers the stand-ins up to an offset.
func newOffsetMap(all []*stretch, parser mark, start hcl.Pos, to int) offsetMap {
	p := offsetMap{by: parser.out - parser.pos.Byte}
	end, move := parser.pos, hcl.Pos{Column: start.Column - parser.pos.Column}
	end.Byte = parser.out
	p.ends, p.moved = append(p.ends, end), append(p.moved, move)
	for _, st := range all {
		if st.out >= to {
			break
		}
		end, move = st.behind(end, move)
		p.ends, p.moved = append(p.ends, end), append(p.moved, move)
	}
	return p
}

// behind returns the end of a stand-in, and the shift of the text after it. end and move are the
// same for the preceding stand-in.
func (st *stretch) behind(end, move hcl.Pos) (hcl.Pos, hcl.Pos) {
	at := hcl.Pos{Line: st.from.Line - move.Line, Column: st.from.Column, Byte: st.out + len(st.name)}
	if at.Line == end.Line {
		at.Column -= move.Column
	}
	lines, width := strings.Count(st.name, "\n"), len(st.name)
	if lines > 0 {
		at.Line += lines
		at.Column = 1
		width -= strings.LastIndexByte(st.name, '\n') + 1
	}
	at.Column += width
	return at, hcl.Pos{
		Line:   st.to.Line - at.Line,
		Column: st.to.Column - at.Column,
		Byte:   move.Byte + st.to.Byte - st.from.Byte - len(st.name),
	}
}

// moves reports whether any position differs in the file.
func (p *offsetMap) moves() bool { return len(p.ends) > 1 || p.moved[0] != hcl.Pos{} }

func (p *offsetMap) ranges(all ...*hcl.Range) {
	for _, r := range all {
		p.pos(&r.Start)
		p.pos(&r.End)
	}
}

func (p *offsetMap) pos(at *hcl.Pos) {
	out := at.Byte + p.by
	n := sort.Search(len(p.ends), func(i int) bool { return p.ends[i].Byte > out })
	p.move(at, n-1)
}

// move corrects a position behind an end.
func (p *offsetMap) move(at *hcl.Pos, n int) {
	if n < 0 {
		return
	}
	if at.Line == p.ends[n].Line {
		at.Column += p.moved[n].Column
	}
	at.Line += p.moved[n].Line
	at.Byte += p.moved[n].Byte
}

// diagnostics corrects the ranges of diagnostics. The parser may share the ranges with expressions.
func (p *offsetMap) diagnostics(all hcl.Diagnostics) {
	for _, d := range all {
		if p.seen[d] {
			continue
		}
		if p.seen == nil {
			p.seen = map[*hcl.Diagnostic]bool{}
		}
		p.seen[d] = true
		d.Subject, d.Context = p.corrected(d.Subject), p.corrected(d.Context)
		d.Detail = p.detail(d.Detail)
	}
}

func (p *offsetMap) corrected(r *hcl.Range) *hcl.Range {
	if r == nil {
		return nil
	}
	other := *r
	p.ranges(&other)
	return &other
}

// placeInDetail matches the range in some details, which is about another object than the
// diagnostic's subject.
var placeInDetail = lazyregexp.New(`(?s)^(.* at .*):(\d+),(\d+)-(?:(\d+),)?(\d+)` +
	`( is missing its corresponding end(?:if|for) directive\.|\. Each argument may be set only once\.|\.)$`)

func (p *offsetMap) detail(text string) string {
	m := placeInDetail().FindStringSubmatch(text)
	if m == nil {
		return text
	}
	if m[4] == "" {
		m[4] = m[2]
	}
	r := hcl.Range{Filename: m[1], Start: p.place(m[2], m[3]), End: p.place(m[4], m[5])}
	return r.String() + m[6]
}

// place corrects a position without a known offset.
func (p *offsetMap) place(line, column string) (at hcl.Pos) {
	at.Line, _ = strconv.Atoi(line)
	at.Column, _ = strconv.Atoi(column)
	n := sort.Search(len(p.ends), func(i int) bool {
		e := p.ends[i]
		return e.Line > at.Line || e.Line == at.Line && e.Column > at.Column
	})
	p.move(&at, n-1)
	return at
}
