package outline

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// expression scans an expression, such as a + b or a ? b : c, and the blanks after it. The caller decides whether
// what follows may follow. The expression behind a colon is the next pass of the loop, although the parser recurses
// for it, too.
func (s *Scanner) expression(mode lineMode, depth level) bool {
	for {
		if !s.operation(mode, depth) {
			return false
		}
		if s.peek(0) != '?' {
			return true
		}
		s.finishToken(1)
		depth += 2 // for each ?, as in a ? b : c ? d : e, ParseExpression and parseTernaryConditional call each other
		if !s.expression(mode, depth) || s.peek(0) != ':' || s.peek(1) == ':' {
			return false
		}
		s.finishToken(1)
	}
}

// operation scans operands and the binary operators between them. It ignores precedence, which doesn't affect
// whether the parser accepts the text. Each operator adds to the depth, because the parser nests them.
func (s *Scanner) operation(mode lineMode, depth level) bool {
	for {
		if !s.operand(mode, &depth) || !s.skipBlanks(mode) {
			return false
		}
		n := s.operator()
		if n == 0 {
			return true
		}
		s.finishToken(n)
		depth++
	}
}

// operator returns the length of the next token if that is a binary operator, or else 0. It doesn't move.
func (s *Scanner) operator() int {
	switch c, next := s.peek(0), s.peek(1); c {
	case '+', '-', '*', '%':
		return 1
	case '/':
		if next != '/' {
			return 1
		}
	case '=', '!':
		if next == '=' {
			return 2
		}
	case '<', '>':
		switch {
		case next == '=':
			return 2
		case c == '<' && next == '<':
			return 0 // may be a heredoc
		}
		return 1
	case '&', '|':
		if next == c {
			return 2
		}
	}
	return 0
}

// operand scans a term with the signs before it and the accesses after it, as in -a[0].b. It adds their nesting to
// depth, for the caller as well.
func (s *Scanner) operand(mode lineMode, depth *level) bool {
	for {
		*depth++
		if *depth > maxDepth || !s.skipBlanks(mode) {
			return false
		}
		switch c := s.peek(0); {
		case c == '-', c == '!' && s.peek(1) != '=':
			s.finishToken(1)
		default:
			return s.term(mode, *depth) && s.accesses(mode, depth)
		}
	}
}

// term scans an operand without signs and accesses: its first byte tells what it is.
func (s *Scanner) term(mode lineMode, depth level) bool {
	switch c := s.peek(0); {
	case classOf[c].starts():
		return s.name() && s.call(mode, depth)
	case c == '"':
		return s.quoted(depth)
	case isDigit(c):
		return s.number()
	case c == '[':
		return s.tuple(depth)
	case c == '{':
		return s.object(depth)
	case c == '(':
		s.finishToken(1)
		return s.bracketed(')', depth)
	case c == '<':
		return s.heredoc(depth, nil)
	}
	return false
}

// bracketed scans an expression in brackets, from behind the opening one through the closing one.
func (s *Scanner) bracketed(closing byte, depth level) bool {
	return s.expression(lineEndsAreBlank, depth) && s.closingBracket(closing)
}

// closingBracket scans a closing bracket and the blanks before it.
func (s *Scanner) closingBracket(closing byte) bool {
	return s.skipBlanks(lineEndsAreBlank) && s.peek(0) == closing && s.finishToken(1)
}

// number scans a number whose value is certain to be in range: one of few digits with a small exponent. It isn't
// sure if a dot or a name follows directly, as in 1.a.
func (s *Scanner) number() bool {
	const maxDigits, maxExponent = 60, 2
	n := s.digits(0)
	if s.peek(n) == '.' && isDigit(s.peek(n+1)) {
		n += 1 + s.digits(n+1)
	}
	if n > maxDigits {
		return false
	}
	if c := s.peek(n); c == 'e' || c == 'E' {
		exp := n + 1 // where the exponent's digits start, behind any sign
		if c := s.peek(exp); c == '+' || c == '-' {
			exp++
		}
		digits := s.digits(exp)
		if digits == 0 || digits > maxExponent {
			return false
		}
		n = exp + digits
	}
	if c := s.peek(n); c == '.' || classOf[c].continues() && c != '-' {
		return false
	}
	return s.finishToken(n)
}

