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

// Items reports whether two items are equal, apart from blanks and comments. Values that are not
// very long are equal if they mean the same to the engine, as far as constants alone decide it.
func Items(a, b source.Item) bool {
	x, isAttr := a.(*source.Attr)
	y, bothAttrs := b.(*source.Attr)
	if isAttr != bothAttrs {
		return false
	}
	was, is := textOf(a), textOf(b)
	if sameTokens(was, is) {
		return true
	}
	if max(len(was), len(is)) > MaxConstant {
		return false
	}
	if isAttr {
		return sameValues(x, y)
	}
	return sameBlocks(a.(*source.Block), b.(*source.Block))
}

// textOf is the text of an item's value, or of a block.
func textOf(it source.Item) []byte {
	if a, isAttr := it.(*source.Attr); isAttr {
		return a.File.Text(a.Value())
	}
	return it.Source().Text(it.Extent())
}

// sameValues reports whether the values of two arguments are the same constant, or the same
// expression apart from meaningless syntax around it.
func sameValues(x, y *source.Attr) bool {
	x, y = parsed(x), parsed(y)
	v, ok := independent(x)
	w, both := independent(y)
	if ok && both && v.RawEquals(w) {
		return true
	}
	p := pair{x, y, language.TakesQuotes(x), language.TakesQuotes(y)}
	return (!ok && !both || p.xQuotes || p.yQuotes) && p.same(x.Expr(), y.Expr())
}

// independent is the value of an argument that refers to nothing. An operand that decides alone,
// as in true || var.x, still leaves a dependency, and the result may be sensitive.
func independent(a *source.Attr) (v cty.Value, ok bool) {
	if v, ok = constant.Value(a); !ok {
		return v, false
	}
	_, isPlain := a.PlainText()
	return v, isPlain || len(a.Expr().Variables()) == 0
}

// parsed is the argument with its expression parsed once, not on every call.
func parsed(a *source.Attr) *source.Attr {
	if _, isPlain := a.PlainText(); isPlain {
		return a
	}
	return a.With(a.Expr())
}

// sameTokens reports whether two texts are the same tokens. Most differ in ways that are found
// without tokens.
func sameTokens(a, b []byte) bool {
	switch {
	case bytes.Equal(a, b):
		return true
	case !mayHaveComments(a) && !mayHaveComments(b) && !sameButBlanks(a, b):
		return false
	}
	return SumOf(a) == SumOf(b)
}

func mayHaveComments(text []byte) bool {
	return bytes.IndexByte(text, '#') >= 0 || bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*"))
}

