// Package layout formats native text as "tofu fmt" does: Format formats a whole text, Align
// aligns the equals signs of arguments that are written one by one.
//
// Text is clean if the formatter would leave it unchanged.
package layout

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/apparentlymart/go-textseg/v17/textseg"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// Format formats native text. It leaves text unchanged that the formatter would turn into other
// tokens, such as "0 .0".
func Format(text []byte) []byte {
	if laid, ok := plainly(text); ok {
		return laid
	}
	was := parse.Words(text)
	laid := formatted(was)
	if bytes.Equal(laid, text) {
		return laid
	}
	same := slices.EqualFunc(was, parse.Words(laid), func(a, b hclsyntax.Token) bool {
		return a.Type == b.Type && (bytes.Equal(a.Bytes, b.Bytes) || a.Type == hclsyntax.TokenComment)
	})
	if !same {
		return text
	}
	return laid
}

// IsClean reports whether Format leaves text unchanged.
func IsClean(text []byte) bool { return bytes.Equal(Format(text), text) }

// formatted writes tokens with the blanks that hclwrite.Format (hcl 2.25), the engines' formatter, puts
// between them. Importing hclwrite would slow down the start of every run.
func formatted(tokens hclsyntax.Tokens) []byte {
	f := &formatter{tokens: tokens, blanks: make([]int, len(tokens))}
	size, end := 0, 0
	for i, t := range tokens {
		f.blanks[i] = t.Range.Start.Byte - end
		end = t.Range.End.Byte
	}
	lines := f.lines()
	f.indent(lines)
	for _, l := range lines {
		f.space(l.start, l.assign)
		f.space(l.assign, l.comment)
	}
	f.column(lines, func(l lineCells) (at, width int) { return l.assign, l.comment - l.assign })
	f.column(lines, func(l lineCells) (at, width int) { return l.comment, l.end - l.comment })
	for i, t := range tokens {
		size += f.blanks[i] + len(t.Bytes)
	}
	out := make([]byte, 0, size)
	for i, t := range tokens {
		for range f.blanks[i] {
			out = append(out, ' ')
		}
		out = append(out, t.Bytes...)
	}
	return out
}

// A formatter puts blanks between tokens, line by line.
type formatter struct {
	tokens hclsyntax.Tokens
	blanks []int // before each token
}

// A lineCells is a line of three cells, of which the last two may be empty. Its fields are
// indices of tokens.
//
//	ami = "ami-0abc" # golden
//	│   │            │       └ end
//	│   │            └ comment
//	│   └ assign
//	└ start
type lineCells struct{ start, assign, comment, end int }

// lines divides the tokens into lines. A heredoc belongs to the line on which it starts.
func (f *formatter) lines() (lines []lineCells) {
	start := 0
	for i, t := range f.tokens {
		isEnd := t.Type == hclsyntax.TokenEOF
		if isEnd && i > start {
			lines = append(lines, f.line(start, i))
		}
		if isEnd {
			break
		}
		if endsLine(t) {
			lines = append(lines, f.line(start, i+1))
			start = i + 1
		}
	}
	return lines
}

// endsLine reports whether a line ends with a token. A comment until the end of the line
// includes the newline.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// line returns the cells of the line with the tokens from start to end.
func (f *formatter) line(start, end int) lineCells {
	l := lineCells{start: start, assign: end, comment: end, end: end}
	if end-start > 1 && f.tokens[end-1].Type == hclsyntax.TokenComment {
		l.comment = end - 1
	}
	l.assign = l.comment
	for i := start + 1; i < l.comment; i++ {
		if f.tokens[i].Type != hclsyntax.TokenEqual {
			continue
		}
		if f.opened(i, l.comment) == 0 { // otherwise the value continues on the next line
			l.assign = i
		}
		break
	}
	return l
}

// opened returns how many brackets some tokens open, minus those that they close.
func (f *formatter) opened(from, to int) int {
	n := 0
	for _, t := range f.tokens[from:to] {
		n += bracket(t.Type)
	}
	return n
}

