// Package equal compares items of configuration apart from their layout: it ignores blanks, line
// ends and comments, and the spelling of constants that are not very long. Two items that only a
// provider could know to be the same are different.
package equal

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/zclconf/go-cty/cty"
)

// Items reports whether two items are equal, apart from blanks and comments. Up to a length of MaxConstant, constants
// in them are also equal if they have the same value, as 1.0 and 1 do, and the order of an object's keys or of a
// block's arguments doesn't matter.
func Items(a, b source.Item) bool {
	x, isAttr := a.(*source.Attr)
	y, isOtherAttr := b.(*source.Attr)
	if isAttr != isOtherAttr {
		return false
	}
	// Most often the tokens decide. Parsing costs more, so long texts with other tokens count as different.
	xText, yText := textOf(a), textOf(b)
	if sameTokens(xText, yText) {
		return true
	}
	if max(len(xText), len(yText)) > MaxConstant {
		return false
	}
	if isAttr {
		return sameValues(x, y)
	}
	return sameBlocks(a.(*source.Block), b.(*source.Block))
}

// textOf returns the text to compare: the value of an argument, or a whole block.
func textOf(it source.Item) []byte {
	if a, isAttr := it.(*source.Attr); isAttr {
		return a.File.Text(a.Value())
	}
	return it.Source().Text(it.Extent())
}

// sameValues reports whether the values of two arguments are the same constant, or the same expression apart from
// parentheses and the like around it.
func sameValues(x, y *source.Attr) bool {
	x, y = withParsedExpr(x), withParsedExpr(y)
	v, isConstant := constantOf(x)
	w, isOtherConstant := constantOf(y)
	if isConstant && isOtherConstant && v.RawEquals(w) {
		return true
	}
	p := pair{x: x, y: y, xQuotes: language.TakesQuotes(x), yQuotes: language.TakesQuotes(y)}
	// A constant equals neither another constant nor an expression. But in depends_on and the like, a reference in
	// quotes, "aws_instance.web", looks like a constant and may equal the same reference without quotes.
	mayBeReferences := p.xQuotes || p.yQuotes
	if (isConstant || isOtherConstant) && !mayBeReferences {
		return false
	}
	return p.equal(x.Expr(), y.Expr())
}

// constantOf returns the value of an argument that refers to nothing; ok is false for any other. constant.Value
// isn't enough: it evaluates true || var.x, which still depends on var.x, and may be sensitive because of it.
func constantOf(a *source.Attr) (v cty.Value, ok bool) {
	if v, ok = constant.Value(a); !ok {
		return v, false
	}
	_, isPlain := a.PlainText() // it refers to nothing, and needn't be parsed to know that
	return v, isPlain || len(a.Expr().Variables()) == 0
}

// withParsedExpr returns a copy of an argument that keeps its parsed expression, which a.Expr would parse anew on
// every call. For a plain text, which is cheap to parse, it returns a.
func withParsedExpr(a *source.Attr) *source.Attr {
	if _, isPlain := a.PlainText(); isPlain {
		return a
	}
	return a.With(a.Expr())
}

// sameTokens reports whether two native texts have the same tokens. If neither has comments, comparing everything
// but blanks first finds most differences faster.
func sameTokens(a, b []byte) bool {
	switch {
	case bytes.Equal(a, b):
		return true
	case !mayHaveComments(a) && !mayHaveComments(b) && !sameButBlanks(a, b):
		return false
	}
	return SumOf(a) == SumOf(b)
}

// mayHaveComments reports whether a text contains characters that begin a comment, maybe within a string.
func mayHaveComments(text []byte) bool {
	return bytes.IndexByte(text, '#') >= 0 || bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*"))
}

