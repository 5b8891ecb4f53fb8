package outline

import (
	"bytes"
	"unicode/utf8"
)

// quoted scans a quoted template.
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

// escape scans an escape sequence.
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

// heredoc scans a heredoc, up to the line end after its closing marker.
func (s *Scanner) heredoc(in level) bool {
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
		if !s.heredocLine(open, in) {
			return false
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

// isPlain reports whether the lexer treats the blanks around a marker as blanks.
func isPlain(line []byte) bool {
	for _, c := range line {
		if c < ' ' && c != '\t' || c >= 0x80 {
			return false
		}
	}
	return true
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
