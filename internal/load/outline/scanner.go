package outline

import (
	"bytes"
	"unicode/utf8"
)

// A Scanner finds the top-level blocks of a text one after the other.
type Scanner struct {
	// Tree is the block that Next found. Its labels have no escapes. The next call of Next
	// overwrites it.
	Tree

	src        []byte
	seen       nameHashes
	directives []byte // of templates: those that wait for their end
	state
}

// A state is the position of a scanner.
type state struct {
	at    int  // offset of the next byte
	line  int  // of the next byte
	start int  // offset of the line's first column
	wide  int  // bytes on this line that don't start a new column
	odd   bool // columns from here to the end of the line are unknown
	end   mark // end of the last token
	// broken is set by a comment with bytes that aren't UTF-8. The parser may read a line end there
	// as part of a character.
	broken bool
}

// A mark is a position whose column may be unknown.
type mark struct {
	Place
	odd bool
}

// NewScanner makes a scanner at the start of a text.
func NewScanner(src []byte) *Scanner {
	s := new(Scanner)
	s.Reset(src)
	return s
}

// Reset moves the scanner to the start of another text, and reuses its memory.
func (s *Scanner) Reset(src []byte) {
	s.src, s.state = src, state{line: 1}
	if len(src) >= len(bom) && string(src[:len(bom)]) == bom {
		s.at, s.start = len(bom), len(bom)
	}
}

const bom = "\xef\xbb\xbf"

// A result is the outcome of Next.
type result int

// The results of Next.
const (
	Found   result = iota // a block, which is in Tree
	End                   // the end of the text
	NotSure               // only the parser knows the next item, at At
)

// Next finds the next top-level block.
func (s *Scanner) Next() result {
	s.Items, s.Labels, s.directives = s.Items[:0], s.Labels[:0], s.directives[:0]
	s.seen.reset()
	from := s.state
	if s.lines() && !s.broken {
		if s.at == len(s.src) {
			return End
		}
		if s.item(topLevel) && !s.broken {
			return Found
		}
	}
	s.state = from
	s.Items, s.Labels = s.Items[:0], s.Labels[:0]
	return NotSure
}

// Ahead is the position of the next item, if there is one. It doesn't move the scanner.
func (s *Scanner) Ahead() (at Place, ok bool) {
	from := s.state
	ok = s.lines() && !s.broken && s.at < len(s.src)
	next := s.here()
	s.state = from
	return next.Place, ok && !next.odd
}

// At is the position of the scanner: the start of the text, or of the line after the last
// block. Next doesn't move it if it is not sure.
func (s *Scanner) At() Place { return s.here().Place }

// Resume continues at a position, which must not be inside an item.
func (s *Scanner) Resume(at Place) {
	s.at, s.line, s.start = int(at.Byte), int(at.Line), int(at.Byte)-int(at.Column)+1
	s.wide, s.odd = 0, false
}

// here is the position of the next byte.
func (s *Scanner) here() mark {
	return mark{Place{uint32(s.line), uint32(s.at - s.start - s.wide + 1), uint32(s.at)}, s.odd}
}

// peek is the byte by bytes ahead, 0 after the end.
func (s *Scanner) peek(by int) byte {
	if s.at+by < len(s.src) {
		return s.src[s.at+by]
	}
	return 0
}

// token scans the last n bytes of a token. It is always sure.
func (s *Scanner) token(n int) bool {
	s.at += n
	s.end = s.here()
	return true
}

// newline starts a new line at the next byte.
func (s *Scanner) newline() {
	s.line++
	s.start, s.wide, s.odd = s.at, 0, false
}

// A lines decides whether line ends are tokens or blanks.
type lines bool

const (
	lineEnds   lines = true  // in bodies and object constructors
	noLineEnds lines = false // in all other brackets
)

// blanks scans blanks and comments, and line ends unless they are tokens.
func (s *Scanner) blanks(count lines) bool {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == ' ' || c == '\t':
			s.at++
		case c == '/' && s.peek(1) == '*':
			if !s.blockComment() {
				return false
			}
		case count == noLineEnds && s.atLineEnd():
			s.lineEnd()
		default:
			return true
		}
	}
	return true
}

// atLineEnd reports whether the next token is a line end, perhaps with a comment before it. A
// comment at the end of the text is a line end, too.
func (s *Scanner) atLineEnd() bool {
	switch s.peek(0) {
	case '\n', '#':
		return true
	case '\r':
		return s.peek(1) == '\n'
	case '/':
		return s.peek(1) == '/'
	}
	return false
}

// lineEnd scans what atLineEnd found.
func (s *Scanner) lineEnd() {
	n := bytes.IndexByte(s.src[s.at:], '\n')
	if n < 0 {
		s.at, s.odd = len(s.src), true // no item ends in this column
		return
	}
	s.broken = s.broken || !utf8.Valid(s.src[s.at:s.at+n])
	s.at += n + 1
	s.newline()
}

// lines scans empty lines and comments.
func (s *Scanner) lines() bool {
	for {
		if !s.blanks(lineEnds) {
			return false
		}
		if s.at == len(s.src) || !s.atLineEnd() {
			return true
		}
		s.lineEnd()
	}
}

// blockComment scans a /* */ comment.
func (s *Scanner) blockComment() bool {
	for s.at += 2; s.at < len(s.src); {
		switch c := s.src[s.at]; {
		case c == '*' && s.peek(1) == '/':
			s.at += 2
			return true
		case c == '\n':
			s.at++
			s.newline()
		case c >= 0x80:
			if !s.character() {
				s.at++
				s.broken = true
			}
		default:
			s.at++
		}
	}
	return false
}

// isNext reports whether the next name is word.
func (s *Scanner) isNext(word string) bool {
	n := len(word)
	if len(s.src)-s.at < n || string(s.src[s.at:s.at+n]) != word {
		return false
	}
	return s.at+n == len(s.src) || !classes[s.src[s.at+n]].continues()
}

// name scans a name.
func (s *Scanner) name() bool {
	at := s.at
	if at == len(s.src) || !classes[s.src[at]].starts() {
		return false
	}
	for at++; at < len(s.src) && classes[s.src[at]].continues(); at++ {
		if s.src[at] >= 0x80 {
			return false
		}
	}
	return s.token(at - s.at)
}
