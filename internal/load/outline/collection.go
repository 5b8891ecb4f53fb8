package outline

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