// bracket returns 1 for an opening bracket, -1 for a closing one, and 0 for any other token.
func bracket(t hclsyntax.TokenType) int {
	switch t {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen,
		hclsyntax.TokenTemplateControl, hclsyntax.TokenTemplateInterp:
		return 1
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
		return -1
	}
	return 0
}

// indent sets the blanks before each line: two for each earlier line that opened brackets
// which are still open.
func (f *formatter) indent(lines []lineCells) {
	var open []int // how many, for each such line
	for _, l := range lines {
		if f.tokens[l.start].Type == hclsyntax.TokenNewline {
			f.blanks[l.start] = 0
			continue
		}
		lead := l.assign
		for i := l.start; i < lead; i++ {
			if f.tokens[i].Type == hclsyntax.TokenOHeredoc {
				lead = i // brackets in the heredoc are text
			}
		}
		n := f.opened(l.start, lead) + f.opened(l.assign, l.comment)
		if n < 0 {
			open = closeBrackets(open, -n)
		}
		f.blanks[l.start] = 2 * len(open)
		if n > 0 {
			open = append(open, n)
		}
	}
}

// closeBrackets removes n brackets from those that are open, the last ones first.
func closeBrackets(open []int, n int) []int {
	for n > 0 && len(open) > 0 {
		last := len(open) - 1
		if n < open[last] {
			open[last] -= n
			break
		}
		n -= open[last]
		open = open[:last]
	}
	return open
}

// space sets the blanks between the tokens of a cell, from and to being indexes. The first token keeps its
// own.
func (f *formatter) space(from, to int) {
	before := hclsyntax.Token{Type: hclsyntax.TokenNil}
	for i := from; i+1 < to; i++ {
		f.blanks[i+1] = 0
		if isSpaced(before, f.tokens[i], f.tokens[i+1]) {
			f.blanks[i+1] = 1
		}
		before = f.tokens[i]
	}
}

// column aligns a cell of consecutive lines that have it: it starts one blank after the longest text before
// it. cell returns the index of the cell's first token in a line, and how many tokens it has.
func (f *formatter) column(lines []lineCells, cell func(lineCells) (at, width int)) {
	for i := 0; i < len(lines); i++ {
		j, longest := i, 0
		for ; j < len(lines); j++ {
			at, width := cell(lines[j])
			if width == 0 {
				break
			}
			longest = max(longest, f.columns(lines[j].start, at))
		}
		for ; i < j; i++ {
			at, _ := cell(lines[i])
			f.blanks[at] = longest - f.columns(lines[i].start, at) + 1
		}
	}
}

// plainly formats text in which nothing but the alignment of columns may be wrong. It reads the
// usual forms of lines, with values on one line, and reports false for any other text. It
// returns clean text itself, not a copy.
//
//	resource "aws_instance" "web" {
//	  # for the shop
//	  ami  = "ami-0abc" # golden
//	  tags = [local.a, local.b]
//	  labels = {
//	    Owner = "shop"
//	  }
//	}
func plainly(text []byte) (laid []byte, ok bool) {
	c := plainLines{rows: make([]row, 0, 1+bytes.Count(text, []byte("\n")))}
	for at := 0; at < len(text); {
		line, rest, _ := bytes.Cut(text[at:], []byte("\n"))
		c.rows = append(c.rows, row{start: at})
		if !c.line(line, &c.rows[len(c.rows)-1]) {
			return nil, false
		}
		if c.marker != nil {
			if rest = afterHeredoc(rest, c.marker); rest == nil {
				return nil, false
			}
			c.marker = nil
		}
		at = len(text) - len(rest)
	}
	return inColumns(text, c.rows), true
}

// plainLines reads the lines of a text for plainly.
type plainLines struct {
	depth  int    // of blocks and brackets that span lines
	marker []byte // of the heredoc that starts on the line
	rows   []row
}

