// Package parse parses native text and turns it into tokens, with the parser and the lexer of
// package hclsyntax, in time and memory that grow with the text.
//
// All text from files is parsed by this package; a test refuses other callers of the parser. Its
// results equal the parser's: values, ranges, and diagnostics word by word.
//
// Comments are found without a lexer in the gaps between items, which hold nothing but blanks, line
// ends and comments. Those that start on the last line of an item trail it, and those on whole lines
// directly above lead it:
//
//	# leads a
//	a = 1 # trails a
//
//	# belongs to nothing
//
// Three things in hclsyntax (hcl 2.25) take time in proportion to the square of the text:
//
//   - The parser joins the literal text of a template piece by piece. Each line of a heredoc is a
//     piece, and so is each dollar and percent sign: <<EOT at the top of a file of 700 KB takes
//     more than a minute.
//   - For each piece that is joined it moves all parts of the template behind it.
//   - The lexer looks for the end of a comment behind each /* until the end of the text.
//
// A text that may have many pieces in one template is shortened before the parser sees it. Lines of
// long templates are left out, some at a time, and parsed separately; so are parts of long lines.
// A stand-in replaces them: literal text that no file can contain. In the tree from the parser, the
// stand-ins are found and replaced, and positions behind them are corrected.
//
// In an invalid text, an indented heredoc may keep blanks that the parser takes away, or the other way
// round: behind ~} the parser strips blanks only if the sequence has no errors.
//
// Of a template with very many errors only the first are reported, more than anybody reads. The same
// holds for the sequences in a label.
package parse

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// Config is hclsyntax.ParseConfig in linear time.
func Config(src []byte, name string, start hcl.Pos) (*hcl.File, hcl.Diagnostics) {
	return linear(src, name, start, isNative, hclsyntax.ParseConfig, func(x *expander, file *hcl.File) {
		x.body(file.Body.(*hclsyntax.Body))
		file.Bytes = src
	})
}

// Expression is hclsyntax.ParseExpression in linear time.
func Expression(src []byte, name string, start hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics) {
	return linear(src, name, start, isNative, hclsyntax.ParseExpression, (*expander).expr)
}

// Template is hclsyntax.ParseTemplate in linear time.
func Template(src []byte, name string, start hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics) {
	return linear(src, name, start, isTemplate, hclsyntax.ParseTemplate, (*expander).expr)
}

// Traversal is hclsyntax.ParseTraversalAbs in linear time.
func Traversal(src []byte, name string, start hcl.Pos) (hcl.Traversal, hcl.Diagnostics) {
	return linear(src, name, start, isTraversal, hclsyntax.ParseTraversalAbs, (*expander).traversal)
}

// linear parses a text, in a shortened form if it would take too long, and expands the result.
func linear[T any](
	src []byte, name string, start hcl.Pos, kind textKind, parse func([]byte, string, hcl.Pos) (T, hcl.Diagnostics), expand func(*expander, T),
) (T, hcl.Diagnostics) {
	s := shorten(src, name, start, kind)
	if s == nil {
		return parse(src, name, start)
	}
	result, diags := parse(s.out, name, start)
	x := s.expander(start)
	x.diagnostics(diags)
	expand(x, result)
	return result, diags
}

// limits separate ordinary texts from those that need shortening; tests change them.
type limits struct {
	pieces  int // of literal text in one template up to which the parser is fast enough: its time grows with their square
	window  int // bytes that are turned into tokens at once
	lines   int // of a template that always stay
	atOnce  int // tokens that are left out at a time
	invalid int // parts of one template that stay for their errors; further errors are not reported
}

var limit = limits{pieces: 128, window: 4 << 10, lines: 32, atOnce: 256, invalid: 1000}

// A textKind says how the parser reads a text.
type textKind byte

const (
	isNative textKind = iota
	isTemplate
	isTraversal // with words in brackets
)

// mayBeLong reports whether one template of a text may have more pieces of literal text than the limit, or
// a comment may have no end. Each line is a piece, and so is each dollar and percent sign.
func mayBeLong(src []byte, kind textKind) bool {
	if len(src) < limit.pieces {
		return false
	}
	if hasOpenComment(src) {
		return true
	}
	if bytes.Count(src, []byte("$"))+bytes.Count(src, []byte("%")) >= limit.pieces {
		return true
	}
	return (kind == isTemplate || bytes.Contains(src, []byte("<<"))) && bytes.Count(src, []byte("\n")) >= limit.pieces
}

