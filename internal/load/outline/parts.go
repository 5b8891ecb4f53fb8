package outline

// Functions that take the text of an expression apart. They report false if the scanner is not
// sure about it.

// Expression returns the length of the expression at the start of a text. It may span lines.
func Expression(text []byte) (n int, ok bool) {
	s := NewScanner(text)
	ok = s.expression(noLineEnds, 0) && !s.broken
	return int(s.end.Byte), ok
}

// IsQuoted reports whether a text is a single quoted template.
func IsQuoted(text []byte) bool {
	s := NewScanner(text)
	return s.peek(0) == '"' && s.quoted(0) && s.at == len(text) && !s.broken
}

// Elements visits the elements of a text that is a tuple or object constructor. The elements of
// a tuple have no keys. It reports false if the text is anything else or a for expression; it
// may have visited elements by then.
func Elements(text []byte, visit func(key, value []byte)) bool {
	s := NewScanner(text)
	isObject, closing, count := s.peek(0) == '{', byte(']'), noLineEnds
	if isObject {
		closing, count = '}', lineEnds
	}
	if s.token(1); !s.blanks(noLineEnds) || s.isNext("for") {
		return false
	}
	for {
		if isObject && !s.lines() || !s.blanks(count) {
			return false
		}
		if s.peek(0) == closing {
			s.token(1)
			return s.at == len(text) && !s.broken
		}
		key, value, ok := s.elementTexts(isObject)
		if !ok {
			return false
		}
		visit(key, value)
		switch {
		case s.peek(0) == closing:
		case s.peek(0) == ',':
			s.token(1)
		case isObject && s.at < len(text) && s.atLineEnd():
			s.lineEnd()
		default:
			return false
		}
	}
}

// elementTexts scans an element of a tuple or object constructor.
func (s *Scanner) elementTexts(isObject bool) (key, value []byte, ok bool) {
	if !isObject {
		value, ok = s.expressionText(noLineEnds)
		return nil, value, ok
	}
	if key, ok = s.expressionText(lineEnds); !ok {
		return nil, nil, false
	}
	switch c, next := s.peek(0), s.peek(1); {
	case c == '=' && next != '>', c == ':' && next != ':':
		s.token(1)
		value, ok = s.expressionText(lineEnds)
		return key, value, ok
	}
	return nil, nil, false
}

// expressionText scans an expression and the blanks around it.
func (s *Scanner) expressionText(count lines) ([]byte, bool) {
	if !s.blanks(count) {
		return nil, false
	}
	start := s.at
	if !s.expression(count, 0) {
		return nil, false
	}
	return s.src[start:s.end.Byte], true
}
