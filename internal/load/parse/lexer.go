package parse

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/apparentlymart/go-textseg/v17/textseg"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A token takes 96 bytes, even for a single letter, and a growing list of tokens is copied several
// times. To limit memory to a few bytes for each byte of text, the text is turned into tokens
// window by window.
const (
	// margin is how far behind a token the lexer looks at most before it decides on the token, except
	// for tokens that may grow (see mayGrow).
	margin = 64
	// maxPrefix is the longest prefix that pays for each window; with a longer one, the rest is lexed at once.
	maxPrefix = 16 << 10
)

// A lexing turns text into tokens, as the functions of hclsyntax do.
type lexing func(src []byte, name string, start hcl.Pos) (hclsyntax.Tokens, hcl.Diagnostics)

// A lexer finds the tokens that a lexing finds in the whole text, but window by window.
type lexer struct {
	lex     lexing
	src     []byte
	name    string
	offset  int // of the text's first byte in the file
	at      hcl.Pos
	inside  []level // levels open at that position, outermost first
	lastEnd int     // the last end of a comment, or -1
	window  int
	done    bool
}

// A level is a quoted template, a heredoc, or code in a sequence.
type level struct {
	kind    levelKind
	opener  []byte // of a heredoc
	midLine bool   // of a heredoc: no closing marker can follow
	braces  int    // that are open in code
}

type levelKind byte

const (
	inCode levelKind = iota
	inQuotes
	inHeredoc
)

// newLexer returns a lexer for a text that starts at a position in its file.
func newLexer(src []byte, name string, start hcl.Pos, lex lexing) *lexer {
	return &lexer{lex: lex, src: src, name: name, offset: start.Byte, at: start,
		lastEnd: bytes.LastIndex(src, []byte("*/")), window: limit.window}
}

// each calls yield with each token, including the one at the end of the text.
func (l *lexer) each(yield func(hclsyntax.Token)) {
	for size := l.window; !l.done; {
		tokens := l.sureTokens(size)
		if len(tokens) == 0 {
			size *= 2
			continue
		}
		for _, t := range tokens {
			l.track(t)
			yield(t)
		}
		l.at = tokens[len(tokens)-1].Range.End
		size = l.window
	}
}

// sureTokens returns the tokens of a window, without those at its end that the text after the window could
// change. It may return none: then the window is too small.
func (l *lexer) sureTokens(size int) hclsyntax.Tokens {
	from := l.at.Byte - l.offset
	before := l.prefix()
	end := min(len(l.src), from+size)
	if len(before) > maxPrefix {
		end = len(l.src)
	}
	tokens := l.tokens(before, from, end)
	if end == len(l.src) {
		l.done = true
		return tokens
	}
	n := 0
	for n < len(tokens) && tokens[n].Range.End.Byte-l.offset < end-margin && !l.mayGrow(tokens[n], end) {
		n++
	}
	for n > 0 && tokens[n-1].Type == hclsyntax.TokenStringLit && isMark(tokens[n-1]) && bytes.HasSuffix(tokens[n-1].Bytes, []byte("\n")) {
		n-- // the lexer has seen the line end as something that follows a dollar sign
	}
	return tokens[:n]
}

// tokens returns the tokens of src[from:end], lexed in the state that before produces.
func (l *lexer) tokens(before []byte, from, end int) hclsyntax.Tokens {
	text := l.closeComments(append(before, l.src[from:end]...), from-len(before), end)
	lines := bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	start := l.at
	start.Byte -= len(before)
	if lines > 0 {
		start.Line -= lines
		start.Column = 1
	}
	tokens, _ := l.lex(text, l.name, start)
	for len(before) > 0 && tokens[0].Range.Start.Byte < l.at.Byte {
		tokens = tokens[1:]
	}
	for i := range tokens {
		t := &tokens[i]
		if len(before) > 0 {
			l.shift(&t.Range.Start, l.at.Column-column)
			l.shift(&t.Range.End, l.at.Column-column)
		}
		if t.Range.End.Byte-l.offset > end {
			return tokens[:i] // the end of a comment was put there
		}
		t.Bytes = l.src[t.Range.Start.Byte-l.offset : t.Range.End.Byte-l.offset]
		if t.Type == hclsyntax.TokenPlus && t.Bytes[0] == '*' {
			t.Type = hclsyntax.TokenStar
		}
	}
	return tokens
}