// line reads a line and reports whether nothing but its columns may be wrong.
func (c *plainLines) line(line []byte, r *row) bool {
	if len(line) == 0 {
		return true
	}
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	if indent == len(line) {
		return false
	}
	content := line[indent:]
	closes := content[0] == '}' || content[0] == ']'
	if closes {
		c.depth--
	}
	n := 0
	switch {
	case indent != 2*c.depth:
		return false
	case isComment(content):
		return true
	case closes:
		n = 1 + len(content[1:]) - len(bytes.TrimPrefix(content[1:], []byte(",")))
	default:
		n = c.content(content, indent, r)
	}
	return n > 0 && c.comment(line, indent+n, r)
}

// isComment reports whether the whole line is a comment.
func isComment(content []byte) bool {
	if content[0] == '#' || bytes.HasPrefix(content, []byte("//")) {
		return true
	}
	return len(content) >= len("/**/") && bytes.HasPrefix(content, []byte("/*")) &&
		bytes.Index(content[2:], []byte("*/")) == len(content)-4
}

// comment reads the comment after the content of a line, which ends at end, if there is one. It reports
// false for anything else, and for a line whose columns it can't count.
func (c *plainLines) comment(line []byte, end int, r *row) bool {
	r.end = end
	after := bytes.TrimLeft(line[end:], " ")
	if len(after) == 0 {
		return end == len(line)
	}
	r.comment = len(line) - len(after)
	isASCII := !slices.ContainsFunc(line[:end], func(c byte) bool { return c >= utf8.RuneSelf }) // a column a byte
	return r.comment > end && isASCII && c.marker == nil &&
		(after[0] == '#' || bytes.HasPrefix(after, []byte("//")))
}

// content returns the length of the content of a line after its indentation, without the
// comment that may follow, or 0 if it isn't clean. It adds arguments of one line to the
// column.
func (c *plainLines) content(line []byte, indent int, r *row) int {
	name := word(line)
	rest := line[name:]
	if name == 0 || len(rest) > 0 && bytes.IndexByte([]byte(".[("), rest[0]) >= 0 {
		return element(line)
	}
	blanks := len(rest) - len(bytes.TrimLeft(rest, " "))
	switch rest = rest[blanks:]; {
	case blanks == 0:
		return element(line)
	case !bytes.HasPrefix(rest, []byte("= ")):
		return c.header(line, name)
	}
	at, value := name+blanks, rest[2:]
	if len(value) > 0 && (value[0] == '{' || value[0] == '[') && opensLines(value[1:]) {
		c.depth++
		if blanks != 1 {
			return 0
		}
		return at + 3
	}
	length := 0
	if marker, ok := heredocMarker(value); ok {
		c.marker, length = marker, len(value)
	} else if length, ok = plainValue(value, 0); !ok {
		return 0
	}
	r.name, r.equals = indent+name, indent+at
	return at + 2 + length
}

// element returns the length of the list element, with its comma, at the start of a line, or 0.
func element(line []byte) int {
	n, ok := plainValue(line, 0)
	if !ok {
		return 0
	}
	if n < len(line) && line[n] == ',' {
		n++
	}
	return n
}

// opensLines reports whether nothing follows an opening bracket on its line, except perhaps a
// comment.
func opensLines(after []byte) bool {
	after = bytes.TrimLeft(after, " ")
	return len(after) == 0 || after[0] == '#' || bytes.HasPrefix(after, []byte("//"))
}

// header returns the length of the block header, through its brace, at the start of a line, or 0. The type
// has length n.
func (c *plainLines) header(line []byte, n int) int {
	for n+1 < len(line) && line[n] == ' ' {
		n++
		if line[n] == '{' {
			c.depth++
			return n + 1
		}
		label := word(line[n:])
		if label == 0 {
			return 0
		}
		n += label
	}
	return 0
}

