package outline

import "unicode/utf8"

// A class states where in a name a byte can be. Bytes outside of ASCII are treated as part of a
// name, so name is not sure about names that contain any.
type class byte

const (
	startsName class = 1 << iota
	continuesName
)

func (c class) starts() bool    { return c&startsName != 0 }
func (c class) continues() bool { return c&continuesName != 0 }

var classes = func() (table [256]class) {
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

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// character scans one character outside of ASCII, and fails if the bytes aren't UTF-8. After a
// character that may combine with its neighbours, columns are unknown, unless it is a mark that
// surely combines with the character before it.
func (s *Scanner) character() bool {
	r, n := utf8.DecodeRune(s.src[s.at:])
	if r == utf8.RuneError && n <= 1 {
		return false
	}
	switch {
	case standsAlone(r):
		s.wide += n - 1
	case isMark(r) && s.hasBase():
		s.wide += n
	default:
		s.odd = true
	}
	s.at += n
	return true
}

// alone are ranges of characters that are one grapheme cluster each when their neighbours are
// ASCII or in these ranges also. They come from the tables of Unicode 15 and 17; TestAlone
// compares them with the segmenter.
var alone = [...][2]rune{
	{0xA0, 0xAC}, {0xAE, 0x2FF}, {0x370, 0x377}, {0x384, 0x482}, {0x48A, 0x52F},
	{0x2010, 0x2027}, {0x2030, 0x205E}, {0x20A0, 0x20BF}, {0x2100, 0x218B}, {0x2190, 0x2426},
	{0x2460, 0x2B73}, {0x3001, 0x3029}, {0x3030, 0x303F}, {0x3041, 0x3096}, {0x309B, 0x30FF},
	{0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0xFF01, 0xFF9D},
	{0x1F300, 0x1F3FA}, {0x1F400, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F90C, 0x1F9FF},
}

func standsAlone(r rune) bool {
	for _, in := range alone {
		if r <= in[1] {
			return r >= in[0]
		}
	}
	return false
}

// isMark reports whether a character joins the cluster of the one before it: the accents of
// decomposed letters, and the variation selector that turns a symbol into an emoji.
func isMark(r rune) bool { return r >= 0x300 && r <= 0x36f || r == 0xfe0f }

// hasBase reports whether a character that takes marks is in front of the next one, with only
// marks in between, in the same token. A token may begin after a quote, a brace, a dollar or
// percent sign, and after the character that follows such a sign.
func (s *Scanner) hasBase() bool {
	if s.odd {
		return false
	}
	const mostMarks = 4 // on one character: each mark looks back over those before it
	before := s.src[s.start:s.at]
	for range mostMarks {
		r, n := utf8.DecodeLastRune(before)
		before = before[:len(before)-n]
		switch {
		case isMark(r):
			continue
		case r < ' ', r == 0x7f, r == '"', r == '\\', r == '{', r == '}', r == '$', r == '%', n == 0:
			return false
		case r >= 0x80 && !standsAlone(r):
			return false
		}
		last := len(before) - 1
		return last < 0 || before[last] != '$' && before[last] != '%'
	}
	return false
}