// shift moves the column of a position on the line in which the window starts.
func (l *lexer) shift(p *hcl.Pos, by int) {
	if p.Line == l.at.Line {
		p.Column += by
	}
}

// closeComments closes a comment that the end of the window cuts. After the last */ of the text, /* opens no
// comment but is two tokens: the lexer would search for an end behind each, which takes a second for 30 KB,
// so closed replaces the star, and tokens restores it.
func (l *lexer) closeComments(text []byte, from, end int) []byte {
	for at := max(0, l.lastEnd+1-from); at < len(text); at += 2 {
		n := bytes.Index(text[at:], []byte("/*"))
		if n < 0 {
			break
		}
		at += n
		text[at+1] = '+'
	}
	if end < len(l.src) {
		text = append(text, "*/"...)
	}
	return text
}

// prefix returns text that brings the lexer into the state at l.at.
func (l *lexer) prefix() []byte {
	if l.at.Byte == l.offset {
		return nil
	}
	text := []byte("\n")
	for _, in := range l.inside {
		switch in.kind {
		case inQuotes:
			text = append(text, '"')
		case inHeredoc:
			text = append(text, in.opener...)
		default:
			text = append(text, "${ "...)
			text = append(text, bytes.Repeat([]byte("{ "), in.braces)...)
		}
	}
	if n := len(l.inside); n > 0 && l.inside[n-1].midLine {
		text = append(text, "${0}"...) // the heredoc can't end on this line
	}
	return text
}

// mayGrow reports whether a larger window could change a token: the possible opening of a heredoc with a
// very long marker, or a number followed by very many dots.
func (l *lexer) mayGrow(t hclsyntax.Token, end int) bool {
	switch t.Type {
	case hclsyntax.TokenLessThan: // of a heredoc, whose marker goes on behind the window
		rest := l.src[t.Range.Start.Byte-l.offset : end]
		return bytes.HasPrefix(rest, []byte("<<")) && !bytes.ContainsAny(rest[2:], "\n \"<")
	case hclsyntax.TokenNumberLit:
		rest := l.src[t.Range.End.Byte-l.offset : end]
		return len(bytes.TrimLeft(rest, ".")) < margin
	}
	return false
}

// isMark reports whether a literal starts with a sign that could have started a sequence. The lexer makes a
// token of each.
func isMark(t hclsyntax.Token) bool {
	return len(t.Bytes) > 0 && (t.Bytes[0] == '$' || t.Bytes[0] == '%')
}

// endsLine reports whether a literal is the end of a line.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenStringLit && !isMark(t) && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// track keeps track of the levels that a token opens or closes.
func (l *lexer) track(t hclsyntax.Token) {
	n := len(l.inside)
	switch t.Type {
	case hclsyntax.TokenOQuote:
		l.inside = append(l.inside, level{kind: inQuotes})
	case hclsyntax.TokenOHeredoc:
		l.inside = append(l.inside, level{kind: inHeredoc, opener: t.Bytes})
	case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		if n > 0 {
			l.inside[n-1].midLine = l.inside[n-1].kind == inHeredoc
		}
		l.inside = append(l.inside, level{})
	case hclsyntax.TokenStringLit, hclsyntax.TokenBadUTF8:
		if n > 0 && l.inside[n-1].kind == inHeredoc {
			l.inside[n-1].midLine = t.Type == hclsyntax.TokenStringLit && !endsLine(t) ||
				t.Type != hclsyntax.TokenStringLit && l.inside[n-1].midLine
		}
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		l.inside = l.inside[:n-1]
	case hclsyntax.TokenOBrace:
		l.brace(1)
	case hclsyntax.TokenCBrace:
		l.brace(-1)
	case hclsyntax.TokenTemplateSeqEnd:
		if n > 0 && l.inside[n-1].braces == 0 {
			l.inside = l.inside[:n-1]
		} else {
			l.brace(-1)
		}
	}
}

// brace adds to the number of open braces in the innermost code.
func (l *lexer) brace(by int) {
	if n := len(l.inside); n > 0 {
		l.inside[n-1].braces += by
	}
}

// Tokens returns the tokens of native text, of a file or an expression, as hclsyntax.LexConfig does.
func Tokens(src []byte, name string, start hcl.Pos) (all hclsyntax.Tokens) {
	if len(src) <= limit.window && !hasOpenComment(src) {
		tokens, _ := hclsyntax.LexConfig(src, name, start)
		return tokens
	}
	EachToken(src, name, start, func(t hclsyntax.Token) { all = append(all, t) })
	return all
}

