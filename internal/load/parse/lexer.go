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

// A lexFunc turns text into tokens: hclsyntax.LexConfig, or LexTemplate for a text that is a template.
type lexFunc func(src []byte, name string, start hcl.Pos) (hclsyntax.Tokens, hcl.Diagnostics)

// A lexer finds the tokens that a lexFunc finds in the whole text, but window by window, to save memory. So that the
// lexFunc reads a window as it would behind the text before it, the lexer keeps track of the open levels.
type lexer struct {
	lex     lexFunc
	src     []byte
	name    string
	offset  int     // of the text's first byte in the file
	at      hcl.Pos // where the next window starts
	levels  []level // what is open at that position, outermost first
	lastEnd int     // the offset of the last */ in src, or -1
	window  int     // its usual size in bytes
	done    bool    // no window remains
}

// A level is an open construct: a quoted template, a heredoc, or code in a sequence such as ${...}.
type level struct {
	kind    levelKind
	opener  []byte // of a heredoc
	midLine bool   // of a heredoc: the next token isn't at the start of a line, so no closing marker can follow
	braces  int    // how many are open in code
}

type levelKind byte

const (
	inCode levelKind = iota
	inQuotes
	inHeredoc
)

// newLexer returns a lexer for a text that starts at a position in its file. lex is the lexer of hclsyntax to use.
func newLexer(src []byte, name string, start hcl.Pos, lex lexFunc) *lexer {
	return &lexer{lex: lex, src: src, name: name, offset: start.Byte, at: start,
		lastEnd: bytes.LastIndex(src, []byte("*/")), window: limit.window}
}

