package discover

import (
	"bytes"
	"errors"
	"strings"
)

// A Pattern matches paths as a line of a .gitignore file does.
type Pattern struct {
	tokens    []token
	isNegated bool // its matches are not ignored after all
	isName    bool // it matches the last part of a path, wherever that is
}

// A token matches a part of a path.
type token struct {
	kind kind
	set  *[256]bool // of a byte that is not itself
	char byte
}

type kind byte

const (
	literal kind = iota
	one          // a byte of a set
	star         // bytes of one name
	names        // whole names with the slashes behind them
	rest         // all that is left
)

// Parse returns the patterns of a .gitignore file, in its order. Lines that match nothing are
// skipped, as by git.
func Parse(text []byte) []Pattern {
	var list []Pattern
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if p, ok := parse(trimBlanks(string(line))); ok {
			list = append(list, p)
		}
	}
	return list
}

// trimBlanks takes away the blanks at the end, but for one with a backslash before it.
func trimBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// One returns the pattern that a user gives to exclude something.
func One(text string) (Pattern, error) {
	switch {
	case strings.HasPrefix(text, "!"):
		return Pattern{}, errors.New("a ! at the start isn't supported here")
	case strings.ContainsRune(text, '\n'):
		return Pattern{}, errors.New("it must be one line")
	}
	p, ok := parse(strings.TrimPrefix(text, "./"))
	if !ok {
		return p, errors.New("it matches nothing")
	}
	return p, nil
}

// parse returns the pattern of a line, if it can match anything.
func parse(line string) (p Pattern, ok bool) {
	line, p.isNegated = strings.CutPrefix(line, "!")
	line = strings.TrimSuffix(line, "/") // only directories are matched
	p.isName = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	for at := 0; at < len(line); {
		t, length := next(line, at, p.isName)
		if length == 0 {
			return p, false
		}
		p.tokens = append(p.tokens, t)
		at += length
	}
	return p, len(p.tokens) > 0
}

// next returns the token of a line at an index, and how many bytes it takes; 0 if git
// doesn't understand it.
func next(line string, at int, isName bool) (token, int) {
	switch line[at] {
	case '*':
		length := len(line[at:]) - len(strings.TrimLeft(line[at:], "*"))
		isFirst := at == 0 || line[at-1] == '/' || !strings.ContainsAny(line[:at], `*?[\`) // git compares those bytes first
		behind := line[at+length:]
		switch {
		case length < 2 || isName || !isFirst:
			return token{kind: star}, length
		case behind == "":
			return token{kind: rest}, length
		case behind[0] == '/':
			return token{kind: names}, length + 1
		}
		return token{kind: star}, length
	case '?':
		return token{kind: one, set: &anyByte}, 1
	case '[':
		return class(line, at)
	case '\\':
		if at+1 == len(line) {
			return token{}, 0
		}
		return token{char: line[at+1]}, 2
	}
	return token{char: line[at]}, 1
}

var anyByte = func() (set [256]bool) {
	for c := range set {
		set[c] = c != '/'
	}
	return set
}()

// class reads a set of bytes in brackets.
func class(line string, at int) (token, int) {
	set, from := [256]bool{}, at
	at++
	isNegated := at < len(line) && (line[at] == '!' || line[at] == '^')
	if isNegated {
		at++
	}
	for first := true; ; first = false {
		if at >= len(line) {
			return token{}, 0
		}
		if line[at] == ']' && !first {
			break
		}
		length := member(&set, line[at:])
		if length == 0 {
			return token{}, 0
		}
		at += length
	}
	for c := range set {
		set[c] = set[c] != isNegated && c != '/'
	}
	return token{kind: one, set: &set}, at + 1 - from
}

// member adds to a set the member at the beginning of a text: a byte, a range or a named class. It
// returns its length in bytes; 0 if git doesn't understand it.
func member(set *[256]bool, text string) int {
	if name, _, _ := strings.Cut(text[1:], "]"); text[0] == '[' && len(name) > 1 && name[0] == ':' && name[len(name)-1] == ':' {
		in := classes[name[1:len(name)-1]]
		if in == nil {
			return 0
		}
		for c := range set {
			set[c] = set[c] || in(byte(c))
		}
		return len(name) + 2
	}
	low, length := escaped(text)
	high := low
	if length > 0 && len(text) > length+1 && text[length] == '-' && text[length+1] != ']' {
		more := 0
		if high, more = escaped(text[length+1:]); more == 0 {
			return 0
		}
		length += 1 + more
	}
	for c := int(low); c <= int(high); c++ {
		set[c] = true
	}
	return length
}

// escaped is the byte at the beginning of a text, which a backslash may be before.
func escaped(text string) (c byte, length int) {
	switch {
	case text[0] != '\\':
		return text[0], 1
	case len(text) == 1:
		return 0, 0
	}
	return text[1], 2
}

var classes = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return '!' <= c && c <= '~' },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return ' ' <= c && c <= '~' },
	"punct":  func(c byte) bool { return '!' <= c && c <= '~' && !isLetter(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