// EachToken calls yield with each token of native text, without having all in memory at once.
func EachToken(src []byte, name string, start hcl.Pos, yield func(hclsyntax.Token)) {
	newLexer(src, name, start, hclsyntax.LexConfig).each(yield)
}

// EachTemplateToken calls yield with each token of a text that is a template, as EachToken does for native
// text.
func EachTemplateToken(src []byte, name string, start hcl.Pos, yield func(hclsyntax.Token)) {
	newLexer(src, name, start, hclsyntax.LexTemplate).each(yield)
}

// FindToken calls find with each token of native text, or of a text that is a template, until find
// returns true. It hardly reads what follows.
func FindToken(src []byte, name string, isTemplate bool, find func(hclsyntax.Token) bool) {
	lex := lexing(hclsyntax.LexConfig)
	if isTemplate {
		lex = hclsyntax.LexTemplate
	}
	l := newLexer(src, name, hcl.InitialPos, lex)
	found := false
	l.each(func(t hclsyntax.Token) {
		found = found || find(t)
		l.done = l.done || found
	})
}

// Words returns the tokens of native text, with literal text as one token up to the next sequence: the
// lexer makes one or more of each line.
func Words(src []byte) (all hclsyntax.Tokens) {
	from := 0 // where the bytes of the last token start
	EachToken(src, "", hcl.Pos{Line: 1, Column: 1}, func(t hclsyntax.Token) {
		if n := len(all); n > 0 && isLiteral(t) && all[n-1].Type == t.Type {
			last := &all[n-1]
			last.Range.End = t.Range.End
			last.Bytes = src[from:t.Range.End.Byte]
			return
		}
		from = t.Range.Start.Byte
		all = append(all, t)
	})
	return all
}

// Lines of long templates are left out, some at a time. They are parsed separately, as a template
// with the same result as in the whole one, and that result is put back in the gap. Parts of long
// lines are treated likewise.

// A unit is a stretch of a template that can be left out: whole sequences and pairs of directives, from the
// start of one line to that of another, or some tokens of a line.
type unit struct {
	from, to mark
	tokens   int
	traits
}

// A mark is a position in the text and in the shortened text.
type mark struct {
	pos hcl.Pos
	out int
	// atStart tells that the parser removes the indentation behind it. It doesn't if a sequence has
	// stripped the line end.
	atStart bool
}

// traits tell what a unit contains. The last unit with a trait must stay: the parser treats a string
// without sequences differently, and after an error it looks for a brace.
type traits struct{ sequence, brace bool }

// A row holds the units of a frame's lines, or of its current line.
type row struct {
	inLine  bool
	traits         // of the units that stay
	current traits // of the current unit
	tokens  int    // of the current unit
	start   mark   // of the current unit, if started
	started bool
	seen    int      // units
	waiting []unit   // to be left out
	waits   int      // tokens that wait
	last    *stretch // to which the next units that are left out may be added
}

// note adds tokens to the current unit.
func (r *row) note(tokens int, t traits) {
	r.tokens += tokens
	r.current.sequence = r.current.sequence || t.sequence
	r.current.brace = r.current.brace || t.brace
}

// note adds a token to the current units, and looks at the indentation of a heredoc.
func (f *frame) note(t hclsyntax.Token) {
	has := traits{isSequence(t), t.Type == hclsyntax.TokenOBrace}
	f.all++
	f.anyBrace = f.anyBrace || has.brace
	f.lines.note(1, has)
	f.inLine.note(1, has)
	if f.kind != text && f.kind != body {
		return
	}
	f.root.noteIndent(t, has.sequence)
	f.lineEnded, f.end = endsLine(t), t.Range.End
}

// isSequence reports whether a token starts a sequence.
func isSequence(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenTemplateInterp || t.Type == hclsyntax.TokenTemplateControl
}

// noteIndent updates the least indentation of a heredoc by a token. What it finds may be too much, but
// never too little.
func (f *frame) noteIndent(t hclsyntax.Token, isSequence bool) {
	isText := t.Type == hclsyntax.TokenStringLit
	f.isOver = f.isOver || !isText && !isSequence
	if f.isOver {
		return // the parser looks at no more lines
	}
	switch {
	case f.atStart && isSequence && (f.isFirst || !stripsBefore(t)):
		f.indent = 0
	case f.atStart && isText:
		if n, counts := indentation(string(t.Bytes)); counts {
			f.indent = min(f.indent, n)
		}
	}
	isGone := f.stripsNext && len(bytes.TrimLeftFunc(t.Bytes, unicode.IsSpace)) == 0
	f.atStart = isText && !isGone && bytes.HasSuffix(t.Bytes, []byte("\n"))
	f.isFirst, f.stripsNext = false, false
}

