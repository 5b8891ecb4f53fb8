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

// literalOf is the pattern of nothing but a path of segments.
func literalOf(path []segments.Segment) (p Pattern) {
	for _, s := range path {
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

// HasGlobs reports whether a segment has a * or a ? beside other text.
func (p Pattern) HasGlobs() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.isWild && s.Name != "*" && !s.isAny() })
}

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
