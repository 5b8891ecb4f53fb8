package parse

import "github.com/hashicorp/hcl/v2/hclsyntax"

// A run is a row of literals in one line. The lexer makes three of "a$b": each sign that could have
// started a sequence is a separate literal.
type run struct {
	going  bool
	marked bool // there has been a mark
	from   mark // of the first literal that may be left out
	value  []byte
	found  int // literals
	// Known up to the last literal that is a mark:
	to       mark
	ofValue  int
	ofFound  int
	badAlone int // literals with errors
}

// literal takes a literal that has been copied.
func (s *shortener) literal(f *frame, t hclsyntax.Token) {
	r := &f.run
	if endsWithLine(t) || !r.going && !isMark(t) {
		return
	}
	if !r.marked {
		r.marked = true // it stays: messages contain the position of a template's first token
		return
	}
	start := mark{pos: t.Range.Start, out: len(s.out) - len(t.Bytes)}
	decoded, diags := hclsyntax.ParseStringLiteralToken(t)
	if diags.HasErrors() {
		r.badAlone++
		if r.badAlone <= limit.invalid {
			s.endRun(f)
			return
		}
	}
	if !r.going {
		r.going, r.from = true, start
		r.value, r.found, r.ofFound = r.value[:0], 0, 0
	}
	r.value = append(r.value, decoded...)
	r.found++
	if isMark(t) {
		r.to = mark{pos: t.Range.End, out: len(s.out)}
		r.ofValue, r.ofFound = len(r.value), r.found
	}
}

// endsWithLine reports whether a literal is empty or ends with its line.
func endsWithLine(t hclsyntax.Token) bool {
	return len(t.Bytes) == 0 || t.Bytes[len(t.Bytes)-1] == '\n'
}

// endRun leaves a long run out.
func (s *shortener) endRun(f *frame) {
	r := &f.run
	r.marked = false
	if !r.going {
		return
	}
	r.going = false
	width := r.to.pos.Column - r.from.pos.Column
	if r.ofFound < limit.pieces || width < s.leastWidth() || r.to.pos.Line != r.from.pos.Line {
		return
	}
	st := &stretch{from: r.from.pos, to: r.to.pos, text: string(r.value[:r.ofValue]), isInline: true}
	behind := append([]byte(nil), s.out[r.to.out:]...)
	s.out = s.out[:r.from.out]
	s.add(st, width)
	s.out = append(s.out, behind...)
	f.tokens -= r.ofFound
}
