package template

import (
	"strconv"
	"strings"
	"unicode"
)

// IsVisible reports whether text can hold a character as it is.
func IsVisible(r rune) bool { return unicode.IsGraphic(r) || r == '\u200d' }

// Quote writes text as a quoted string without any sequence in it.
func Quote(s string) string { return `"` + EscapeQuoted(s) + `"` }

// EscapeQuoted writes literal text for a quoted string.
func EscapeQuoted(s string) string {
	if isPlainText(s) {
		return s
	}
	var out strings.Builder
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\r':
			out.WriteString(`\r`)
		case r == '\t':
			out.WriteString(`\t`)
		case (r == '$' || r == '%') && strings.HasPrefix(s[i+1:], "{"):
			out.WriteRune(r)
			out.WriteRune(r)
		case IsVisible(r):
			out.WriteRune(r)
		default:
			out.WriteString(escapeRune(r))
		}
	}
	return out.String()
}

func isPlainText(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' || c == '{' })
}

func escapeRune(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	text := quoted[1 : len(quoted)-1]
	if hex, ok := strings.CutPrefix(text, `\x`); ok {
		return `\u00` + hex
	}
	if strings.HasPrefix(text, `\u`) || strings.HasPrefix(text, `\U`) {
		return text
	}
	hex := strconv.FormatInt(int64(r), 16)
	return `\u` + strings.Repeat("0", 4-len(hex)) + hex
}
