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
// with the same result as in the whole one, and that result is put back in the gap. Parts of long
// lines are treated likewise.

// A unit is a stretch of a template with whole sequences in it, and whole pairs of directives: from
// the start of a line to the start of another one, or some tokens of a line.
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

// A row holds the state of a frame's lines, or of the parts of its current line.
type row struct {
	inLine  bool
	traits         // of the units that stay
	current traits // of the current unit
	tokens  int    // of the current unit
	start   mark   // of the current unit, if started
	started bool
	seen    int // units
	waiting []unit
	waits   int // tokens that wait
	last    *stretch
}

// note takes note of tokens for the unit that they are part of.
func (r *row) note(tokens int, t traits) {
	r.tokens += tokens
	r.current.sequence = r.current.sequence || t.sequence
	r.current.brace = r.current.brace || t.brace
}

// note takes note of a token for the units that it is part of, and of the indentation.
func (f *frame) note(t hclsyntax.Token) {
	has := traits{isSequence(t), t.Type == hclsyntax.TokenOBrace}
	f.all++
	f.anyBrace = f.anyBrace || has.brace
	f.lines.note(1, has)
	f.inLine.note(1, has)
	if f.kind != text && f.kind != body {
		return
	}
	f.root.noteIndent(t, has.sequence)
	f.lineEnded, f.end = endsLine(t), t.Range.End
}

// isSequence reports whether a token starts a sequence.
func isSequence(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenTemplateInterp || t.Type == hclsyntax.TokenTemplateControl
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
	return isSequence(t) && len(t.Bytes) == 3
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
	if !stripsBefore(next) {
		s.meet(f, &f.lines, mark{f.end, len(s.out), f.root.atStart})
	}
}

// meet ends the current unit and starts the next one.
func (s *shortener) meet(f *frame, r *row, here mark) {
	if r.started {
		s.unit(f, r, unit{r.start, here, r.tokens, r.current})
	}
	here.out = len(s.out)
	r.start, r.started = here, true
	r.tokens, r.current = 0, traits{}
}

// unit decides on a unit that ends here.
func (s *shortener) unit(f *frame, r *row, u unit) {
	r.seen++
	stays := u.sequence && (!r.sequence || f.keeps()) || u.brace && !r.brace
	if r.seen <= limit.lines || stays {
		if stays {
			s.leaveOut(f, r)
		}
		r.sequence = r.sequence || u.sequence
		r.brace = r.brace || u.brace
		return
	}
	r.wait(u)
	if r.waits >= limit.atOnce && (!f.flush || f.root.indent < noIndent) {
		s.leaveOut(f, r)
	}
}

// keeps reports whether a sequence must stay because it is itself an error, as in a label.
func (f *frame) keeps() bool {
	if !f.root.isWord || f.root.invalid >= limit.invalid {
		return false
	}
	f.root.invalid++
	return true
}

// wait adds a unit. Lines of nothing but text are one unit: they have no errors.
func (r *row) wait(u unit) {
	r.waits += u.tokens
	if n := len(r.waiting); n > 0 && !u.sequence && !r.inLine {
		if last := &r.waiting[n-1]; !last.sequence && last.tokens < limit.atOnce {
			last.to = u.to
			last.tokens += u.tokens
			return
		}
	}
	r.waiting = append(r.waiting, u)
}

// endLines is called when a template, or a part of it, ends.
func (s *shortener) endLines(f *frame) {
	s.endLine(f)
	stay := f.lines.traits
	s.endRow(f, &f.lines)
	f.lines.traits = stay
	f.lineEnded = false
}

// endRow ends a row. More units wait only if there has been nothing but blank lines.
func (s *shortener) endRow(f *frame, r *row) {
	if r.waits >= limit.atOnce {
		s.leaveOut(f, r)
	}
	*r = row{inLine: r.inLine}
}

// leaveOut leaves out the units that wait.
func (s *shortener) leaveOut(f *frame, r *row) {
	units, waits := r.waiting, r.waits
	r.waiting, r.waits = units[:0], 0
	if len(units) == 0 {
		return
	}
	if r.inLine {
		f.lines.tokens -= waits
		f.all -= waits
	}
	from, to := units[0].from.out, units[len(units)-1].to.out
	behind := bytes.Clone(s.out[from:])
	moved := s.placesFrom(from)
	pieces := s.parsed(f, r, units, moved)
	s.out = s.out[:from]
	for _, p := range pieces {
		if p.isLeftOut {
			s.stand(f, r, p)
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
