package glob

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A Glob is a pattern of addresses: * and ? stand for any text inside one
// segment, ** for any number of segments. A pattern that matches a block
// matches all that the block holds.
type Glob []string

// Parse reads a pattern. It refuses one with an empty segment.
func Parse(text string) (Glob, error) {
	g := Glob(strings.Split(text, "."))
	for _, s := range g {
		if s == "" {
			return nil, fmt.Errorf("%q is no pattern of addresses; write for example aws_instance.*, module.vpc or data.**", text)
		}
	}
	switch short, ok := address.ShortForm(g[0]); {
	case ok && short != "":
		g[0] = short
	case ok && len(g) > 1:
		g = g[1:]
	}
	return g, nil
}

// Match tells whether an address fits the whole pattern.
func (g Glob) Match(address string) bool {
	reached := g.start()
	for segment := range strings.SplitSeq(address, ".") {
		reached = g.follow(reached, segment)
	}
	return g.isAt(reached)
}

// A reached tells how much of a pattern some segments of an address may have used
// up: element i is set if the first i segments of the pattern fit them. What is
// known of an address so leads to what is known of the addresses below it, and no
// pattern takes more time than its length times that of the address.
type reached []bool

// start is what no segment has reached.
func (g Glob) start() reached {
	r := make(reached, len(g)+1)
	r[0] = true
	return g.skip(r)
}

// follow is what one more segment reaches.
func (g Glob) follow(from reached, segment string) reached {
	to := make(reached, len(from))
	for i, pattern := range g {
		switch {
		case !from[i]:
		case pattern == "**":
			to[i] = true
		case matchText(pattern, segment):
			to[i+1] = true
		}
	}
	return g.skip(to)
}

// skip passes over each **, which may stand for no segment at all.
func (g Glob) skip(r reached) reached {
	for i, pattern := range g {
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

// isAt tells whether all of a pattern is used up.
func (g Glob) isAt(r reached) bool { return r[len(g)] }

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
