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

// An expander puts the omitted parts back into the parser's tree, and corrects positions.
type expander struct {
	s *shortener
	offsetMap
}

func (s *shortener) expander(start hcl.Pos) *expander {
	return &expander{s, newOffsetMap(s.places, mark{pos: start}, start, len(s.out))}
}

// body expands a body in place, with all blocks inside.
func (x *expander) body(b *hclsyntax.Body) {
	if b == nil {
		return
	}
	for _, a := range b.Attributes {
		x.ranges(&a.SrcRange, &a.NameRange, &a.EqualsRange)
		x.expr(a.Expr)
	}
	for _, nb := range b.Blocks {
		x.ranges(&nb.TypeRange, &nb.OpenBraceRange, &nb.CloseBraceRange)
		for i := range nb.Labels {
			nb.Labels[i] = x.label(nb.Labels[i])
		}
		for i := range nb.LabelRanges {
			x.ranges(&nb.LabelRanges[i])
		}
		x.body(nb.Body)
	}
	x.ranges(&b.SrcRange, &b.EndRange)
}

// expr puts the omitted parts back into an expression, and shifts its ranges to where they are in the file.
func (x *expander) expr(e hclsyntax.Expression) {
	switch e := e.(type) {
	case nil:
	case *hclsyntax.TemplateExpr:
		x.template(e)
	case *hclsyntax.TemplateWrapExpr:
		x.ranges(&e.SrcRange)
		x.expr(e.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		x.expr(e.Tuple)
	case *hclsyntax.LiteralValueExpr:
		x.ranges(&e.SrcRange)
	case *hclsyntax.ScopeTraversalExpr:
		x.ranges(&e.SrcRange)
		x.traversal(e.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		x.ranges(&e.SrcRange)
		x.traversal(e.Traversal)
		x.expr(e.Source)
	case *hclsyntax.FunctionCallExpr:
		x.ranges(&e.NameRange, &e.OpenParenRange, &e.CloseParenRange)
		x.exprs(e.Args...)
	case *hclsyntax.ParenthesesExpr:
		x.ranges(&e.SrcRange)
		x.expr(e.Expression)
	default:
		x.operation(e)
	}
}

// operation is expr for operators, indexes and splats. The parser got % for some stars (see
// shortener.copy), which become products again.
func (x *expander) operation(e hclsyntax.Expression) {
	switch e := e.(type) {
	case *hclsyntax.BinaryOpExpr:
		x.ranges(&e.SrcRange)
		x.exprs(e.LHS, e.RHS)
		if e.Op == hclsyntax.OpModulo && x.s.stars[e.LHS.Range().End.Byte] {
			e.Op = hclsyntax.OpMultiply
		}
	case *hclsyntax.UnaryOpExpr:
		x.ranges(&e.SrcRange, &e.SymbolRange)
		x.expr(e.Val)
	case *hclsyntax.ConditionalExpr:
		x.ranges(&e.SrcRange)
		x.exprs(e.Condition, e.TrueResult, e.FalseResult)
	case *hclsyntax.IndexExpr:
		x.ranges(&e.SrcRange, &e.OpenRange, &e.BracketRange)
		x.exprs(e.Collection, e.Key)
	case *hclsyntax.SplatExpr:
		x.ranges(&e.SrcRange, &e.MarkerRange, &e.Item.SrcRange)
		x.exprs(e.Source, e.Each)
	case *hclsyntax.AnonSymbolExpr: // the Item of a splat
	case *hclsyntax.ExprSyntaxError:
		x.ranges(&e.SrcRange)
		x.diagnostics(e.ParseDiags)
	default:
		x.collection(e)
	}
}

// collection is expr for tuples, objects and for expressions.
func (x *expander) collection(e hclsyntax.Expression) {
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		x.ranges(&e.SrcRange, &e.OpenRange)
		x.exprs(e.Exprs...)
	case *hclsyntax.ObjectConsExpr:
		x.ranges(&e.SrcRange, &e.OpenRange)
		for _, item := range e.Items {
			x.exprs(item.KeyExpr, item.ValueExpr)
		}
	case *hclsyntax.ObjectConsKeyExpr:
		x.expr(e.Wrapped)
	case *hclsyntax.ForExpr:
		x.ranges(&e.SrcRange, &e.OpenRange, &e.CloseRange)
		x.exprs(e.CollExpr, e.KeyExpr, e.ValExpr, e.CondExpr)
	default:
		panic("unknown kind of expression")
	}
}

func (x *expander) exprs(all ...hclsyntax.Expression) {
	for _, e := range all {
		x.expr(e)
	}
}

// traversal corrects the steps of a reference, and puts the omitted parts back into keys.
func (x *expander) traversal(t hcl.Traversal) {
	for i := range t {
		switch step := t[i].(type) {
		case hcl.TraverseRoot:
			x.ranges(&step.SrcRange)
			t[i] = step
		case hcl.TraverseAttr:
			x.ranges(&step.SrcRange)
			t[i] = step
		case hcl.TraverseIndex:
			x.ranges(&step.SrcRange)
			if step.Key.Type() == cty.String && step.Key.IsKnown() && !step.Key.IsNull() {
				step.Key = cty.StringVal(x.key(step.Key.AsString()))
			}
			t[i] = step
		}
	}
}

// template expands the parts of a template, and replaces stand-ins by what was omitted. After a stand-in
// that ends with a sequence of its own (stretch.isTaken), it drops that sequence.
func (x *expander) template(e *hclsyntax.TemplateExpr) {
	x.ranges(&e.SrcRange)
	hasStandIns := false
	for _, p := range e.Parts {
		x.expr(p)
		hasStandIns = hasStandIns || hasStandIn(p)
	}
	if !hasStandIns {
		return
	}
	var all stretch
	skips := false
	for i, p := range e.Parts {
		switch {
		case skips:
			skips = false
		case hasStandIn(p):
			last := x.literal(p.(*hclsyntax.LiteralValueExpr), &all)
			skips = last.isTaken && i+1 < len(e.Parts)
		default:
			all.join(e.Parts[i : i+1])
		}
	}
	all.endText()
	// The text between two directives ends at the end of its last part.
	end := e.Parts[len(e.Parts)-1].Range().End
	e.Parts = all.parts
	if e.SrcRange.End == end {
		e.SrcRange.End = e.Parts[len(e.Parts)-1].Range().End
	}
}

// hasStandIn reports whether a part of a template is literal text with a stand-in, so that omitted parts must
// be put back into it.
func hasStandIn(e hclsyntax.Expression) bool {
	lit, ok := e.(*hclsyntax.LiteralValueExpr)
	return ok && isText(lit) && strings.Contains(lit.Val.AsString(), tag())
}

// isText reports whether a part of a template is literal text. A sequence that holds a string is a template
// of its own.
func isText(lit *hclsyntax.LiteralValueExpr) bool {
	return lit.Val.Type() == cty.String && lit.Val.IsKnown() && !lit.Val.IsNull()
}

// literal adds to all what the stand-ins in literal text stand for, and the text between them. It returns
// the last stand-in.
func (x *expander) literal(lit *hclsyntax.LiteralValueExpr, all *stretch) (last *stretch) {
	at := lit.SrcRange
	rest := lit.Val.AsString()
	add := func(text string, end hcl.Pos) {
		at.End = end
		all.join([]hclsyntax.Expression{&hclsyntax.LiteralValueExpr{Val: cty.StringVal(text), SrcRange: at}})
		at.Start = end
	}
	for {
		before, st, blanks, after := x.cut(rest)
		if st == nil {
			break
		}
		rest, last = after, st
		if before != "" || at.Start != st.from {
			add(before, st.from)
		}
		st.endText()
		if taken := st.indent - blanks; taken > 0 {
			x.s.removeIndent(st.parts, taken, st.atStart)
		}
		all.join(st.parts)
		at.Start = st.to
	}
	if !last.isTaken && (rest != "" || at.Start != lit.SrcRange.End) {
		add(rest, lit.SrcRange.End)
	}
	return last
}

// key replaces the stand-ins in an object's key or an index. It drops sequences, which are errors there.
func (x *expander) key(s string) string {
	if !strings.Contains(s, tag()) {
		return s
	}
	var all stretch
	x.literal(&hclsyntax.LiteralValueExpr{Val: cty.StringVal(s)}, &all)
	all.endText()
	var out strings.Builder
	for _, p := range all.parts {
		if lit, ok := p.(*hclsyntax.LiteralValueExpr); ok && isText(lit) {
			out.WriteString(lit.Val.AsString()) // a sequence is an error
		}
	}
	return out.String()
}

// label replaces the stand-ins in a label. The parser doesn't normalize a label like the text of a
// template, so it decodes the omitted parts from the file again.
func (x *expander) label(s string) string {
	var out strings.Builder
	for {
		before, st, _, after := x.cut(s)
		if st == nil {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(before)
		src := x.s.src[st.from.Byte-x.s.offset : st.to.Byte-x.s.offset]
		EachToken([]byte(`"`+string(src)+`"`), "", hcl.InitialPos, func(t hclsyntax.Token) {
			if t.Type == hclsyntax.TokenQuotedLit {
				decoded, _ := hclsyntax.ParseStringLiteralToken(t)
				out.WriteString(decoded)
			}
		})
		s = after
	}
}

// cut splits literal text at its first stand-in, or returns nil for st. blanks is how many blanks of the
// stand-in's indentation the parser left.
func (x *expander) cut(text string) (before string, st *stretch, blanks int, after string) {
	before, rest, found := strings.Cut(text, tag())
	if !found {
		return "", nil, 0, ""
	}
	name, after, _ := strings.Cut(rest, tagEnd)
	digits := strings.TrimRight(name, " \n")
	number, _ := strconv.Atoi(digits)
	st = x.s.all[number]
	switch {
	case st.atStart: // the blanks precede the stand-in
		blanks = len(before) - len(strings.TrimRight(before, " "))
		before = before[:len(before)-blanks]
	case len(name) > len(digits): // they follow a line end in it
		blanks = len(name) - len(digits) - len("\n")
	}
	if !st.inLine {
		after = strings.TrimPrefix(after, "\n")
	}
	return before, st, blanks, after
}

// A shortener copies a text, and replaces stretches of its long templates by stand-ins.
type shortener struct {
	name     string
	src      []byte
	offset   int        // of the text's first byte in the file
	out      []byte     // the text for the parser
	copied   int        // how much of src has been copied or left out
	open     []*frame   // outermost first
	all      []*stretch // by number
	places   []*stretch // those with a stand-in in out, in order
	previous hclsyntax.Token
	stars    map[int]bool // where stars end for which the parser gets another operator
	keyword  bool         // the next token may be the keyword of a directive
	spare    *frame       // of code, to be used again
	// behindDirective tells that the last sequence is a directive, and no literal has followed it.
	behindDirective bool
	isWord          bool // quoted templates may be words, in which sequences are errors
}

// A frame is an open construct: code, a template, or the text between two directives.
type frame struct {
	kind  frameKind
	root  *frame // the template that a body belongs to; otherwise the frame itself
	flush bool   // the parser removes the heredoc's indentation
	// opener brings the parser to the start of a line of the template, closer ends the template.
	opener, closer []byte
	isDirective    bool
	directive      string // the keyword, of the code in a directive
	isWord         bool   // a sequence may be an error, as in a label
	lines          row
	inLine         row
	lineStarted    int  // tokens that start the line, up to two: see partStarts
	lineEnded      bool // the last token is the end of a line
	end            hcl.Pos
	braces         int // that are open, in code
	// indent is how far the least indented line so far is indented, and atStart whether a line
	// starts here.
	indent     int
	atStart    bool
	isFirst    bool // no token so far
	isOver     bool // there is a token that no template can have
	stripsNext bool // the last sequence takes away the blanks behind it
	invalid    int  // units of the template that the parser refuses
	// all is the number of tokens in the frame, and anyBrace reports whether one of them opens a
	// brace.
	all      int
	anyBrace bool
}

type frameKind byte

const (
	code frameKind = iota
	quoted
	text // a heredoc, or a text that is a template
	body // of a directive, in a text
)

// noIndent is the least indentation as long as no line has been seen.
const noIndent = int(^uint(0) >> 1)

// shorten returns a shortener with the shortened text, or nil if the parser can read the text as it is.
func shorten(src []byte, name string, start hcl.Pos, kind textKind) *shortener {
	if !mayBeLong(src, kind) {
		return nil
	}
	s := &shortener{name: name, src: src, offset: start.Byte, isWord: kind == isTraversal}
	lex := lexing(hclsyntax.LexConfig)
	base := &frame{}
	if kind == isTemplate {
		lex = hclsyntax.LexTemplate
		base = newText()
		base.opener = []byte("\n")
	}
	base.root = base
	s.open = []*frame{base}
	l := newLexer(src, name, start, lex)
	l.each(s.token)
	if len(s.all) == 0 && bytes.Equal(s.out, src) {
		return nil
	}
	return s
}

// newText returns the frame of a template of several lines: a heredoc, or a text that is a template.
func newText() *frame {
	f := &frame{kind: text, indent: noIndent, atStart: true, isFirst: true, inLine: row{inLine: true}}
	f.root = f
	return f
}

// newQuoted returns the frame of a quoted template. One that follows a name or another quoted one may be a
// label.
func (s *shortener) newQuoted() *frame {
	f := &frame{kind: quoted, opener: []byte(`"`), closer: []byte(`"`), inLine: row{inLine: true}}
	behindName := s.previous.Type == hclsyntax.TokenIdent || s.previous.Type == hclsyntax.TokenCQuote
	f.isWord = s.isWord || len(s.open) == 1 && behindName
	return f
}

func (s *shortener) top() *frame { return s.open[len(s.open)-1] }

// push opens a frame. One without a root is the template itself.
func (s *shortener) push(f *frame) {
	if f.root == nil {
		f.root = f
	}
	s.open = append(s.open, f)
}

// newCode returns a frame for code in a sequence. Sequences are many and mostly follow each other, so it
// reuses the last frame.
func (s *shortener) newCode() *frame {
	f := s.spare
	if f == nil {
		return &frame{}
	}
	s.spare = nil
	*f = frame{}
	return f
}

// pop closes the innermost frame, and adds its tokens to the frame around it.
func (s *shortener) pop() {
	inner := s.top()
	s.open = s.open[:len(s.open)-1]
	outer := s.top()
	outer.all += inner.all
	outer.anyBrace = outer.anyBrace || inner.anyBrace
	outer.lines.note(inner.all, traits{brace: inner.anyBrace})
	outer.inLine.note(inner.all, traits{brace: inner.anyBrace})
	if inner.kind == code {
		s.spare = inner
	}
}

// token takes the next token: it copies the token to the shortened text, and opens and closes frames.
func (s *shortener) token(t hclsyntax.Token) {
	top := s.top()
	if top.lineEnded {
		s.lineEnded(top, t)
	}
	s.partStarts(top, t)
	s.noteKeyword(t)
	switch t.Type {
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenEOF:
		s.endTemplate()
	}
	s.copy(t)
	top = s.top()
	s.behindDirective = s.behindDirective && !isLiteral(t)
	top.note(t)
	switch t.Type {
	case hclsyntax.TokenOQuote:
		s.push(s.newQuoted())
	case hclsyntax.TokenOHeredoc:
		s.push(newHeredoc(t))
	case hclsyntax.TokenTemplateInterp:
		s.push(s.newCode())
	case hclsyntax.TokenTemplateControl:
		s.push(s.newCode())
		s.top().isDirective = true
		s.keyword = true
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		s.pop()
	case hclsyntax.TokenOBrace:
		top.braces++
	case hclsyntax.TokenCBrace:
		top.braces--
	case hclsyntax.TokenTemplateSeqEnd:
		s.endSequence(top, t)
	}
	s.previous = t
}

func isLiteral(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenStringLit || t.Type == hclsyntax.TokenQuotedLit
}

// copy copies a token and the blanks before it. For the star of a /* that opens no comment it writes
// another operator that binds as tightly, because the parser would look for the end of the comment each
// time (see lexer.closeComments).
func (s *shortener) copy(t hclsyntax.Token) {
	end := t.Range.End.Byte - s.offset
	s.out = append(s.out, s.src[s.copied:end]...)
	s.copied = end
	if t.Type == hclsyntax.TokenStar && s.previous.Type == hclsyntax.TokenSlash && s.previous.Range.End == t.Range.Start {
		s.out[len(s.out)-1] = '%'
		if s.stars == nil {
			s.stars = map[int]bool{}
		}
		s.stars[t.Range.End.Byte] = true
	}
}

// newHeredoc returns the frame of a heredoc. Its parts are parsed without the - of <<-, so that blanks stay
// until the least indentation is known.
func newHeredoc(t hclsyntax.Token) *frame {
	f := newText()
	opener := t.Bytes
	marker := bytes.TrimSuffix(bytes.TrimSuffix(opener[2:], []byte("\n")), []byte("\r"))
	if marker[0] == '-' {
		f.flush = true
		marker = marker[1:]
		opener = bytes.Join([][]byte{[]byte("<<"), opener[3:]}, nil)
	}
	f.opener = opener
	f.closer = bytes.Join([][]byte{marker, []byte("\n")}, nil)
	return f
}

// noteKeyword keeps the first word of a directive.
func (s *shortener) noteKeyword(t hclsyntax.Token) {
	if !s.keyword || t.Type == hclsyntax.TokenComment || t.Type == hclsyntax.TokenNewline {
		return
	}
	s.keyword = false
	if t.Type == hclsyntax.TokenIdent {
		s.top().directive = string(t.Bytes)
	}
}

// endTemplate ends the lines of a template, and the directives that are open in it.
func (s *shortener) endTemplate() {
	for s.top().kind == body {
		s.endLines(s.top())
		s.pop()
	}
	if s.top().kind != code {
		s.endLines(s.top())
	}
}

// endSequence handles the closing brace of a sequence. A directive such as if opens a body, and endif
// closes it.
func (s *shortener) endSequence(f *frame, t hclsyntax.Token) {
	if len(s.open) == 1 || f.kind != code || f.braces > 0 {
		f.braces--
		return
	}
	s.pop()
	s.behindDirective = f.isDirective
	in := s.top()
	if in.kind == code {
		return
	}
	in.root.stripsNext = t.Bytes[0] == '~'
	switch f.directive {
	case "if", "for":
		s.push(&frame{kind: body, root: in.root, flush: in.flush, opener: in.opener, closer: in.closer,
			lines: row{traits: traits{sequence: true}}, inLine: row{inLine: true}})
	case "else":
		if in.kind == body {
			s.endLines(in)
		}
	case "endif", "endfor":
		if in.kind == body {
			s.endLines(in)
			s.pop()
		}
	}
}

// A stretch is a part of a template that the parser doesn't see. A stand-in replaces it: literal text with
// the number of the stretch, by which the expander finds it in the parser's result.
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

// tag starts every stand-in. It is random, so that no file can contain text that looks like a stand-in.
var tag = sync.OnceValue(func() string { return "\x01" + rand.Text() + "." })

const tagEnd = "\x02"

// A piece is the result for some units: they are left out for parts, or stay.
type piece struct {
	from, to  mark
	isLeftOut bool
	parts     []hclsyntax.Expression
}

// parseInSteps parses units separately from the rest of the text, about limit.atOnce tokens at a time.
func (s *shortener) parseInSteps(f *frame, r *row, units []unit, nested []*stretch) (pieces []piece) {
	for len(units) > 0 {
		tokens, n := 0, 0
		for n < len(units) && tokens < limit.atOnce {
			tokens += units[n].tokens
			n++
		}
		pieces = s.parseOrDivide(pieces, f, r, units[:n], nested)
		units = units[n:]
	}
	return pieces
}

// parseOrDivide parses units together or, if they have an error, each half of them. A unit with an error stays,
// so that the parser reports it; after too many, units are left out with their errors.
func (s *shortener) parseOrDivide(pieces []piece, f *frame, r *row, units []unit, nested []*stretch) []piece {
	n := len(units)
	from, to := units[0].from, units[n-1].to
	parts, ok := s.parseUnits(f, r, from, to, nested)
	switch {
	case ok || f.root.invalid > limit.invalid:
		return append(pieces, piece{from, to, true, parts})
	case n == 1:
		f.root.invalid++
		return append(pieces, piece{from, to, false, nil})
	}
	pieces = s.parseOrDivide(pieces, f, r, units[:n/2], nested)
	return s.parseOrDivide(pieces, f, r, units[n/2:], nested)
}

// parseUnits parses units as a template of their own; ok is false if they have an error. After parts of a line
// it puts a dollar sign, as in the file: the sign is a separate literal, whatever they end with.
func (s *shortener) parseUnits(f *frame, r *row, from, to mark, nested []*stretch) ([]hclsyntax.Expression, bool) {
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

// withoutFirstLine removes the empty line that parts put before a text which is a template.
func withoutFirstLine(e *hclsyntax.TemplateExpr, start hcl.Pos) {
	first := e.Parts[0].(*hclsyntax.LiteralValueExpr)
	if first.SrcRange.End == start {
		e.Parts = e.Parts[1:]
		return
	}
	first.Val = cty.StringVal(strings.TrimPrefix(first.Val.AsString(), "\n"))
	first.SrcRange.Start = start
}

// withoutEnd removes the text that parts put behind units of a line.
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

// replaceUnits writes a stand-in for a piece, or adds the piece to the stand-in directly before it.
func (s *shortener) replaceUnits(f *frame, r *row, p piece) {
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

// standIn returns the text of the stand-in. If the parser removes indentation, it is as far indented as the
// least indented line, so that the blanks that are left tell how many the parser removed. If a sequence
// stripped the last line end, a sequence of the stand-in strips its own.
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

// join appends parts to the stretch, and joins literal text that meets.
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

// endText stores the text that join collected in the last part.
func (st *stretch) endText() {
	if st.last != nil {
		st.parts[len(st.parts)-1].(*hclsyntax.LiteralValueExpr).Val = cty.StringVal(string(st.last))
		st.last = nil
	}
}
