// Package outline finds the arguments and blocks of native text, and their positions, without
// building a syntax tree.
//
// A Scanner reads the text of a file and returns the items of one top-level block after another:
//
//	resource "aws_instance" "web" {   Name resource, Labels "aws_instance" "web"
//	  ami = "ami-0abc"                Name ami, Value "ami-0abc"
//	}                                 Value of the block: { through }
//
// It knows the whole grammar of the syntax, but only its usual spelling. It accepts a text only if
// the HCL parser also accepts it, and then finds the same positions. Otherwise it is not sure, and
// only the parser can decide.
//
// It is not sure about names outside of ASCII, numbers such as 1e400, characters other than accents
// that combine with their neighbours (unless nothing after them on the line needs a column),
// nesting deeper than maxDepth, and more. It doesn't import the parser and makes no diagnostics.
package outline

import (
	"hash/maphash"

	"github.com/hashicorp/hcl/v2"
)

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

// argument scans the equals sign and the value of the argument with index i in Items.
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

// block scans the labels and the body of the block with index i in Items.
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

// A Place is a position in a text, small since there are many. Line and Column, in grapheme
// clusters, start at 1, Byte starts at 0.
type Place struct{ Line, Column, Byte uint32 }

// Pos returns the place as package hcl has it.
func (p Place) Pos() hcl.Pos {
	return hcl.Pos{Line: int(p.Line), Column: int(p.Column), Byte: int(p.Byte)}
}

// Forward returns the place some ASCII bytes later on the line, or earlier if by is negative.
func (p Place) Forward(by int) Place {
	return Place{p.Line, uint32(int(p.Column) + by), uint32(int(p.Byte) + by)}
}

func placeOf(p hcl.Pos) Place { return Place{uint32(p.Line), uint32(p.Column), uint32(p.Byte)} }

// A Span is a part of a text.
type Span struct{ Start, End Place }

// SpanOf returns the part of a text that a range covers.
func SpanOf(r hcl.Range) Span { return Span{placeOf(r.Start), placeOf(r.End)} }

// In returns the range of the span in a file.
func (s Span) In(file string) hcl.Range {
	return hcl.Range{Filename: file, Start: s.Start.Pos(), End: s.End.Pos()}
}

// Of returns the part of a text that the span covers. It shares the text's memory.
func (s Span) Of(text []byte) []byte { return text[s.Start.Byte:s.End.Byte] }

// An Item is an argument or a block.
type Item struct {
	Name  Span // of the argument; the type of the block
	Value Span // the argument's expression; from the block's opening brace through the closing one
	// The labels of a block are Tree.Labels[FirstLabel:EndLabel].
	FirstLabel, EndLabel uint32
	// Inner is the number of the following items that are inside the block, at any depth.
	Inner   uint32
	IsBlock bool
}

// A Tree is a block and all items in it.
type Tree struct {
	Items  []Item // the block itself and, after it, everything in it, in source order
	Labels []Span // of all blocks, in source order, with their quotes
	// Texts are the labels as the language reads them; nil if each equals its text without quotes.
	Texts []string
}

// After returns the index of the item that follows an item and everything in it.
func (t *Tree) After(i int) int { return i + 1 + int(t.Items[i].Inner) }

// Functions that take the text of an expression apart. They report false if the scanner is not
// sure about it.

// Expression returns the length of the expression at the start of a text. It may span lines.
func Expression(text []byte) (n int, ok bool) {
	s := NewScanner(text)
	ok = s.expression(noLineEnds, 0) && !s.broken
	return int(s.end.Byte), ok
}

// IsQuoted reports whether a text is a single quoted template.
func IsQuoted(text []byte) bool {
	s := NewScanner(text)
	return s.peek(0) == '"' && s.quoted(0) && s.at == len(text) && !s.broken
}

