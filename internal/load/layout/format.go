package layout

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// Format formats native text. It leaves text unchanged that the formatter would turn into other
// tokens, such as "0 .0".
func Format(text []byte) []byte {
	if laid, ok := plainly(text); ok {
		return laid
	}
	was := tokensOf(text)
	laid := formatted(was)
	if bytes.Equal(laid, text) {
		return laid
	}
	same := slices.EqualFunc(was, tokensOf(laid), func(a, b hclsyntax.Token) bool {
		return a.Type == b.Type && (bytes.Equal(a.Bytes, b.Bytes) || a.Type == hclsyntax.TokenComment)
	})
	if !same {
		return text
	}
	return laid
}

// IsClean reports whether Format leaves text unchanged.
func IsClean(text []byte) bool { return bytes.Equal(Format(text), text) }

func tokensOf(text []byte) hclsyntax.Tokens {
	tokens := parse.Words(text)
	return tokens
}

// formatted writes tokens with the blanks that hclwrite.Format (hcl 2.25), the engines'
// formatter, puts between them. Importing hclwrite would slow down the start of every run.
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

// lines cuts the tokens into lines. A heredoc belongs to the line on which it starts.
func (f *formatter) lines() []lineCells {
	var lines []lineCells
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

// line finds the cells of a line.
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

// opened is the number of brackets that tokens open, minus the number that they close.
func (f *formatter) opened(from, to int) int {
	n := 0
	for _, t := range f.tokens[from:to] {
		n += bracket(t.Type)
	}
	return n
}

// bracket is 1 for an opening bracket, -1 for a closing one, and 0 for any other token.
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
			open = closed(open, -n)
		}
		f.blanks[l.start] = 2 * len(open)
		if n > 0 {
			open = append(open, n)
		}
	}
}

// closed removes n brackets from those that are open, the last ones first.
func closed(open []int, n int) []int {
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

// space sets the blanks between the tokens of a cell.
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

// column aligns a cell of consecutive lines: it starts one blank after the longest text in front of
// it.
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