// hasOpenComment reports whether the last comment of a text may have no end.
func hasOpenComment(src []byte) bool {
	opening := bytes.LastIndex(src, []byte("/*"))
	return opening >= 0 && !bytes.Contains(src[opening+2:], []byte("*/"))
}

// Outline returns the tree of a block as an outline.Scanner does. In a block with errors, the value of an
// argument may be empty.
func Outline(b *hclsyntax.Block) (t outline.Tree) {
	outlineBlock(&t, b)
	return t
}

// Arguments returns the arguments of a body in source order, which the parser doesn't keep.
func Arguments(b *hclsyntax.Body) []*hclsyntax.Attribute {
	return slices.SortedFunc(maps.Values(b.Attributes), func(a, b *hclsyntax.Attribute) int {
		return cmp.Compare(a.NameRange.Start.Byte, b.NameRange.Start.Byte)
	})
}

// outlineBlock adds a block and everything in it in source order, which the parser doesn't keep: it lists
// arguments and blocks separately.
func outlineBlock(t *outline.Tree, b *hclsyntax.Block) {
	i, first := len(t.Items), len(t.Labels)
	for _, at := range b.LabelRanges {
		t.Labels = append(t.Labels, outline.SpanOf(at))
	}
	t.Texts = append(t.Texts, b.Labels...)
	value := outline.Span{Start: outline.SpanOf(b.OpenBraceRange).Start, End: outline.SpanOf(b.CloseBraceRange).End}
	t.Items = append(t.Items, outline.Item{
		Name: outline.SpanOf(b.TypeRange), Value: value, IsBlock: true,
		FirstLabel: uint32(first), EndLabel: uint32(len(t.Labels)),
	})
	attrs := Arguments(b.Body)
	for _, inner := range b.Body.Blocks {
		for len(attrs) > 0 && attrs[0].NameRange.Start.Byte < inner.TypeRange.Start.Byte {
			outlineAttr(t, attrs[0])
			attrs = attrs[1:]
		}
		outlineBlock(t, inner)
	}
	for _, a := range attrs {
		outlineAttr(t, a)
	}
	t.Items[i].Inner = uint32(len(t.Items) - i - 1)
}

// outlineAttr adds an argument, whose value ends where the argument does, as for the scanner. The range of
// the parsed expression may end elsewhere if the text has errors.
func outlineAttr(t *outline.Tree, a *hclsyntax.Attribute) {
	value, whole := outline.SpanOf(a.Expr.Range()), outline.SpanOf(a.SrcRange)
	switch {
	case value.End.Byte < value.Start.Byte: // a call without its closing parenthesis ends nowhere
		value.End = value.Start
	case whole.End.Byte < value.Start.Byte: // the value is missing
		value = outline.Span{Start: whole.End, End: whole.End}
	default:
		value.End = whole.End
	}
	labels := uint32(len(t.Labels))
	t.Items = append(t.Items, outline.Item{
		Name: outline.SpanOf(a.NameRange), Value: value, FirstLabel: labels, EndLabel: labels,
	})
}

// Parts of one line are left out, too: a quoted template is one line, and a line of a heredoc may
// be as long. The lexer makes three literals of "a$b", because each sign that could have started a
// sequence is a separate literal, and the parser joins them.

// partStarts starts a new unit of the line at a sign or a sequence. Callers call it with each token before
// they copy it. The first token of a line stays, because messages contain its position, and so does the
// text up to the next sign or sequence.
func (s *shortener) partStarts(f *frame, t hclsyntax.Token) {
	if f.kind == code || !isLiteral(t) && !isSequence(t) {
		return
	}
	switch {
	case f.lineStarted == 2 && s.canStartUnit(t):
		s.nextUnit(f, &f.inLine, mark{pos: t.Range.Start, out: len(s.out)})
	case f.lineStarted == 0 || f.lineStarted == 1 && isMark(t):
		f.lineStarted++
	}
	if isLiteral(t) && (len(t.Bytes) == 0 || t.Bytes[len(t.Bytes)-1] == '\n') {
		s.endLine(f)
	}
}