// digits returns the number of consecutive digits that start by bytes ahead.
func (s *Scanner) digits(by int) int {
	n := 0
	for isDigit(s.peek(by + n)) {
		n++
	}
	return n
}

// call scans what follows a name: nothing, or the rest of a function call. That is the rest of a namespaced name, if
// any, and the arguments, as in ::b(c) after a.
func (s *Scanner) call(mode lineMode, depth level) bool {
	if !s.skipBlanks(mode) {
		return false
	}
	inNamespace := false
	for s.peek(0) == ':' && s.peek(1) == ':' {
		inNamespace = true
		s.finishToken(2)
		depth++
		if depth > maxDepth || !s.skipBlanks(mode) || !s.name() || !s.skipBlanks(mode) {
			return false
		}
	}
	if s.peek(0) != '(' {
		return !inNamespace
	}
	s.finishToken(1)
	return s.arguments(depth)
}

// arguments scans the arguments of a function, from behind the opening parenthesis through the closing one.
func (s *Scanner) arguments(depth level) bool {
	for {
		if !s.skipBlanks(lineEndsAreBlank) {
			return false
		}
		if s.peek(0) == ')' {
			return s.finishToken(1)
		}
		if !s.expression(lineEndsAreBlank, depth) {
			return false
		}
		switch {
		case s.peek(0) == ')':
			return s.finishToken(1)
		case s.peek(0) == ',':
			s.finishToken(1)
		case s.isEllipsis():
			s.finishToken(3)
			return s.closingBracket(')')
		default:
			return false
		}
	}
}

// isEllipsis reports whether the next token is "...".
func (s *Scanner) isEllipsis() bool {
	return s.peek(0) == '.' && s.peek(1) == '.' && s.peek(2) == '.'
}

// accesses scans what follows a term: any number of attributes, indexes and splats, as in .a[0].*. Each index adds
// to the depth, because the parser nests everything before it.
func (s *Scanner) accesses(mode lineMode, depth *level) bool {
	inSplat := false // behind .* and no index in brackets since: see afterDot, which sets it
	for {
		if !s.skipBlanks(mode) {
			return false
		}
		switch s.peek(0) {
		case '.':
			if s.peek(1) == '.' {
				return s.peek(2) == '.' // an ellipsis, which the caller may accept
			}
			s.finishToken(1)
			if !s.afterDot(mode, &inSplat, depth) {
				return false
			}
		case '[':
			inSplat = false
			s.finishToken(1)
			*depth++
			if *depth > maxDepth || !s.index(mode, *depth) {
				return false
			}
		default:
			return true
		}
	}
}

// afterDot scans what follows a dot: a name, a number, or a star. The parser refuses a second star, as in a.*.b.*,
// unless an index in brackets comes between them; inSplat keeps track of that.
func (s *Scanner) afterDot(mode lineMode, inSplat *bool, depth *level) bool {
	if !s.skipBlanks(mode) {
		return false
	}
	switch c := s.peek(0); {
	case isDigit(c):
		return s.legacyIndex()
	case c == '*':
		*depth++
		if *inSplat || *depth > maxDepth {
			return false
		}
		*inSplat = true
		return s.finishToken(1)
	}
	return s.name()
}

