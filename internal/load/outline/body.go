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

// item scans an argument or a block with its line end, and adds it and everything in it to Items. At the top level
// it accepts only blocks.
func (s *Scanner) item(depth level) bool {
	from := s.here()
	// Only the parser knows positions behind a column that the scanner can't count.
	if from.columnUnknown || !s.name() {
		return false
	}
	i := len(s.Items)
	labels := uint32(len(s.Labels)) // those of a block are added from here on
	s.Items = append(s.Items, Item{Name: Span{from.Place, s.end.Place}, FirstLabel: labels, EndLabel: labels})
	if !s.skipBlanks(lineEndsAreTokens) {
		return false
	}
	// An equals sign makes it an argument; anything else must make it a block.
	if s.peek(0) == '=' {
		if depth == topLevel || !s.argument(i, depth) {
			return false
		}
	} else if !s.block(i, depth) {
		return false
	}
	return s.skipBlanks(lineEndsAreTokens) && s.endOfItem()
}

// endOfItem scans the line end of an item, which the end of the text may replace.
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
func (s *Scanner) argument(i int, depth level) bool {
	if c := s.peek(1); c == '=' || c == '>' { // == or =>
		return false
	}
	s.finishToken(1) // the equals sign
	if !s.skipBlanks(lineEndsAreTokens) {
		return false
	}
	from := s.here()
	if from.columnUnknown || !s.expression(lineEndsAreTokens, depth+1) || s.end.columnUnknown {
		return false
	}
	s.Items[i].Value = Span{from.Place, s.end.Place}
	return true
}

// block scans the labels and the body of the block with index i in Items.
func (s *Scanner) block(i int, depth level) bool {
	if depth >= maxDepth || !s.labels() {
		return false
	}
	it := &s.Items[i]
	it.IsBlock, it.EndLabel = true, uint32(len(s.Labels))
	open := s.here()
	if open.columnUnknown {
		return false
	}
	s.finishToken(1) // the opening brace
	if !s.body(depth+1) || s.end.columnUnknown {
		return false
	}
	it = &s.Items[i] // Items may have grown, and moved
	it.Value, it.Inner = Span{open.Place, s.end.Place}, uint32(len(s.Items)-i-1)
	return true
}

// labels scans the labels of a block, up to its opening brace, and adds them to Labels.
func (s *Scanner) labels() bool {
	for s.peek(0) != '{' {
		from := s.here()
		if from.columnUnknown || !s.label() || s.end.columnUnknown {
			return false
		}
		s.Labels = append(s.Labels, Span{from.Place, s.end.Place})
		if !s.skipBlanks(lineEndsAreTokens) {
			return false
		}
	}
	return true
}

// label scans a label: a name, or a quoted text without escapes and templates, which only the parser decodes.
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
	return s.finishToken(1)
}

// body scans the body of a block, from behind its opening brace through the closing one. It isn't sure about a body
// that sets an argument twice.
func (s *Scanner) body(depth level) bool {
	if !s.skipBlanks(lineEndsAreTokens) || s.at == len(s.src) {
		return false
	}
	if s.peek(0) != '}' && !s.atLineEnd() {
		return s.oneLine(depth) // as in a { b = 1 }
	}
	outer := s.names.openBody() // the names in the body around it
	for {
		if !s.skipEmptyLines() {
			return false
		}
		if s.peek(0) == '}' {
			s.names.closeBody(outer)
			return s.finishToken(1)
		}
		i := len(s.Items)
		if !s.item(depth) || !s.Items[i].IsBlock && !s.names.add(s.Items[i].Name.Of(s.src)) {
			return false
		}
	}
}

// oneLine scans the only argument of a body on one line, as in a { b = 1 }, through the closing brace.
func (s *Scanner) oneLine(depth level) bool {
	from, i := s.here(), len(s.Items)
	if from.columnUnknown || !s.name() {
		return false
	}
	labels := uint32(len(s.Labels))
	s.Items = append(s.Items, Item{Name: Span{from.Place, s.end.Place}, FirstLabel: labels, EndLabel: labels})
	return s.skipBlanks(lineEndsAreTokens) && s.peek(0) == '=' && s.argument(i, depth) &&
		s.skipBlanks(lineEndsAreTokens) && s.peek(0) == '}' && s.finishToken(1)
}

// A Place is a position in a text, in little memory since there are many. Line and Column, which counts grapheme
// clusters, start at 1, Byte at 0.
type Place struct{ Line, Column, Byte uint32 }

// Pos converts the place to the type of package hcl.
func (p Place) Pos() hcl.Pos {
	return hcl.Pos{Line: int(p.Line), Column: int(p.Column), Byte: int(p.Byte)}
}

// Forward returns the place by bytes later on the line, or earlier if by is negative. The bytes between must be
// ASCII.
func (p Place) Forward(by int) Place {
	return Place{p.Line, uint32(int(p.Column) + by), uint32(int(p.Byte) + by)}
}

// placeOf converts a position of package hcl.
func placeOf(p hcl.Pos) Place { return Place{uint32(p.Line), uint32(p.Column), uint32(p.Byte)} }

// A Span is a part of a text.
type Span struct{ Start, End Place }

// SpanOf converts a range of package hcl.
func SpanOf(r hcl.Range) Span { return Span{placeOf(r.Start), placeOf(r.End)} }

// In converts the span to a range of package hcl, in a file of that name.
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

