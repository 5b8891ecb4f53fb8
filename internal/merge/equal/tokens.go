package equal

import (
	"bytes"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Tokens are found in one pass whose memory is the nesting of templates. The lexer of HCL
// makes up to 400 bytes of tokens from a byte of text.

// A kind distinguishes tokens: literal text may read like code.
type kind byte

const (
	code    kind = 'c' // names, numbers, operators, brackets, quotes and markers of heredocs
	literal kind = 'l' // text of a template, to the byte, with its escapes
)

// eachToken visits the tokens of a native text that the engine accepts, apart from comments and
// line ends. A text that isn't UTF-8 is a single token: the lexer takes a quote or a line end
// behind a broken character for a part of it.
func eachToken(src []byte, visit func(kind, []byte)) {
	if !utf8.Valid(src) {
		visit(literal, src)
		return
	}
	s := &tokens{src: src, visit: visit, lastEnd: bytes.LastIndex(src, []byte("*/"))}
	for s.at < len(src) {
		switch top := s.top(); top.kind {
		case inQuotes:
			s.template(s.closingQuote)
		case inHeredoc:
			s.template(s.closingMarker)
		default:
			s.code()
		}
	}
}

// A tokens is a text that is read as tokens.
type tokens struct {
	src    []byte
	at     int
	levels []level
	visit  func(kind, []byte)
	// lastEnd is where the last block comment may end, so that nothing is searched for in vain.
	lastEnd int
}

// A level is something open that decides what bytes mean.
type level struct {
	kind   levelKind
	marker []byte // of a heredoc
}

type levelKind byte

const (
	inBraces   levelKind = iota // code, even if nothing is open
	inSequence                  // code in a template: ${ } or %{ }
	inQuotes
	inHeredoc
)

func (s *tokens) top() level {
	if len(s.levels) == 0 {
		return level{}
	}
	return s.levels[len(s.levels)-1]
}

func (s *tokens) push(l level) { s.levels = append(s.levels, l) }

func (s *tokens) pop() {
	if len(s.levels) > 0 {
		s.levels = s.levels[:len(s.levels)-1]
	}
}

// codeToken visits the next n bytes of code.
func (s *tokens) codeToken(n int) {
	s.visit(code, s.src[s.at:s.at+n])
	s.at += n
}

func (s *tokens) startsWith(text string) bool {
	return len(s.src)-s.at >= len(text) && string(s.src[s.at:s.at+len(text)]) == text
}

// code reads one token of code, or the text between two.
func (s *tokens) code() {
	switch c := s.src[s.at]; {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		s.at++
	case c == '#' || s.startsWith("//"):
		s.skipTo("\n")
	case s.startsWith("/*") && s.lastEnd >= s.at+2:
		s.at += 2
		s.skipTo("*/")
	case c == '"':
		s.codeToken(1)
		s.push(level{kind: inQuotes})
	case s.startsWith("<<") && s.heredoc():
	case c == '{':
		s.codeToken(1)
		s.push(level{})
	case c == '}':
		s.codeToken(1)
		s.pop()
	case s.startsWith("~}") && s.top().kind == inSequence:
		s.codeToken(2)
		s.pop()
	default:
		s.codeToken(s.wordOrOperator())
	}
}

// skipTo skips everything through a text, or to the end.
func (s *tokens) skipTo(text string) {
	if n := bytes.Index(s.src[s.at:], []byte(text)); n >= 0 {
		s.at += n + len(text)
	} else {
		s.at = len(s.src)
	}
}

// operators are the operators of more than one byte.
var operators = []string{"...", "==", "!=", ">=", "<=", "&&", "||", "=>", "::"}

// wordOrOperator is the length of the next name, number or operator. Without blanks, the text after
// a word is part of it.
func (s *tokens) wordOrOperator() int {
	rest := s.src[s.at:]
	switch c := rest[0]; {
	case isDigit(c):
		return numberLength(rest)
	case isWord(c):
		n := 1
		for n < len(rest) && (isWord(rest[n]) || isDigit(rest[n]) || rest[n] == '-') {
			n++
		}
		return n
	}
	for _, op := range operators {
		if s.startsWith(op) {
			return len(op)
		}
	}
	return 1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// numberLength is the length of a number, which doesn't end in a dot.
func numberLength(text []byte) int {
	n, end := 1, 1
	for n < len(text) {
		switch c := text[n]; {
		case isDigit(c):
			n++
			end = n
		case c == '.':
			n++
		case c == 'e' || c == 'E':
			digit := n + 1
			if digit < len(text) && (text[digit] == '+' || text[digit] == '-') {
				digit++
			}
			if digit == len(text) || !isDigit(text[digit]) {
				return end
			}
			n = digit + 1
			end = n
		default:
			return end
		}
	}
	return end
}

// heredoc reads what opens a heredoc, with the end of its line.
func (s *tokens) heredoc() bool {
	from := s.at + 2
	if from < len(s.src) && s.src[from] == '-' {
		from++
	}
	to := from
	for to < len(s.src) && (isWord(s.src[to]) || isDigit(s.src[to]) || s.src[to] == '-') {
		to++
	}
	end := to
	if end < len(s.src) && s.src[end] == '\r' {
		end++
	}
	if end == len(s.src) || s.src[end] != '\n' || !spelling.IsName(string(s.src[from:to])) {
		return false
	}
	s.codeToken(to - s.at)
	s.at = end + 1
	s.push(level{inHeredoc, s.src[from:to]})
	return true
}

// template reads literal text and the token behind it: the opening of a sequence, or the end.
func (s *tokens) template(closing func() (end, around []byte)) {
	from := s.at
	for s.at < len(s.src) {
		end, around := closing()
		opening := s.opening()
		if len(end) == 0 && opening == 0 {
			s.character()
			continue
		}
		if s.at > from {
			s.visit(literal, s.src[from:s.at])
		}
		if len(end) > 0 {
			s.visit(code, end)
			s.at += len(around)
			s.pop()
			return
		}
		s.codeToken(opening)
		s.push(level{kind: inSequence})
		return
	}
	s.visit(literal, s.src[from:])
}

// opening is the length of the opening of a sequence, if one is next.
func (s *tokens) opening() int {
	switch {
	case s.startsWith("${~"), s.startsWith("%{~"):
		return 3
	case s.startsWith("${"), s.startsWith("%{"):
		return 2
	}
	return 0
}

// character skips one character of literal text, or an escape.
func (s *tokens) character() {
	switch {
	case s.startsWith("$${"), s.startsWith("%%{"):
		s.at += 3
	case s.src[s.at] == '\\' && s.top().kind == inQuotes:
		s.at = min(s.at+2, len(s.src))
	default:
		s.at++
	}
}

func (s *tokens) closingQuote() (quote, around []byte) {
	if s.src[s.at] == '"' {
		quote = s.src[s.at : s.at+1]
	}
	return quote, quote
}

// closingMarker finds the marker that closes a heredoc, alone on its line. Around it may be
// any blanks of Unicode.
func (s *tokens) closingMarker() (marker, around []byte) {
	if s.src[s.at-1] != '\n' {
		return nil, nil
	}
	line, _, _ := bytes.Cut(s.src[s.at:], []byte("\n"))
	if marker = bytes.TrimSpace(line); !bytes.Equal(marker, s.top().marker) {
		return nil, nil
	}
	return marker, line
}