// legacyIndex scans the digits of an index such as a.0. It isn't sure where the lexer would read them as part of a
// number with a fraction or an exponent, as in a.0.1 and a.0.e1, or of a word such as 0a.
func (s *Scanner) legacyIndex() bool {
	const maxDigits = 19 // no list has longer indexes; those are left to the parser
	n := s.digits(0)
	next := s.peek(n)
	if next == '.' {
		switch c := s.peek(n + 1); {
		case c == '.' || isDigit(c):
			return false
		case c == 'e' || c == 'E':
			if after := s.peek(n + 2); isDigit(after) || after == '+' || after == '-' {
				return false
			}
		}
	}
	isEnd := next == '-' || !classOf[next].continues() // a minus continues names, but not numbers
	return n <= maxDigits && isEnd && s.finishToken(n)
}

// index scans an index or a splat, as in [0] or [*], from behind the opening bracket through the closing one.
func (s *Scanner) index(mode lineMode, depth level) bool {
	if !s.skipBlanks(mode) {
		return false
	}
	if s.peek(0) == '*' {
		s.finishToken(1)
		return s.skipBlanks(mode) && s.peek(0) == ']' && s.finishToken(1)
	}
	return s.bracketed(']', depth)
}

// quoted scans a quoted template, from its opening quote. It is false if the template isn't closed or leaves a
// directive such as %{ if a } open, or if only the parser can tell.
func (s *Scanner) quoted(depth level) bool {
	firstOpen := len(s.directives)
	for s.at++; s.at < len(s.src); {
		switch c := s.src[s.at]; {
		case c == '"':
			return len(s.directives) == firstOpen && s.finishToken(1)
		case s.atSequence():
			if !s.sequence(firstOpen, depth) {
				return false
			}
		case !s.quotedCharacter():
			return false
		}
	}
	return false
}

// quotedCharacter scans a character or an escape sequence of a quoted template.
func (s *Scanner) quotedCharacter() bool {
	switch c := s.peek(0); {
	case c == '\n' || c == '\r' || s.at == len(s.src):
		return false
	case c == '\\':
		return s.escape()
	case c == '$' || c == '%':
		return s.plainMarker()
	case c >= 0x80:
		return s.character()
	}
	s.at++
	return true
}

// atSequence reports whether an interpolation or a directive starts here.
func (s *Scanner) atSequence() bool {
	return (s.peek(0) == '$' || s.peek(0) == '%') && s.peek(1) == '{'
}

// plainMarker scans a $ or % that starts no sequence, or all of the escapes $${ and %%{.
func (s *Scanner) plainMarker() bool {
	if s.peek(1) == s.peek(0) && s.peek(2) == '{' {
		s.at += 2
	}
	s.at++
	return true
}

// escape scans an escape sequence such as \n, from its backslash. It is false if the parser would report an error.
func (s *Scanner) escape() bool {
	n := 0
	switch s.peek(1) {
	case 'n', 'r', 't', '"', '\\':
	case 'u':
		n = 4
	case 'U':
		n = 8
	default:
		return false
	}
	value := rune(0)
	for i := range n {
		digit := s.peek(2 + i)
		if !isHex(digit) || value > utf8.MaxRune { // a further digit might overflow
			return false
		}
		value = value<<4 | rune(hexValue(digit))
	}
	s.at += 2 + n // the backslash, the letter and the digits
	return utf8.ValidRune(value)
}