// each calls yield with each token, including the one at the end of the text.
func (l *lexer) each(yield func(hclsyntax.Token)) {
	for size := l.window; !l.done; {
		tokens := l.settledTokens(size)
		if len(tokens) == 0 {
			size *= 2 // a single token may be larger than the window
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

// settledTokens returns the tokens of a window of size bytes, without those at its end that the text after the window
// could change. If it returns none, the window is too small.
func (l *lexer) settledTokens(size int) hclsyntax.Tokens {
	from := l.at.Byte - l.offset
	before := l.statePrefix()
	end := min(len(l.src), from+size)
	if len(before) > maxPrefix { // each further window would lex so long a prefix again: lex all the rest at once
		end = len(l.src)
	}
	tokens := l.tokens(before, from, end)
	if end == len(l.src) {
		l.done = true
		return tokens
	}
	isSettled := func(t hclsyntax.Token) bool {
		return t.Range.End.Byte-l.offset < end-margin && !l.mayGrow(t, end)
	}
	// Keep the tokens that no further text can change.
	n := 0
	for n < len(tokens) && isSettled(tokens[n]) {
		n++
	}
	// Behind "$\n" the lexer is still on the same line, so the next window starts before that, not behind it.
	for n > 0 && isSignWithLineEnd(tokens[n-1]) {
		n--
	}
	return tokens[:n]
}

// isSignWithLineEnd reports whether a token is a sign with the line end behind it, "$\n" or "%\n". The lexer doesn't
// start a line behind it, as it does behind any other line end, so a closing marker in the next line doesn't count.
func isSignWithLineEnd(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenStringLit && startsWithSign(t) && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// tokens returns the tokens of src[from:end]. before is text that opens what is open at from (see statePrefix): it is
// lexed too, but its tokens are dropped. If it isn't empty, it starts with a line end.
func (l *lexer) tokens(before []byte, from, end int) hclsyntax.Tokens {
	text := l.closeComments(append(before, l.src[from:end]...), from-len(before), end)
	// Let the lexer start before l.at by the prefix, so that it gives the window its own offsets and lines.
	start := l.at
	start.Byte -= len(before)
	if len(before) > 0 {
		start.Line -= bytes.Count(before, []byte("\n"))
		start.Column = 1
	}
	// Only the columns of the window's first line come out wrong: the lexer starts it behind the prefix's last line.
	lexedColumn := len(before) - bytes.LastIndexByte(before, '\n')
	tokens, _ := l.lex(text, l.name, start)
	for len(before) > 0 && tokens[0].Range.Start.Byte < l.at.Byte { // drop those of before
		tokens = tokens[1:]
	}
	for i := range tokens {
		t := &tokens[i]
		if len(before) > 0 {
			l.shiftOnFirstLine(&t.Range.Start, l.at.Column-lexedColumn)
			l.shiftOnFirstLine(&t.Range.End, l.at.Column-lexedColumn)
		}
		if t.Range.End.Byte-l.offset > end {
			return tokens[:i] // the token contains the */ that closeComments has added
		}
		t.Bytes = l.src[t.Range.Start.Byte-l.offset : t.Range.End.Byte-l.offset]
		if t.Type == hclsyntax.TokenPlus && t.Bytes[0] == '*' { // closeComments replaced it
			t.Type = hclsyntax.TokenStar
		}
	}
	return tokens
}

// shiftOnFirstLine moves the column of a position on the line in which the window starts, since text before it adds
// to the columns there.
func (l *lexer) shiftOnFirstLine(p *hcl.Pos, by int) {
	if p.Line == l.at.Line {
		p.Column += by
	}
}

// closeComments changes the text of a window, which stands for src[from:end], so that each comment in it ends. If the
// window ends before src, it appends */, which closes a comment that the window cuts; tokens drops what that makes
// elsewhere. After the last */ of src, /* opens no comment but is two tokens; the lexer would search for an end
// behind each, which takes a second for 30 KB. So a plus replaces the star, in strings as well, and tokens restores
// it.
func (l *lexer) closeComments(text []byte, from, end int) []byte {
	lastSlash := l.lastEnd + 1 // of the last */, which may start a /* as well
	for at := max(0, lastSlash-from); at < len(text); at += 2 {
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

// statePrefix returns text to put before a window, nil for the first one: it opens all levels that are open at l.at,
// so that the lexer reads the window as it would behind the whole text. In a sequence in a string, it is "\n\"${ ".
// The levels start with the outermost template; code outside of templates is no level, and needs no opening.
func (l *lexer) statePrefix() []byte {
	if l.at.Byte == l.offset {
		return nil
	}
	// With a line end first, columns start anew, and the lexer doesn't skip a byte order mark as at the start of a
	// text.
	text := []byte("\n")
	for _, in := range l.levels {
		switch in.kind {
		case inQuotes:
			text = append(text, '"')
		case inHeredoc:
			text = append(text, in.opener...)
		default: // code in a sequence
			text = append(text, "${ "...)
			text = append(text, bytes.Repeat([]byte("{ "), in.braces)...)
		}
	}
	if n := len(l.levels); n > 0 && l.levels[n-1].midLine {
		text = append(text, "${0}"...) // the heredoc can't end on this line
	}
	return text
}

// mayGrow reports whether a larger window could make a token longer: a < that may open a heredoc whose marker reaches
// to the end of the window, or a number if, apart from dots, less than margin follows it there: the lexer reads 1...5
// as one number.
func (l *lexer) mayGrow(t hclsyntax.Token, end int) bool {
	switch t.Type {
	case hclsyntax.TokenLessThan:
		rest := l.src[t.Range.Start.Byte-l.offset : end]
		return bytes.HasPrefix(rest, []byte("<<")) && !bytes.ContainsAny(rest[2:], "\n \"<") // none can be in a marker
	case hclsyntax.TokenNumberLit:
		rest := l.src[t.Range.End.Byte-l.offset : end]
		return len(bytes.TrimLeft(rest, ".")) < margin // too few bytes follow the dots to tell whether it goes on
	}
	return false
}

// startsWithSign reports whether a literal or sequence starts with $ or %. The lexer makes a literal of each sign
// that could have started a sequence.
func startsWithSign(t hclsyntax.Token) bool {
	return len(t.Bytes) > 0 && (t.Bytes[0] == '$' || t.Bytes[0] == '%')
}

// endsLine reports whether a token is literal text to the end of a line. A sign with a line end, such as "$\n",
// doesn't count, since the lexer starts no line behind it.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenStringLit && !startsWithSign(t) && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// track updates the open levels for the next token: what is open, how many braces in it, and for a heredoc whether
// the next token is in the middle of a line. There, the heredoc's end marker doesn't count.
func (l *lexer) track(t hclsyntax.Token) {
	n := len(l.levels)
	switch t.Type {
	case hclsyntax.TokenOQuote:
		l.levels = append(l.levels, level{kind: inQuotes})
	case hclsyntax.TokenOHeredoc:
		l.levels = append(l.levels, level{kind: inHeredoc, opener: t.Bytes})
	case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		if n > 0 {
			l.levels[n-1].midLine = l.levels[n-1].kind == inHeredoc // behind the sequence, the line goes on
		}
		l.levels = append(l.levels, level{})
	case hclsyntax.TokenStringLit:
		if n > 0 && l.levels[n-1].kind == inHeredoc {
			l.levels[n-1].midLine = !endsLine(t)
		}
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		l.levels = l.levels[:n-1]
	case hclsyntax.TokenOBrace:
		l.addBraces(1)
	case hclsyntax.TokenCBrace:
		l.addBraces(-1)
	case hclsyntax.TokenTemplateSeqEnd:
		if n > 0 && l.levels[n-1].braces == 0 {
			l.levels = l.levels[:n-1]
		} else {
			l.addBraces(-1) // an error: ~} in place of a brace's }
		}
	}
}

// addBraces adds by to the number of open braces in the innermost level. Outside of templates there is no level, and
// no need to count them.
func (l *lexer) addBraces(by int) {
	if n := len(l.levels); n > 0 {
		l.levels[n-1].braces += by
	}
}

// Tokens returns the tokens of native text, of a file or an expression, as hclsyntax.LexConfig does. A short text
// takes the direct way, without windows.
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

// FindToken calls find with each token of native text, or of a template if isTemplate is set, until find returns
// true. It then stops, so that it lexes at most the rest of one window in vain.
func FindToken(src []byte, name string, isTemplate bool, find func(hclsyntax.Token) bool) {
	lex := lexFunc(hclsyntax.LexConfig)
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

// Words returns the tokens of native text, with adjacent literals joined up to the next sequence. The lexer makes
// at least one literal of each line of a heredoc, which is too fine for comparing or colouring text.
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

// A unit is the smallest part of a template that can be left out: some lines, or some tokens of a line. A sequence,
// or a pair of directives with the text between them, is always within one unit.
type unit struct {
	from, to cutPoint
	tokens   int
	traits
}

// A cutPoint is a position between two tokens, in the file and in the shortened text (out), at which a unit may end.
type cutPoint struct {
	pos hcl.Pos // in the file
	out int     // in shortener.out
	// atLineStart tells that the parser removes the indentation behind it. It doesn't in a line, or if a sequence
	// has stripped the line end.
	atLineStart bool
}

// traits tell whether a unit contains a sequence, and whether an opening brace. At least one unit with each trait
// must stay in the text: the parser treats a string without sequences differently, and after an error it looks for a
// brace.
type traits struct{ sequence, brace bool }

// A unitQueue divides the lines of a frame, or its current line, into units. The first units stay in the text;
// further ones wait until there are enough to be left out together.
type unitQueue struct {
	inLine        bool
	traits                 // of the units that stay in the text
	current       traits   // of the current unit
	currentTokens int      // of the current unit
	start         cutPoint // of the current unit, if started
	started       bool
	unitsSeen     int      // how many units so far
	waiting       []unit   // to be left out
	waitingTokens int      // tokens in waiting
	lastStretch   *stretch // what was left out last; units directly behind it are added to it
}

// addTokens counts tokens in the current unit, and notes what they contain.
func (q *unitQueue) addTokens(tokens int, t traits) {
	q.currentTokens += tokens
	q.current.sequence = q.current.sequence || t.sequence
	q.current.brace = q.current.brace || t.brace
}

// noteToken counts a token in the frame's current units. In a heredoc, or a text that is a template, it also looks at
// the indentation and the line end.
func (f *frame) noteToken(t hclsyntax.Token) {
	has := traits{sequence: isSequence(t), brace: t.Type == hclsyntax.TokenOBrace}
	f.tokens++
	f.anyBrace = f.anyBrace || has.brace
	f.lines.addTokens(1, has)
	f.inLine.addTokens(1, has)
	if f.kind != text && f.kind != body {
		return // code, or a string, which has no lines
	}
	f.root.noteIndent(t, has.sequence)
	f.lineEnded, f.lastEnd = endsLine(t), t.Range.End
}

// isSequence reports whether a token starts a sequence: ${ or %{.
func isSequence(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenTemplateInterp || t.Type == hclsyntax.TokenTemplateControl
}

// noteIndent updates f.indent, the indentation of the heredoc's least indented line so far, by the next token. The
// parser may find less, since it strips blanks first, but never more: a stand-in with less indentation than any line
// would change how much the parser removes from all lines.
func (f *frame) noteIndent(t hclsyntax.Token, isSequence bool) {
	isText := t.Type == hclsyntax.TokenStringLit
	f.indentIsFinal = f.indentIsFinal || !isText && !isSequence
	if f.indentIsFinal {
		return // the parser looks at no more lines
	}
	// ${~ strips the line end before it, so it starts a line only as the first token of the template.
	startsLine := f.atLineStart && (f.isEmpty || !stripsBefore(t))
	switch {
	case startsLine && isSequence:
		f.indent = 0
	case startsLine && isText:
		if n, matters := indentation(string(t.Bytes)); matters {
			f.indent = min(f.indent, n)
		}
	}
	// Behind ~} the parser strips blank text, line end and all, so no line starts behind it.
	isGone := f.stripsNext && len(bytes.TrimLeftFunc(t.Bytes, unicode.IsSpace)) == 0
	f.atLineStart = isText && !isGone && bytes.HasSuffix(t.Bytes, []byte("\n"))
	f.isEmpty, f.stripsNext = false, false
}

// stripsBefore reports whether a token starts a sequence that strips the blanks before it (${~ or %{~).
func stripsBefore(t hclsyntax.Token) bool {
	return isSequence(t) && len(t.Bytes) == 3
}

// indentation returns the number of blanks at the start of a line, in characters. matters is false for a blank line,
// which <<- disregards when it looks for the least indented one. line is its text up to the line end or a sequence.
func indentation(line string) (n int, matters bool) {
	rest := strings.TrimLeftFunc(line, unicode.IsSpace)
	if rest == "" && strings.HasSuffix(line, "\n") { // without a line end, a sequence follows the blanks
		return 0, false
	}
	for blanks := []byte(line[:len(line)-len(rest)]); len(blanks) > 0; n++ {
		size, _, _ := textseg.ScanGraphemeClusters(blanks, true)
		blanks = blanks[size:]
	}
	return n, true
}

// startLineUnit starts a new unit of lines after a line end, when the next token is known: if that strips the line
// end, as ${~ does, both must stay in one unit.
func (s *shortener) startLineUnit(f *frame, next hclsyntax.Token) {
	f.lineEnded = false
	if !stripsBefore(next) {
		start := cutPoint{pos: f.lastEnd, out: len(s.out), atLineStart: f.root.atLineStart} // in the file and in out
		s.nextUnit(f, &f.lines, start)
	}
}

// nextUnit ends the current unit of a queue at a position, decides whether it stays in the text, and starts the next
// unit there.
func (s *shortener) nextUnit(f *frame, q *unitQueue, here cutPoint) {
	if q.started {
		s.decide(f, q, unit{from: q.start, to: here, tokens: q.currentTokens, traits: q.current})
	}
	here.out = len(s.out) // decide may have left something out
	q.start, q.started = here, true
	q.currentTokens, q.current = 0, traits{}
}

// decide lets the unit u, which ends here, stay in the text or wait to be left out. The first limit.lines units stay;
// so do the first one with a sequence, the first one with a brace (see traits), and those with an error to report.
// Once enough units wait, it leaves them out.
func (s *shortener) decide(f *frame, q *unitQueue, u unit) {
	q.unitsSeen++
	isFirstOfKind := u.sequence && !q.sequence || u.brace && !q.brace
	// In a label, each sequence is an error. The first one stays as the first of its kind.
	isError := u.sequence && q.sequence && f.keepForError()
	if q.unitsSeen <= limit.lines || isFirstOfKind || isError { // it stays
		s.leaveOut(f, q) // the units before it that wait, if any
		q.sequence = q.sequence || u.sequence
		q.brace = q.brace || u.brace
		return
	}
	q.wait(u)
	// With <<-, the stand-in needs an indentation: wait for the first line that has one.
	if q.waitingTokens >= limit.atOnce && (!f.stripsIndent || f.root.indent < noIndent) {
		s.leaveOut(f, q)
	}
}

// keepForError reports whether a unit with a sequence must stay in the text, so that the parser reports the sequence:
// in a label, it is an error. It counts these units: after limit.invalid of them, further ones may be left out.
func (f *frame) keepForError() bool {
	if !f.root.refusesSequences || f.root.invalidUnits >= limit.invalid {
		return false
	}
	f.root.invalidUnits++
	return true
}

// wait adds a unit to those that wait. It merges adjacent lines without sequences into one unit, which costs less:
// they can't have errors, so nothing needs to divide them.
func (q *unitQueue) wait(u unit) {
	q.waitingTokens += u.tokens
	if n := len(q.waiting); n > 0 && !u.sequence && !q.inLine {
		if last := &q.waiting[n-1]; !last.sequence && last.tokens < limit.atOnce {
			last.to = u.to
			last.tokens += u.tokens
			return
		}
	}
	q.waiting = append(q.waiting, u)
}

// endLines ends the units of a frame when its template ends, or at a directive, and leaves out what waits.
func (s *shortener) endLines(f *frame) {
	s.endLine(f)
	// At else, the frame goes on, and so do the traits: without them, more units with a sequence or brace would stay.
	kept := f.lines.traits
	s.endQueue(f, &f.lines)
	f.lines.traits = kept
	f.lineEnded = false
}

// endQueue leaves out the waiting units, if they are enough to be worth it, and empties the queue.
func (s *shortener) endQueue(f *frame, q *unitQueue) {
	if q.waitingTokens >= limit.atOnce {
		s.leaveOut(f, q)
	}
	*q = unitQueue{inLine: q.inLine}
}

// leaveOut replaces the waiting units by stand-ins, except those with errors. The text after the first of them has
// been copied already, so it cuts that off and appends again what stays.
func (s *shortener) leaveOut(f *frame, q *unitQueue) {
	units, tokens := q.waiting, q.waitingTokens
	q.waiting, q.waitingTokens = units[:0], 0
	if len(units) == 0 {
		return
	}
	if q.inLine { // they no longer count in the unit of lines that holds this line, nor in the template
		f.lines.currentTokens -= tokens
		f.tokens -= tokens
	}
	from, to := units[0].from.out, units[len(units)-1].to.out
	cutOff := bytes.Clone(s.out[from:])
	nested := s.placesFrom(from) // the stretches with stand-ins in cutOff that putBack hasn't passed yet
	attempts := s.parseInSteps(f, q, units, nested)
	s.out = s.out[:from]
	for _, p := range attempts {
		if p.isLeftOut {
			s.replaceUnits(f, q, p)
			continue
		}
		nested = s.putBack(cutOff, from, p.from.out, p.to.out, nested)
	}
	s.putBack(cutOff, from, to, from+len(cutOff), nested) // the text behind the units
}

// placesFrom removes from s.placed the stretches whose stand-ins start at an offset of the shortened text or behind
// it, and returns them.
func (s *shortener) placesFrom(from int) []*stretch {
	n := len(s.placed)
	for n > 0 && s.placed[n-1].out >= from {
		n--
	}
	moved := append([]*stretch(nil), s.placed[n:]...)
	s.placed = s.placed[:n]
	return moved
}

// putBack appends to the shortened text the part of cutOff that was between the offsets from and to there; leaveOut
// has cut off cutOff at the offset base. nested are stretches with stand-ins in cutOff, in order: those in the part
// move with it and return to s.placed, and those before it are dropped, since they were left out with their units. It
// returns those behind the part, for the next call.
func (s *shortener) putBack(cutOff []byte, base, from, to int, nested []*stretch) []*stretch {
	by := len(s.out) - from // how far the part moves
	s.out = append(s.out, cutOff[from-base:to-base]...)
	for len(nested) > 0 && nested[0].out < to {
		if st := nested[0]; st.out >= from {
			st.out += by
			s.placed = append(s.placed, st)
		}
		nested = nested[1:]
	}
	return nested
}

// A lineVisitor calls onLine or onSequence for each line of a heredoc's parsed parts, in order to measure or remove
// the indentation. The parser does that with tokens, before it makes parts of them.
type lineVisitor struct {
	s           *shortener
	atLineStart bool                     // the next part begins a line
	onLine      func(text string) string // called for each line that starts with text; its result replaces the text
	onSequence  func()                   // called for each line that starts with a sequence, so isn't indented
}

// leastIndent returns the indentation of the least indented line of some parts, or noIndent if no line has any text.
// atLineStart tells that the parts begin a line.
func (s *shortener) leastIndent(parts []hclsyntax.Expression, atLineStart bool) int {
	least := noIndent
	v := lineVisitor{s: s, atLineStart: atLineStart}
	v.onLine = func(text string) string {
		if n, matters := indentation(text); matters {
			least = min(least, n)
		}
		return text
	}
	v.onSequence = func() { least = 0 } // called only for a sequence that begins a line
	v.visit(parts)
	return least
}

// removeIndent removes a number of blanks from the start of each line of omitted parts, as the parser did to their
// stand-in: like the parser, it counts grapheme clusters, and leaves blank lines as they are. atLineStart tells that
// the parts begin a line.
func (s *shortener) removeIndent(parts []hclsyntax.Expression, blanks int, atLineStart bool) {
	v := lineVisitor{s: s, atLineStart: atLineStart, onSequence: func() {}} // before a sequence there are no blanks
	v.onLine = func(text string) string {
		if _, matters := indentation(text); !matters {
			return text
		}
		rest := []byte(text)
		for range blanks {
			n, _, _ := textseg.ScanGraphemeClusters(rest, true)
			rest = rest[n:]
		}
		return text[len(text)-len(rest):]
	}
	v.visit(parts)
}

// visit calls onLine or onSequence for each line that starts in parts, including those between directives.
func (v *lineVisitor) visit(parts []hclsyntax.Expression) {
	for _, p := range parts {
		switch p := p.(type) {
		case *hclsyntax.LiteralValueExpr:
			if isText(p) {
				v.visitLiteral(p)
				continue
			}
		case *hclsyntax.ConditionalExpr:
			if v.s.src[p.SrcRange.Start.Byte-v.s.offset] == '%' { // %{ if a }, not ${a ? b : c}
				v.visitSequence()
				v.visitBranch(p.TrueResult)
				v.visitBranch(p.FalseResult)
				continue
			}
		case *hclsyntax.TemplateJoinExpr: // %{ for a in b }
			v.visitSequence()
			v.visitBranch(p.Tuple.(*hclsyntax.ForExpr).ValExpr)
			continue
		}
		v.visitSequence() // an interpolation
	}
}

// visitBranch visits the parts between two directives, and then the second directive as a sequence.
func (v *lineVisitor) visitBranch(e hclsyntax.Expression) {
	v.visit(e.(*hclsyntax.TemplateExpr).Parts)
	v.visitSequence()
}

// visitSequence visits a sequence, which may start a line.
func (v *lineVisitor) visitSequence() {
	if v.atLineStart {
		v.onSequence()
	}
	v.atLineStart = false
}

// visitLiteral visits the lines of literal text, and replaces the text by what onLine made of them.
func (v *lineVisitor) visitLiteral(lit *hclsyntax.LiteralValueExpr) {
	if lit.SrcRange.Empty() {
		return // nothing is in the file, as in an empty branch of a directive
	}
	text := lit.Val.AsString()
	var out strings.Builder
	for line := range strings.Lines(text) {
		if v.atLineStart {
			out.WriteString(v.onLine(line))
		} else {
			out.WriteString(line)
		}
		v.atLineStart = strings.HasSuffix(line, "\n")
	}
	if text == "" && v.atLineStart {
		v.onLine("") // a ${~ behind its blanks has stripped them: a line without indentation
		v.atLineStart = false
	}
	if out.Len() != len(text) { // onLine has shortened a line
		lit.Val = cty.StringVal(out.String())
	}
}