// sameButBlanks reports whether two texts differ only in blanks and line ends. It also ignores those within strings
// and words, so true doesn't mean that the tokens are the same.
func sameButBlanks(a, b []byte) bool {
	for {
		a, b = trimBlanks(a), trimBlanks(b)
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// trimBlanks returns the text without the blanks and line ends at its start.
func trimBlanks(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t' || text[0] == '\r' || text[0] == '\n') {
		text = text[1:]
	}
	return text
}

// Words lists the tokens of a native text, without comments and line ends.
func Words(src []byte) (list [][]byte) {
	eachToken(src, func(_ kind, text []byte) { list = append(list, text) })
	return list
}

// MaxConstant is the size in bytes up to which a value is evaluated for a comparison.
const MaxConstant = 64 << 10

// sameBlocks reports whether two blocks have the same type, labels and contents. The order of arguments doesn't
// matter, that of nested blocks does.
func sameBlocks(x, y *source.Block) bool {
	attrs, blocks := contentsOf(x)
	others, otherBlocks := contentsOf(y)
	if x.Address() != y.Address() || len(attrs) != len(others) {
		return false
	}
	for name, a := range attrs {
		if other := others[name]; other == nil || !Items(a, other) {
			return false
		}
	}
	return slices.EqualFunc(blocks, otherBlocks, func(b, other *source.Block) bool { return Items(b, other) })
}

// contentsOf returns the arguments of a block by name, and its nested blocks in order.
func contentsOf(b *source.Block) (attrs map[string]*source.Attr, blocks []*source.Block) {
	attrs = map[string]*source.Attr{}
	for _, it := range b.Items() {
		switch it := it.(type) {
		case *source.Attr:
			attrs[it.Name] = it
		case *source.Block:
			blocks = append(blocks, it)
		}
	}
	return attrs, blocks
}

// A pair is two arguments whose expressions are compared from the outside in, by its method equal.
type pair struct {
	x, y             *source.Attr
	xQuotes, yQuotes bool // the argument takes references in quotes, too: see language.TakesQuotes
}

// equal reports whether two expressions have the same tokens, or are constants with the same value. Lists and
// objects are compared part by part. x is in the text of p.x, y in that of p.y.
func (p pair) equal(x, y hcl.Expression) bool {
	x, y = constant.Bare(x, p.xQuotes), constant.Bare(y, p.yQuotes)
	switch x := x.(type) {
	case *hclsyntax.TupleConsExpr:
		y, isList := y.(*hclsyntax.TupleConsExpr)
		return isList && p.equalElements(x, y)
	case *hclsyntax.ObjectConsExpr: // with keys to evaluate, the tokens decide
		if y, isObject := y.(*hclsyntax.ObjectConsExpr); isObject {
			if isSame, areKnown := p.equalMembers(x, y); areKnown {
				return isSame
			}
		}
	}
	if sameTokens(p.x.File.Text(x.Range()), p.y.File.Text(y.Range())) {
		return true
	}
	return parts.IsPlain(x) && parts.IsPlain(y) && sameConstants(x, y)
}

// sameConstants reports whether two expressions evaluate, without references, to the same value.
func sameConstants(x, y hcl.Expression) bool {
	v, diags := limits.Evaluate(x)
	w, more := limits.Evaluate(y)
	return !diags.HasErrors() && !more.HasErrors() && v.RawEquals(w)
}

// equalElements reports whether two lists have equal elements in the same order.
func (p pair) equalElements(x, y *hclsyntax.TupleConsExpr) bool {
	return slices.EqualFunc(x.Exprs, y.Exprs, func(e, other hclsyntax.Expression) bool { return p.equal(e, other) })
}

// equalMembers reports whether two objects have equal values for the same keys, in any order. areKnown is false if
// a key would have to be evaluated; then nothing was compared.
func (p pair) equalMembers(x, y *hclsyntax.ObjectConsExpr) (isSame, areKnown bool) {
	names, isKnown := parts.Keys(x)
	others, isOtherKnown := parts.Keys(y)
	if !isKnown || !isOtherKnown {
		return false, false
	}
	values := make(map[string]hcl.Expression, len(others))
	for i, name := range others {
		values[name] = y.Items[i].ValueExpr
	}
	// Every member of x must be in y. As keys come only once, y then has no others if the numbers are equal.
	for i, name := range names {
		if value, isThere := values[name]; !isThere || !p.equal(x.Items[i].ValueExpr, value) {
			return false, true
		}
	}
	return len(names) == len(others), true
}

// The kinds of tokens in JSON.
const (
	jsonName  kind = 'n' // of an argument, the type of a block; a label
	jsonToken kind = 'j' // a string with its escapes, a number, a word, a bracket
)

// jsonText returns the JSON text of an argument's value or of a block's body, and the offsets in it at which the
// values of comment properties ("//") start. A block's labels are keys around the body, so the text lacks them;
// jsonText passes them to visit, before the caller visits the tokens of the text.
func jsonText(it source.Item, visit func(kind, []byte)) (text []byte, remarks map[int]bool) {
	if a, ok := it.(*source.Attr); ok {
		return a.Raw(), nil // a "//" in a value is an ordinary key
	}
	b := it.(*source.Block)
	for _, label := range b.Labels {
		visit(jsonName, []byte(label))
	}
	from, to := int(b.From.Value[0]), int(b.From.Value[1]) // offsets of the body in the file
	remarks = map[int]bool{}
	b.EachRemark(func(at [2]uint32) { remarks[int(at[0])-from] = true })
	return b.File.Raw[from:to], remarks
}

// eachJSONToken calls visit with the tokens of a JSON text. It leaves out commas, and the properties whose values
// start at the offsets in leftOut.
func eachJSONToken(text []byte, leftOut map[int]bool, visit func(kind, []byte)) {
	for at := 0; at < len(text); {
		switch c := text[at]; c {
		case ' ', '\t', '\r', '\n', ',':
			at++
			continue
		}
		end := jsonTokenEnd(text, at) // the token is text[at:end]
		// If it is the key of a property to leave out, skip the value, too.
		if value, ok := propertyValue(text, end); ok && text[at] == '"' && leftOut[value] {
			at = jsonValueEnd(text, value)
			continue
		}
		visit(jsonToken, text[at:end])
		at = end
	}
}

// propertyValue returns the offset at which the value of a property starts. at is where its key ends. ok is false
// if no colon follows, so the string wasn't a key.
func propertyValue(text []byte, at int) (value int, ok bool) {
	at = skipSpace(text, at)
	if at == len(text) || text[at] != ':' {
		return 0, false
	}
	return skipSpace(text, at+1), true
}

// skipSpace returns the offset of the first byte, from offset at on, that isn't a blank or line end.
func skipSpace(text []byte, at int) int {
	return len(text) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
}

// jsonTokenEnd returns the offset behind the JSON token that starts at an offset: a bracket, a colon, a string, or
// a number or word. text[at] must not be a blank or a comma.
func jsonTokenEnd(text []byte, at int) int {
	switch text[at] {
	case '{', '}', '[', ']', ':':
		return at + 1
	case '"':
		for at++; at < len(text) && text[at] != '"'; at++ {
			if text[at] == '\\' { // an escape, such as \"
				at++
			}
		}
		return min(at+1, len(text)) // behind the closing quote, or the end of the text if there is none
	}
	// A number or word ends before the next blank or other token.
	n := bytes.IndexAny(text[at:], " \t\r\n,:{}[]\"")
	if n < 0 {
		return len(text)
	}
	return at + n
}

// jsonValueEnd returns the offset behind the JSON value that starts at an offset, with all that an array or object
// contains.
func jsonValueEnd(text []byte, at int) int {
	for depth := 0; at < len(text); { // depth counts the arrays and objects that are open
		switch text[at] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		at = jsonTokenEnd(text, at)
		if depth == 0 {
			return at
		}
		// Skip what is between tokens. A colon is a token itself.
		for at < len(text) && bytes.IndexByte([]byte(" \t\r\n,"), text[at]) >= 0 {
			at++
		}
	}
	return len(text)
}

// A Sum is a hash of the tokens of a text: two texts have the same if they differ only in layout and
// comments. Literals are hashed as written, so 1.0 and 1 differ.
type Sum [sha256.Size]byte

// SumOf returns the Sum of a native text.
func SumOf(src []byte) Sum {
	return hashTokens(func(visit func(kind, []byte)) { eachToken(src, visit) })
}

// SumOfItem returns the Sum of an item as its file spells it. A JSON item never has the Sum of a native one.
func SumOfItem(it source.Item) Sum {
	if f := it.Source(); f.Syntax != source.JSON {
		return SumOf(f.Text(it.Extent()))
	}
	return hashTokens(func(visit func(kind, []byte)) {
		visit(jsonName, []byte(it.Called()))
		text, remarks := jsonText(it, visit)
		eachJSONToken(text, remarks, visit)
	})
}

// hashTokens returns the hash of the tokens that the function visitAll passes to visit, in order.
func hashTokens(visitAll func(visit func(kind, []byte))) (s Sum) {
	h := tokenHasher{hash: sha256.New()}
	h.buffer = bufio.NewWriter(h.hash)
	visitAll(h.addToken)
	_ = h.buffer.Flush() // a hash takes all
	h.hash.Sum(s[:0])
	return s
}

// A tokenHasher hashes tokens, each after its kind and length, so that different lists of tokens never hash
// the same bytes.
type tokenHasher struct {
	hash   hash.Hash
	buffer *bufio.Writer
	prefix [1 + binary.MaxVarintLen64]byte // room for a token's kind and length
}

// addToken adds one token to the hash.
func (h *tokenHasher) addToken(k kind, text []byte) {
	h.prefix[0] = byte(k)
	n := binary.PutUvarint(h.prefix[1:], uint64(len(text)))
	_, _ = h.buffer.Write(h.prefix[:1+n])
	_, _ = h.buffer.Write(text)
}

// Tokens are found in one pass whose memory is the nesting of templates. The lexer of HCL
// makes up to 400 bytes of tokens from a byte of text.

// A kind distinguishes tokens: literal text may read like code.
type kind byte

const (
	code    kind = 'c' // names, numbers, operators, brackets, quotes and markers of heredocs
	literal kind = 'l' // text of a template, to the byte, with its escapes
)

// eachToken calls visit with the tokens of a native text that an engine accepts, without comments and line ends. A
// text that isn't UTF-8 is a single token: after a broken character, the engine's lexer counts a quote or line end
// as part of that.
func eachToken(src []byte, visit func(kind, []byte)) {
	if !utf8.Valid(src) {
		visit(literal, src)
		return
	}
	s := &tokenReader{src: src, visit: visit, lastCommentEnd: bytes.LastIndex(src, []byte("*/"))}
	for s.at < len(src) {
		switch top := s.top(); top.kind {
		case inQuotes:
			s.readTemplate(s.closingQuote)
		case inHeredoc:
			s.readTemplate(s.closingMarker)
		default:
			s.readCode()
		}
	}
}

// A tokenReader reads a native text token by token. It needs no memory but for the levels that are open.
type tokenReader struct {
	src    []byte
	at     int     // the offset in src of what comes next
	levels []level // the strings, heredocs, sequences and braces around it, the innermost last
	visit  func(kind, []byte)
	// lastCommentEnd is where the last block comment may end: without it, each /* that isn't closed would
	// be searched for through the whole text.
	lastCommentEnd int
}

// A level is a bracket, a quote or a heredoc that is open and decides what the bytes in it mean. The zero level is
// code.
type level struct {
	kind   levelKind
	marker []byte // of a heredoc
}

type levelKind byte

const (
	inBraces   levelKind = iota // code, even if nothing is open
	inSequence                  // code in a template: ${ } or %{ }
	inQuotes
	inHeredoc
)

// top returns the innermost level.
func (s *tokenReader) top() level {
	if len(s.levels) == 0 {
		return level{}
	}
	return s.levels[len(s.levels)-1]
}

// push opens a level.
func (s *tokenReader) push(l level) { s.levels = append(s.levels, l) }

// pop closes the innermost level, if any is open.
func (s *tokenReader) pop() {
	if len(s.levels) > 0 {
		s.levels = s.levels[:len(s.levels)-1]
	}
}

// emitCode passes the next n bytes to visit as a token of code.
func (s *tokenReader) emitCode(n int) {
	s.visit(code, s.src[s.at:s.at+n])
	s.at += n
}

// startsWith reports whether the unread text starts with text.
func (s *tokenReader) startsWith(text string) bool {
	return len(s.src)-s.at >= len(text) && string(s.src[s.at:s.at+len(text)]) == text
}

// readCode reads the next token of code, or skips a blank or a comment. Brackets and quotes open and close levels.
func (s *tokenReader) readCode() {
	switch c := s.src[s.at]; {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		s.at++
	case c == '#' || s.startsWith("//"):
		s.skipTo("\n")
	case s.startsWith("/*") && s.lastCommentEnd >= s.at+2: // unless it is never closed
		s.at += 2
		s.skipTo("*/")
	case c == '"':
		s.emitCode(1)
		s.push(level{kind: inQuotes})
	case s.startsWith("<<") && s.readHeredoc(): // the call has read it
	case c == '{':
		s.emitCode(1)
		s.push(level{kind: inBraces})
	case c == '}':
		s.emitCode(1)
		s.pop()
	case s.startsWith("~}") && s.top().kind == inSequence:
		s.emitCode(2)
		s.pop()
	default:
		s.emitCode(s.wordLength())
	}
}

// skipTo skips everything through the next occurrence of a text, or to the end if there is none.
func (s *tokenReader) skipTo(text string) {
	if n := bytes.Index(s.src[s.at:], []byte(text)); n >= 0 {
		s.at += n + len(text)
	} else {
		s.at = len(s.src)
	}
}

// operators are the operators of more than one byte.
var operators = []string{"...", "==", "!=", ">=", "<=", "&&", "||", "=>", "::"}

// wordLength returns the length of the name, number or operator that comes next; 1 for any other byte.
func (s *tokenReader) wordLength() int {
	rest := s.src[s.at:]
	switch c := rest[0]; {
	case isDigit(c):
		return numberLength(rest)
	case isWord(c): // a name
		n := 1
		for n < len(rest) && (isWord(rest[n]) || isDigit(rest[n]) || rest[n] == '-') {
			n++
		}
		return n
	}
	for _, op := range operators {
		if s.startsWith(op) {
			return len(op)
		}
	}
	return 1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWord reports whether a byte can start a name: a letter, an underscore, or a byte of a character beyond ASCII.
func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// numberLength returns the length of the number at the start of a text, which starts with a digit. A final dot isn't
// part of it (1.foo), nor is an e without digits (1em).
func numberLength(text []byte) int {
	next, length := 1, 1 // next is the offset of the byte to read; length ends with the last digit
	for next < len(text) {
		switch c := text[next]; {
		case isDigit(c):
			next++
			length = next
		case c == '.':
			next++
		case c == 'e' || c == 'E':
			digit := next + 1 // where the first digit of the exponent must be
			if digit < len(text) && (text[digit] == '+' || text[digit] == '-') {
				digit++
			}
			if digit == len(text) || !isDigit(text[digit]) {
				return length
			}
			next = digit + 1
			length = next
		default:
			return length
		}
	}
	return length
}

// readHeredoc reads the marker that opens a heredoc, such as <<-EOT, and the end of its line. It returns false, and
// reads nothing, if << opens no heredoc.
func (s *tokenReader) readHeredoc() bool {
	start := s.at + 2 // behind << or <<-
	if start < len(s.src) && s.src[start] == '-' {
		start++
	}
	markerEnd := start
	for markerEnd < len(s.src) && (isWord(s.src[markerEnd]) || isDigit(s.src[markerEnd]) || s.src[markerEnd] == '-') {
		markerEnd++
	}
	// The marker must be a name, and the line must end behind it.
	lineEnd := markerEnd
	if lineEnd < len(s.src) && s.src[lineEnd] == '\r' {
		lineEnd++
	}
	if lineEnd == len(s.src) || s.src[lineEnd] != '\n' || !spelling.IsName(string(s.src[start:markerEnd])) {
		return false
	}
	s.emitCode(markerEnd - s.at)
	s.at = lineEnd + 1
	s.push(level{inHeredoc, s.src[start:markerEnd]})
	return true
}

// readTemplate reads literal text, and the token behind it: one that opens a sequence, such as ${, or the one that
// ends the template. closing looks for the latter at s.at. If the template ends there, it returns the token (end) and
// the text to skip (around), which for a heredoc is the whole line of the marker; otherwise nil.
func (s *tokenReader) readTemplate(closing func() (end, around []byte)) {
	from := s.at // where the literal text starts
	for s.at < len(s.src) {
		end, around := closing()
		openLength := s.openingLength()
		if len(end) == 0 && openLength == 0 { // more literal text
			s.skipCharacter()
			continue
		}
		if s.at > from {
			s.visit(literal, s.src[from:s.at])
		}
		if len(end) > 0 { // the template ends
			s.visit(code, end)
			s.at += len(around)
			s.pop()
			return
		}
		s.emitCode(openLength) // a sequence opens; the template goes on behind it
		s.push(level{kind: inSequence})
		return
	}
	s.visit(literal, s.src[from:]) // the template isn't closed
}

// openingLength returns the length of the token that opens a sequence, such as ${~; 0 if none is next.
func (s *tokenReader) openingLength() int {
	switch {
	case s.startsWith("${~"), s.startsWith("%{~"):
		return 3
	case s.startsWith("${"), s.startsWith("%{"):
		return 2
	}
	return 0
}

// skipCharacter skips one byte of literal text. It skips an escape as a whole, so that $${ opens nothing and \"
// closes nothing.
func (s *tokenReader) skipCharacter() {
	switch {
	case s.startsWith("$${"), s.startsWith("%%{"):
		s.at += 3
	case s.src[s.at] == '\\' && s.top().kind == inQuotes:
		s.at = min(s.at+2, len(s.src))
	default:
		s.at++
	}
}

// closingQuote returns the quote that ends a template in quotes, if it is next, and otherwise nil. It has the results
// of closingMarker, for readTemplate: the token, and the text to skip, here the same.
func (s *tokenReader) closingQuote() (quote, around []byte) {
	if s.src[s.at] == '"' {
		quote = s.src[s.at : s.at+1]
	}
	return quote, quote
}

// closingMarker returns the marker that ends a heredoc, and its whole line, if that line is next; nil otherwise.
// Around the marker there may be any blanks of Unicode.
func (s *tokenReader) closingMarker() (marker, around []byte) {
	if s.src[s.at-1] != '\n' {
		return nil, nil
	}
	line, _, _ := bytes.Cut(s.src[s.at:], []byte("\n"))
	if marker = bytes.TrimSpace(line); !bytes.Equal(marker, s.top().marker) {
		return nil, nil
	}
	return marker, line
}
