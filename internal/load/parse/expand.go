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

// An expander puts the omitted parts back into the tree that the parser made of a shortened text, and corrects
// positions. A stand-in is the short literal text that the parser got in place of an omitted stretch.
type expander struct {
	s *shortener // what was left out
	offsetMap
}

// expander returns the expander for what the parser made of the shortened text. start is where the text starts in
// its file: the parser got the same start, so positions differ only behind stand-ins.
func (s *shortener) expander(start hcl.Pos) *expander {
	return &expander{s, newOffsetMap(s.placed, cutPoint{pos: start}, start, len(s.out))}
}

// body expands a body in place, including all nested blocks.
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

// operation is expr for operators, indexes and splats. The parser got % in place of the star in a /* that opens no
// comment (see shortener.copy): these operations become products again.
func (x *expander) operation(e hclsyntax.Expression) {
	switch e := e.(type) {
	case *hclsyntax.BinaryOpExpr:
		x.ranges(&e.SrcRange)
		x.exprs(e.LHS, e.RHS)
		if e.Op == hclsyntax.OpModulo && x.s.swappedStars[e.LHS.Range().End.Byte] {
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

// exprs is expr for several expressions, of which some may be nil.
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

// template expands the parts of a template, and replaces stand-ins by what was omitted. Some stand-ins end with a
// sequence that isn't in the file (see stretch.makeStandIn), which it drops.
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
	var joined stretch // collects the parts, with literal text joined
	skipsNext := false // the next part is the sequence of a stand-in, as in TAG0TAGEND${0 ~}
	for i, p := range e.Parts {
		switch {
		case skipsNext:
			skipsNext = false
		case hasStandIn(p):
			last := x.expandLiteral(p.(*hclsyntax.LiteralValueExpr), &joined)
			skipsNext = last.lineEndStripped && i+1 < len(e.Parts)
		default:
			joined.join(e.Parts[i : i+1])
		}
	}
	joined.endText()
	// The parser ends a template between two directives where its last part ends, which may be another part now.
	oldEnd := e.Parts[len(e.Parts)-1].Range().End
	e.Parts = joined.parts
	if e.SrcRange.End == oldEnd {
		e.SrcRange.End = e.Parts[len(e.Parts)-1].Range().End
	}
}

// hasStandIn reports whether a part of a template is literal text with a stand-in, so that omitted parts must
// be put back into it.
func hasStandIn(e hclsyntax.Expression) bool {
	lit, ok := e.(*hclsyntax.LiteralValueExpr)
	return ok && isText(lit) && strings.Contains(lit.Val.AsString(), tag())
}

// isText reports whether a literal in a template is text, as opposed to a number or bool such as ${1}. A string in a
// sequence, as in ${"a"}, is a template of its own.
func isText(lit *hclsyntax.LiteralValueExpr) bool {
	return lit.Val.Type() == cty.String && lit.Val.IsKnown() && !lit.Val.IsNull()
}

// expandLiteral adds literal text that contains stand-ins to joined: what the stand-ins replaced, and the text
// between them. It returns the stretch of the last stand-in.
func (x *expander) expandLiteral(lit *hclsyntax.LiteralValueExpr, joined *stretch) (last *stretch) {
	at := lit.SrcRange
	rest := lit.Val.AsString()
	add := func(text string, end hcl.Pos) { // joins text, from where the last piece ended to end
		at.End = end
		joined.join([]hclsyntax.Expression{&hclsyntax.LiteralValueExpr{Val: cty.StringVal(text), SrcRange: at}})
		at.Start = end
	}
	for {
		before, st, blanks, after := x.cutAtStandIn(rest)
		if st == nil {
			break
		}
		rest, last = after, st
		if before != "" || at.Start != st.from { // the range of an empty text may hold removed blanks
			add(before, st.from)
		}
		st.endText()
		if taken := st.indent - blanks; taken > 0 { // the parser removed so much from each line of the heredoc
			x.s.removeIndent(st.parts, taken, st.atLineStart)
		}
		joined.join(st.parts)
		at.Start = st.to
	}
	if last.lineEndStripped {
		return last // the stand-in's sequence follows, so the literal has no more text
	}
	if rest != "" || at.Start != lit.SrcRange.End {
		add(rest, lit.SrcRange.End)
	}
	return last
}

// key returns the string key of an object or an index with the omitted text in place of its stand-ins. It drops
// omitted sequences, which are errors in a key.
func (x *expander) key(s string) string {
	if !strings.Contains(s, tag()) {
		return s
	}
	var joined stretch
	x.expandLiteral(&hclsyntax.LiteralValueExpr{Val: cty.StringVal(s)}, &joined)
	joined.endText()
	var out strings.Builder
	for _, p := range joined.parts {
		if lit, ok := p.(*hclsyntax.LiteralValueExpr); ok && isText(lit) {
			out.WriteString(lit.Val.AsString()) // a sequence is an error
		}
	}
	return out.String()
}

// label returns a label with the omitted text in place of its stand-ins. It decodes that text from the file again:
// the parser normalizes Unicode in templates, but not in labels.
func (x *expander) label(s string) string {
	var out strings.Builder
	for {
		before, st, _, after := x.cutAtStandIn(s)
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

// cutAtStandIn splits literal text at its first stand-in: TAG, a number, blanks in some places, and TAGEND (see
// makeStandIn). It returns the text before the stand-in, the stretch that the stand-in replaces, how many blanks of
// its indentation the parser left, and the text after it. st is nil if there is no stand-in.
func (x *expander) cutAtStandIn(text string) (before string, st *stretch, blanks int, after string) {
	before, rest, found := strings.Cut(text, tag())
	if !found {
		return "", nil, 0, ""
	}
	name, after, _ := strings.Cut(rest, tagEnd)
	digits := strings.TrimRight(name, " \n")
	number, _ := strconv.Atoi(digits)
	st = x.s.stretches[number]
	switch {
	case st.atLineStart: // the blanks precede the stand-in
		blanks = len(before) - len(strings.TrimRight(before, " "))
		before = before[:len(before)-blanks]
	case len(name) > len(digits): // a line end and the blanks follow the number
		blanks = len(name) - len(digits) - len("\n")
	}
	if !st.inLine { // the line end belongs to the stand-in
		after = strings.TrimPrefix(after, "\n")
	}
	return before, st, blanks, after
}

// A shortener copies a text token by token, and leaves out stretches of its long templates (heredocs and strings),
// which would take the parser too long. In place of each stretch it writes a stand-in: literal text that no file
// contains. It divides a template into units, such as lines, which wait until there are enough to leave out.
// A sequence is ${...}, an interpolation, or %{...}, a directive.
type shortener struct {
	name           string
	src            []byte
	offset         int        // of the text's first byte in the file
	out            []byte     // the text for the parser
	copied         int        // how many bytes of src have been copied or left out
	frames         []*frame   // the constructs open at the current token, outermost first
	stretches      []*stretch // everything left out, by number
	placed         []*stretch // the stretches whose stand-ins are in out, in order; others are inside a stretch
	previous       hclsyntax.Token
	swappedStars   map[int]bool // where a star ends that was copied as %: see copy
	expectsKeyword bool         // the next token is the first one of a directive, such as if
	spareCode      *frame       // a closed frame of code, used again to save memory
	// behindDirective tells that the last sequence is a directive, and no literal has followed it.
	behindDirective  bool
	refusesSequences bool // the text is an address, in whose keys sequences are errors
}

// A frame is a construct that is open at the current token: code, a template, or the text between two directives such
// as %{ if a } and %{ endif }.
type frame struct {
	kind         frameKind
	root         *frame // the template that a body belongs to; otherwise the frame itself
	stripsIndent bool   // a heredoc with <<-, from which the parser removes the least indentation
	// opener and closer make lines of the template a template of its own, to be parsed separately.
	opener, closer   []byte
	isDirective      bool
	directive        string    // the first word, of the code in a directive: if, for, else ...
	refusesSequences bool      // the template may be a label or key, in which sequences are errors
	lines            unitQueue // whole lines
	inLine           unitQueue // parts of the current line
	kept             lineStart // what has been kept of the current line
	lineEnded        bool      // the last token ends a line
	lastEnd          hcl.Pos   // where that token ends
	braces           int       // open braces, in code
	// indent is the indentation of the least indented line so far. atLineStart tells that the next token starts
	// a line.
	indent        int
	atLineStart   bool
	isEmpty       bool // the template has had no token so far
	indentIsFinal bool // indent doesn't change any more: there is a token that no template can have
	stripsNext    bool // the last sequence ends with ~}, which strips the blanks behind it
	invalidUnits  int  // how many units have been kept for their errors
	// tokens counts the tokens in the frame, including those in closed frames within it. anyBrace tells that one
	// of them opens a brace.
	tokens   int
	anyBrace bool
}

type frameKind byte

const (
	code frameKind = iota
	quoted
	text // a heredoc, or a text that is a template
	body // of a directive, in a text
)

// A lineStart tells which tokens of a line have been copied that must stay in the text.
type lineStart byte

const (
	keptNothing lineStart = iota // the line starts here
	keptFirst                    // its first token, whose position messages contain
	keptSign                     // also the first $, % or sequence after that, so further parts may be left out
)

// noIndent is the least indentation as long as no line has been seen.
const noIndent = int(^uint(0) >> 1)

// shorten returns a shortener whose out is the shortened text, or nil if the parser can read the text as it is.
func shorten(src []byte, name string, start hcl.Pos, kind textKind) *shortener {
	if !mayBeLong(src, kind) {
		return nil
	}
	s := &shortener{name: name, src: src, offset: start.Byte, refusesSequences: kind == isTraversal}
	lex := lexFunc(hclsyntax.LexConfig)
	base := &frame{}
	if kind == isTemplate {
		lex = hclsyntax.LexTemplate
		base = newText()
		base.opener = []byte("\n") // trimFirstLine removes the line from what is parsed separately
	}
	base.root = base
	s.frames = []*frame{base}
	l := newLexer(src, name, start, lex)
	l.each(s.token)
	if len(s.stretches) == 0 && bytes.Equal(s.out, src) { // not even a star was swapped
		return nil
	}
	return s
}

// newText returns the frame of a template of several lines: a heredoc, or a whole text that is a template.
func newText() *frame {
	f := &frame{kind: text, indent: noIndent, atLineStart: true, isEmpty: true, inLine: unitQueue{inLine: true}}
	f.root = f
	return f
}

// newQuoted returns the frame of a quoted template. Behind a name or another quoted template, as in a "b" "c" {, it
// may be a label, in which sequences are errors.
func (s *shortener) newQuoted() *frame {
	f := &frame{kind: quoted, opener: []byte(`"`), closer: []byte(`"`), inLine: unitQueue{inLine: true}}
	behindName := s.previous.Type == hclsyntax.TokenIdent || s.previous.Type == hclsyntax.TokenCQuote
	f.refusesSequences = s.refusesSequences || len(s.frames) == 1 && behindName
	return f
}

// top returns the innermost open frame.
func (s *shortener) top() *frame { return s.frames[len(s.frames)-1] }

// push opens a frame. One without a root isn't between directives, so it's its own root.
func (s *shortener) push(f *frame) {
	if f.root == nil {
		f.root = f
	}
	s.frames = append(s.frames, f)
}

// newCode returns a frame for the code in a sequence. It reuses the last such frame, because texts have many
// sequences, one after the other.
func (s *shortener) newCode() *frame {
	f := s.spareCode
	if f == nil {
		return &frame{}
	}
	s.spareCode = nil
	*f = frame{}
	return f
}

// pop closes the innermost frame, and counts its tokens in the units of the frame around it.
func (s *shortener) pop() {
	closed := s.top()
	s.frames = s.frames[:len(s.frames)-1]
	around := s.top()
	around.tokens += closed.tokens
	around.anyBrace = around.anyBrace || closed.anyBrace
	around.lines.addTokens(closed.tokens, traits{brace: closed.anyBrace})
	around.inLine.addTokens(closed.tokens, traits{brace: closed.anyBrace})
	if closed.kind == code {
		s.spareCode = closed
	}
}

// token copies the next token to the shortened text. Before that it ends the units that end at the token, which may
// leave out what was copied; after that it opens or closes frames.
func (s *shortener) token(t hclsyntax.Token) {
	top := s.top()
	if top.lineEnded {
		s.startLineUnit(top, t)
	}
	s.splitLineBefore(top, t)
	s.noteKeyword(t)
	switch t.Type {
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenEOF:
		s.endTemplate()
	}
	s.copy(t)
	top = s.top() // endTemplate may have closed directives
	s.behindDirective = s.behindDirective && !isLiteral(t)
	top.noteToken(t)
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
		s.expectsKeyword = true
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

// isLiteral reports whether a token is literal text of a template.
func isLiteral(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenStringLit || t.Type == hclsyntax.TokenQuotedLit
}

// copy copies a token and the blanks before it. In a /* without */ behind it, which opens no comment, it copies the
// star as %: behind each /*, the parser would search for the end of a comment, to the end of the text. A % binds as
// tightly as a star, so the tree is the same, and expander.operation swaps them back.
func (s *shortener) copy(t hclsyntax.Token) {
	end := t.Range.End.Byte - s.offset
	s.out = append(s.out, s.src[s.copied:end]...)
	s.copied = end
	if t.Type == hclsyntax.TokenStar && s.previous.Type == hclsyntax.TokenSlash && s.previous.Range.End == t.Range.Start {
		s.out[len(s.out)-1] = '%'
		if s.swappedStars == nil {
			s.swappedStars = map[int]bool{}
		}
		s.swappedStars[t.Range.End.Byte] = true
	}
}

// newHeredoc returns the frame of a heredoc that t opens. Its opener lacks the - of <<-, so that parts keep their
// indentation until the least one is known.
func newHeredoc(t hclsyntax.Token) *frame {
	f := newText()
	opener := t.Bytes
	// The marker is what follows << or <<- on the line.
	marker := bytes.TrimSuffix(bytes.TrimSuffix(opener[2:], []byte("\n")), []byte("\r"))
	if marker[0] == '-' {
		f.stripsIndent = true
		marker = marker[1:]
		opener = bytes.Join([][]byte{[]byte("<<"), opener[3:]}, nil)
	}
	f.opener = opener
	f.closer = bytes.Join([][]byte{marker, []byte("\n")}, nil)
	return f
}

// noteKeyword stores the first word of a directive, such as if or endfor, in the directive's frame.
func (s *shortener) noteKeyword(t hclsyntax.Token) {
	if !s.expectsKeyword || t.Type == hclsyntax.TokenComment || t.Type == hclsyntax.TokenNewline {
		return
	}
	s.expectsKeyword = false
	if t.Type == hclsyntax.TokenIdent {
		s.top().directive = string(t.Bytes)
	}
}

// endTemplate ends the lines of the innermost template, and closes the directives that are still open in it.
func (s *shortener) endTemplate() {
	for s.top().kind == body {
		s.endLines(s.top())
		s.pop()
	}
	if s.top().kind != code { // at the end of a native text, no template is open
		s.endLines(s.top())
	}
}

// endSequence handles } or ~}, which closes the code in frame f. After a directive such as if, it opens a frame for
// the text up to endif, which closes that frame.
func (s *shortener) endSequence(f *frame, t hclsyntax.Token) {
	inSequence := len(s.frames) > 1 && f.kind == code
	if !inSequence || f.braces > 0 { // an error: ~} in place of a brace's }
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
	case "if", "for": // the template has a sequence, this one, so that none in the body must stay
		s.push(&frame{kind: body, root: in.root, stripsIndent: in.stripsIndent, opener: in.opener, closer: in.closer,
			lines: unitQueue{traits: traits{sequence: true}}, inLine: unitQueue{inLine: true}})
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

// A stretch is an omitted part of a template. The parser sees a stand-in instead: literal text with the number of the
// stretch, by which the expander finds it in the parser's result. The stretch's own parts are parsed separately.
type stretch struct {
	number          int
	out             int     // where the stand-in starts in shortener.out
	standIn         string  // the text that replaces it
	from, to        hcl.Pos // where the omitted text is in the file
	inLine          bool    // starts and ends within lines, instead of at line ends
	parts           []hclsyntax.Expression
	lastText        []byte // the text of the last part, to which more is appended; nil unless that is literal
	indent          int    // the blanks before the stand-in
	leastIndent     int    // the indentation of the least indented line in it, or noIndent
	atLineStart     bool   // see cutPoint
	lineEndStripped bool   // a sequence with ~} has stripped the end of the last line
}

// tag starts every stand-in. It is random, so that no file can contain text that looks like a stand-in.
var tag = sync.OnceValue(func() string { return "\x01" + rand.Text() + "." })

const tagEnd = "\x02"

// An attempt is the result of parsing some units separately: they are left out, and parts replaces them in the tree,
// or they stay in the text.
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

// parseOrDivide parses units together and appends the result to attempts. If they have an error, it tries each half,
// so that only a unit with an error stays, for the parser to report it. Once more than limit.invalid such units stay,
// further ones are left out, errors included.
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
// literal ends. So that it ends here, too, parseUnits puts a dollar sign behind it, and removes that from the result.
func (s *shortener) parseUnits(f *frame, q *unitQueue, from, to cutPoint, nested []*stretch) ([]hclsyntax.Expression, bool) {
	suffix := "" // with the line end that a heredoc's closing marker needs before it
	switch {
	case q.inLine && bytes.HasSuffix(f.closer, []byte("\n")):
		suffix = "$ \n"
	case q.inLine:
		suffix = "$ "
	}
	src := bytes.Join([][]byte{f.opener, s.out[from.out:to.out], []byte(suffix), f.closer}, nil)
	assumed, start := from, from.pos // where the parser assumes the units and the opener
	start.Byte -= len(f.opener)
	start.Column -= len(f.opener)
	if lines := bytes.Count(f.opener, []byte("\n")); lines > 0 { // to the parser, the units start a line
		start.Line -= lines
		start.Column, assumed.pos.Column = 1, 1
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
	// From the first stretch in this text on; newOffsetMap stops behind the last one.
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

// trimFirstLine removes from a template's parts the line end that was put before its text, so that the parser reads
// it as a heredoc (see shorten). start is where the text after that line end starts. The line end may be a part of
// its own.
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

// replaceUnits writes a stand-in for the units of an attempt. If another stand-in of the queue ends directly before
// it, the two become one.
func (s *shortener) replaceUnits(f *frame, q *unitQueue, p attempt) {
	st := q.lastStretch
	isLastPlaced := st != nil && len(s.placed) > 0 && s.placed[len(s.placed)-1] == st
	endsHere := isLastPlaced && st.out+len(st.standIn) == len(s.out)
	if !endsHere { // start a new stretch
		st = &stretch{number: len(s.stretches), from: p.from.pos, inLine: q.inLine, atLineStart: p.from.atLineStart, out: len(s.out), leastIndent: noIndent}
		q.lastStretch = st
		s.stretches = append(s.stretches, st)
		s.placed = append(s.placed, st)
	}
	st.to = p.to.pos
	if f.stripsIndent { // give the stand-in an indentation that shows how much the parser removes
		st.lineEndStripped = !q.inLine && !p.to.atLineStart
		st.leastIndent = min(st.leastIndent, s.leastIndent(p.parts, p.from.atLineStart))
		st.indent = st.leastIndent
		hasNoLine := st.leastIndent == noIndent // that isn't blank
		if hasNoLine {
			st.indent = f.root.indent // the least of the heredoc so far
		}
		if st.indent == noIndent || q.inLine && hasNoLine { // none is known, or no line starts in the stretch
			st.indent = 0
		}
	}
	st.join(p.parts)
	st.standIn = st.makeStandIn()
	s.out = append(s.out[:st.out], st.standIn...)
}

// makeStandIn returns the text of the stand-in. In a heredoc with <<-, it has the indentation of the least indented
// line, so that the blanks left in the parsed tree tell how many the parser removed. If a sequence stripped the last
// line end, a sequence in the stand-in strips its own line end likewise.
func (st *stretch) makeStandIn() string {
	name, blanks := tag()+strconv.Itoa(st.number), strings.Repeat(" ", st.indent)
	end := tagEnd + "\n"
	switch {
	case st.inLine && st.leastIndent == noIndent: // no line starts in the stretch
		return name + tagEnd
	case st.inLine:
		end = tagEnd
	case st.lineEndStripped:
		end = tagEnd + "${0 ~}\n"
	}
	if st.atLineStart {
		return blanks + name + end
	}
	return name + "\n" + blanks + end // the parser removes no blanks here, but it does in the next line
}

// join appends parts to the stretch. Adjacent literal texts become one, as in the parser's tree.
func (st *stretch) join(parts []hclsyntax.Expression) {
	for _, p := range parts {
		lit, ok := p.(*hclsyntax.LiteralValueExpr)
		isLiteral := ok && isText(lit)
		if n := len(st.parts) - 1; isLiteral && n >= 0 && st.lastText != nil {
			last := st.parts[n].(*hclsyntax.LiteralValueExpr)
			st.lastText = append(st.lastText, lit.Val.AsString()...)
			last.SrcRange.End = lit.SrcRange.End
			continue
		}
		st.endText()
		st.parts = append(st.parts, p)
		if isLiteral {
			st.lastText = append([]byte{}, lit.Val.AsString()...)
		}
	}
}

// endText stores the text that join collected for the last part in that part.
func (st *stretch) endText() {
	if st.lastText != nil {
		st.parts[len(st.parts)-1].(*hclsyntax.LiteralValueExpr).Val = cty.StringVal(string(st.lastText))
		st.lastText = nil
	}
}
