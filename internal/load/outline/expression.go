package outline

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// expression scans an expression and the blanks after it. The caller decides whether valid text
// follows.
func (s *Scanner) expression(count lines, in level) bool {
	for {
		if !s.operation(count, in) {
			return false
		}
		if s.peek(0) != '?' {
			return true
		}
		s.token(1)
		if in += 2; !s.expression(count, in) || s.peek(0) != ':' || s.peek(1) == ':' {
			return false
		}
		s.token(1)
	}
}

// operation scans operands and the operators between them. Precedence doesn't affect whether the
// text is accepted. Each operator is a level, because the parser nests them.
func (s *Scanner) operation(count lines, in level) bool {
	for {
		if !s.operand(count, &in) || !s.blanks(count) {
			return false
		}
		n := s.operator()
		if n == 0 {
			return true
		}
		s.token(n)
		in++
	}
}

// operator returns the length of the next token if it is a binary operator, or else 0.
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

// operand scans a term with the signs before it and the attributes, indexes and splats after
// it.
func (s *Scanner) operand(count lines, in *level) bool {
	for {
		if *in++; *in > maxDepth || !s.blanks(count) {
			return false
		}
		switch c := s.peek(0); {
		case c == '-', c == '!' && s.peek(1) != '=':
			s.token(1)
		default:
			return s.term(count, *in) && s.steps(count, in)
		}
	}
}

// term scans an operand without signs and steps: its first byte tells what it is.
func (s *Scanner) term(count lines, in level) bool {
	switch c := s.peek(0); {
	case classes[c].starts():
		return s.name() && s.call(count, in)
	case c == '"':
		return s.quoted(in)
	case isDigit(c):
		return s.number()
	case c == '[':
		return s.tuple(in)
	case c == '{':
		return s.object(in)
	case c == '(':
		s.token(1)
		return s.inside(')', in)
	case c == '<':
		return s.heredoc(in, nil)
	}
	return false
}

// inside scans an expression in brackets, from after the opening one through the closing one.
func (s *Scanner) inside(closing byte, in level) bool {
	return s.expression(noLineEnds, in) && s.closes(closing)
}

// closes scans a closing bracket and the blanks before it.
func (s *Scanner) closes(closing byte) bool {
	return s.blanks(noLineEnds) && s.peek(0) == closing && s.token(1)
}

// number scans a number with few digits and a small exponent, whose value is certain to be in
// range.
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
		exp := n + 1
		if c := s.peek(exp); c == '+' || c == '-' {
			exp++
		}
		digits := s.digits(exp)
		if digits == 0 || digits > maxExponent {
			return false
		}
		n = exp + digits
	}
	if c := s.peek(n); c == '.' || classes[c].continues() && c != '-' {
		return false
	}
	return s.token(n)
}

// digits returns the number of consecutive digits by bytes ahead.
func (s *Scanner) digits(by int) int {
	n := 0
	for isDigit(s.peek(by + n)) {
		n++
	}
	return n
}

// call scans the rest of a function call, if a name starts one: the rest of its namespace, and its
// arguments.
func (s *Scanner) call(count lines, in level) bool {
	if !s.blanks(count) {
		return false
	}
	inNamespace := false
	for s.peek(0) == ':' && s.peek(1) == ':' {
		inNamespace = true
		s.token(2)
		if in++; in > maxDepth || !s.blanks(count) || !s.name() || !s.blanks(count) {
			return false
		}
	}
	if s.peek(0) != '(' {
		return !inNamespace
	}
	s.token(1)
	return s.arguments(in)
}

// arguments scans the arguments of a function, through the closing parenthesis.
func (s *Scanner) arguments(in level) bool {
	for {
		if !s.blanks(noLineEnds) {
			return false
		}
		if s.peek(0) == ')' {
			return s.token(1)
		}
		if !s.expression(noLineEnds, in) {
			return false
		}
		switch {
		case s.peek(0) == ')':
			return s.token(1)
		case s.peek(0) == ',':
			s.token(1)
		case s.isEllipsis():
			s.token(3)
			return s.closes(')')
		default:
			return false
		}
	}
}

func (s *Scanner) isEllipsis() bool {
	return s.peek(0) == '.' && s.peek(1) == '.' && s.peek(2) == '.'
}

