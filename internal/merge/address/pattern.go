package address

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Pattern matches addresses segment by segment: * and ? stand for any text inside
// one segment, ** for any number of segments. A pattern that matches a block matches
// all that the block holds:
//
//	resource "aws_instance" "web" {   # aws_instance.*
//	  lifecycle {                     # aws_instance.*.lifecycle
//	    prevent_destroy = true        # **.prevent_destroy
//	  }
//	}
//
// A match takes time in proportion to the pattern times the address.
type Pattern []string

// ParsePattern reads a pattern. The type of a block at its start counts as what
// addresses start with instead. It refuses a pattern with an empty segment.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern(strings.Split(text, "."))
	for _, s := range p {
		if s == "" {
			return nil, fmt.Errorf("%q is not a pattern of addresses; write one such as aws_instance.*, module.vpc or data.**", text)
		}
	}
	switch short, ok := shortForm(p[0]); {
	case ok && short != "":
		p[0] = short
	case ok && len(p) > 1:
		p = p[1:]
	}
	return p, nil
}

// Match reports whether an address fits the whole pattern.
func (p Pattern) Match(a Address) bool {
	reached := p.start()
	for segment := range a.texts() {
		reached = p.follow(reached, segment)
	}
	return p.isAt(reached)
}

// A reached is how much of a pattern some segments of an address may have used up:
// element i is set if the first i segments of the pattern fit them. What is known of
// an address so leads to what is known of the addresses below it.
type reached []bool

// start is what no segment has reached.
func (p Pattern) start() reached {
	r := make(reached, len(p)+1)
	r[0] = true
	return p.skip(r)
}

// follow is what one more segment reaches.
func (p Pattern) follow(from reached, segment string) reached {
	to := make(reached, len(from))
	for i, pattern := range p {
		switch {
		case !from[i]:
		case pattern == "**":
			to[i] = true
		case matchText(pattern, segment):
			to[i+1] = true
		}
	}
	return p.skip(to)
}

// skip passes over each **, which may stand for no segment at all.
func (p Pattern) skip(r reached) reached {
	for i, pattern := range p {
		if r[i] && pattern == "**" {
			r[i+1] = true
		}
	}
	return r
}

// or is what one of two addresses reaches.
func (r reached) or(other reached) reached {
	both := slices.Clone(r)
	for i := range both {
		both[i] = both[i] || other[i]
	}
	return both
}

// isAt reports whether all of a pattern is used up.
func (p Pattern) isAt(r reached) bool { return r[len(p)] }

// matchText matches one segment; * and ? have a meaning, nothing else has. Of the
// stars only the last one met may have to stand for more text than at first: what
// follows an earlier one was found where it comes up first, which leaves most.
func matchText(pattern, text string) bool {
	after, rest, starred := "", "", false // what follows the last star, and the text tried for it
	for text != "" {
		r, size := utf8.DecodeRuneInString(pattern)
		first, width := utf8.DecodeRuneInString(text)
		switch {
		case size > 0 && r == '*':
			pattern = pattern[size:]
			after, rest, starred = pattern, text, true
		case size > 0 && (r == '?' || r == first):
			pattern, text = pattern[size:], text[width:]
		case starred:
			_, width = utf8.DecodeRuneInString(rest)
			rest = rest[width:]
			pattern, text = after, rest
		default:
			return false
		}
	}
	return strings.Trim(pattern, "*") == ""
}
