package parse

import (
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// An offsetMap converts an offset in the shortened text, which the parser knows, to an offset in
// the file.
type offsetMap struct {
	by    int   // from the offset in the file that the parser knows to one in the shortened text
	ends  []int // of the stand-ins, in the shortened text
	bytes []int // of the text that are left out before each, and at last
	lines []int // the same for lines
	at    []int // the line of each stand-in in the shortened text
	seen  map[*hcl.Diagnostic]bool
}

// newOffsetMap is for stand-ins of which those between from and to are taken.
func newOffsetMap(all []*stretch, from, to mark) offsetMap {
	p := offsetMap{by: from.out - from.pos.Byte, bytes: []int{0}, lines: []int{0}}
	for _, st := range all {
		if st.out >= to.out {
			break
		}
		n := len(p.ends)
		lines := 0
		if !st.isInline {
			lines = 1
			if !st.atStart {
				lines = 2
			}
		}
		p.at = append(p.at, st.from.Line-p.lines[n])
		p.ends = append(p.ends, st.out+st.size)
		p.bytes = append(p.bytes, p.bytes[n]+st.to.Byte-st.from.Byte-st.size)
		p.lines = append(p.lines, p.lines[n]+st.to.Line-st.from.Line-lines)
	}
	return p
}

func (p *offsetMap) ranges(all ...*hcl.Range) {
	for _, r := range all {
		p.pos(&r.Start)
		p.pos(&r.End)
	}
}

func (p *offsetMap) pos(at *hcl.Pos) {
	out := at.Byte + p.by
	n := sort.Search(len(p.ends), func(i int) bool { return p.ends[i] > out })
	at.Byte += p.bytes[n]
	at.Line += p.lines[n]
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
var placeInDetail = lazyregexp.New(`(?s)^(.* at .*:)(\d+)(,\d+-)(?:(\d+)(,))?(\d+)` +
	`( is missing its corresponding end(?:if|for) directive\.|\. Each argument may be set only once\.|\.)$`)

func (p *offsetMap) detail(text string) string {
	m := placeInDetail().FindStringSubmatch(text)
	if m == nil {
		return text
	}
	m[2], m[4] = p.line(m[2]), p.line(m[4])
	return strings.Join(m[1:], "")
}

func (p *offsetMap) line(text string) string {
	if text == "" {
		return ""
	}
	line, _ := strconv.Atoi(text)
	return strconv.Itoa(line + p.lines[sort.SearchInts(p.at, line)])
}