// Expression returns the length of the expression at the start of a text, which may span lines. ok is false if only
// the parser can tell.
func Expression(text []byte) (n int, ok bool) {
	s := NewScanner(text)
	ok = s.expression(lineEndsAreBlank, 0) && !s.broken
	return int(s.end.Byte), ok
}

// IsQuoted reports whether a text is a single quoted template; false may also mean that only the parser can tell.
func IsQuoted(text []byte) bool {
	s := NewScanner(text)
	return s.peek(0) == '"' && s.quoted(0) && s.at == len(text) && !s.broken
}

// Heredoc calls visit with each line, line end included, between the markers of a text that is a heredoc. Lines that
// a sequence spans count as one. It reports false if the text may be anything else; visit may already have been
// called.
func Heredoc(text []byte, visit func(line []byte)) bool {
	// The scanner needs a line end behind the closing marker, though it stops before it.
	s := NewScanner(append(text[:len(text):len(text)], '\n'))
	return s.heredoc(topLevel, visit) && s.at == len(text) && !s.broken
}

// Elements calls visit with each element of a text such as [a, b] or {a = b}, which must start with a bracket; the
// elements of a tuple have no keys. It reports false if the text may be anything else, or is a for expression; visit
// may already have been called.
func Elements(text []byte, visit func(key, value []byte)) bool {
	s := NewScanner(text)
	isObject, closing, mode := s.peek(0) == '{', byte(']'), lineEndsAreBlank
	if isObject {
		closing, mode = '}', lineEndsAreTokens
	}
	s.finishToken(1) // the opening bracket
	if !s.skipBlanks(lineEndsAreBlank) || s.isNext("for") {
		return false
	}
	for {
		// Skip blanks and line ends: in a tuple, mode makes line ends blanks; in an object, they separate elements.
		if isObject && !s.skipEmptyLines() || !s.skipBlanks(mode) {
			return false
		}
		if s.peek(0) == closing {
			s.finishToken(1)
			return s.at == len(text) && !s.broken
		}
		key, value, ok := s.elementTexts(isObject)
		if !ok {
			return false
		}
		visit(key, value)
		switch {
		case s.peek(0) == closing: // the next pass scans it
		case s.peek(0) == ',':
			s.finishToken(1)
		case isObject && s.at < len(text) && s.atLineEnd():
			s.lineEnd()
		default:
			return false
		}
	}
}

// elementTexts scans an element of a tuple or object, and returns its texts without blanks around them. key is nil
// in a tuple.
func (s *Scanner) elementTexts(isObject bool) (key, value []byte, ok bool) {
	if !isObject {
		value, ok = s.expressionText(lineEndsAreBlank)
		return nil, value, ok
	}
	if key, ok = s.expressionText(lineEndsAreTokens); !ok {
		return nil, nil, false
	}
	switch c, next := s.peek(0), s.peek(1); {
	case c == '=' && next != '>', c == ':' && next != ':':
		s.finishToken(1)
		value, ok = s.expressionText(lineEndsAreTokens)
		return key, value, ok
	}
	return nil, nil, false
}

// expressionText scans an expression and the blanks around it, and returns its text without these blanks.
func (s *Scanner) expressionText(mode lineMode) ([]byte, bool) {
	if !s.skipBlanks(mode) {
		return nil, false
	}
	start := s.at
	if !s.expression(mode, 0) {
		return nil, false
	}
	return s.src[start:s.end.Byte], true
}

// nameHashes finds arguments that a body sets twice. It compares only hashes of their names, to save memory: if two
// names have the same hash by chance, the scanner isn't sure about the body, and the parser decides.
type nameHashes struct {
	seed    maphash.Seed
	hasSeed bool
	body    int // index of the innermost body's first hash
	hashes  []uint64
	set     map[uint64]bool // hashes of the innermost body, if it has more than few
}

// few is the number of hashes up to which a linear search is faster than a map.
const few = 24

// reset forgets all names for the next block, but keeps the seed and the memory.
func (n *nameHashes) reset() {
	n.body, n.hashes, n.set = 0, n.hashes[:0], nil
}

// openBody begins a body inside the current one, whose state it returns for closeBody to restore.
func (n *nameHashes) openBody() (outer nameHashes) {
	outer = *n
	n.body, n.set = len(n.hashes), nil
	return outer
}

// closeBody ends the innermost body, and returns to the one around it. outer is the result of openBody.
func (n *nameHashes) closeBody(outer nameHashes) {
	n.hashes = n.hashes[:n.body] // as in outer, but with the memory that has been added since
	n.body = outer.body
	n.set = outer.set
}

// add adds the name of an argument to the innermost body. It reports whether the name is surely new there.
func (n *nameHashes) add(name []byte) bool {
	if !n.hasSeed {
		n.seed, n.hasSeed = maphash.MakeSeed(), true
	}
	h := maphash.Bytes(n.seed, name)
	if n.set != nil {
		isNew := !n.set[h]
		n.set[h] = true
		return isNew
	}
	known := n.hashes[n.body:]
	for _, k := range known {
		if k == h {
			return false
		}
	}
	n.hashes = append(n.hashes, h)
	if len(known) == few { // from now on, look up a set
		n.set = make(map[uint64]bool, 4*few)
		for _, k := range n.hashes[n.body:] {
			n.set[k] = true
		}
	}
	return true
}