// stripsBefore reports whether a token starts a sequence that strips the blanks before it (${~ or %{~).
func stripsBefore(t hclsyntax.Token) bool {
	return isSequence(t) && len(t.Bytes) == 3
}

// indentation returns the number of blanks at the start of a line. Blank lines don't count for the least
// indentation.
func indentation(line string) (n int, counts bool) {
	rest := strings.TrimLeftFunc(line, unicode.IsSpace)
	if rest == "" && strings.HasSuffix(line, "\n") {
		return 0, false
	}
	for blanks := []byte(line[:len(line)-len(rest)]); len(blanks) > 0; n++ {
		size, _, _ := textseg.ScanGraphemeClusters(blanks, true)
		blanks = blanks[size:]
	}
	return n, true
}

// lineEnded starts a new unit after a line end, unless the next token strips that line end.
func (s *shortener) lineEnded(f *frame, next hclsyntax.Token) {
	f.lineEnded = false
	if !stripsBefore(next) {
		s.nextUnit(f, &f.lines, mark{f.end, len(s.out), f.root.atStart})
	}
}

// nextUnit ends the current unit at a position, and starts the next one.
func (s *shortener) nextUnit(f *frame, r *row, here mark) {
	if r.started {
		s.decide(f, r, unit{r.start, here, r.tokens, r.current})
	}
	here.out = len(s.out)
	r.start, r.started = here, true
	r.tokens, r.current = 0, traits{}
}

// decide decides whether a unit that ends here stays or waits to be left out.
func (s *shortener) decide(f *frame, r *row, u unit) {
	r.seen++
	stays := u.sequence && (!r.sequence || f.mustStay()) || u.brace && !r.brace
	if r.seen <= limit.lines || stays {
		if stays {
			s.leaveOut(f, r)
		}
		r.sequence = r.sequence || u.sequence
		r.brace = r.brace || u.brace
		return
	}
	r.wait(u)
	if r.waits >= limit.atOnce && (!f.flush || f.root.indent < noIndent) {
		s.leaveOut(f, r)
	}
}

// mustStay reports whether a unit must stay because its sequence is an error, as in a label. It counts such
// units: after too many, the rest may go.
func (f *frame) mustStay() bool {
	if !f.root.isWord || f.root.invalid >= limit.invalid {
		return false
	}
	f.root.invalid++
	return true
}

// wait adds a unit to those that wait. Lines of nothing but text become one unit: they can't have errors.
func (r *row) wait(u unit) {
	r.waits += u.tokens
	if n := len(r.waiting); n > 0 && !u.sequence && !r.inLine {
		if last := &r.waiting[n-1]; !last.sequence && last.tokens < limit.atOnce {
			last.to = u.to
			last.tokens += u.tokens
			return
		}
	}
	r.waiting = append(r.waiting, u)
}

// endLines ends the rows of a frame when its template ends, or at a directive.
func (s *shortener) endLines(f *frame) {
	s.endLine(f)
	stay := f.lines.traits
	s.endRow(f, &f.lines)
	f.lines.traits = stay
	f.lineEnded = false
}

// endRow leaves out what waits, if that is enough to be worth it, and starts the row again.
func (s *shortener) endRow(f *frame, r *row) {
	if r.waits >= limit.atOnce {
		s.leaveOut(f, r)
	}
	*r = row{inLine: r.inLine}
}

// leaveOut replaces the units that wait by stand-ins, except those with errors, and copies the text after
// them again.
func (s *shortener) leaveOut(f *frame, r *row) {
	units, waits := r.waiting, r.waits
	r.waiting, r.waits = units[:0], 0
	if len(units) == 0 {
		return
	}
	if r.inLine {
		f.lines.tokens -= waits
		f.all -= waits
	}
	from, to := units[0].from.out, units[len(units)-1].to.out
	behind := bytes.Clone(s.out[from:])
	moved := s.placesFrom(from)
	pieces := s.parseInSteps(f, r, units, moved)
	s.out = s.out[:from]
	for _, p := range pieces {
		if p.isLeftOut {
			s.replaceUnits(f, r, p)
			continue
		}
		moved = s.putBack(behind, from, p.from.out, p.to.out, moved)
	}
	s.putBack(behind, from, to, from+len(behind), moved)
}

