package outline

import (
	"bytes"
	"unicode/utf8"
)

// A Scanner finds the top-level blocks of a text one after the other.
//
// Each unexported method such as item or operand scans one part of the grammar: it moves past that part and returns
// true, or returns false if it isn't sure that the parser would accept the text. depth is how deep the part is
// nested, mode whether line ends end it.
type Scanner struct {
	// Tree is the block that Next found. Its labels have no escapes. The next call of Next
	// overwrites it.
	Tree

	src        []byte
	names      nameHashes
	directives []byte // the open directives of templates, innermost last; see elseOrEndif
	state
}

// A state is the position of a scanner.
type state struct {
	at            int      // offset of the next byte
	line          int      // of the next byte
	start         int      // offset of the line's first byte
	extraBytes    int      // bytes on this line that don't start a new column
	columnUnknown bool     // columns from here to the end of the line are unknown
	end           position // end of the last token
	// broken is set by a comment with bytes that aren't UTF-8. The parser may read a line end there
	// as part of a character.
	broken bool
}

// A position is a place whose column may be unknown.
type position struct {
	Place
	columnUnknown bool
}

// NewScanner returns a scanner at the start of a text.
func NewScanner(src []byte) *Scanner {
	s := new(Scanner)
	s.Reset(src)
	return s
}

// Reset moves the scanner to the start of another text, after its byte order mark if any. It reuses memory.
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

// Next scans the next top-level block into Items and Labels. If it is not sure, the scanner stays where it was, so
// that the caller can parse the item and Resume behind it.
func (s *Scanner) Next() result {
	s.Items, s.Labels, s.directives = s.Items[:0], s.Labels[:0], s.directives[:0]
	s.names.reset()
	from := s.state
	if s.skipEmptyLines() && !s.broken {
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

// Ahead returns the position of the next item, if there is one. It doesn't move the scanner.
func (s *Scanner) Ahead() (at Place, ok bool) {
	from := s.state
	ok = s.skipEmptyLines() && !s.broken && s.at < len(s.src)
	next := s.here()
	s.state = from
	return next.Place, ok && !next.columnUnknown
}

// At returns the position of the scanner: the start of the text, or of the line after the last block that Next
// found.
func (s *Scanner) At() Place { return s.here().Place }

// Resume continues at a position, which must not be inside an item: callers parse what Next was not sure about.
func (s *Scanner) Resume(at Place) {
	// The start needn't be that of the line: it is such that the next column is at.Column without extraBytes.
	s.at, s.line, s.start = int(at.Byte), int(at.Line), int(at.Byte)-int(at.Column)+1
	s.extraBytes, s.columnUnknown = 0, false
}

// here returns the position of the next byte. Columns count grapheme clusters.
func (s *Scanner) here() position {
	return position{Place{uint32(s.line), uint32(s.at - s.start - s.extraBytes + 1), uint32(s.at)}, s.columnUnknown}
}

// peek returns the byte that is by bytes ahead, or 0 after the end of the text.
func (s *Scanner) peek(by int) byte {
	if s.at+by < len(s.src) {
		return s.src[s.at+by]
	}
	return 0
}

// finishToken moves past the last n bytes of a token, and notes where it ends. It returns true, so that callers can
// return its result.
func (s *Scanner) finishToken(n int) bool {
	s.at += n
	s.end = s.here()
	return true
}

// newline notes that a line starts at the next byte.
func (s *Scanner) newline() {
	s.line++
	s.start, s.extraBytes, s.columnUnknown = s.at, 0, false
}

// A lineMode tells whether line ends are tokens, which end an expression, or as good as blanks.
type lineMode bool

const (
	lineEndsAreTokens lineMode = true  // in bodies and object constructors
	lineEndsAreBlank  lineMode = false // in all other brackets
)

// skipBlanks scans blanks and comments, and line ends unless they are tokens. It is false if a comment has no end. A
// comment that starts with # or // is part of the line end.
func (s *Scanner) skipBlanks(mode lineMode) bool {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == ' ' || c == '\t':
			s.at++
		case c == '/' && s.peek(1) == '*':
			if !s.blockComment() {
				return false
			}
		case mode == lineEndsAreBlank && s.atLineEnd():
			s.lineEnd()
		default:
			return true
		}
	}
	return true
}

// atLineEnd reports whether the next token is a line end or a comment such as #, which includes its line end. At the
// end of the text, a comment needs no line end.
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

// lineEnd moves past the line end or comment that atLineEnd found, to the next line.
func (s *Scanner) lineEnd() {
	n := bytes.IndexByte(s.src[s.at:], '\n')
	if n < 0 { // a comment at the end of the text: no item follows or ends here, so nobody needs the column
		s.at, s.columnUnknown = len(s.src), true
		return
	}
	s.broken = s.broken || !utf8.Valid(s.src[s.at:s.at+n])
	s.at += n + 1
	s.newline()
}