// hexValue returns the value of a hexadecimal digit.
func hexValue(c byte) byte {
	switch {
	case isDigit(c):
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

// sequence scans an interpolation or a directive, ${...} or %{...}. s.directives[firstOpen:] are the open directives
// of the template it's in.
func (s *Scanner) sequence(firstOpen int, depth level) bool {
	isDirective := s.peek(0) == '%'
	s.at += 2
	if s.peek(0) == '~' { // a strip marker
		s.at++
	}
	depth += level(len(s.directives)-firstOpen) + 1 // the parser nests what is inside open directives
	if isDirective {
		if !s.directive(firstOpen, depth) {
			return false
		}
	} else if !s.expression(lineEndsAreBlank, depth) {
		return false
	}
	if !s.skipBlanks(lineEndsAreBlank) {
		return false
	}
	if s.peek(0) == '~' {
		s.at++
	}
	return s.peek(0) == '}' && s.finishToken(1)
}

// The states of an open directive: what may end it.
const (
	elseOrEndif byte = iota
	onlyEndif
	onlyEndfor
)

// directive scans a directive up to its closing brace, and updates s.directives: if and for add one, endif and
// endfor end the innermost one. s.directives[firstOpen:] are those of the same template.
func (s *Scanner) directive(firstOpen int, depth level) bool {
	if !s.skipBlanks(lineEndsAreBlank) {
		return false
	}
	innermost := byte(0xff) // none is open
	if len(s.directives) > firstOpen {
		innermost = s.directives[len(s.directives)-1]
	}
	switch {
	case s.isNext("if"):
		s.directives = append(s.directives, elseOrEndif)
		return s.name() && s.expression(lineEndsAreBlank, depth)
	case s.isNext("for"):
		s.directives = append(s.directives, onlyEndfor)
		return s.loopHead(depth)
	case s.isNext("else") && innermost == elseOrEndif:
		s.directives[len(s.directives)-1] = onlyEndif
		return s.name()
	case s.isNext("endif") && (innermost == elseOrEndif || innermost == onlyEndif),
		s.isNext("endfor") && innermost == onlyEndfor:
		s.directives = s.directives[:len(s.directives)-1]
		return s.name()
	}
	return false
}

// heredoc scans a heredoc from its << up to the line end after its closing marker. If visit isn't nil, it calls
// visit with each line between the markers, line end included.
func (s *Scanner) heredoc(depth level, visit func(line []byte)) bool {
	if s.peek(1) != '<' {
		return false
	}
	// The opener: <<, perhaps a minus, the marker, and a line end right behind it.
	s.at += len("<<")
	if s.peek(0) == '-' {
		s.at++
	}
	from := s.at
	if !s.name() {
		return false
	}
	marker := s.src[from:s.at]
	if s.peek(0) == '\r' {
		s.at++
	}
	if s.peek(0) != '\n' {
		return false
	}
	s.lineEnd()
	// Lines up to the closing marker, by which all directives must be closed.
	firstOpen := len(s.directives)
	for s.at < len(s.src) {
		if line, ok := s.closingLine(marker); ok {
			return len(s.directives) == firstOpen && hasPlainBlanks(line) && s.finishToken(len(line))
		}
		from := s.at
		if !s.heredocLine(firstOpen, depth) {
			return false
		}
		if visit != nil {
			visit(s.src[from:s.at])
		}
	}
	return false
}

// closingLine returns the line that starts here, without its line end. ok is true if the line has the marker and
// nothing else, so that it ends the heredoc.
func (s *Scanner) closingLine(marker []byte) (line []byte, ok bool) {
	rest := s.src[s.at:]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		return nil, false
	}
	line = bytes.TrimSuffix(rest[:n], []byte("\r"))
	if len(line) < len(marker) || !bytes.Equal(bytes.TrimSpace(line), marker) {
		return nil, false
	}
	return line, true
}

// hasPlainBlanks reports whether a heredoc's closing line has no other blanks around its marker than spaces and tabs.
// The lexer accepts others as well, such as form feeds and no-break spaces, but these are left to the parser.
func hasPlainBlanks(line []byte) bool {
	return !slices.ContainsFunc(line, func(c byte) bool { return c < ' ' && c != '\t' || c >= 0x80 })
}

// heredocLine scans the rest of a line of a heredoc. If a sequence spans lines, that includes the rest of the line
// where it ends. s.directives[firstOpen:] are the open directives of the heredoc.
func (s *Scanner) heredocLine(firstOpen int, depth level) bool {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == '\n':
			s.lineEnd()
			return true
		case c == '\r' && s.peek(1) != '\n':
			return false
		case s.atSequence():
			if !s.sequence(firstOpen, depth) {
				return false
			}
		case c == '$' || c == '%':
			if !s.plainMarker() {
				return false
			}
		case c >= 0x80:
			if !s.character() {
				return false
			}
		default:
			s.at++
		}
	}
	return false
}

