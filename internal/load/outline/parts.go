package outline

// What the text of one expression is made of, for those who write it in another form. None
// of these is sure of what the scanner is not sure of.

// Expression is how long the expression is that a text begins with, which may go on over
// several lines.
func Expression(text []byte) (n int, ok bool) {
	s := NewScanner(text)
	ok = s.expression(noLineEnds, 0) && !s.broken
	return int(s.end.Byte), ok
}

// IsQuoted reports whether a text is one template in quotes.
func IsQuoted(text []byte) bool {
	s := NewScanner(text)
	return s.peek(0) == '"' && s.quoted(0) && s.at == len(text) && !s.broken
}

// Elements visits what a text holds that is one tuple or object constructor, but no for
// expression: the values, and those of an object with their keys.
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

// elementTexts goes past an element of a collection.
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

// expressionText goes past an expression and the blanks around it.
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
