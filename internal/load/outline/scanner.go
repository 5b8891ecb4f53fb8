package outline

import (
	"bytes"
	"unicode/utf8"
)

// A Place is a point of a text: the line and the column, in grapheme clusters, count
// from 1, the byte from 0.
type Place struct{ Line, Column, Byte uint32 }

// A Span is a stretch of a text.
type Span struct{ Start, End Place }

// An Item is an argument, or a block.
type Item struct {
	Name  Span // of the argument; the type of the block
	Value Span // the argument's expression; from the block's opening brace through the closing one
	// Labels of a block are Scanner.Labels of these two indices.
	FirstLabel, EndLabel uint32
	// Inner is how many of the items that follow are inside the block, at any depth.
	Inner   uint32
	IsBlock bool
}

// A Scanner finds the top-level blocks of a text one after the other.
type Scanner struct {
	// Items are the block found last and, behind it, all that is in it, in source order.
	// The next call of Next writes over them.
	Items []Item
	// Labels are where the labels of the items are, with their quotes, in which the text
	// is the label.
	Labels []Span

	src        []byte
	seen       seen
	directives []byte // of templates, that are not ended
	state
}

// A state is where a scanner is.
type state struct {
	at    int
	line  int
	start int  // offset at which the line's first column is
	wide  int  // bytes on this line that continue a character
	odd   bool // columns from here to the end of the line are not known
	end   mark // where the token before ended
	// broken says that a comment has bytes that are not UTF-8, of which the parser may take
	// a line end for one.
	broken bool
}

// A mark is a place whose column may not be known.
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

// Reset makes the scanner one at the start of another text. It keeps its memory.
func (s *Scanner) Reset(src []byte) {
	s.src, s.state = src, state{line: 1}
	if len(src) >= len(bom) && string(src[:len(bom)]) == bom {
		s.at, s.start = len(bom), len(bom)
	}
}

const bom = "\xef\xbb\xbf"

// A Result is what Next came to.
type Result int

// The results of Next.
const (
	Found   Result = iota // a block; Items and Labels are about it
	End                   // there are no more items
	NotSure               // the parser must be asked about what starts at At
)

// Next finds the next top-level block.
func (s *Scanner) Next() Result {
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

// At is where the scanner is: at the start of the text, or of the line behind the block
// found last. Next leaves it there if it is not sure.
func (s *Scanner) At() Place { return s.here().Place }

// Resume goes on at a place, which must be outside of all items, or the start of one.
func (s *Scanner) Resume(at Place) {
	s.at, s.line, s.start = int(at.Byte), int(at.Line), int(at.Byte)-int(at.Column)+1
	s.wide, s.odd = 0, false
}

// here is the place of the next byte.
func (s *Scanner) here() mark {
	return mark{Place{uint32(s.line), uint32(s.at - s.start - s.wide + 1), uint32(s.at)}, s.odd}
}

// peek is the byte at a distance, 0 behind the end.
func (s *Scanner) peek(by int) byte {
	if s.at+by < len(s.src) {
		return s.src[s.at+by]
	}
	return 0
}

// token goes past n bytes that end a token.
func (s *Scanner) token(n int) bool {
	s.at += n
	s.end = s.here()
	return true
}

// newline notes that a line ended before the next byte.
func (s *Scanner) newline() {
	s.line++
	s.start, s.wide, s.odd = s.at, 0, false
}

// A lines says whether line ends count as tokens, or are blanks.
type lines bool

const (
	lineEnds   lines = true  // in bodies and object constructors
	noLineEnds lines = false // in all other brackets
)

// blanks goes past blanks and comments, and line ends where they do not count.
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

// atLineEnd reports whether the next token is a line end, perhaps with a comment before
// it. One without a line end counts as well: only the end of the text can follow.
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

// lineEnd goes past what atLineEnd found.
func (s *Scanner) lineEnd() {
	n := bytes.IndexByte(s.src[s.at:], '\n')
	if n < 0 {
		s.at, s.odd = len(s.src), true // nobody asks for the column of the end
		return
	}
	s.broken = s.broken || !utf8.Valid(s.src[s.at:s.at+n])
	s.at += n + 1
	s.newline()
}

// lines goes past all line ends.
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

// blockComment goes past a comment in /* */.
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

// isNext reports whether a word comes next, and is not the start of a longer one.
func (s *Scanner) isNext(word string) bool {
	n := len(word)
	if len(s.src)-s.at < n || string(s.src[s.at:s.at+n]) != word {
		return false
	}
	return s.at+n == len(s.src) || !classes[s.src[s.at+n]].continues()
}

// name goes past a name.
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
