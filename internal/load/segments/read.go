package segments

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What Read refuses.
var (
	errEmpty   = errors.New("a part of it is empty")
	errBracket = errors.New("brackets hold a number or a key")
)

// A Part is a segment as it is written in a text.
type Part struct {
	Segment
	IsQuoted   bool // it is a string in quotes, in which nothing has another meaning
	IsWild     bool // it has a * or a ? that isn't in quotes
	Start, End int  // in the text, with the dot or the brackets
}

// Read takes a text apart.
func Read(text string) ([]Part, error) {
	var list []Part
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
func next(text string, at int) (Part, error) {
	p := Part{Segment: Segment{Index: -1}, Start: at}
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
func bracket(p Part, rest string) (Part, error) {
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
