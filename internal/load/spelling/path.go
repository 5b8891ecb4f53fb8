package spelling

import (
	"errors"
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

// AppendPath writes a segment behind a text of others, which may be empty.
func AppendPath(text string, s Segment) string {
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

// JoinPath writes names.
func JoinPath(names ...string) string {
	isOdd := func(name string) bool { return !isBare(name) }
	if !slices.ContainsFunc(names, isOdd) {
		return strings.Join(names, ".")
	}
	text := ""
	for _, name := range names {
		text = AppendPath(text, Named(name))
	}
	return text
}

// ConcatPaths writes a text of segments behind another one. Either may be empty.
func ConcatPaths(text, rest string) string {
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

// What Read refuses.
var (
	errEmpty   = errors.New("a part of it is empty")
	errBracket = errors.New("brackets hold a number or a key")
)

// A Part is a segment as it is written in a text.
type PathPart struct {
	Segment
	IsQuoted   bool // it is a string in quotes, in which nothing has another meaning
	IsWild     bool // it has a * or a ? that isn't in quotes
	Start, End int  // in the text, with the dot or the brackets
}

// ReadPath takes a text apart.
func ReadPath(text string) ([]PathPart, error) {
	var list []PathPart
	for at := 0; at < len(text) || len(list) == 0; {
		p, err := next(text, at)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
		at = p.End
	}
	return list, nil
}

// next reads the part of a text that starts at an offset.
func next(text string, at int) (PathPart, error) {
	p := PathPart{Segment: Segment{Index: -1}, Start: at}
	rest := text[at:]
	if strings.HasPrefix(rest, "[") {
		return bracket(p, rest[1:])
	}
	dot := 0
	if at > 0 {
		if rest[0] != '.' {
			return p, errBracket // something is behind a closing bracket
		}
		dot = 1
	}
	n := strings.IndexAny(rest[dot:], `.["]`)
	if n < 0 {
		n = len(rest) - dot
	}
	if n == 0 {
		return p, errEmpty
	}
	p.Name, p.End = rest[dot:dot+n], at+dot+n
	p.IsWild = strings.ContainsAny(p.Name, "*?")
	return p, nil
}

// bracket reads the rest of a segment after an opening bracket.
func bracket(p PathPart, rest string) (PathPart, error) {
	n := 0
	if strings.HasPrefix(rest, `"`) {
		name, length, ok := unquote(rest)
		if !ok {
			return p, errBracket
		}
		p.Name, p.IsQuoted, n = name, true, length
	} else {
		// Shells take away the quotes.
		n = max(0, strings.IndexAny(rest, `]["`))
		p.Name = rest[:n]
		if number, err := strconv.Atoi(p.Name); err == nil && number >= 0 && p.Name[0] != '+' {
			p.Segment = At(number)
		}
		if p.IsWild = strings.ContainsAny(p.Name, "*?"); n == 0 {
			return p, errBracket
		}
	}
	if !strings.HasPrefix(rest[n:], "]") {
		return p, errBracket
	}
	p.End = p.Start + n + 2
	return p, nil
}

// unquote reads a string in quotes that a text starts with, and returns how long it is there.
func unquote(text string) (name string, n int, ok bool) {
	var out strings.Builder
	rest := text[1:]
	for rest != "" && rest[0] != '"' {
		if plain := strings.IndexAny(rest, `"\`); plain != 0 {
			if plain < 0 {
				return "", 0, false
			}
			out.WriteString(rest[:plain])
			rest = rest[plain:]
			continue
		}
		r, isMultibyte, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			return "", 0, false
		}
		if isMultibyte || r < utf8.RuneSelf {
			out.WriteRune(r)
		} else {
			out.WriteByte(byte(r))
		}
		rest = tail
	}
	if rest == "" {
		return "", 0, false
	}
	return out.String(), len(text) - len(rest) + 1, true
}
