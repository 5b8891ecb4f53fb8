package textedit

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// IndentUnit indents the contents of a block without contents to copy the indentation from.
const IndentUnit = "  "

// LineStart is where the line of an offset starts.
func LineStart(src []byte, at int) int {
	return bytes.LastIndexByte(src[:at], '\n') + 1
}

// AfterLine is the offset behind the line end that follows an offset.
func AfterLine(src []byte, at int) int {
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(src)
}

// LineStarts are the offsets at which the lines of a text start.
func LineStarts(text []byte) []int {
	starts := []int{0}
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return starts
		}
		at += n + 1
		starts = append(starts, at)
	}
}

// LineBlanks is the offset behind the blanks that follow an offset, if only the
// line end follows them, else the offset itself.
func LineBlanks(src []byte, at int) int {
	to := at
	for to < len(src) && (src[to] == ' ' || src[to] == '\t') {
		to++
	}
	if to == len(src) || src[to] == '\n' || src[to] == '\r' {
		return to
	}
	return at
}

// IndentAt is the blanks that start the line of an offset.
func IndentAt(src []byte, at int) string {
	from := LineStart(src, at)
	to := from
	for to < at && (src[to] == ' ' || src[to] == '\t') {
		to++
	}
	return string(src[from:to])
}

// IsBlankLine reports whether the line that starts at an offset holds only blanks.
func IsBlankLine(src []byte, at int) bool {
	end := AfterLine(src, at)
	return end > at && len(bytes.TrimSpace(src[at:end])) == 0
}

// IsBlankBefore reports whether the line before the line that starts at an offset holds only
// blanks.
func IsBlankBefore(src []byte, at int) bool {
	return at > 0 && IsBlankLine(src, LineStart(src, at-1))
}

// WithLineEnd makes sure that text ends with a line end.
func WithLineEnd(text []byte, eol string) []byte {
	if len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
		return text
	}
	return append(text[:len(text):len(text)], eol...)
}

// LineEndOf is the line end that most lines of a text have, LF where it has none.
func LineEndOf(src []byte) string {
	crlf := bytes.Count(src, []byte("\r\n"))
	if crlf*2 > bytes.Count(src, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}

// Offset is the offset in a text of a column of a line, both starting at 1 and columns in
// characters. For column 0 it is the start of the line's text. It is negative if the text has no
// such line; lines is the number of lines.
func Offset(src []byte, line, column int) (at, lines int) {
	lines = bytes.Count(src, []byte("\n"))
	if len(src) > 0 && src[len(src)-1] != '\n' {
		lines++
	}
	if line < 1 || line > lines {
		return -1, lines
	}
	rest := src
	for range line - 1 {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	at = len(src) - len(rest)
	text, _, _ := bytes.Cut(rest, []byte("\n"))
	if column == 0 {
		return at + len(text) - len(bytes.TrimLeft(text, " \t")), lines
	}
	for n := 1; n < column && len(text) > 0; n++ {
		_, size := utf8.DecodeRune(text)
		at, text = at+size, text[size:]
	}
	return at, lines
}

// IsOneLine reports whether a text has no line end.
func IsOneLine(text string) bool { return !strings.Contains(text, "\n") }
