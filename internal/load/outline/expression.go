package outline

// expression goes past an expression. What is behind it, blanks apart, is for the caller.
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

// operation goes past operands and the operators between them. Which operator binds
// stronger makes no difference to what is accepted. Each counts as a level: the parser
// nests them.
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

// operator is how long the operator is that comes next, 0 if there is none.
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
			return 0 // perhaps a heredoc
		}
		return 1
	case '&', '|':
		if next == c {
			return 2
		}
	}
	return 0
}

// operand goes past a term with what is done to it: signs before it, names, indices and
// splats behind it.
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

// inside goes past an expression in brackets, through the closing one.
func (s *Scanner) inside(closing byte, in level) bool {
	return s.expression(noLineEnds, in) && s.closes(closing)
}

// closes goes past a closing bracket, if one comes next.
func (s *Scanner) closes(closing byte) bool {
	return s.blanks(noLineEnds) && s.peek(0) == closing && s.token(1)
}

// number goes past a number of few digits and a small exponent, which have a value beyond
// doubt.
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

// digits is how many digits there are at a distance.
func (s *Scanner) digits(by int) int {
	n := 0
	for isDigit(s.peek(by + n)) {
		n++
	}
	return n
}

// call goes past the arguments of a function, if there are any behind a name.
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

// arguments goes past those of a function, through the closing parenthesis.
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

// steps goes past what is behind a term: names, indices and splats. Each index is a
// level, since the parser nests what is before it.
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

// attribute goes past what follows a dot: a name, a number, or a star. A splat that has
// gone past a star takes no other before it comes to an index.
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

// legacyIndex goes past digits behind a dot, which may not be read as part of a fraction
// or an exponent, as in a.0.1 and a.0.e1.
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

// index goes past what follows an opening bracket behind a term.
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