// Heredoc calls visit with each line of a text that is a heredoc, without the markers. A sequence may make
// a line span several. It reports false if the text is anything else; visit may already have been called.
func Heredoc(text []byte, visit func(line []byte)) bool {
	s := NewScanner(append(text[:len(text):len(text)], '\n'))
	return s.heredoc(0, visit) && s.at == len(text) && !s.broken
}

// Elements calls visit with each element of a text that is a tuple or object constructor; the elements of a
// tuple have no keys. It reports false if the text is anything else or a for expression; visit may already
// have been called.
func Elements(text []byte, visit func(key, value []byte)) bool {
	s := NewScanner(text)
	isObject, closing, count := s.peek(0) == '{', byte(']'), noLineEnds
	if isObject {
		closing, count = '}', lineEnds
	}
	if s.token(1); !s.blanks(noLineEnds) || s.isNext("for") {
		return false
	}
	for {
		if isObject && !s.lines() || !s.blanks(count) {
			return false
		}
		if s.peek(0) == closing {
			s.token(1)
			return s.at == len(text) && !s.broken
		}
		key, value, ok := s.elementTexts(isObject)
		if !ok {
			return false
		}
		visit(key, value)
		switch {
		case s.peek(0) == closing:
		case s.peek(0) == ',':
			s.token(1)
		case isObject && s.at < len(text) && s.atLineEnd():
			s.lineEnd()
		default:
			return false
		}
	}
}

// elementTexts scans an element of a tuple or object constructor, and returns its texts without blanks
// around them.
func (s *Scanner) elementTexts(isObject bool) (key, value []byte, ok bool) {
	if !isObject {
		value, ok = s.expressionText(noLineEnds)
		return nil, value, ok
	}
	if key, ok = s.expressionText(lineEnds); !ok {
		return nil, nil, false
	}
	switch c, next := s.peek(0), s.peek(1); {
	case c == '=' && next != '>', c == ':' && next != ':':
		s.token(1)
		value, ok = s.expressionText(lineEnds)
		return key, value, ok
	}
	return nil, nil, false
}

// expressionText scans an expression and the blanks around it.
func (s *Scanner) expressionText(count lines) ([]byte, bool) {
	if !s.blanks(count) {
		return nil, false
	}
	start := s.at
	if !s.expression(count, 0) {
		return nil, false
	}
	return s.src[start:s.end.Byte], true
}

// nameHashes finds arguments that are set twice in a body. It compares hashes of their names; if
// two names have the same hash by chance, the scanner is not sure about the body.
type nameHashes struct {
	seed   maphash.Seed
	seeded bool
	body   int // index of the innermost body's first hash
	hashes []uint64
	many   map[uint64]bool // hashes of the innermost body, if it has more than few
}

// few is the number of hashes up to which a linear search is faster than a map.
const few = 24

// reset forgets all names, but keeps the seed and the memory.
func (n *nameHashes) reset() {
	n.body, n.hashes, n.many = 0, n.hashes[:0], nil
}

// open begins a body. Pass its result to close.
func (n *nameHashes) open() (outer nameHashes) {
	outer = *n
	n.body, n.many = len(n.hashes), nil
	return outer
}

// close ends the body that open began.
func (n *nameHashes) close(outer nameHashes) {
	hashes := n.hashes[:n.body]
	n.body, n.hashes, n.many = outer.body, hashes, outer.many
}

// add adds the name of an argument, and reports whether the body surely has no other with that name.
func (n *nameHashes) add(name []byte) bool {
	if !n.seeded {
		n.seed, n.seeded = maphash.MakeSeed(), true
	}
	h := maphash.Bytes(n.seed, name)
	if n.many != nil {
		isNew := !n.many[h]
		n.many[h] = true
		return isNew
	}
	known := n.hashes[n.body:]
	for _, k := range known {
		if k == h {
			return false
		}
	}
	n.hashes = append(n.hashes, h)
	if len(known) == few {
		n.many = make(map[uint64]bool, 4*few)
		for _, k := range n.hashes[n.body:] {
			n.many[k] = true
		}
	}
	return true
}
