package document

import (
	"bytes"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// A mark is a boundary between two characters of a text, as an offset and as a position in each
// encoding. No mark is inside a CR LF.
type mark struct {
	at    int
	line  int
	start int // offset of the line
	// saved16 and saved32 are by how much the part of the line before the mark has fewer code
	// units than bytes.
	saved16, saved32 int
}

// character is the offset in the line, in code units.
func (m mark) character(enc protocol.PositionEncodingKind) int {
	switch n := m.at - m.start; enc {
	case protocol.UTF8:
		return n
	case protocol.UTF32:
		return n - m.saved32
	default:
		return n - m.saved16
	}
}

// isAfter reports whether the mark is behind a position.
func (m mark) isAfter(p protocol.Position, enc protocol.PositionEncodingKind) bool {
	if m.line != int(p.Line) {
		return m.line > int(p.Line)
	}
	return m.character(enc) > int(p.Character)
}

// next is the mark behind the first character, or the line end, of the text at m.
func (m mark) next(text []byte) mark {
	b := text[0]
	if b < utf8.RuneSelf && b != '\r' && b != '\n' {
		m.at++
		return m
	}
	r, size := utf8.DecodeRune(text)
	switch {
	case r == '\r' && len(text) > 1 && text[1] == '\n':
		return mark{at: m.at + 2, line: m.line + 1, start: m.at + 2}
	case r == '\r' || r == '\n':
		return mark{at: m.at + 1, line: m.line + 1, start: m.at + 1}
	case r > 0xFFFF:
		m.saved16--
	}
	return mark{m.at + size, m.line, m.start, m.saved16 + size - 1, m.saved32 + size - 1}
}

// find is the last mark in the text at m before the first one for which isBehind is true.
func (m mark) find(text []byte, isBehind func(mark) bool) mark {
	for len(text) > 0 {
		next := m.next(text)
		if isBehind(next) {
			break
		}
		text, m = text[next.at-m.at:], next
	}
	return m
}

// seek is the last mark in the text at m that isn't behind a position.
func (m mark) seek(text []byte, p protocol.Position, enc protocol.PositionEncodingKind) mark {
	for m.line < int(p.Line) {
		end := bytes.IndexAny(text, "\r\n")
		if end < 0 {
			return m.behind(text)
		}
		next := mark{at: m.at + end, line: m.line}.next(text[end:])
		text, m = text[next.at-m.at:], next
	}
	return m.find(text, func(m mark) bool { return m.isAfter(p, enc) })
}

// behind is the mark at the end of the text at m.
func (m mark) behind(text []byte) mark {
	if last := bytes.LastIndexAny(text, "\r\n"); last >= 0 {
		ends := bytes.Count(text, []byte{'\n'}) + bytes.Count(text, []byte{'\r'}) - bytes.Count(text, []byte("\r\n"))
		m = mark{at: m.at + last + 1, line: m.line + ends, start: m.at + last + 1}
		text = text[last+1:]
	}
	return m.find(text, func(mark) bool { return false })
}

// plus is the mark at the end of two texts, of which each has its own.
func (m mark) plus(other mark) mark {
	if other.line == 0 {
		return mark{m.at + other.at, m.line, m.start, m.saved16 + other.saved16, m.saved32 + other.saved32}
	}
	other.at, other.line, other.start = m.at+other.at, m.line+other.line, m.at+other.start
	return other
}
