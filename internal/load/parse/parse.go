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
	"github.com/zclconf/go-cty/cty"
)

// Config is hclsyntax.ParseConfig in linear time. The parser takes quadratic time for long templates, so it gets a
// text without their middle parts, which the expander puts back into the tree.
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

// linear calls parse, a function of hclsyntax. If that could take too long, it parses a shortened text instead;
// expand then puts the omitted parts back into the result and corrects its positions.
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
	pieces  int // of literal text in one template up to which the parser is fast enough
	window  int // bytes that are turned into tokens at once
	lines   int // of a template that always stay
	atOnce  int // tokens that are left out at a time
	invalid int // parts of one template that stay for their errors; further errors are not reported
}

var limit = limits{pieces: 128, window: 4 << 10, lines: 32, atOnce: 256, invalid: 1000}

// A textKind says whether a text is native syntax, one template without quotes, or an address.
type textKind byte

const (
	isNative textKind = iota
	isTemplate
	isTraversal // an address such as a["b"].c
)

// mayBeLong reports whether the parser could take quadratic time: one template may have more pieces of literal
// text than the limit, or a comment may have no end. Each line is a piece, and so is each dollar and percent sign.
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

// hasOpenComment reports whether no */ follows the last /* of a text, which may then be a comment without end.
func hasOpenComment(src []byte) bool {
	opening := bytes.LastIndex(src, []byte("/*"))
	return opening >= 0 && !bytes.Contains(src[opening+2:], []byte("*/"))
}

// Outline returns the items of a parsed block with their positions, in the form in which an outline.Scanner finds
// them without the parser. In a block with errors, the value of an argument may be empty.
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

// outlineBlock adds a block and everything in it to t, in source order. The parser lists arguments and blocks
// separately, so it merges the two lists by position.
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
	// Before each nested block come the arguments that precede it in the text.
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

// outlineAttr adds an argument to t. Its value ends where the argument does, as in a scanner's outline: in a text
// with errors, the range of the parsed expression may end elsewhere.
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
// be as long. The lexer splits "a$b" into the literals a, $ and b, because each sign that could have started
// a sequence is a separate literal, and the parser joins them.

// splitLineBefore ends the current unit of the line and starts the next one if t, the token that is copied next, is a
// $ or % sign or starts a sequence. The first token of a line must stay, because messages contain its position; so
// must the first sign or sequence after it. So in a$b${c}d${e}, a and $b stay; ${c}d and ${e} are units. If t is the
// last token of its line, splitLineBefore ends the line.
func (s *shortener) splitLineBefore(f *frame, t hclsyntax.Token) {
	if f.kind == code || !isLiteral(t) && !isSequence(t) {
		return
	}
	switch f.kept {
	case keptNothing: // t is the first token of the line
		f.kept = keptFirst
	case keptFirst:
		if startsWithSign(t) { // t is the first sign or sequence
			f.kept = keptSign
		}
	case keptSign: // t may be left out
		if s.canStartUnit(t) {
			s.nextUnit(f, &f.inLine, cutPoint{pos: t.Range.Start, out: len(s.out)})
		}
	}
	if isLiteral(t) && (len(t.Bytes) == 0 || t.Bytes[len(t.Bytes)-1] == '\n') { // an empty one would end it, too
		s.endLine(f)
	}
}

// canStartUnit reports whether a unit of a line may start with a token, so that a stand-in may precede it.
func (s *shortener) canStartUnit(t hclsyntax.Token) bool {
	switch {
	case !startsWithSign(t):
		return false // the parser would join the literal with the stand-in
	case s.copied != t.Range.Start.Byte-s.offset:
		return false // blanks before t, which are copied with it, would come into the unit
	case stripsBefore(t) && isLiteral(s.previous):
		return false // a ${~ would strip the stand-in's blanks
	case t.Type == hclsyntax.TokenTemplateControl:
		return false // a directive with an error may vanish, so that the texts before and behind it join
	}
	return isLiteral(t) || !s.behindDirective // or the directive before the sequence may vanish
}

// endLine ends the line of a frame: units that wait in it are left out, if there are enough, and the next line
// starts.
func (s *shortener) endLine(f *frame) {
	s.endQueue(f, &f.inLine)
	f.kept = keptNothing
}

// An attempt is the result of parsing some units of a template separately: either they are left out, and parts
// replaces them in the tree, or they stay in the text because of an error.
type attempt struct {
	from, to  cutPoint
	isLeftOut bool
	parts     []hclsyntax.Expression
}

// parseInSteps parses the units of queue q in frame f separately from the rest of the text, about limit.atOnce tokens
// at a time. It returns the attempts in the order of the text. nested lists the stretches with stand-ins in the
// units.
func (s *shortener) parseInSteps(f *frame, q *unitQueue, units []unit, nested []*stretch) (attempts []attempt) {
	for len(units) > 0 {
		tokens, n := 0, 0
		for n < len(units) && tokens < limit.atOnce {
			tokens += units[n].tokens
			n++
		}
		attempts = s.parseOrDivide(attempts, f, q, units[:n], nested)
		units = units[n:]
	}
	return attempts
}

