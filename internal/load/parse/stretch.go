package parse

import (
	"bytes"
	"crypto/rand"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A stretch is a part of a template that the parser doesn't see. It is replaced by a stand-in:
// literal text with the number of the stretch, by which it is found in the parser's result.
type stretch struct {
	number   int
	out      int    // where the stand-in starts
	name     string // the stand-in
	from, to hcl.Pos
	inLine   bool // starts and ends within lines
	parts    []hclsyntax.Expression
	last     []byte // the text of the last part, if that is literal
	indent   int    // how far the stand-in is indented
	least    int    // how far the least indented line in it is
	atStart  bool   // see mark
	isTaken  bool   // a sequence has taken the line end of the last line away
}

// tag starts every stand-in. A file can't contain text that looks like a stand-in, because nobody
// can guess the tag.
var tag = sync.OnceValue(func() string { return "\x01" + rand.Text() + "." })

const tagEnd = "\x02"

// A piece is the replacement of some units.
type piece struct {
	from, to  mark
	isLeftOut bool
	parts     []hclsyntax.Expression
}

// parsed parses units by themselves, some at a time.
func (s *shortener) parsed(f *frame, r *row, units []unit, nested []*stretch) (pieces []piece) {
	for len(units) > 0 {
		tokens, n := 0, 0
		for n < len(units) && tokens < limit.atOnce {
			tokens += units[n].tokens
			n++
		}
		pieces = s.divided(pieces, f, r, units[:n], nested)
		units = units[n:]
	}
	return pieces
}

// divided parses units together or, if there is an error in them, each half. Those with an error
// stay, as long as there are not too many.
func (s *shortener) divided(pieces []piece, f *frame, r *row, units []unit, nested []*stretch) []piece {
	n := len(units)
	from, to := units[0].from, units[n-1].to
	parts, ok := s.parts(f, r, from, to, nested)
	switch {
	case ok || f.root.invalid > limit.invalid:
		return append(pieces, piece{from, to, true, parts})
	case n == 1:
		f.root.invalid++
		return append(pieces, piece{from, to, false, nil})
	}
	pieces = s.divided(pieces, f, r, units[:n/2], nested)
	return s.divided(pieces, f, r, units[n/2:], nested)
}

// parts parses units separately. A sign follows parts of a line, as in the file: it is a separate
// literal whatever they end with.
func (s *shortener) parts(f *frame, r *row, from, to mark, nested []*stretch) ([]hclsyntax.Expression, bool) {
	behind := ""
	switch {
	case r.inLine && bytes.HasSuffix(f.closer, []byte("\n")):
		behind = "$ \n"
	case r.inLine:
		behind = "$ "
	}
	src := bytes.Join([][]byte{f.opener, s.out[from.out:to.out], []byte(behind), f.closer}, nil)
	before, start := from, from.pos
	start.Byte -= len(f.opener)
	start.Column -= len(f.opener)
	if lines := bytes.Count(f.opener, []byte("\n")); lines > 0 {
		start.Line -= lines
		start.Column, before.pos.Column = 1, 1
	}
	parse := hclsyntax.ParseExpression
	if f.closer == nil {
		parse = hclsyntax.ParseTemplate
	}
	expr, diags := parse(src, s.name, start)
	found, ok := expr.(*hclsyntax.TemplateExpr)
	if !ok || len(diags) > 0 {
		return nil, false
	}
	nested = nested[sort.Search(len(nested), func(i int) bool { return nested[i].out >= from.out }):]
	if x := (&expander{s: s, offsetMap: newOffsetMap(nested, before, from.pos, to.out)}); x.moves() {
		x.template(found)
	}
	if f.closer == nil {
		withoutFirstLine(found, from.pos)
	}
	withoutEnd(found, behind, to.pos)
	return found.Parts, true
}

// withoutFirstLine takes the line away with which a text starts that is a template.
func withoutFirstLine(e *hclsyntax.TemplateExpr, start hcl.Pos) {
	first := e.Parts[0].(*hclsyntax.LiteralValueExpr)
	if first.SrcRange.End == start {
		e.Parts = e.Parts[1:]
		return
	}
	first.Val = cty.StringVal(strings.TrimPrefix(first.Val.AsString(), "\n"))
	first.SrcRange.Start = start
}

// withoutEnd removes the text that was put behind parts of a line.
func withoutEnd(e *hclsyntax.TemplateExpr, behind string, end hcl.Pos) {
	if behind == "" {
		return
	}
	n := len(e.Parts) - 1
	last := e.Parts[n].(*hclsyntax.LiteralValueExpr)
	if last.SrcRange.Start.Byte >= end.Byte {
		e.Parts = e.Parts[:n]
		return
	}
	last.Val = cty.StringVal(strings.TrimSuffix(last.Val.AsString(), behind))
	last.SrcRange.End = end
}

// stand replaces units by a stand-in, or adds the units to the stand-in directly before them.
func (s *shortener) stand(f *frame, r *row, p piece) {
	st := r.last
	isNext := st != nil && len(s.places) > 0 && s.places[len(s.places)-1] == st && st.out+len(st.name) == len(s.out)
	if !isNext {
		st = &stretch{number: len(s.all), from: p.from.pos, inLine: r.inLine, atStart: p.from.atStart, out: len(s.out), least: noIndent}
		r.last = st
		s.all = append(s.all, st)
		s.places = append(s.places, st)
	}
	st.to = p.to.pos
	if f.flush {
		st.isTaken = !r.inLine && !p.to.atStart
		st.least = min(st.least, s.leastIndent(p.parts, p.from.atStart))
		st.indent = st.least
		if st.indent == noIndent {
			st.indent = f.root.indent // the lines are blank: as far as another one
		}
		if st.indent == noIndent || r.inLine && st.least == noIndent {
			st.indent = 0 // only blank lines
		}
	}
	st.join(p.parts)
	st.name = st.standIn()
	s.out = append(s.out[:st.out], st.name...)
}

// standIn is the stand-in. In a heredoc whose indentation is taken away, that for lines has as many
// blanks as the least indented line; from the remaining blanks follows how many were removed. If a
// sequence removed the last line end, a sequence removes the line end of the stand-in.
func (st *stretch) standIn() string {
	name, blanks := tag()+strconv.Itoa(st.number), strings.Repeat(" ", st.indent)
	end := tagEnd + "\n"
	switch {
	case st.inLine && st.least == noIndent:
		return name + tagEnd
	case st.inLine:
		end = tagEnd
	case st.isTaken:
		end = tagEnd + "${0 ~}\n"
	}
	if st.atStart {
		return blanks + name + end
	}
	return name + "\n" + blanks + end
}

// join appends parts; literal text that meets becomes one part.
func (st *stretch) join(parts []hclsyntax.Expression) {
	for _, p := range parts {
		lit, isLiteral := p.(*hclsyntax.LiteralValueExpr)
		isLiteral = isLiteral && isText(lit)
		n := len(st.parts) - 1
		if isLiteral && n >= 0 && st.last != nil {
			last := st.parts[n].(*hclsyntax.LiteralValueExpr)
			st.last = append(st.last, lit.Val.AsString()...)
			last.SrcRange.End = lit.SrcRange.End
			continue
		}
		st.endText()
		st.parts = append(st.parts, p)
		if isLiteral {
			st.last = append([]byte{}, lit.Val.AsString()...)
		}
	}
}

// endText gives the last part its text.
func (st *stretch) endText() {
	if st.last != nil {
		st.parts[len(st.parts)-1].(*hclsyntax.LiteralValueExpr).Val = cty.StringVal(string(st.last))
		st.last = nil
	}
}