// sameButBlanks reports whether two texts are the same but for blanks and line ends,
// wherever they are.
func sameButBlanks(a, b []byte) bool {
	for {
		a, b = behindBlanks(a), behindBlanks(b)
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

func behindBlanks(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t' || text[0] == '\r' || text[0] == '\n') {
		text = text[1:]
	}
	return text
}

// Words lists the tokens of a text, but for comments and line ends.
func Words(src []byte) (list [][]byte) {
	eachToken(src, func(_ kind, text []byte) { list = append(list, text) })
	return list
}

// MaxConstant is the size in bytes up to which a value is evaluated for a comparison.
const MaxConstant = 64 << 10

// sameBlocks reports whether two blocks hold the same, their arguments in any order.
func sameBlocks(x, y *source.Block) bool {
	attrs, blocks := parted(x)
	others, otherBlocks := parted(y)
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

// parted are the arguments of a block by their names, and its nested blocks.
func parted(b *source.Block) (attrs map[string]*source.Attr, blocks []*source.Block) {
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

// A pair is two arguments whose expressions are compared from the outside in.
type pair struct {
	x, y             *source.Attr
	xQuotes, yQuotes bool // references may be in quotes
}

// same reports whether two expressions are equal, apart from meaningless syntax around them.
func (p pair) same(x, y hcl.Expression) bool {
	x, y = constant.Bare(x, p.xQuotes), constant.Bare(y, p.yQuotes)
	switch x := x.(type) {
	case *hclsyntax.TupleConsExpr:
		y, isList := y.(*hclsyntax.TupleConsExpr)
		return isList && p.sameElements(x, y)
	case *hclsyntax.ObjectConsExpr:
		if y, isObject := y.(*hclsyntax.ObjectConsExpr); isObject {
			if isSame, areKnown := p.sameMembers(x, y); areKnown {
				return isSame
			}
		}
	}
	return sameTokens(p.x.File.Text(x.Range()), p.y.File.Text(y.Range())) ||
		parts.IsPlain(x) && parts.IsPlain(y) && sameConstants(x, y)
}

func sameConstants(x, y hcl.Expression) bool {
	v, diags := limits.Evaluate(x)
	w, more := limits.Evaluate(y)
	return !diags.HasErrors() && !more.HasErrors() && v.RawEquals(w)
}

func (p pair) sameElements(x, y *hclsyntax.TupleConsExpr) bool {
	return slices.EqualFunc(x.Exprs, y.Exprs, func(e, other hclsyntax.Expression) bool { return p.same(e, other) })
}

// sameMembers reports whether two objects have the same values for the same keys, in any order,
// and whether all keys are known.
func (p pair) sameMembers(x, y *hclsyntax.ObjectConsExpr) (isSame, areKnown bool) {
	names, isKnown := parts.Keys(x)
	others, isOtherKnown := parts.Keys(y)
	if !isKnown || !isOtherKnown {
		return false, false
	}
	values := make(map[string]hcl.Expression, len(others))
	for i, name := range others {
		values[name] = y.Items[i].ValueExpr
	}
	for i, name := range names {
		if value, isThere := values[name]; !isThere || !p.same(x.Items[i].ValueExpr, value) {
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

// jsonOf is the JSON text of an item's value or body, and where in it the values of comment
// properties start. It visits the labels, which are keys around the body.
func jsonOf(it source.Item, visit func(kind, []byte)) (text []byte, remarks map[int]bool) {
	if a, ok := it.(*source.Attr); ok {
		return a.Raw(), nil
	}
	b := it.(*source.Block)
	for _, label := range b.Labels {
		visit(jsonName, []byte(label))
	}
	from, to := int(b.From.Value[0]), int(b.From.Value[1])
	remarks = map[int]bool{}
	b.EachRemark(func(at [2]uint32) { remarks[int(at[0])-from] = true })
	return b.File.Raw[from:to], remarks
}

// eachJSONToken visits the tokens of a JSON text, but for commas and for properties whose
// values start at some offsets.
func eachJSONToken(text []byte, leftOut map[int]bool, visit func(kind, []byte)) {
	for at := 0; at < len(text); {
		switch c := text[at]; c {
		case ' ', '\t', '\r', '\n', ',':
			at++
			continue
		}
		end := jsonTokenEnd(text, at)
		if value, ok := propertyValue(text, end); ok && text[at] == '"' && leftOut[value] {
			at = jsonValueEnd(text, value)
			continue
		}
		visit(jsonToken, text[at:end])
		at = end
	}
}

// propertyValue is where the value of a property starts whose key ends at an offset.
func propertyValue(text []byte, at int) (value int, ok bool) {
	at = behindSpace(text, at)
	if at == len(text) || text[at] != ':' {
		return 0, false
	}
	return behindSpace(text, at+1), true
}

func behindSpace(text []byte, at int) int {
	return len(text) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
}

// jsonTokenEnd is where the token ends that starts at an offset.
func jsonTokenEnd(text []byte, at int) int {
	switch text[at] {
	case '{', '}', '[', ']', ':':
		return at + 1
	case '"':
		for at++; at < len(text) && text[at] != '"'; at++ {
			if text[at] == '\\' {
				at++
			}
		}
		return min(at+1, len(text))
	}
	n := bytes.IndexAny(text[at:], " \t\r\n,:{}[]\"")
	if n < 0 {
		return len(text)
	}
	return at + n
}

// jsonValueEnd is where the value ends that starts at an offset.
func jsonValueEnd(text []byte, at int) int {
	for depth := 0; at < len(text); {
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
		for at < len(text) && bytes.IndexByte([]byte(" \t\r\n,"), text[at]) >= 0 {
			at++
		}
	}
	return len(text)
}

// A Sum stands for tokens: texts have one Sum if they differ in layout and comments only. The
// bytes of literals count, even where two of them are one value.
type Sum [sha256.Size]byte

// SumOf returns the sum of a native text.
func SumOf(src []byte) Sum {
	return summed(func(visit func(kind, []byte)) { eachToken(src, visit) })
}

// SumOfItem returns the sum of an item, as its file spells it. Items of the two syntaxes never have
// the same Sum.
func SumOfItem(it source.Item) Sum {
	if f := it.Source(); f.Syntax != source.JSON {
		return SumOf(f.Text(it.Extent()))
	}
	return summed(func(visit func(kind, []byte)) {
		visit(jsonName, []byte(it.Called()))
		text, remarks := jsonOf(it, visit)
		eachJSONToken(text, remarks, visit)
	})
}

func summed(each func(visit func(kind, []byte))) (s Sum) {
	h := tokenHasher{hash: sha256.New()}
	h.to = bufio.NewWriter(h.hash)
	each(h.token)
	_ = h.to.Flush() // a hash takes all
	h.hash.Sum(s[:0])
	return s
}

// A tokenHasher hashes tokens, each with its kind and length, so that other tokens are other bytes.
type tokenHasher struct {
	hash   hash.Hash
	to     *bufio.Writer
	length [1 + binary.MaxVarintLen64]byte
}

func (h *tokenHasher) token(k kind, text []byte) {
	h.length[0] = byte(k)
	n := binary.PutUvarint(h.length[1:], uint64(len(text)))
	_, _ = h.to.Write(h.length[:1+n])
	_, _ = h.to.Write(text)
}

// Tokens are found in one pass whose memory is the nesting of templates. The lexer of HCL
// makes up to 400 bytes of tokens from a byte of text.

// A kind distinguishes tokens: literal text may read like code.
type kind byte

const (
	code    kind = 'c' // names, numbers, operators, brackets, quotes and markers of heredocs
	literal kind = 'l' // text of a template, to the byte, with its escapes
)

// eachToken visits the tokens of a native text that the engine accepts, apart from comments and
// line ends. A text that isn't UTF-8 is a single token: the lexer takes a quote or a line end
// behind a broken character for a part of it.
func eachToken(src []byte, visit func(kind, []byte)) {
	if !utf8.Valid(src) {
		visit(literal, src)
		return
	}
	s := &tokens{src: src, visit: visit, lastEnd: bytes.LastIndex(src, []byte("*/"))}
	for s.at < len(src) {
		switch top := s.top(); top.kind {
		case inQuotes:
			s.template(s.closingQuote)
		case inHeredoc:
			s.template(s.closingMarker)
		default:
			s.code()
		}
	}
}

// A tokens is a text that is read as tokens.
type tokens struct {
	src    []byte
	at     int
	levels []level
	visit  func(kind, []byte)
	// lastEnd is where the last block comment may end, so that nothing is searched for in vain.
	lastEnd int
}

// A level is something open that decides what bytes mean.
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

func (s *tokens) top() level {
	if len(s.levels) == 0 {
		return level{}
	}
	return s.levels[len(s.levels)-1]
}

func (s *tokens) push(l level) { s.levels = append(s.levels, l) }

func (s *tokens) pop() {
	if len(s.levels) > 0 {
		s.levels = s.levels[:len(s.levels)-1]
	}
}

// codeToken visits the next n bytes of code.
func (s *tokens) codeToken(n int) {
	s.visit(code, s.src[s.at:s.at+n])
	s.at += n
}

func (s *tokens) startsWith(text string) bool {
	return len(s.src)-s.at >= len(text) && string(s.src[s.at:s.at+len(text)]) == text
}

// code reads one token of code, or the text between two.
func (s *tokens) code() {
	switch c := s.src[s.at]; {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		s.at++
	case c == '#' || s.startsWith("//"):
		s.skipTo("\n")
	case s.startsWith("/*") && s.lastEnd >= s.at+2:
		s.at += 2
		s.skipTo("*/")
	case c == '"':
		s.codeToken(1)
		s.push(level{kind: inQuotes})
	case s.startsWith("<<") && s.heredoc():
	case c == '{':
		s.codeToken(1)
		s.push(level{})
	case c == '}':
		s.codeToken(1)
		s.pop()
	case s.startsWith("~}") && s.top().kind == inSequence:
		s.codeToken(2)
		s.pop()
	default:
		s.codeToken(s.wordOrOperator())
	}
}

// skipTo skips everything through a text, or to the end.
func (s *tokens) skipTo(text string) {
	if n := bytes.Index(s.src[s.at:], []byte(text)); n >= 0 {
		s.at += n + len(text)
	} else {
		s.at = len(s.src)
	}
}

// operators are the operators of more than one byte.
var operators = []string{"...", "==", "!=", ">=", "<=", "&&", "||", "=>", "::"}

// wordOrOperator is the length of the next name, number or operator. Without blanks, the text after
// a word is part of it.
func (s *tokens) wordOrOperator() int {
	rest := s.src[s.at:]
	switch c := rest[0]; {
	case isDigit(c):
		return numberLength(rest)
	case isWord(c):
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

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// numberLength is the length of a number, which doesn't end in a dot.
func numberLength(text []byte) int {
	n, end := 1, 1
	for n < len(text) {
		switch c := text[n]; {
		case isDigit(c):
			n++
			end = n
		case c == '.':
			n++
		case c == 'e' || c == 'E':
			digit := n + 1
			if digit < len(text) && (text[digit] == '+' || text[digit] == '-') {
				digit++
			}
			if digit == len(text) || !isDigit(text[digit]) {
				return end
			}
			n = digit + 1
			end = n
		default:
			return end
		}
	}
	return end
}

// heredoc reads what opens a heredoc, with the end of its line.
func (s *tokens) heredoc() bool {
	from := s.at + 2
	if from < len(s.src) && s.src[from] == '-' {
		from++
	}
	to := from
	for to < len(s.src) && (isWord(s.src[to]) || isDigit(s.src[to]) || s.src[to] == '-') {
		to++
	}
	end := to
	if end < len(s.src) && s.src[end] == '\r' {
		end++
	}
	if end == len(s.src) || s.src[end] != '\n' || !spelling.IsName(string(s.src[from:to])) {
		return false
	}
	s.codeToken(to - s.at)
	s.at = end + 1
	s.push(level{inHeredoc, s.src[from:to]})
	return true
}

// template reads literal text and the token behind it: the opening of a sequence, or the end.
func (s *tokens) template(closing func() (end, around []byte)) {
	from := s.at
	for s.at < len(s.src) {
		end, around := closing()
		opening := s.opening()
		if len(end) == 0 && opening == 0 {
			s.character()
			continue
		}
		if s.at > from {
			s.visit(literal, s.src[from:s.at])
		}
		if len(end) > 0 {
			s.visit(code, end)
			s.at += len(around)
			s.pop()
			return
		}
		s.codeToken(opening)
		s.push(level{kind: inSequence})
		return
	}
	s.visit(literal, s.src[from:])
}

// opening is the length of the opening of a sequence, if one is next.
func (s *tokens) opening() int {
	switch {
	case s.startsWith("${~"), s.startsWith("%{~"):
		return 3
	case s.startsWith("${"), s.startsWith("%{"):
		return 2
	}
	return 0
}

// character skips one character of literal text, or an escape.
func (s *tokens) character() {
	switch {
	case s.startsWith("$${"), s.startsWith("%%{"):
		s.at += 3
	case s.src[s.at] == '\\' && s.top().kind == inQuotes:
		s.at = min(s.at+2, len(s.src))
	default:
		s.at++
	}
}

func (s *tokens) closingQuote() (quote, around []byte) {
	if s.src[s.at] == '"' {
		quote = s.src[s.at : s.at+1]
	}
	return quote, quote
}

// closingMarker finds the marker that closes a heredoc, alone on its line. Around it may be
// any blanks of Unicode.
func (s *tokens) closingMarker() (marker, around []byte) {
	if s.src[s.at-1] != '\n' {
		return nil, nil
	}
	line, _, _ := bytes.Cut(s.src[s.at:], []byte("\n"))
	if marker = bytes.TrimSpace(line); !bytes.Equal(marker, s.top().marker) {
		return nil, nil
	}
	return marker, line
}