// placesFrom removes the stretches whose stand-ins are at or behind an offset from s.places, and returns
// them.
func (s *shortener) placesFrom(from int) []*stretch {
	n := len(s.places)
	for n > 0 && s.places[n-1].out >= from {
		n--
	}
	moved := append([]*stretch(nil), s.places[n:]...)
	s.places = s.places[:n]
	return moved
}

// putBack appends the part of text from one offset of the shortened text to another, with its stand-ins;
// text starts at the offset base. It returns the stretches that are still to be put back.
func (s *shortener) putBack(text []byte, base, from, to int, moved []*stretch) []*stretch {
	by := len(s.out) - from
	s.out = append(s.out, text[from-base:to-base]...)
	for len(moved) > 0 && moved[0].out < to {
		if st := moved[0]; st.out >= from {
			st.out += by
			s.places = append(s.places, st)
		}
		moved = moved[1:]
	}
	return moved
}

// A flusher calls back for each line of the parts of a heredoc, in order to measure or remove the
// indentation as the parser does with its tokens.
type flusher struct {
	s       *shortener
	atStart bool
	line    func(text string) string // called for each line that starts with text, which its result replaces
	other   func()                   // called for each line that starts with a sequence
}

// leastIndent returns how far the least indented line of some parts is indented, or noIndent.
func (s *shortener) leastIndent(parts []hclsyntax.Expression, atStart bool) int {
	least := noIndent
	f := flusher{s, atStart, func(text string) string {
		if n, counts := indentation(text); counts {
			least = min(least, n)
		}
		return text
	}, func() { least = 0 }}
	f.parts(parts)
	return least
}

// removeIndent removes a number of blanks from the start of each line of omitted parts, as the parser did to
// their stand-in. Blank lines stay as they are. atStart is set if the parts begin a line.
func (s *shortener) removeIndent(parts []hclsyntax.Expression, blanks int, atStart bool) {
	f := flusher{s, atStart, func(text string) string {
		if _, counts := indentation(text); !counts {
			return text
		}
		rest := []byte(text)
		for range blanks {
			n, _, _ := textseg.ScanGraphemeClusters(rest, true)
			rest = rest[n:]
		}
		return text[len(text)-len(rest):]
	}, func() {}}
	f.parts(parts)
}

// parts visits the lines of parts, also of those inside directives.
func (f *flusher) parts(parts []hclsyntax.Expression) {
	for _, p := range parts {
		switch p := p.(type) {
		case *hclsyntax.LiteralValueExpr:
			if isText(p) {
				f.literal(p)
				continue
			}
		case *hclsyntax.ConditionalExpr:
			if f.s.src[p.SrcRange.Start.Byte-f.s.offset] == '%' { // a directive, not ${a ? b : c}
				f.sequence()
				f.branch(p.TrueResult)
				f.branch(p.FalseResult)
				continue
			}
		case *hclsyntax.TemplateJoinExpr:
			f.sequence()
			f.branch(p.Tuple.(*hclsyntax.ForExpr).ValExpr)
			continue
		}
		f.sequence()
	}
}

// branch visits the parts between two directives, and then the second directive.
func (f *flusher) branch(e hclsyntax.Expression) {
	f.parts(e.(*hclsyntax.TemplateExpr).Parts)
	f.sequence()
}

// sequence visits a sequence, which may start a line.
func (f *flusher) sequence() {
	if f.atStart {
		f.other()
	}
	f.atStart = false
}

// literal visits the lines of literal text, which may be several, and stores what becomes of them.
func (f *flusher) literal(lit *hclsyntax.LiteralValueExpr) {
	if lit.SrcRange.Empty() {
		return // a branch of a directive may be empty
	}
	text := lit.Val.AsString()
	var out strings.Builder
	for line := range strings.Lines(text) {
		if f.atStart {
			out.WriteString(f.line(line))
		} else {
			out.WriteString(line)
		}
		f.atStart = strings.HasSuffix(line, "\n")
	}
	if text == "" && f.atStart {
		f.line("")
		f.atStart = false
	}
	if out.Len() != len(text) {
		lit.Val = cty.StringVal(out.String())
	}
}
