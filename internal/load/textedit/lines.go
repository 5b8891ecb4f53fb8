package textedit

import (
	"bytes"
	"strings"
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

// IsOneLine reports whether a text has no line end.
func IsOneLine(text string) bool { return !strings.Contains(text, "\n") }
