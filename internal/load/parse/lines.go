package parse

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/apparentlymart/go-textseg/v17/textseg"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Lines of long templates are left out, some at a time. They are parsed separately, as a template
// with the same result as in the whole one, and that result is put back in the gap.

// A unit is a stretch of a template from the start of a line to the start of another one, with
// whole sequences in it, and whole pairs of directives.
type unit struct {
	from, to mark
	tokens   int
	traits
}

// A mark is a position in the text and in the shortened text.
type mark struct {
	pos hcl.Pos
	out int
	// atStart reports whether the heredoc's indentation is taken away behind it. It isn't if a
	// sequence has taken away the line end.
	atStart bool
}

// traits describe a unit. The last unit with a trait must stay: the parser treats a string without
// sequences differently, and after an error it looks for a brace.
type traits struct{ sequence, brace bool }

// lines are what a frame knows of its lines.
type lines struct {
	traits           // of the units that stay
	current   traits // of the current unit
	tokens    int    // of the current unit
	start     mark   // of the current unit, if started
	started   bool
	lineEnded bool // the last token is the end of a line
	end       hcl.Pos
	seen      int // units
	waiting   []unit
	waits     int // tokens that wait
	last      *stretch
	braces    int // that are open, in code
}

// note takes note of a token for the unit that it is part of, and of the indentation.
func (f *frame) note(t hclsyntax.Token) {
	f.tokens++
	f.all++
	f.anyBrace = f.anyBrace || t.Type == hclsyntax.TokenOBrace
	isSequence := t.Type == hclsyntax.TokenTemplateInterp || t.Type == hclsyntax.TokenTemplateControl
	f.current.sequence = f.current.sequence || isSequence
	f.current.brace = f.current.brace || t.Type == hclsyntax.TokenOBrace
	if f.kind != text && f.kind != body {
		return
	}
	f.root.noteIndent(t, isSequence)
	f.lineEnded, f.end = endsLine(t), t.Range.End
}

// noteIndent takes note of how far a line is indented. It may find too much, but not too little.
func (f *frame) noteIndent(t hclsyntax.Token, isSequence bool) {
	isText := t.Type == hclsyntax.TokenStringLit
	f.isOver = f.isOver || !isText && !isSequence
	if f.isOver {
		return // the parser looks at no more lines
	}
	switch {
	case f.atStart && isSequence && (f.isFirst || !stripsBefore(t)):
		f.indent = 0
	case f.atStart && isText:
		if n, counts := indentation(string(t.Bytes)); counts {
			f.indent = min(f.indent, n)
		}
	}
	isGone := f.stripsNext && len(bytes.TrimLeftFunc(t.Bytes, unicode.IsSpace)) == 0
	f.atStart = isText && !isGone && bytes.HasSuffix(t.Bytes, []byte("\n"))
	f.isFirst, f.stripsNext = false, false
}

// stripsBefore reports whether a token starts a sequence and takes away the blanks before it.
func stripsBefore(t hclsyntax.Token) bool {
	return (t.Type == hclsyntax.TokenTemplateInterp || t.Type == hclsyntax.TokenTemplateControl) && len(t.Bytes) == 3
}

// indentation returns the number of blanks at the start of a line, and whether the line takes part
// in the indentation.
func indentation(line string) (n int, counts bool) {
	rest := strings.TrimLeftFunc(line, unicode.IsSpace)
	if rest == "" && strings.HasSuffix(line, "\n") {
		return 0, false
	}
	for blanks := []byte(line[:len(line)-len(rest)]); len(blanks) > 0; n++ {
		size, _, _ := textseg.ScanGraphemeClusters(blanks, true)
		blanks = blanks[size:]
	}
	return n, true
}

// lineEnded is called with the first token behind a line end. If it takes the line end away,
// units can't meet here.
func (s *shortener) lineEnded(f *frame, next hclsyntax.Token) {
	f.lineEnded = false
	if stripsBefore(next) {
		return
	}
	here := mark{f.end, len(s.out), f.root.atStart}
	if f.started {
		s.unit(f, unit{f.start, here, f.tokens, f.current})
	}
	here.out = len(s.out)
	f.start, f.started = here, true
	f.tokens, f.current = 0, traits{}
}

// unit decides on a unit that ends here.
func (s *shortener) unit(f *frame, u unit) {
	f.seen++
	stays := u.sequence && !f.sequence || u.brace && !f.brace
	if f.seen <= limit.lines || stays {
		if stays {
			s.leaveOut(f)
		}
		f.sequence = f.sequence || u.sequence
		f.brace = f.brace || u.brace
		return
	}
	f.wait(u)
	if f.waits >= limit.atOnce && (!f.flush || f.root.indent < noIndent) {
		s.leaveOut(f)
	}
}

// wait adds a unit. Units of nothing but text are one: they have no errors.
func (f *frame) wait(u unit) {
	f.waits += u.tokens
	if n := len(f.waiting); n > 0 && !u.sequence {
		if last := &f.waiting[n-1]; !last.sequence && last.tokens < limit.atOnce {
			last.to = u.to
			last.tokens += u.tokens
			return
		}
	}
	f.waiting = append(f.waiting, u)
}

// endLines is called when a template, or a part of it, ends. More units wait only if
// there has been nothing but blank lines.
func (s *shortener) endLines(f *frame) {
	if f.waits >= limit.atOnce {
		s.leaveOut(f)
	}
	f.lines = lines{traits: f.traits, braces: f.braces}
}

// leaveOut leaves out the units that wait.
func (s *shortener) leaveOut(f *frame) {
	units := f.waiting
	f.waiting, f.waits = nil, 0
	if len(units) == 0 {
		return
	}
	from, to := units[0].from.out, units[len(units)-1].to.out
	behind := bytes.Clone(s.out[from:])
	moved := s.placesFrom(from)
	pieces := s.parsed(f, units, moved)
	s.out = s.out[:from]
	for _, p := range pieces {
		if p.isLeftOut {
			s.stand(f, p)
			continue
		}
		moved = s.putBack(behind, from, p.from.out, p.to.out, moved)
	}
	s.putBack(behind, from, to, from+len(behind), moved)
}

// placesFrom takes away the stretches with a stand-in behind an offset, and returns them.
func (s *shortener) placesFrom(from int) []*stretch {
	n := len(s.places)
	for n > 0 && s.places[n-1].out >= from {
		n--
	}
	moved := append([]*stretch(nil), s.places[n:]...)
	s.places = s.places[:n]
	return moved
}

// putBack appends the text between from and to, with its stand-ins. It returns the stretches whose
// stand-ins were behind that.
func (s *shortener) putBack(text []byte, base, from, to int, moved []*stretch) []*stretch {
	by := len(s.out) - from
	s.out = append(s.out, text[from-base:to-base]...)
	for len(moved) > 0 && moved[0].out < to {
		if st := moved[0]; st.out >= from {
			st.out += by
			s.places = append(s.places, st)
		}
		moved = moved[1:]
	}
	return moved
}