// tuple scans a tuple such as [a, b], or a for expression that makes one.
func (s *Scanner) tuple(depth level) bool {
	s.finishToken(1)
	if !s.skipBlanks(lineEndsAreBlank) {
		return false
	}
	if s.isNext("for") {
		return s.loop(']', depth)
	}
	for {
		if !s.skipBlanks(lineEndsAreBlank) {
			return false
		}
		if s.peek(0) == ']' {
			return s.finishToken(1)
		}
		if !s.expression(lineEndsAreBlank, depth) {
			return false
		}
		switch s.peek(0) {
		case ']':
			return s.finishToken(1)
		case ',':
			s.finishToken(1)
		default:
			return false
		}
	}
}

// object scans an object such as {a = b}, or a for expression that makes one. Line ends separate its elements, even
// if the object is inside other brackets.
func (s *Scanner) object(depth level) bool {
	s.finishToken(1)
	if !s.skipBlanks(lineEndsAreBlank) {
		return false
	}
	if s.isNext("for") {
		return s.loop('}', depth)
	}
	for {
		if !s.skipEmptyLines() {
			return false
		}
		if s.peek(0) == '}' {
			return s.finishToken(1)
		}
		if !s.element(depth) {
			return false
		}
		switch {
		case s.peek(0) == '}':
			return s.finishToken(1)
		case s.peek(0) == ',':
			s.finishToken(1)
		case s.at < len(s.src) && s.atLineEnd():
			s.lineEnd()
		default:
			return false
		}
	}
}

// element scans a key and its value in an object: a = b or a : b.
func (s *Scanner) element(depth level) bool {
	if !s.expression(lineEndsAreTokens, depth) {
		return false
	}
	switch c, next := s.peek(0), s.peek(1); {
	case c == '=' && next != '>', c == ':' && next != ':':
		s.finishToken(1)
		return s.expression(lineEndsAreTokens, depth)
	}
	return false
}

// loop scans a for expression such as [for a in b : c if d], from behind its opening bracket through the closing
// one, which tells whether it makes a tuple or an object.
func (s *Scanner) loop(closing byte, depth level) bool {
	if !s.loopHead(depth) || s.peek(0) != ':' || s.peek(1) == ':' {
		return false
	}
	s.finishToken(1)
	if !s.expression(lineEndsAreBlank, depth) {
		return false
	}
	makesObject := closing == '}'
	hasArrow := s.peek(0) == '=' && s.peek(1) == '>' // as in { for a in b : c => d }
	if hasArrow != makesObject {
		return false
	}
	if hasArrow {
		s.finishToken(2)
		if !s.expression(lineEndsAreBlank, depth) {
			return false
		}
	}
	if s.isEllipsis() { // it groups the values by key, so only in an object
		s.finishToken(3)
		if !makesObject || !s.skipBlanks(lineEndsAreBlank) {
			return false
		}
	}
	if s.isNext("if") && (!s.name() || !s.expression(lineEndsAreBlank, depth)) {
		return false
	}
	return s.closingBracket(closing)
}

// loopHead scans "for NAME, NAME in COLLECTION".
func (s *Scanner) loopHead(depth level) bool {
	if !s.name() || !s.variable() {
		return false
	}
	if s.peek(0) == ',' {
		s.finishToken(1)
		if !s.variable() {
			return false
		}
	}
	return s.isNext("in") && s.name() && s.expression(lineEndsAreBlank, depth)
}

// variable scans the name of a for expression's variable, and the blanks around it.
func (s *Scanner) variable() bool {
	return s.skipBlanks(lineEndsAreBlank) && s.name() && s.skipBlanks(lineEndsAreBlank)
}