// steps scans the steps after a term: attributes, indexes and splats. Each index is a level,
// because the parser nests everything before it.
func (s *Scanner) steps(count lines, in *level) bool {
	inSplat := false
	for {
		if !s.blanks(count) {
			return false
		}
		switch s.peek(0) {
		case '.':
			if s.peek(1) == '.' {
				return s.peek(2) == '.'
			}
			s.token(1)
			if !s.attribute(count, &inSplat, in) {
				return false
			}
		case '[':
			inSplat = false
			s.token(1)
			if *in++; *in > maxDepth || !s.index(count, *in) {
				return false
			}
		default:
			return true
		}
	}
}

// attribute scans the step after a dot: a name, a number, or a star. After a star, an index must
// come before the next star.
func (s *Scanner) attribute(count lines, inSplat *bool, in *level) bool {
	if !s.blanks(count) {
		return false
	}
	switch c := s.peek(0); {
	case isDigit(c):
		return s.legacyIndex()
	case c == '*':
		*in++
		if *inSplat || *in > maxDepth {
			return false
		}
		*inSplat = true
		return s.token(1)
	}
	return s.name()
}

// legacyIndex scans digits after a dot. It is not sure where the lexer would read them as part
// of a number with a fraction or an exponent, as in a.0.1 and a.0.e1.
func (s *Scanner) legacyIndex() bool {
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
	return n < 20 && (next == '-' || !classes[next].continues()) && s.token(n)
}

// index scans an index or a splat, from after its opening bracket through the closing one.
func (s *Scanner) index(count lines, in level) bool {
	if !s.blanks(count) {
		return false
	}
	if s.peek(0) == '*' {
		s.token(1)
		return s.blanks(count) && s.peek(0) == ']' && s.token(1)
	}
	return s.inside(']', in)
}

