package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/merge"
)

// A Glob is a pattern of addresses: * and ? stand for any text inside one
// segment, ** for any number of segments. A pattern that matches a block
// matches all that the block holds.
type Glob []string

// ParseGlob reads a pattern. It refuses one with an empty segment.
func ParseGlob(text string) (Glob, error) {
	g := Glob(strings.Split(text, "."))
	for _, s := range g {
		if s == "" {
			return nil, fmt.Errorf("%q is no pattern of addresses; write for example aws_instance.*, module.vpc or data.**", text)
		}
	}
	switch short, ok := merge.ShortForm(g[0]); {
	case ok && short != "":
		g[0] = short
	case ok && len(g) > 1:
		g = g[1:]
	}
	return g, nil
}

// Match tells whether an address fits the whole pattern.
func (g Glob) Match(address string) bool {
	return matchSegments(g, strings.Split(address, "."))
}

func matchSegments(pattern, segments []string) bool {
	if len(pattern) == 0 {
		return len(segments) == 0
	}
	if pattern[0] == "**" {
		for n := range len(segments) + 1 {
			if matchSegments(pattern[1:], segments[n:]) {
				return true
			}
		}
		return false
	}
	return len(segments) > 0 && matchText(pattern[0], segments[0]) && matchSegments(pattern[1:], segments[1:])
}

// matchText matches one segment; * and ? have a meaning, nothing else has.
func matchText(pattern, text string) bool {
	for pattern != "" {
		r, size := utf8.DecodeRuneInString(pattern)
		if r == '*' {
			for at := range text + " " {
				if matchText(pattern[1:], text[at:]) {
					return true
				}
			}
			return false
		}
		first, width := utf8.DecodeRuneInString(text)
		if text == "" || r != '?' && r != first {
			return false
		}
		pattern, text = pattern[size:], text[width:]
	}
	return text == ""
}
