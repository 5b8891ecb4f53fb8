package parse

import "github.com/hashicorp/hcl/v2/hclsyntax"

// Parts of one line are left out, too: a quoted template is one line, and a line of a heredoc may
// be as long. The lexer makes three literals of "a$b", because each sign that could have started a
// sequence is a separate literal, and the parser joins them.

// partStarts is called with a token before it is copied. A unit of the line starts with a sign or a
// sequence. The first token stays, because messages contain its position, and so does the next sign
// or sequence, before which it ends.
func (s *shortener) partStarts(f *frame, t hclsyntax.Token) {
	if f.kind == code || !isLiteral(t) && !isSequence(t) {
		return
	}
	switch {
	case f.lineStarted == 2 && s.canMeet(t):
		s.meet(f, &f.inLine, mark{pos: t.Range.Start, out: len(s.out)})
	case f.lineStarted == 0 || f.lineStarted == 1 && isMark(t):
		f.lineStarted++
	}
	if endsWithLine(t) {
		s.endLine(f)
	}
}

// canMeet reports whether a unit may start with a token. Another literal would be joined with the
// stand-in before it; a sequence may remove the stand-in's blanks; a directive may be an error that
// leaves nothing, so that the texts before and behind it meet.
func (s *shortener) canMeet(t hclsyntax.Token) bool {
	switch {
	case !isMark(t) || s.copied != t.Range.Start.Byte-s.offset:
		return false
	case stripsBefore(t) && isLiteral(s.previ), t.Type == hclsyntax.TokenTemplateControl:
		return false
	}
	return isLiteral(t) || !s.behindDirective
}

// endLine ends the parts of a line.
func (s *shortener) endLine(f *frame) {
	s.endRow(f, &f.inLine)
	f.lineStarted = 0
}

// endsWithLine reports whether a literal is empty or ends with its line.
func endsWithLine(t hclsyntax.Token) bool {
	return isLiteral(t) && (len(t.Bytes) == 0 || t.Bytes[len(t.Bytes)-1] == '\n')
}
