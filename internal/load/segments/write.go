package segments

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A Segment is one step of the way: a name, or a number in a list.
type Segment struct {
	Name  string
	Index int // starts at 0; -1 for a name
}

// Named is the segment of a name.
func Named(name string) Segment { return Segment{name, -1} }

// At is the segment of an index, which starts at 0.
func At(index int) Segment { return Segment{"", index} }

// IsIndex reports whether the segment is a number.
func (s Segment) IsIndex() bool { return s.Index >= 0 }

// Append writes a segment behind a text of others, which may be empty.
func Append(text string, s Segment) string {
	switch {
	case s.IsIndex():
		return text + "[" + strconv.Itoa(s.Index) + "]"
	case !isBare(s.Name):
		return text + "[" + quote(s.Name) + "]"
	case text == "":
		return s.Name
	}
	return text + "." + s.Name
}

// Join writes names.
func Join(names ...string) string {
	isOdd := func(name string) bool { return !isBare(name) }
	if !slices.ContainsFunc(names, isOdd) {
		return strings.Join(names, ".")
	}
	text := ""
	for _, name := range names {
		text = Append(text, Named(name))
	}
	return text
}

// Concat writes a text of segments behind another one. Either may be empty.
func Concat(text, rest string) string {
	if text == "" || rest == "" || rest[0] == '[' {
		return text + rest
	}
	return text + "." + rest
}

// isBare reports whether a name is written without brackets.
func isBare(name string) bool {
	for i := range len(name) {
		c := name[i]
		isLetter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		switch {
		case isLetter, i > 0 && (c >= '0' && c <= '9' || c == '-'):
		case c < utf8.RuneSelf:
			return false
		default:
			return utf8.ValidString(name) && hclsyntax.ValidIdentifier(name) && !strings.ContainsFunc(name, isHidden)
		}
	}
	return name != ""
}

func isHidden(r rune) bool { return !unicode.IsPrint(r) }

// quote writes a name in quotes, in printable characters.
func quote(name string) string {
	var out strings.Builder
	out.WriteByte('"')
	for i, r := range name {
		switch {
		case r == '"' || r == '\\':
			out.WriteString(`\` + string(r))
		case r == utf8.RuneError && !strings.HasPrefix(name[i:], "\ufffd"):
			out.WriteString(`\x` + strconv.FormatUint(uint64(name[i]), 16)) // no text; at least 80
		case unicode.IsPrint(r):
			out.WriteRune(r)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	out.WriteByte('"')
	return out.String()
}