// quoted scans a quoted template, at its opening quote. It is false if the template isn't closed, or leaves
// a directive open, or if only the parser knows.
func (s *Scanner) quoted(in level) bool {
	open := len(s.directives)
	for s.at++; s.at < len(s.src); {
		switch c := s.src[s.at]; {
		case c == '"':
			return len(s.directives) == open && s.token(1)
		case s.atSequence():
			if !s.sequence(open, in) {
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

// plainMarker scans a dollar or percent sign that starts no sequence, or all of $${ and %%{.
func (s *Scanner) plainMarker() bool {
	if s.peek(1) == s.peek(0) && s.peek(2) == '{' {
		s.at += 2
	}
	s.at++
	return true
}

// escape scans an escape sequence, at the backslash. It is false if the parser would report the sequence.
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
		if !isHex(digit) || value > utf8.MaxRune {
			return false
		}
		value = value<<4 | rune(hexValue(digit))
	}
	s.at += 2 + n
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

// sequence scans an interpolation or a directive. s.directives[open:] are the template's
// directives that wait for their end.
func (s *Scanner) sequence(open int, in level) bool {
	isDirective := s.peek(0) == '%'
	s.at += 2
	if s.peek(0) == '~' {
		s.at++
	}
	in += level(len(s.directives)-open) + 1
	if isDirective {
		if !s.directive(open, in) {
			return false
		}
	} else if !s.expression(noLineEnds, in) {
		return false
	}
	if !s.blanks(noLineEnds) {
		return false
	}
	if s.peek(0) == '~' {
		s.at++
	}
	return s.peek(0) == '}' && s.token(1)
}

// The states of an open directive.
const (
	elseOrEndif byte = iota
	onlyEndif
	onlyEndfor
)

// directive scans a directive, up to its closing brace. An inner directive must end before an
// outer one.
func (s *Scanner) directive(open int, in level) bool {
	if !s.blanks(noLineEnds) {
		return false
	}
	last := byte(0xff)
	if len(s.directives) > open {
		last = s.directives[len(s.directives)-1]
	}
	switch {
	case s.isNext("if"):
		s.directives = append(s.directives, elseOrEndif)
		return s.name() && s.expression(noLineEnds, in)
	case s.isNext("for"):
		s.directives = append(s.directives, onlyEndfor)
		return s.loopHead(in)
	case s.isNext("else") && last == elseOrEndif:
		s.directives[len(s.directives)-1] = onlyEndif
		return s.name()
	case s.isNext("endif") && (last == elseOrEndif || last == onlyEndif),
		s.isNext("endfor") && last == onlyEndfor:
		s.directives = s.directives[:len(s.directives)-1]
		return s.name()
	}
	return false
}

// heredoc scans a heredoc, up to the line end after its closing marker. It visits the lines between the markers, if
// visit isn't nil.
func (s *Scanner) heredoc(in level, visit func(line []byte)) bool {
	if s.peek(1) != '<' {
		return false
	}
	if s.at += 2; s.peek(0) == '-' {
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
	open := len(s.directives)
	for s.at < len(s.src) {
		if line, ok := s.closingLine(marker); ok {
			return len(s.directives) == open && isPlain(line) && s.token(len(line))
		}
		from := s.at
		if !s.heredocLine(open, in) {
			return false
		}
		if visit != nil {
			visit(s.src[from:s.at])
		}
	}
	return false
}

// closingLine returns the line that starts here, without its line end, if it has the marker and
// nothing else.
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

// isPlain reports whether the lexer takes the blanks around a heredoc's closing marker for blanks.
func isPlain(line []byte) bool {
	return !slices.ContainsFunc(line, func(c byte) bool { return c < ' ' && c != '\t' || c >= 0x80 })
}

// heredocLine scans the rest of a line of a heredoc. A sequence may continue on later lines.
func (s *Scanner) heredocLine(open int, in level) bool {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == '\n':
			s.lineEnd()
			return true
		case c == '\r' && s.peek(1) != '\n':
			return false
		case s.atSequence():
			if !s.sequence(open, in) {
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

// tuple scans a tuple constructor, or a for expression that makes a tuple.
func (s *Scanner) tuple(in level) bool {
	s.token(1)
	if !s.blanks(noLineEnds) {
		return false
	}
	if s.isNext("for") {
		return s.loop(']', in)
	}
	for {
		if !s.blanks(noLineEnds) {
			return false
		}
		if s.peek(0) == ']' {
			return s.token(1)
		}
		if !s.expression(noLineEnds, in) {
			return false
		}
		switch s.peek(0) {
		case ']':
			return s.token(1)
		case ',':
			s.token(1)
		default:
			return false
		}
	}
}

// object scans an object constructor, or a for expression that makes an object. Line ends
// separate the elements of an object, even inside other brackets.
func (s *Scanner) object(in level) bool {
	s.token(1)
	if !s.blanks(noLineEnds) {
		return false
	}
	if s.isNext("for") {
		return s.loop('}', in)
	}
	for {
		if !s.lines() {
			return false
		}
		if s.peek(0) == '}' {
			return s.token(1)
		}
		if !s.element(in) {
			return false
		}
		switch {
		case s.peek(0) == '}':
			return s.token(1)
		case s.peek(0) == ',':
			s.token(1)
		case s.at < len(s.src) && s.atLineEnd():
			s.lineEnd()
		default:
			return false
		}
	}
}

// element scans a key and its value.
func (s *Scanner) element(in level) bool {
	if !s.expression(lineEnds, in) {
		return false
	}
	switch c, next := s.peek(0), s.peek(1); {
	case c == '=' && next != '>', c == ':' && next != ':':
		s.token(1)
		return s.expression(lineEnds, in)
	}
	return false
}

// loop scans a for expression, from after its opening bracket through the closing one.
func (s *Scanner) loop(closing byte, in level) bool {
	if !s.loopHead(in) || s.peek(0) != ':' || s.peek(1) == ':' {
		return false
	}
	s.token(1)
	if !s.expression(noLineEnds, in) {
		return false
	}
	makesObject := closing == '}'
	if isArrow := s.peek(0) == '=' && s.peek(1) == '>'; isArrow != makesObject {
		return false
	} else if isArrow {
		s.token(2)
		if !s.expression(noLineEnds, in) {
			return false
		}
	}
	if s.isEllipsis() {
		if s.token(3); !makesObject || !s.blanks(noLineEnds) {
			return false
		}
	}
	if s.isNext("if") && (!s.name() || !s.expression(noLineEnds, in)) {
		return false
	}
	return s.closes(closing)
}

// loopHead scans "for NAME, NAME in COLLECTION".
func (s *Scanner) loopHead(in level) bool {
	if !s.name() || !s.variable() {
		return false
	}
	if s.peek(0) == ',' {
		s.token(1)
		if !s.variable() {
			return false
		}
	}
	return s.isNext("in") && s.name() && s.expression(noLineEnds, in)
}

// variable scans a name and the blanks around it.
func (s *Scanner) variable() bool {
	return s.blanks(noLineEnds) && s.name() && s.blanks(noLineEnds)
}