// parseOrDivide parses units together and appends the result to attempts. Units without errors are left out of the
// text for the parser. If some have an error, it tries each half, so that only a unit with an error stays, for the
// parser to report it. Once more than limit.invalid such units stay, further ones are left out, errors included.
func (s *shortener) parseOrDivide(attempts []attempt, f *frame, q *unitQueue, units []unit, nested []*stretch) []attempt {
	n := len(units)
	from, to := units[0].from, units[n-1].to
	parts, ok := s.parseUnits(f, q, from, to, nested)
	switch {
	case ok || f.root.invalidUnits > limit.invalid:
		return append(attempts, attempt{from: from, to: to, isLeftOut: true, parts: parts})
	case n == 1:
		f.root.invalidUnits++
		return append(attempts, attempt{from: from, to: to, isLeftOut: false})
	}
	attempts = s.parseOrDivide(attempts, f, q, units[:n/2], nested)
	return s.parseOrDivide(attempts, f, q, units[n/2:], nested)
}

// parseUnits parses the text between two cut points as a template of its own, and returns its parts; ok is false if
// the text has an error. In the file, a part of a line precedes a $ or % sign or a sequence, at which its last
// literal ends. So that it ends here, too, parseUnits puts a dollar sign behind it, and removes that from the result:
// in a string, the parser gets "${b} c$ " for the units ${b} c. nested are stretches in order, with those in the
// units.
func (s *shortener) parseUnits(f *frame, q *unitQueue, from, to cutPoint, nested []*stretch) (parts []hclsyntax.Expression, ok bool) {
	suffix := ""
	switch {
	case q.inLine && bytes.HasSuffix(f.closer, []byte("\n")):
		suffix = "$ \n" // a heredoc's closing marker needs a line end before it
	case q.inLine:
		suffix = "$ "
	}
	src := bytes.Join([][]byte{f.opener, s.out[from.out:to.out], []byte(suffix), f.closer}, nil)
	start, assumed := f.assumedStarts(from)
	parse := hclsyntax.ParseExpression
	if f.closer == nil { // the whole text is one template, without quotes or markers
		parse = hclsyntax.ParseTemplate
	}
	expr, diags := parse(src, s.name, start)
	found, ok := expr.(*hclsyntax.TemplateExpr)
	if !ok || len(diags) > 0 {
		return nil, false
	}
	// Drop the stretches before the units; newOffsetMap ignores those behind them.
	nested = nested[sort.Search(len(nested), func(i int) bool { return nested[i].out >= from.out }):]
	if x := (&expander{s: s, offsetMap: newOffsetMap(nested, assumed, from.pos, to.out)}); x.hasShifts() {
		x.template(found)
	}
	if f.closer == nil {
		trimFirstLine(found, from.pos)
	}
	trimEnd(found, suffix, to.pos)
	return found.Parts, true
}

// assumedStarts returns what to tell the parser about units that start at from, so that it gives them their positions
// in the file: opener is where the opener before them starts. units is where the units then start to the parser:
// where they do in the file, except that behind an opener such as <<EOT, a line of its own, it sees them in column 1.
func (f *frame) assumedStarts(from cutPoint) (opener hcl.Pos, units cutPoint) {
	opener, units = from.pos, from
	opener.Byte -= len(f.opener)
	opener.Column -= len(f.opener)
	if lines := bytes.Count(f.opener, []byte("\n")); lines > 0 {
		opener.Line -= lines
		opener.Column, units.pos.Column = 1, 1
	}
	return opener, units
}

// trimFirstLine removes from a template's parts the line end that was put before its text as an opener (see shorten).
// start is where the text after that line end starts. The line end may be a part of its own.
func trimFirstLine(e *hclsyntax.TemplateExpr, start hcl.Pos) {
	first := e.Parts[0].(*hclsyntax.LiteralValueExpr)
	if first.SrcRange.End == start {
		e.Parts = e.Parts[1:]
		return
	}
	first.Val = cty.StringVal(strings.TrimPrefix(first.Val.AsString(), "\n"))
	first.SrcRange.Start = start
}

// trimEnd removes from a template's parts the suffix that parseUnits put behind a part of a line, if it isn't empty.
// end is where the text before the suffix ends.
func trimEnd(e *hclsyntax.TemplateExpr, suffix string, end hcl.Pos) {
	if suffix == "" {
		return
	}
	n := len(e.Parts) - 1
	last := e.Parts[n].(*hclsyntax.LiteralValueExpr)
	if last.SrcRange.Start.Byte >= end.Byte {
		e.Parts = e.Parts[:n]
		return
	}
	last.Val = cty.StringVal(strings.TrimSuffix(last.Val.AsString(), suffix))
	last.SrcRange.End = end
}

// An offsetMap corrects the positions that the parser reports: they are positions in the shortened text, and
// become positions in the file. Behind each stand-in, positions shift by what it left out: if a stand-in of 10 bytes
// that ends at offset 60 replaces 500 bytes, offsets from 60 on shift by 490.
type offsetMap struct {
	toShortened int                      // what to add to an offset from the parser to get one in shortener.out
	ends        []hcl.Pos                // the text's start, and the end of each stand-in, to the parser; Byte is in out
	shifts      []hcl.Pos                // what to add to positions behind each of ends; Column, only on its line
	seen        map[*hcl.Diagnostic]bool // those that are corrected: the parser lists some twice
}

