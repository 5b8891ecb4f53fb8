package outline

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
		return s.heredoc(in)
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

// digits is the number of consecutive digits by bytes ahead.
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
			after := s.peek(n + 2)
			if isDigit(after) || after == '+' || after == '-' {
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