// word returns the length of the name, or of the string without escapes and templates, at the
// start of text, or 0.
func word(text []byte) int {
	if text[0] != '"' {
		return name(text)
	}
	for n := 1; n < len(text) && text[n] >= ' ' && text[n] <= '~'; n++ {
		switch text[n] {
		case '"':
			return n + 1
		case '\\', '$', '%':
			return 0
		}
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isInName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || isDigit(c)
}

// heredocMarker returns the marker of a value that is a heredoc; ok is false for any other.
func heredocMarker(value []byte) (marker []byte, ok bool) {
	if !bytes.HasPrefix(value, []byte("<<")) {
		return nil, false
	}
	marker = bytes.TrimPrefix(value[2:], []byte("-"))
	return marker, len(marker) > 0 && marker[0] != '"' && word(marker) == len(marker)
}

// afterHeredoc returns the text after the line that closes a heredoc, or nil if the heredoc has
// anything but text and interpolations.
func afterHeredoc(text, marker []byte) []byte {
	for len(text) > 0 {
		line, rest, found := bytes.Cut(text, []byte("\n"))
		switch {
		case !found:
			return nil
		case bytes.Equal(bytes.TrimSpace(line), marker):
			if bytes.HasSuffix(line, []byte(" ")) || bytes.IndexByte(line, '\r') >= 0 {
				return nil
			}
			return rest
		case !isPlainTemplate(line):
			return nil
		}
		text = rest
	}
	return nil
}

// isPlainTemplate reports whether a line of a heredoc has nothing but text and interpolations.
func isPlainTemplate(line []byte) bool {
	for n := 0; n < len(line); n++ {
		if line[n] != '$' && line[n] != '%' {
			continue
		}
		value := interpolated(line[n:], 0)
		if value == 0 {
			return false
		}
		n += value - 1
	}
	return true
}

// A Column is an argument whose equals sign is aligned with those of its neighbours.
type Column struct {
	Name    string
	Single  bool // IsInColumn is true for its value
	Padding int  // blanks after the name
}

// IsInColumn reports whether the formatter aligns an argument with this value: a value of one
// line, or a heredoc, because of its first line.
func IsInColumn(value []byte) bool {
	return bytes.IndexByte(value, '\n') < 0 || bytes.HasPrefix(value, []byte("<<"))
}

// Align sets the padding of n arguments that follow each other without a blank line.
func Align(n int, at func(int) *Column) {
	for i := 0; i < n; {
		if !at(i).Single {
			i++
			continue
		}
		j, width := i, 0
		for ; j < n && at(j).Single; j++ {
			width = max(width, utf8.RuneCountInString(at(j).Name))
		}
		for ; i < j; i++ {
			at(i).Padding = width - utf8.RuneCountInString(at(i).Name)
		}
	}
}

// A row is a line that may have an equals sign and a comment in columns. All offsets but start are
// relative to the start of the line; 0 means there is none.
type row struct {
	start        int // of the line in the text
	name, equals int // end of the name, and the equals sign
	end, comment int // end of the content, and the comment after it
}

// inColumns aligns the equals signs and the comments of consecutive rows: each stands one blank
// after the longest text in front of it. It returns text itself if they are aligned.
func inColumns(text []byte, rows []row) []byte {
	isMoved := false
	moved := make([]int, len(rows)) // how far each equals sign moves
	chains(rows, func(r *row) bool { return r.equals > 0 }, func(i, j int) {
		at := 0
		for _, r := range rows[i:j] {
			at = max(at, r.name+1)
		}
		for k := i; k < j; k++ {
			moved[k] = at - rows[k].equals
			isMoved = isMoved || moved[k] != 0
		}
	})
	also := make([]int, len(rows)) // how far each comment moves in addition to that
	chains(rows, func(r *row) bool { return r.comment > 0 }, func(i, j int) {
		at := 0
		for k := i; k < j; k++ {
			at = max(at, rows[k].end+moved[k]+1)
		}
		for k := i; k < j; k++ {
			also[k] = at - rows[k].comment - moved[k]
			isMoved = isMoved || also[k] != 0
		}
	})
	if !isMoved {
		return text
	}
	out, done := make([]byte, 0, len(text)+len(text)/8), 0
	shift := func(at, by int) {
		out = append(out, text[done:at+min(by, 0)]...)
		for range by {
			out = append(out, ' ')
		}
		done = at
	}
	for k, r := range rows {
		if moved[k] != 0 {
			shift(r.start+r.equals, moved[k])
		}
		if also[k] != 0 {
			shift(r.start+r.comment, also[k])
		}
	}
	return append(out, text[done:]...)
}

// chains calls do for each run of consecutive rows, from i up to j, for which isIn is true.
func chains(rows []row, isIn func(*row) bool, do func(i, j int)) {
	for i := 0; i < len(rows); i++ {
		j := i
		for j < len(rows) && isIn(&rows[j]) {
			j++
		}
		if j > i {
			do(i, j)
			i = j
		}
	}
}

// isSpaced reports whether a blank belongs between two tokens of a cell. before is the token in
// front of them, or TokenNil.
func isSpaced(before, t, after hclsyntax.Token) bool {
	is := func(a, b hclsyntax.TokenType) bool { return t.Type == a && after.Type == b }
	switch {
	case isGlued(t.Type, after.Type):
		return false
	case t.Type == hclsyntax.TokenComma:
		return true
	case slices.Contains(templateStarts, t.Type) || slices.Contains(templateEnds, after.Type):
		return false
	case t.Type == hclsyntax.TokenIdent && string(t.Bytes) == "in" && before.Type == hclsyntax.TokenIdent:
		return true // for x in [y]
	case after.Type == hclsyntax.TokenOBrack && (t.Type == hclsyntax.TokenIdent || t.Type == hclsyntax.TokenNumberLit || bracket(t.Type) < 0), // an index
		t.Type == hclsyntax.TokenBang:
		return false
	case t.Type == hclsyntax.TokenMinus:
		return !slices.Contains(beforeSigns, before.Type)
	case t.Type == hclsyntax.TokenOBrace || after.Type == hclsyntax.TokenCBrace:
		return !is(hclsyntax.TokenOBrace, hclsyntax.TokenCBrace)
	case is(hclsyntax.TokenTemplateInterp, hclsyntax.TokenOBrace), is(hclsyntax.TokenTemplateControl, hclsyntax.TokenOBrace),
		is(hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd):
		return true // "${ { a = b } }"
	case is(hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenTemplateInterp),
		is(hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenTemplateControl):
		return false
	}
	return bracket(t.Type) <= 0 && bracket(after.Type) >= 0
}

// isGlued reports whether there is never a blank between two tokens.
func isGlued(t, after hclsyntax.TokenType) bool {
	switch after {
	case hclsyntax.TokenNewline, hclsyntax.TokenDot, hclsyntax.TokenComma, hclsyntax.TokenEllipsis:
		return true
	case hclsyntax.TokenOParen, hclsyntax.TokenDoubleColon:
		return t == hclsyntax.TokenIdent || t == hclsyntax.TokenDot
	case hclsyntax.TokenIdent:
		return t == hclsyntax.TokenDoubleColon || t == hclsyntax.TokenDot
	}
	return t == hclsyntax.TokenDot
}

var (
	// templateStarts and templateEnds are tokens after and before which a blank would be part
	// of the text of a template.
	templateStarts = []hclsyntax.TokenType{
		hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc,
	}
	templateEnds = []hclsyntax.TokenType{
		hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc,
	}
	// beforeSigns are tokens after which a minus is a sign, not an operator.
	beforeSigns = []hclsyntax.TokenType{
		hclsyntax.TokenNil,
		hclsyntax.TokenOParen, hclsyntax.TokenOBrace, hclsyntax.TokenOBrack,
		hclsyntax.TokenEqual, hclsyntax.TokenColon, hclsyntax.TokenComma, hclsyntax.TokenQuestion,
		hclsyntax.TokenPlus, hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenMinus,
		hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq,
		hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq,
		hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenBang,
	}
)

// columns returns the width of tokens with the blanks before them, in grapheme clusters.
func (f *formatter) columns(from, to int) int {
	n := 0
	for i, t := range f.tokens[from:to] {
		n += f.blanks[from+i]
		if t.Range.Start.Line == t.Range.End.Line {
			n += t.Range.End.Column - t.Range.Start.Column
		} else {
			n += clusters(t.Bytes)
		}
	}
	return n
}

// clusters returns the number of grapheme clusters in a text.
func clusters(text []byte) int {
	n := 0
	for len(text) > 0 {
		size, _, _ := textseg.ScanGraphemeClusters(text, true)
		text = text[max(size, 1):]
		n++
	}
	return n
}
