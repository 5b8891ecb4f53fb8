package address

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/segments"
)

// A Pattern matches addresses segment by segment: * and ? stand for any text inside one segment,
// a * alone for any one segment, ** for any number of segments. In quotes neither has a meaning.
// A pattern that matches a block matches all that the block holds. An index may be left out:
//
//	resource "aws_instance" "web" {   # aws_instance.*
//	  lifecycle {                     # aws_instance.*.lifecycle
//	    prevent_destroy = true        # **.prevent_destroy
//	  }
//	  ebs_block_device {              # aws_instance.*.ebs_block_device[0]
//	    encrypted = false             # aws_instance.*.ebs_block_device.encrypted
//	  }
//	}
//
// A match takes time in proportion to the pattern times the address.
type Pattern struct {
	text  string
	steps []step
}

// A step is one segment of a pattern.
type step struct {
	segments.Segment
	isWild bool // * and ? have a meaning
}

const (
	maxSteps = 500 // of a pattern
	maxWild  = 250 // bytes of a segment with * or ?
)

func (s step) isAny() bool { return s.isWild && s.Name == "**" }

func (s step) fits(other segments.Segment) bool {
	switch {
	case !s.isWild:
		return s.Segment == other
	case s.Name == "*":
		return true
	}
	return !other.IsIndex() && matchText(s.Name, other.Name)
}

// ParsePattern reads a pattern. A block type at its start is replaced by the address prefix. It
// refuses whatever Parse refuses, and patterns that are too long.
func ParsePattern(text string) (Pattern, error) {
	parts, err := segments.Read(text)
	if err != nil {
		return Pattern{}, fmt.Errorf("%q is not a pattern of addresses: %w; write one such as aws_instance.*, module.vpc, data.** or '**.tags[\"cost centre\"]'", text, err)
	}
	p := Pattern{text: text}
	for _, part := range shortened(parts) {
		s := step{part.Segment, part.IsWild}
		if s.isWild {
			s.Name = squeezed(s.Name)
		}
		if n := len(p.steps); s.isAny() && n > 0 && p.steps[n-1].isAny() {
			continue // means no more than one
		}
		if s.isWild && len(s.Name) > maxWild || len(p.steps) == maxSteps {
			return Pattern{}, fmt.Errorf("%.40q… is too long for a pattern, which has at most %d segments, and %d bytes in a segment with * or ?", text, maxSteps, maxWild)
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

// squeezed is a text with one star for several in a row, but for the two that stand alone.
func squeezed(text string) string {
	if text == "**" {
		return text
	}
	for strings.Contains(text, "**") {
		text = strings.ReplaceAll(text, "**", "*")
	}
	return text
}

// anyNamed is the pattern of every address that ends with a path of segments.
func anyNamed(path Address) Pattern {
	p := Pattern{"**." + path.text, []step{{segments.Named("**"), true}}}
	for _, s := range path.Segments() {
		p.steps = append(p.steps, step{s, false})
	}
	return p
}

// IsPattern reports whether a text has a * or a ? that isn't in quotes.
func IsPattern(text string) bool {
	parts, err := segments.Read(text)
	if err != nil {
		return strings.ContainsAny(text, "*?")
	}
	return slices.ContainsFunc(parts, func(p segments.Part) bool { return p.IsWild })
}

// String returns the pattern as it was given.
func (p Pattern) String() string { return p.text }

// Len is how many segments the pattern has.
func (p Pattern) Len() int { return len(p.steps) }

// Prefix is the pattern of the first n segments.
func (p Pattern) Prefix(n int) Pattern {
	short := Pattern{steps: p.steps[:n]}
	for _, s := range short.steps {
		if s.isWild {
			short.text = segments.Concat(short.text, s.Name)
		} else {
			short.text = segments.Append(short.text, s.Segment)
		}
	}
	return short
}

// Name is the text of a segment; empty for one that isn't a name, or has a * or a ?.
func (p Pattern) Name(i int) string {
	if p.steps[i].isWild {
		return ""
	}
	return p.steps[i].Name
}

// Match reports whether an address fits the whole pattern.
func (p Pattern) Match(a Address) bool {
	at := p.start()
	for _, s := range a.Segments() {
		at = p.follow(at, s)
	}
	return p.isAt(at)
}

// Covers reports whether the pattern fits an address, or one around it.
func (p Pattern) Covers(a Address) bool {
	for ; !a.IsEmpty(); a = a.Parent() {
		if p.Match(a) {
			return true
		}
	}
	return false
}

// A prefixSet holds the prefixes of a pattern that some segments of an address fit: element i is
// set if the first i segments of the pattern fit them. The set for an address follows from the set
// for its parent. It is nil if nothing fits.
type prefixSet []bool

// start is the set for no segments.
func (p Pattern) start() prefixSet {
	r := make(prefixSet, len(p.steps)+1)
	r[0] = true
	return p.skip(r)
}

// follow is the match state after one more segment. An index may be left out of the pattern.
func (p Pattern) follow(from prefixSet, s segments.Segment) prefixSet {
	if from == nil {
		return nil
	}
	to, isAlive := make(prefixSet, len(from)), false
	if s.IsIndex() {
		copy(to, from)
		isAlive = true
	}
	for i, step := range p.steps {
		switch {
		case !from[i]:
		case step.isAny():
			to[i], isAlive = true, true
		case step.fits(s):
			to[i+1], isAlive = true, true
		}
	}
	if !isAlive {
		return nil
	}
	return p.skip(to)
}

// skip skips each **, which may match no segment at all.
func (p Pattern) skip(r prefixSet) prefixSet {
	for i, step := range p.steps {
		if r[i] && step.isAny() {
			r[i+1] = true
		}
	}
	return r
}

// or is the match state of two addresses of one object.
func (r prefixSet) or(other prefixSet) prefixSet {
	switch {
	case r == nil:
		return other
	case other == nil:
		return r
	}
	both := slices.Clone(r)
	for i := range both {
		both[i] = both[i] || other[i]
	}
	return both
}

// isAt reports whether all of a pattern is used up.
func (p Pattern) isAt(r prefixSet) bool { return r != nil && r[len(p.steps)] }

// matchText matches one segment, in which only * and ? are special. Only the last star found so far
// may need to match more text than at first: the text after an earlier star was matched as early as
// possible, which leaves the most.
func matchText(pattern, text string) bool {
	after, rest, starred := "", "", false // the text after the last star, and the text tried for it
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