// skipEmptyLines scans blanks, comments and line ends up to the next other token. It is false if a comment has no
// end.
func (s *Scanner) skipEmptyLines() bool {
	for {
		if !s.skipBlanks(lineEndsAreTokens) {
			return false
		}
		if s.at == len(s.src) || !s.atLineEnd() {
			return true
		}
		s.lineEnd()
	}
}

// blockComment scans a /* */ comment. It is false if the comment has no end. Bytes that aren't UTF-8 make the text
// broken, which leaves it to the parser.
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

// isNext reports whether the next token is the name word.
func (s *Scanner) isNext(word string) bool {
	n := len(word)
	if len(s.src)-s.at < n || string(s.src[s.at:s.at+n]) != word {
		return false
	}
	return s.at+n == len(s.src) || !classOf[s.src[s.at+n]].continues()
}

// name scans a name of ASCII characters.
func (s *Scanner) name() bool {
	at := s.at
	if at == len(s.src) || !classOf[s.src[at]].starts() {
		return false
	}
	for at++; at < len(s.src) && classOf[s.src[at]].continues(); at++ {
		if s.src[at] >= 0x80 {
			return false
		}
	}
	return s.finishToken(at - s.at)
}

// A class states whether a byte can start or continue a name. Bytes outside ASCII count as part of a name, so that
// Scanner.name meets them and isn't sure.
type class byte

const (
	startsName class = 1 << iota
	continuesName
)

// starts reports whether a name may start with the byte.
func (c class) starts() bool { return c&startsName != 0 }

// continues reports whether the byte may follow in a name.
func (c class) continues() bool { return c&continuesName != 0 }

var classOf = func() (table [256]class) {
	for c := range table {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
			table[c] = startsName | continuesName
		case c >= '0' && c <= '9' || c == '-' || c >= 0x80:
			table[c] = continuesName
		}
	}
	return table
}()

// isDigit reports whether c is a decimal digit.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isHex reports whether c is a hexadecimal digit.
func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// character scans one character outside ASCII, and is false if the bytes aren't UTF-8. Columns count grapheme
// clusters, so behind a character that may combine with its neighbours they are unknown; a mark such as an accent
// surely joins the character before it.
func (s *Scanner) character() bool {
	r, n := utf8.DecodeRune(s.src[s.at:])
	if r == utf8.RuneError && n <= 1 {
		return false
	}
	switch {
	case standsAlone(r):
		s.extraBytes += n - 1 // n bytes, one column
	case isCombining(r) && s.hasBase():
		s.extraBytes += n
	default:
		s.columnUnknown = true // until the line ends
	}
	s.at += n
	return true
}

// standalone lists ranges of characters that are one grapheme cluster each when their neighbours are
// ASCII or in these ranges also. They come from the tables of Unicode 15 and 17; TestAlone
// compares them with the segmenter.
var standalone = [...][2]rune{
	{0xA0, 0xAC}, {0xAE, 0x2FF}, {0x370, 0x377}, {0x384, 0x482}, {0x48A, 0x52F},
	{0x2010, 0x2027}, {0x2030, 0x205E}, {0x20A0, 0x20BF}, {0x2100, 0x218B}, {0x2190, 0x2426},
	{0x2460, 0x2B73}, {0x3001, 0x3029}, {0x3030, 0x303F}, {0x3041, 0x3096}, {0x309B, 0x30FF},
	{0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0xFF01, 0xFF9D},
	{0x1F300, 0x1F3FA}, {0x1F400, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F90C, 0x1F9FF},
}

// standsAlone reports whether a character is a grapheme cluster by itself if its neighbours are ASCII or stand
// alone, too.
func standsAlone(r rune) bool {
	for _, in := range standalone { // the ranges are in order
		if r <= in[1] {
			return r >= in[0]
		}
	}
	return false
}

// isCombining reports whether a character joins the grapheme cluster of the character before it: the accents of
// decomposed letters, and the variation selector that turns a symbol into an emoji.
func isCombining(r rune) bool { return r >= 0x300 && r <= 0x36f || r == 0xfe0f }

// hasBase reports whether the next character, which is combining, surely joins one before it, with at most a few
// others in between. Then it takes no column of its own. But columns count per token, so it has one if a token may
// begin there: after a quote, a brace, a $ or % sign, and the character that follows such a sign.
func (s *Scanner) hasBase() bool {
	if s.columnUnknown {
		return false
	}
	const maxMarks = 4 // in a row: each looks back over those before it, which takes time
	before := s.src[s.start:s.at]
	for range maxMarks {
		r, n := utf8.DecodeLastRune(before)
		before = before[:len(before)-n]
		switch {
		case isCombining(r):
			continue
		case n == 0, r < ' ', r == 0x7f, r == '"', r == '\\', r == '{', r == '}', r == '$', r == '%':
			return false // the start of the line, or maybe the end of a token, or of an escape
		case r >= 0x80 && !standsAlone(r):
			return false // this one may combine with its neighbours in other ways
		}
		followsSign := bytes.HasSuffix(before, []byte("$")) || bytes.HasSuffix(before, []byte("%"))
		return !followsSign
	}
	return false
}