// canStartUnit reports whether a unit may start with a token. Another literal would be joined with the stand-in
// before it, a sequence may strip the stand-in's blanks, and a directive with an error may vanish, so that
// the texts before and behind it join.
func (s *shortener) canStartUnit(t hclsyntax.Token) bool {
	switch {
	case !isMark(t) || s.copied != t.Range.Start.Byte-s.offset:
		return false
	case stripsBefore(t) && isLiteral(s.previous), t.Type == hclsyntax.TokenTemplateControl:
		return false
	}
	return isLiteral(t) || !s.behindDirective
}

// endLine ends the units of the current line.
func (s *shortener) endLine(f *frame) {
	s.endRow(f, &f.inLine)
	f.lineStarted = 0
}

// An offsetMap converts a position in the shortened text, which the parser knows, to a position in
// the file.
type offsetMap struct {
	by    int       // from the offset in the file that the parser knows to one in the shortened text
	ends  []hcl.Pos // of the prefix and of each stand-in; the offset is in the shortened text
	moved []hcl.Pos // for the text behind each; the column applies to the rest of the line
	seen  map[*hcl.Diagnostic]bool
}

// newOffsetMap makes the map for a text whose first byte is at start in the file, while the parser takes it
// to be at parser. It covers the stand-ins before the offset to of the shortened text.
func newOffsetMap(all []*stretch, parser mark, start hcl.Pos, to int) offsetMap {
	p := offsetMap{by: parser.out - parser.pos.Byte}
	end, move := parser.pos, hcl.Pos{Column: start.Column - parser.pos.Column}
	end.Byte = parser.out
	p.ends, p.moved = append(p.ends, end), append(p.moved, move)
	for _, st := range all {
		if st.out >= to {
			break
		}
		end, move = st.endAndShift(end, move)
		p.ends, p.moved = append(p.ends, end), append(p.moved, move)
	}
	return p
}

// endAndShift returns where a stand-in ends for the parser, and by how much the text after it is shifted. end
// and move are its results for the preceding stand-in.
func (st *stretch) endAndShift(end, move hcl.Pos) (hcl.Pos, hcl.Pos) {
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

// moves reports whether any position differs between the shortened text and the file.
func (p *offsetMap) moves() bool { return len(p.ends) > 1 || p.moved[0] != hcl.Pos{} }

// ranges corrects ranges in place.
func (p *offsetMap) ranges(all ...*hcl.Range) {
	for _, r := range all {
		p.pos(&r.Start)
		p.pos(&r.End)
	}
}

// pos corrects a position in place, by its offset.
func (p *offsetMap) pos(at *hcl.Pos) {
	out := at.Byte + p.by
	n := sort.Search(len(p.ends), func(i int) bool { return p.ends[i].Byte > out })
	p.move(at, n-1)
}

// move shifts a position that is behind the end with index n; -1 stands for none.
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

// diagnostics corrects the ranges of diagnostics, once each. It replaces the ranges instead of changing
// them, because the parser may share them with expressions.
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

// corrected returns a corrected copy of a range, nil for nil.
func (p *offsetMap) corrected(r *hcl.Range) *hcl.Range {
	if r == nil {
		return nil
	}
	other := *r
	p.ranges(&other)
	return &other
}

// placeInDetail matches the details of the parser that contain a range, which is about another place than
// the diagnostic's subject.
var placeInDetail = lazyregexp.New(`(?s)^(.* at .*):(\d+),(\d+)-(?:(\d+),)?(\d+)` +
	`( is missing its corresponding end(?:if|for) directive\.|\. Each argument may be set only once\.|\.)$`)

// detail corrects the range in the text of a diagnostic, if there is one.
func (p *offsetMap) detail(text string) string {
	m := placeInDetail().FindStringSubmatch(text)
	if m == nil {
		return text
	}
	r := hcl.Range{Filename: m[1], Start: p.place(m[2], m[3]), End: p.place(cmp.Or(m[4], m[2]), m[5])}
	return r.String() + m[6]
}

// place corrects a position that is given as text, without an offset.
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
