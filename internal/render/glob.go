package render

import (
	"fmt"
	"path"
	"strings"
)

// A Glob is a pattern of addresses: * and ? stand for any text inside one
// segment, ** for any number of segments. A pattern that matches a block
// matches all that the block holds.
type Glob struct {
	text     string
	segments []string
}

// longNames are the ways to write the first segment of an address.
var longNames = map[string]string{"variable": "var", "locals": "local"}

// ParseGlob reads a pattern. It refuses an empty one and one that is malformed.
func ParseGlob(text string) (Glob, error) {
	segments := strings.Split(text, ".")
	for _, s := range segments {
		if _, err := path.Match(s, ""); err != nil || s == "" {
			return Glob{}, fmt.Errorf("%q is no pattern of addresses; write for example aws_instance.*, module.vpc or data.**", text)
		}
	}
	if short, ok := longNames[segments[0]]; ok {
		segments[0] = short
	}
	return Glob{text: text, segments: segments}, nil
}

// Match tells whether an address, or something that holds it, fits the pattern.
func (g Glob) Match(address string) bool {
	segments := strings.Split(address, ".")
	for n := len(segments); n > 0; n-- {
		if matchSegments(g.segments, segments[:n]) {
			return true
		}
	}
	return false
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
	if len(segments) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], segments[0])
	return err == nil && ok && matchSegments(pattern[1:], segments[1:])
}
