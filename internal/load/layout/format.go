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

// Format formats native text. It returns text unchanged if the formatter would turn it into other tokens, as
// it turns "0 .0" into a number.
func Format(text []byte) []byte {
	if laid, ok := formatPlain(text); ok {
		return laid
	}
	tokens := parse.Words(text)
	laid := formatTokens(tokens)
	if bytes.Equal(laid, text) {
		return laid
	}
	same := slices.EqualFunc(tokens, parse.Words(laid), func(a, b hclsyntax.Token) bool {
		return a.Type == b.Type && (bytes.Equal(a.Bytes, b.Bytes) || a.Type == hclsyntax.TokenComment)
	})
	if !same {
		return text
	}
	return laid
}

// IsClean reports whether Format leaves text unchanged.
func IsClean(text []byte) bool { return bytes.Equal(Format(text), text) }

// formatTokens writes tokens with the blanks that hclwrite.Format (hcl 2.25), the engines' formatter, puts
// between them. Importing hclwrite would slow down the start of every run.
func formatTokens(tokens hclsyntax.Tokens) []byte {
	f := &formatter{tokens: tokens, blanks: make([]int, len(tokens))}
	size, end := 0, 0 // of the result; of the preceding token
	for i, t := range tokens {
		f.blanks[i] = t.Range.Start.Byte - end
		end = t.Range.End.Byte
	}
	// Indentation first, then the blanks within cells, then the columns: comments stand behind equals signs.
	lines := f.splitLines()
	f.setIndents(lines)
	for _, l := range lines {
		f.spaceCell(l.start, l.assign)
		f.spaceCell(l.assign, l.comment)
	}
	f.alignCell(lines, func(l lineCells) (at, width int) { return l.assign, l.comment - l.assign })
	f.alignCell(lines, func(l lineCells) (at, width int) { return l.comment, l.end - l.comment })
	for i, t := range tokens {
		size += f.blanks[i] + len(t.Bytes)
	}
	// Write the tokens with their new blanks.
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

// splitLines divides the tokens into lines. A heredoc belongs to the line on which it starts.
func (f *formatter) splitLines() (lines []lineCells) {
	start := 0
	for i, t := range f.tokens {
		isEnd := t.Type == hclsyntax.TokenEOF
		if isEnd && i > start {
			lines = append(lines, f.cellsOf(start, i))
		}
		if isEnd {
			break
		}
		if endsLine(t) {
			lines = append(lines, f.cellsOf(start, i+1))
			start = i + 1
		}
	}
	return lines
}

// endsLine reports whether a token ends its line. A comment that runs to the end of the line includes the
// newline.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// cellsOf returns the cells of the line that consists of f.tokens[start:end].
func (f *formatter) cellsOf(start, end int) lineCells {
	l := lineCells{start: start, assign: end, comment: end, end: end}
	if end-start > 1 && f.tokens[end-1].Type == hclsyntax.TokenComment { // a comment alone is the first cell
		l.comment = end - 1
	}
	l.assign = l.comment
	for i := start + 1; i < l.comment; i++ {
		if f.tokens[i].Type != hclsyntax.TokenEqual {
			continue
		}
		if netBrackets(f.tokens[i:l.comment]) == 0 { // otherwise the value continues on the next line
			l.assign = i
		}
		break // further equals signs are in the value
	}
	return l
}

// netBrackets returns how many brackets tokens open, minus those that they close.
func netBrackets(tokens hclsyntax.Tokens) int {
	n := 0
	for _, t := range tokens {
		n += bracketStep(t.Type)
	}
	return n
}

// bracketStep returns 1 for an opening bracket, -1 for a closing one, and 0 for any other token.
func bracketStep(t hclsyntax.TokenType) int {
	switch t {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen,
		hclsyntax.TokenTemplateControl, hclsyntax.TokenTemplateInterp:
		return 1
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
		return -1
	}
	return 0
}

// setIndents sets the blanks before each line: two for each earlier line with brackets that are still open. An
// empty line has none.
func (f *formatter) setIndents(lines []lineCells) {
	var open []int // how many brackets are open, for each such line
	for _, l := range lines {
		if f.tokens[l.start].Type == hclsyntax.TokenNewline {
			f.blanks[l.start] = 0
			continue
		}
		// Count no brackets of a heredoc in the first cell: there, they are text.
		isHeredoc := func(t hclsyntax.Token) bool { return t.Type == hclsyntax.TokenOHeredoc }
		firstCell := f.tokens[l.start:l.assign]
		if i := slices.IndexFunc(firstCell, isHeredoc); i >= 0 {
			firstCell = firstCell[:i]
		}
		// The brackets that stay open behind the line; negative if it closes more than it opens. A comment has none.
		n := netBrackets(firstCell) + netBrackets(f.tokens[l.assign:l.comment])
		if n < 0 {
			open = closeBrackets(open, -n)
		}
		// Closing brackets dedent their own line, opening ones indent the next.
		f.blanks[l.start] = 2 * len(open)
		if n > 0 {
			open = append(open, n)
		}
	}
}

// closeBrackets returns open, which counts the open brackets of each line, without the last n brackets.
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

// spaceCell sets the blanks between the tokens of a cell, those in [from, to). The first token keeps its
// blanks.
func (f *formatter) spaceCell(from, to int) {
	before := hclsyntax.Token{Type: hclsyntax.TokenNil}
	for i := from; i+1 < to; i++ {
		f.blanks[i+1] = 0
		if isSpaced(before, f.tokens[i], f.tokens[i+1]) {
			f.blanks[i+1] = 1
		}
		before = f.tokens[i]
	}
}

// alignCell aligns a cell, such as the comment, of consecutive lines that have it: it starts one blank after
// the longest text in front of it. cell returns the index of the cell's first token in a line, and how many
// tokens it has.
func (f *formatter) alignCell(lines []lineCells, cell func(lineCells) (at, width int)) {
	for i := 0; i < len(lines); i++ {
		j, longest := i, 0 // lines[i:j] have the cell, and lines[j] lacks it
		for ; j < len(lines); j++ {
			at, width := cell(lines[j])
			if width == 0 {
				break
			}
			longest = max(longest, f.widthOf(lines[j].start, at))
		}
		for ; i < j; i++ {
			at, _ := cell(lines[i])
			f.blanks[at] = longest - f.widthOf(lines[i].start, at) + 1
		}
	}
}

// formatPlain formats text in which nothing but the alignment of columns may be wrong, without making tokens
// of it, which is slow. It reads the usual forms of lines, with values on one line, and returns false for any
// other text. Text that is formatted already is returned itself, not copied.
//
//	resource "aws_instance" "web" {
//	  # for the shop
//	  ami  = "ami-0abc" # golden
//	  tags = [local.a, local.b]
//	  labels = {
//	    Owner = "shop"
//	  }
//	}
func formatPlain(text []byte) (laid []byte, ok bool) {
	c := plainLines{rows: make([]row, 0, 1+bytes.Count(text, []byte("\n")))}
	for at := 0; at < len(text); {
		line, rest, _ := bytes.Cut(text[at:], []byte("\n"))
		c.rows = append(c.rows, row{start: at})
		if !c.readLine(line, &c.rows[len(c.rows)-1]) {
			return nil, false
		}
		if c.marker != nil {
			if rest = afterHeredoc(rest, c.marker); rest == nil {
				return nil, false
			}
			c.marker = nil
		}
		at = len(text) - len(rest) // the next line
	}
	return alignColumns(text, c.rows), true
}

// plainLines reads the lines of a text for formatPlain.
type plainLines struct {
	depth  int    // of blocks and brackets that span lines
	marker []byte // of the heredoc that starts on the line
	rows   []row  // the lines read so far
}

// readLine reads a line, and stores in r where its equals sign and its comment are. It returns true if all of the
// line is formatted as it should be, apart from the columns of these two.
func (c *plainLines) readLine(line []byte, r *row) bool {
	if len(line) == 0 {
		return true
	}
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	if indent == len(line) { // blanks on an empty line
		return false
	}
	content := line[indent:]
	closes := content[0] == '}' || content[0] == ']'
	if closes {
		c.depth--
	}
	n := 0 // the length of the content; 0 if it isn't plain
	switch {
	case indent != 2*c.depth:
		return false
	case isComment(content):
		return true
	case closes:
		n = len("}") // or ]
		if bytes.HasPrefix(content[n:], []byte(",")) {
			n++
		}
	default:
		n = c.readContent(content, indent, r)
	}
	return n > 0 && c.readComment(line, indent+n, r)
}

// isComment reports whether a line is nothing but one comment. content is the line without indentation.
func isComment(content []byte) bool {
	if content[0] == '#' || bytes.HasPrefix(content, []byte("//")) {
		return true
	}
	return len(content) >= len("/**/") && bytes.HasPrefix(content, []byte("/*")) &&
		bytes.Index(content[2:], []byte("*/")) == len(content)-4
}

// readComment reads the comment of a line behind the content, which ends at end, if there is one. It returns
// false for any other text there, and for a line whose columns it can't count.
func (c *plainLines) readComment(line []byte, end int, r *row) bool {
	r.end = end
	after := bytes.TrimLeft(line[end:], " ")
	if len(after) == 0 {
		return end == len(line)
	}
	r.comment = len(line) - len(after)
	if r.comment == end || c.marker != nil { // no blank before it, or text behind a heredoc marker
		return false
	}
	// Beyond ASCII, a character has more bytes than columns.
	isASCII := !slices.ContainsFunc(line[:end], func(c byte) bool { return c >= utf8.RuneSelf })
	return isASCII && (after[0] == '#' || bytes.HasPrefix(after, []byte("//")))
}

// readContent returns the length of a line's content, without the comment that may follow, or 0 if it isn't correctly
// formatted, so that the line is left to the formatter proper. line starts behind the indentation, which has indent
// bytes. It records in r where the equals sign of an argument on one line is, and in c that a bracket or heredoc goes
// on after the line.
func (c *plainLines) readContent(line []byte, indent int, r *row) int {
	name := wordLen(line)
	rest := line[name:]
	if name == 0 || len(rest) > 0 && bytes.IndexByte([]byte(".[("), rest[0]) >= 0 { // 1, or a.b, or f(x)
		return elementLen(line)
	}
	// The name of an argument, the type of a block, or an element that starts with a name.
	blanks := len(rest) - len(bytes.TrimLeft(rest, " "))
	switch rest = rest[blanks:]; {
	case blanks == 0:
		return elementLen(line)
	case !bytes.HasPrefix(rest, []byte("= ")):
		return c.readHeader(line, name)
	}
	return c.readArgument(line, indent, name, name+blanks, r)
}

// readArgument is readContent for an argument: name, blanks, equals sign, blank, value. name is where the name ends,
// equals where the equals sign is.
func (c *plainLines) readArgument(line []byte, indent, name, equals int, r *row) int {
	beforeValue := equals + len("= ")
	value := line[beforeValue:]
	isBracket := len(value) > 0 && (value[0] == '{' || value[0] == '[')
	if isBracket && opensLines(value[1:]) { // the value spans lines, so its equals sign is in no column
		if equals != name+1 { // more than one blank before it
			return 0
		}
		c.depth++
		return beforeValue + len("{")
	}
	// A value on one line, or a heredoc: the equals sign is in a column.
	length := 0
	if marker, ok := heredocMarker(value); ok {
		c.marker, length = marker, len(value)
	} else if length, ok = valueLen(value, 0); !ok {
		return 0
	}
	r.name, r.equals = indent+name, indent+equals
	return beforeValue + length
}

// elementLen returns the length of the list element, with its comma, at the start of a line. It's 0 if there
// is none, or it isn't correctly formatted.
func elementLen(line []byte) int {
	n, ok := valueLen(line, 0)
	if !ok {
		return 0
	}
	if n < len(line) && line[n] == ',' {
		n++
	}
	return n
}

// opensLines reports whether an opening bracket is the last thing on its line, apart from a comment. after is
// the text behind it.
func opensLines(after []byte) bool {
	after = bytes.TrimLeft(after, " ")
	return len(after) == 0 || after[0] == '#' || bytes.HasPrefix(after, []byte("//"))
}

// readHeader returns the length of the block header at the start of a line, up to and with the opening brace,
// whose level it adds to c.depth. It returns 0 for any other line. n is the length of the block's type.
func (c *plainLines) readHeader(line []byte, n int) int {
	for n+1 < len(line) && line[n] == ' ' {
		n++
		if line[n] == '{' {
			c.depth++
			return n + 1
		}
		label := wordLen(line[n:])
		if label == 0 {
			return 0
		}
		n += label
	}
	return 0
}

// wordLen returns the length of the name at the start of text, or of the string, if that has no escapes and
// templates. Otherwise it returns 0.
func wordLen(text []byte) int {
	if text[0] != '"' {
		return nameLen(text)
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

// isDigit reports whether a byte is an ASCII digit.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isInName reports whether an ASCII byte can be in a name. Other letters are left to the formatter proper.
func isInName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || isDigit(c)
}

// heredocMarker returns the marker of a heredoc: EOT for <<-EOT. value is the rest of the line on which a value
// starts. ok is false for any other value.
func heredocMarker(value []byte) (marker []byte, ok bool) {
	if !bytes.HasPrefix(value, []byte("<<")) {
		return nil, false
	}
	marker = bytes.TrimPrefix(value[2:], []byte("-"))
	return marker, len(marker) > 0 && marker[0] != '"' && wordLen(marker) == len(marker) // one word, not a quoted one
}

// afterHeredoc returns the text after the line that closes a heredoc, which has started before text. It
// returns nil if the heredoc isn't closed, or holds more than text and interpolations.
func afterHeredoc(text, marker []byte) []byte {
	for len(text) > 0 {
		line, rest, found := bytes.Cut(text, []byte("\n"))
		switch {
		case !found:
			return nil
		case bytes.Equal(bytes.TrimSpace(line), marker):
			if bytes.HasSuffix(line, []byte(" ")) || bytes.IndexByte(line, '\r') >= 0 {
				return nil // only the formatter proper knows what becomes of them
			}
			return rest
		case !isPlainTemplate(line):
			return nil
		}
		text = rest
	}
	return nil
}

// isPlainTemplate reports whether a line of a heredoc has nothing but text and correctly formatted
// interpolations.
func isPlainTemplate(line []byte) bool {
	for n := 0; n < len(line); n++ {
		if line[n] != '$' && line[n] != '%' {
			continue
		}
		value := interpolationLen(line[n:], 0)
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

// Align sets the padding of n arguments that follow each other without a blank line. at returns each by its
// index. Runs of Single arguments are aligned with each other.
func Align(n int, at func(int) *Column) {
	for i := 0; i < n; {
		if !at(i).Single {
			i++
			continue
		}
		// The arguments i to j-1 are a run; width is that of the longest name in it.
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
// relative to the start of the line, in bytes; 0 means there is none.
type row struct {
	start        int // of the line in the text
	name, equals int // end of the name, and the equals sign
	end, comment int // end of the content, and the comment after it
}

// alignColumns aligns the equals signs and the comments of consecutive rows: each stands one blank after the
// longest text in front of it. It returns text itself if they are aligned already. A row tells where in its line the
// name ends, the equals sign is, the content ends, and the comment starts.
func alignColumns(text []byte, rows []row) []byte {
	isMoved := false
	// First the equals signs, which move the comments behind them, too.
	equalsShifts := make([]int, len(rows)) // how far each equals sign moves
	eachChain(rows, func(r *row) bool { return r.equals > 0 }, func(i, j int) {
		at := 0 // the column that they share
		for _, r := range rows[i:j] {
			at = max(at, r.name+1)
		}
		for k := i; k < j; k++ {
			equalsShifts[k] = at - rows[k].equals
			isMoved = isMoved || equalsShifts[k] != 0
		}
	})
	commentShifts := make([]int, len(rows)) // how far each comment moves in addition to that
	eachChain(rows, func(r *row) bool { return r.comment > 0 }, func(i, j int) {
		at := 0 // the column that they share
		for k := i; k < j; k++ {
			at = max(at, rows[k].end+equalsShifts[k]+1)
		}
		for k := i; k < j; k++ {
			commentShifts[k] = at - rows[k].comment - equalsShifts[k]
			isMoved = isMoved || commentShifts[k] != 0
		}
	})
	if !isMoved {
		return text
	}
	out, done := make([]byte, 0, len(text)+len(text)/8), 0
	// Copies text up to at, and adds blanks there, or leaves out the last ones if by is negative.
	shiftText := func(at, by int) {
		if by < 0 {
			out = append(out, text[done:at+by]...)
		} else {
			out = append(append(out, text[done:at]...), bytes.Repeat([]byte(" "), by)...)
		}
		done = at
	}
	for k, r := range rows {
		if equalsShifts[k] != 0 {
			shiftText(r.start+r.equals, equalsShifts[k])
		}
		if commentShifts[k] != 0 {
			shiftText(r.start+r.comment, commentShifts[k])
		}
	}
	return append(out, text[done:]...)
}

// eachChain calls do for each longest run of consecutive rows for which isIn is true: rows[i:j].
func eachChain(rows []row, isIn func(*row) bool, do func(i, j int)) {
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

// isSpaced reports whether a blank belongs between t and after, two tokens of a line that no column separates. before
// is the token in front of t, or TokenNil.
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
	case after.Type == hclsyntax.TokenOBrack && (t.Type == hclsyntax.TokenIdent || t.Type == hclsyntax.TokenNumberLit || isCloser(t.Type)):
		return false // an index, as in a[0] or f(a)[0]
	case t.Type == hclsyntax.TokenBang:
		return false // !a
	case t.Type == hclsyntax.TokenMinus:
		return !slices.Contains(beforeSigns, before.Type)
	case t.Type == hclsyntax.TokenOBrace || after.Type == hclsyntax.TokenCBrace: // { a = 1 }, but {}
		return !is(hclsyntax.TokenOBrace, hclsyntax.TokenCBrace)
	case is(hclsyntax.TokenTemplateInterp, hclsyntax.TokenOBrace), is(hclsyntax.TokenTemplateControl, hclsyntax.TokenOBrace),
		is(hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd):
		return true // "${ { a = b } }"
	case is(hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenTemplateInterp),
		is(hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenTemplateControl):
		return false // "${a}${b}"
	}
	return bracketStep(t.Type) <= 0 && bracketStep(after.Type) >= 0 // no blanks just inside brackets
}

// isCloser reports whether a token is a closing bracket.
func isCloser(t hclsyntax.TokenType) bool { return bracketStep(t) < 0 }

// isGlued reports whether there is never a blank between two tokens of these types, such as before a dot.
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

// widthOf returns the width of the tokens in [from, to), with the blanks before them, in grapheme clusters:
// characters as people see them.
func (f *formatter) widthOf(from, to int) int {
	n := 0
	for i, t := range f.tokens[from:to] {
		n += f.blanks[from+i]
		if t.Range.Start.Line == t.Range.End.Line {
			n += t.Range.End.Column - t.Range.Start.Column
		} else {
			n += countClusters(t.Bytes)
		}
	}
	return n
}

// countClusters returns the number of grapheme clusters in a text.
func countClusters(text []byte) int {
	n := 0
	for len(text) > 0 {
		size, _, _ := textseg.ScanGraphemeClusters(text, true)
		text = text[max(size, 1):]
		n++
	}
	return n
}
