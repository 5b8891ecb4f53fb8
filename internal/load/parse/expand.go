package parse

import (
	"bytes"
	"crypto/rand"
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
	// The map is for all of s.out, from its offset 0, with all stand-ins in it.
	return &expander{s, newOffsetMap(s.placed, cutPoint{pos: start, out: 0}, start, len(s.out))}
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
		// In a /% b, the slash lacks its right operand. The parser makes one up, in the range of the %: so the left
		// operand of the %, which is a / and that, ends where the % does.
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
	var joined joiner
	skipsNext := false // the next part is the sequence of a stand-in, as in TAG0TAGEND${0 ~}
	for i, p := range e.Parts {
		switch {
		case skipsNext:
			skipsNext = false
		case hasStandIn(p):
			lastOmitted := x.expandLiteral(p.(*hclsyntax.LiteralValueExpr), &joined)
			skipsNext = lastOmitted.lineEndStripped && i+1 < len(e.Parts)
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

// expandLiteral adds literal text with at least one stand-in to joined: for "a TAG0TAGEND b" the text "a ", the parts
// of stretch 0, and " b". It returns the stretch of the last stand-in.
func (x *expander) expandLiteral(lit *hclsyntax.LiteralValueExpr, joined *joiner) (last *stretch) {
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
		if before != "" || at.Start != st.from { // an empty text has a range if the parser removed blanks there
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
		return last // its stand-in ends with ${0 ~}, which is the next part: the literal has no more text
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
	var joined joiner
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
// the parts of a stretch, which was parsed as a template, have normalized Unicode, and a label hasn't.
func (x *expander) label(s string) string {
	var out strings.Builder
	for {
		before, st, _, after := x.cutAtStandIn(s) // a label has no indentation
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

// cutAtStandIn splits literal text at its first stand-in, which makeStandIn wrote: TAG0TAGEND in a line, blanks and
// TAG0TAGEND at the start of a line, or TAG0, a line end, blanks and TAGEND. It returns the text before the stand-in,
// the stretch that the stand-in replaces, how many blanks of its indentation the parser left, and the text after it.
// st is nil if there is no stand-in.
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
	root         *frame // of the whole template that a body belongs to; otherwise the frame itself
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
	body // between directives such as %{ if a } and %{ endif }, in a text or in quotes
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
	base := &frame{kind: code}
	base.root = base
	if kind == isTemplate {
		lex = hclsyntax.LexTemplate
		base = newText()
		// The parser skips a byte order mark at the start of a text. Units that begin with one must keep it, so they
		// get a line end in front, which trimFirstLine removes from the result.
		base.opener = []byte("\n")
	}
	s.frames = []*frame{base}
	l := newLexer(src, name, start, lex)
	l.each(s.token)
	if len(s.stretches) == 0 && bytes.Equal(s.out, src) { // unequal without stretches: a star became % (see copy)
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

// push opens a frame. A body, between two directives, comes with its root, the frame of the whole template. Any other
// frame is its own root.
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
// leave out what was copied; after that it opens or closes frames. A token that opens or closes a frame so counts in
// the frame around the new one, or in the one that it closes.
func (s *shortener) token(t hclsyntax.Token) {
	top := s.top()
	if top.lineEnded { // whether a unit ended there depends on t
		s.startLineUnit(top, t)
	}
	s.splitLineBefore(top, t)
	s.noteKeyword(t)
	switch t.Type {
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenEOF: // t is no longer part of a line
		s.endTemplate()
	}
	s.copy(t)
	// Count t in its frame, which is another one if endTemplate has closed directives.
	top = s.top()
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

// endTemplate ends the lines of the innermost template at its end, or at the end of the text. Before that it closes
// the directives that still lack their endif or endfor.
func (s *shortener) endTemplate() {
	for s.top().kind == body { // the body of such a directive
		s.endLines(s.top())
		s.pop()
	}
	if s.top().kind != code { // at the end of a native text, no template is open, only the code of the text
		s.endLines(s.top())
	}
}

// endSequence handles } or ~}, which closes the code in frame f. After a directive such as if, it opens a frame for
// the text up to endif, which closes that frame.
func (s *shortener) endSequence(f *frame, t hclsyntax.Token) {
	inSequence := len(s.frames) > 1 && f.kind == code
	if !inSequence || f.braces > 0 { // an error: this is ~}, where the } of an open brace belongs
		f.braces--
		return
	}
	s.pop()
	s.behindDirective = f.isDirective
	in := s.top()
	if in.kind == code {
		return
	}
	in.root.stripsNext = t.Bytes[0] == '~' // the root keeps track of the indentation: see noteIndent
	switch f.directive {
	// The first unit with a sequence normally stays in the text (see traits). The body starts with that trait, since
	// the directive itself is a sequence that the parser sees there.
	case "if", "for":
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
	joiner                  // its parts
	indent          int     // the blanks before the stand-in
	leastIndent     int     // the indentation of the least indented line in it, or noIndent
	atLineStart     bool    // see cutPoint
	lineEndStripped bool    // a sequence with ~} has stripped the end of the last line
}

// A joiner collects the parts of a template, and joins adjacent literal texts to one, as in the parser's tree.
type joiner struct {
	parts    []hclsyntax.Expression
	lastText []byte // the text of the last part, to which more is appended; nil unless that is literal
}

// tag starts every stand-in. It is random, so that no file can contain text that looks like a stand-in.
var tag = sync.OnceValue(func() string { return "\x01" + rand.Text() + "." })

const tagEnd = "\x02"

// replaceUnits writes a stand-in for the units of an attempt, those that were parsed together and are left out. If
// another stand-in of the queue ends directly before it, the two become one.
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
	if f.stripsIndent {
		st.lineEndStripped = !q.inLine && !p.to.atLineStart
		st.leastIndent = min(st.leastIndent, s.leastIndent(p.parts, p.from.atLineStart))
		st.setIndent(f.root.indent)
	}
	st.join(p.parts)
	st.standIn = st.makeStandIn()
	s.out = append(s.out[:st.out], st.standIn...)
}

// setIndent gives the stand-in in a heredoc with <<- an indentation, of which the blanks that are left in the tree
// show how many the parser removed. least is the indentation of the heredoc's least indented line so far, or
// noIndent.
func (st *stretch) setIndent(least int) {
	switch {
	case st.leastIndent != noIndent:
		st.indent = st.leastIndent
	case st.inLine || least == noIndent: // no line starts in the stretch, or all lines have been blank so far
		st.indent = 0
	default: // all lines of the stretch are blank
		st.indent = least
	}
}

// makeStandIn returns the text of the stand-in. In a heredoc with <<-, it has the indentation of the least indented
// line, so that the blanks left in the parsed tree tell how many the parser removed. If a sequence stripped the last
// line end, a sequence in the stand-in strips its own line end likewise.
func (st *stretch) makeStandIn() string {
	name, blanks := tag()+strconv.Itoa(st.number), strings.Repeat(" ", st.indent)
	end := tagEnd + "\n"
	switch {
	case st.inLine && st.leastIndent == noIndent: // no line starts in the stretch: TAG0TAGEND
		return name + tagEnd
	case st.inLine: // its last line goes on behind it
		end = tagEnd
	case st.lineEndStripped:
		end = tagEnd + "${0 ~}\n"
	}
	if st.atLineStart {
		return blanks + name + end // for example "  TAG0TAGEND\n"
	}
	// For example "TAG0\n  TAGEND\n". The parser removes blanks only at the start of a line, so this starts one.
	return name + "\n" + blanks + end
}

// join appends parts. Adjacent literal texts become one.
func (j *joiner) join(parts []hclsyntax.Expression) {
	for _, p := range parts {
		lit, ok := p.(*hclsyntax.LiteralValueExpr)
		isLiteral := ok && isText(lit)
		if n := len(j.parts) - 1; isLiteral && n >= 0 && j.lastText != nil {
			last := j.parts[n].(*hclsyntax.LiteralValueExpr)
			j.lastText = append(j.lastText, lit.Val.AsString()...)
			last.SrcRange.End = lit.SrcRange.End
			continue
		}
		j.endText()
		j.parts = append(j.parts, p)
		if isLiteral {
			j.lastText = append([]byte{}, lit.Val.AsString()...)
		}
	}
}

// endText stores the text that join collected for the last part in that part.
func (j *joiner) endText() {
	if j.lastText != nil {
		j.parts[len(j.parts)-1].(*hclsyntax.LiteralValueExpr).Val = cty.StringVal(string(j.lastText))
		j.lastText = nil
	}
}
