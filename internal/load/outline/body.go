package outline

// A level is how deep an item or an expression is nested.
type level int

const (
	topLevel level = 0
	// maxDepth is how deep bodies, brackets, templates and operators may nest. The parser
	// accepts more.
	maxDepth level = 100
)

// The methods of Scanner below and in the other files scan one part of the grammar each: they
// move past it, or return false if they are not sure about it.

// item scans an argument or a block and its line end. At the top level it accepts only blocks.
func (s *Scanner) item(in level) bool {
	from := s.here()
	if from.odd || !s.name() {
		return false
	}
	i := len(s.Items)
	labels := uint32(len(s.Labels))
	s.Items = append(s.Items, Item{Name: Span{from.Place, s.end.Place}, FirstLabel: labels, EndLabel: labels})
	if !s.blanks(lineEnds) {
		return false
	}
	if s.peek(0) == '=' {
		if in == topLevel || !s.argument(i, in) {
			return false
		}
	} else if !s.block(i, in) {
		return false
	}
	return s.blanks(lineEnds) && s.endOfItem()
}

// endOfItem scans the line end of an item.
func (s *Scanner) endOfItem() bool {
	if s.at == len(s.src) {
		return true
	}
	if !s.atLineEnd() {
		return false
	}
	s.lineEnd()
	return true
}

// argument scans the equals sign and the value of an item.
func (s *Scanner) argument(i int, in level) bool {
	if c := s.peek(1); c == '=' || c == '>' {
		return false
	}
	s.token(1)
	if !s.blanks(lineEnds) {
		return false
	}
	from := s.here()
	if from.odd || !s.expression(lineEnds, in+1) || s.end.odd {
		return false
	}
	s.Items[i].Value = Span{from.Place, s.end.Place}
	return true
}

// block scans the labels and the body of an item.
func (s *Scanner) block(i int, in level) bool {
	if in >= maxDepth || !s.labels() {
		return false
	}
	it := &s.Items[i]
	it.IsBlock, it.EndLabel = true, uint32(len(s.Labels))
	open := s.here()
	if open.odd {
		return false
	}
	s.token(1)
	if !s.body(in + 1) {
		return false
	}
	if s.end.odd {
		return false
	}
	it = &s.Items[i]
	it.Value, it.Inner = Span{open.Place, s.end.Place}, uint32(len(s.Items)-i-1)
	return true
}

// labels scans labels, up to the opening brace.
func (s *Scanner) labels() bool {
	for s.peek(0) != '{' {
		from := s.here()
		if from.odd || !s.label() || s.end.odd {
			return false
		}
		s.Labels = append(s.Labels, Span{from.Place, s.end.Place})
		if !s.blanks(lineEnds) {
			return false
		}
	}
	return true
}

// label scans a name, or a quoted label without escapes and templates.
func (s *Scanner) label() bool {
	if s.peek(0) != '"' {
		return s.name()
	}
	for s.at++; s.peek(0) != '"'; {
		switch s.peek(0) {
		case '\\', '$', '%':
			return false
		}
		if !s.quotedCharacter() {
			return false
		}
	}
	return s.token(1)
}

// body scans the body of a block, from after its opening brace through the closing one.
func (s *Scanner) body(in level) bool {
	if !s.blanks(lineEnds) || s.at == len(s.src) {
		return false
	}
	if s.peek(0) != '}' && !s.atLineEnd() {
		return s.oneLine(in)
	}
	outer := s.seen.open()
	for {
		if !s.lines() {
			return false
		}
		if s.peek(0) == '}' {
			s.seen.close(outer)
			return s.token(1)
		}
		i := len(s.Items)
		if !s.item(in) || !s.Items[i].IsBlock && !s.seen.add(s.Items[i].Name.Of(s.src)) {
			return false
		}
	}
}

// oneLine scans the one argument of a body on one line, and the closing brace.
func (s *Scanner) oneLine(in level) bool {
	from, i := s.here(), len(s.Items)
	if from.odd || !s.name() {
		return false
	}
	labels := uint32(len(s.Labels))
	s.Items = append(s.Items, Item{Name: Span{from.Place, s.end.Place}, FirstLabel: labels, EndLabel: labels})
	return s.blanks(lineEnds) && s.peek(0) == '=' && s.argument(i, in) &&
		s.blanks(lineEnds) && s.peek(0) == '}' && s.token(1)
}