// newOffsetMap returns the map for a text whose first byte is at three places: at start in the file, at assumed.out
// in shortener.out, and at assumed.pos to the parser, which was told so, maybe in another column than in the file. Of
// all, stretches in order, the map covers those whose stand-ins start before the offset to of shortener.out.
func newOffsetMap(all []*stretch, assumed cutPoint, start hcl.Pos, to int) offsetMap {
	m := offsetMap{toShortened: assumed.out - assumed.pos.Byte}
	end, shift := assumed.pos, hcl.Pos{Column: start.Column - assumed.pos.Column}
	end.Byte = assumed.out // in ends, Byte is an offset of out, while line and column are the parser's
	m.ends, m.shifts = append(m.ends, end), append(m.shifts, shift)
	for _, st := range all {
		if st.out >= to {
			break
		}
		end, shift = st.endAndShift(end, shift)
		m.ends, m.shifts = append(m.ends, end), append(m.shifts, shift)
	}
	return m
}

// endAndShift returns where the stretch's stand-in ends for the parser, and what to add to a position after it to get
// the one in the file. prevEnd and prevShift are its results for the preceding stand-in.
func (st *stretch) endAndShift(prevEnd, prevShift hcl.Pos) (hcl.Pos, hcl.Pos) {
	start := hcl.Pos{Line: st.from.Line - prevShift.Line, Column: st.from.Column} // of the stand-in, to the parser
	if start.Line == prevEnd.Line {
		start.Column -= prevShift.Column // the stand-in before shifts columns on its own line only
	}
	end := hcl.Pos{Line: start.Line + strings.Count(st.standIn, "\n"), Byte: st.out + len(st.standIn)}
	if end.Line == start.Line {
		end.Column = start.Column + len(st.standIn)
	} else {
		end.Column = len(st.standIn) - strings.LastIndexByte(st.standIn, '\n') // 1 right behind the line end
	}
	return end, hcl.Pos{
		Line:   st.to.Line - end.Line,
		Column: st.to.Column - end.Column,
		Byte:   prevShift.Byte + st.to.Byte - st.from.Byte - len(st.standIn),
	}
}

// hasShifts reports whether any position differs between the shortened text and the file.
func (p *offsetMap) hasShifts() bool { return len(p.ends) > 1 || p.shifts[0] != hcl.Pos{} }

// ranges corrects ranges in place.
func (p *offsetMap) ranges(all ...*hcl.Range) {
	for _, r := range all {
		p.correct(&r.Start)
		p.correct(&r.End)
	}
}

// correct corrects a position in place. The last stand-in that ends at or before its offset determines the shift.
func (p *offsetMap) correct(at *hcl.Pos) {
	out := at.Byte + p.toShortened
	n := sort.Search(len(p.ends), func(i int) bool { return p.ends[i].Byte > out })
	p.shift(at, n-1)
}

// shift adds the shift of the end with index n to a position behind it. If n is -1, the position precedes all ends
// and stays.
func (p *offsetMap) shift(at *hcl.Pos, n int) {
	if n < 0 {
		return
	}
	if at.Line == p.ends[n].Line {
		at.Column += p.shifts[n].Column
	}
	at.Line += p.shifts[n].Line
	at.Byte += p.shifts[n].Byte
}

// diagnostics corrects diagnostics in place, each only once. It replaces their ranges by copies, because
// expressions may share them and are corrected separately.
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

// rangeInDetail matches the details of the parser that contain the range of another place, for example: "The
// argument "a" was already set at main.tf:1,1-2. Each argument may be set only once."
var rangeInDetail = lazyregexp.New(`(?s)^(.* at .*):(\d+),(\d+)-(?:(\d+),)?(\d+)` +
	`( is missing its corresponding end(?:if|for) directive\.|\. Each argument may be set only once\.|\.)$`)

// detail returns the detail of a diagnostic with the range in its text corrected, or as it is without a range.
func (p *offsetMap) detail(text string) string {
	m := rangeInDetail().FindStringSubmatch(text)
	if m == nil {
		return text
	}
	file, line, column, endLine, endColumn, rest := m[1], m[2], m[3], cmp.Or(m[4], m[2]), m[5], m[6]
	r := hcl.Range{Filename: file, Start: p.correctByText(line, column), End: p.correctByText(endLine, endColumn)}
	return r.String() + rest
}

// correctByText returns the position in the file for a line and a column from a message. They come without an offset,
// so it searches by line and column, and at.Byte is of no use.
func (p *offsetMap) correctByText(line, column string) (at hcl.Pos) {
	at.Line, _ = strconv.Atoi(line)
	at.Column, _ = strconv.Atoi(column)
	n := sort.Search(len(p.ends), func(i int) bool { // the first end behind the position
		e := p.ends[i]
		return e.Line > at.Line || e.Line == at.Line && e.Column > at.Column
	})
	p.shift(&at, n-1)
	return at
}
