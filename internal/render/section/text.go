package section

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine is how many bytes of a line are shown.
const maxLine = 400

// visible is text in which nothing hides: characters that aren't printable are written as in a Go
// string, except for line ends and tabs.
func visible(text []byte) string {
	var out strings.Builder
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		body := bytes.TrimRight(line, "\r\n")
		if len(body) > maxLine {
			cut := maxLine
			for cut > 0 && !utf8.RuneStart(body[cut]) {
				cut--
			}
			writeVisible(&out, body[:cut])
			fmt.Fprintf(&out, " … %d more bytes", len(body)-cut)
		} else {
			writeVisible(&out, body)
		}
		if len(body) < len(line) {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

func writeVisible(out *strings.Builder, line []byte) {
	for len(line) > 0 {
		r, size := utf8.DecodeRune(line)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(out, `\x%02x`, line[0])
		case r == '\t' || unicode.IsPrint(r):
			out.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(out, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(out, `\U%08x`, r)
		default:
			fmt.Fprintf(out, `\u%04x`, r)
		}
		line = line[size:]
	}
}

// visibleLine is visible text on one line.
func visibleLine(text string) string {
	return strings.ReplaceAll(strings.TrimRight(visible([]byte(text)), "\n"), "\n", " ")
}

// cost is roughly the size of a text in HTML, in bytes.
func cost(text []byte) int {
	n := len(text)
	for _, c := range text {
		switch c {
		case '"', '\'', '+', '&', '<', '>':
			n += 4
		}
	}
	return n
}

// moduleWord is a directory on a command line.
func moduleWord(dir string) string {
	if dir = path.Clean(dir); strings.HasPrefix(dir, "-") {
		dir = "./" + dir
	}
	return shellWord(dir)
}

// shellWord is a name as a shell reads it.
func shellWord(name string) string {
	isOdd := func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-@+=:,", r))
	}
	switch {
	case name != "" && !strings.ContainsFunc(name, isOdd):
		return name
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "'" + visibleLine(name) + "'"
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
