package layout

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Format lays native text out. Text that the formatter would make into other
// tokens, as it does with "0 .0", stays as it is.
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

// IsClean reports whether text is laid out as Format does it.
func IsClean(text []byte) bool { return bytes.Equal(Format(text), text) }

func tokensOf(text []byte) hclsyntax.Tokens {
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	return tokens
}

// formatted is the text of tokens with the blanks between them that the formatter of the
// engines puts there, which is hclwrite.Format (hcl 2.25). That package isn't used since
// every run of the program would pay for what it loads.
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
	f.column(lines, func(l fline) (at, width int) { return l.assign, l.comment - l.assign })
	f.column(lines, func(l fline) (at, width int) { return l.comment, l.end - l.comment })
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

// A formatter lays tokens out line by line.
type formatter struct {
	tokens hclsyntax.Tokens
	blanks []int // before each token
}

// An fline is a line in three cells, of which the latter two may be empty. They are
// indices of tokens.
//
//	ami = "ami-0abc" # golden
//	│   │            │       └ end
//	│   │            └ comment
//	│   └ assign
//	└ start
type fline struct{ start, assign, comment, end int }

// lines cuts the tokens, up to the end of the file, into lines. A heredoc belongs to the
// line that it starts in.
func (f *formatter) lines() []fline {
	var lines []fline
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

// endsLine reports whether a line ends with a token: comments of one line have its end.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// line finds the cells of a line.
func (f *formatter) line(start, end int) fline {
	l := fline{start: start, assign: end, comment: end, end: end}
	if end-start > 1 && f.tokens[end-1].Type == hclsyntax.TokenComment {
		l.comment = end - 1
	}
	l.assign = l.comment
	for i := start + 1; i < l.comment; i++ {
		if f.tokens[i].Type != hclsyntax.TokenEqual {
			continue
		}
		if f.opened(i, l.comment) == 0 { // else the value goes on in the next line
			l.assign = i
		}
		break
	}
	return l
}

// opened is how many brackets tokens open more than they close.
func (f *formatter) opened(from, to int) int {
	n := 0
	for _, t := range f.tokens[from:to] {
		n += bracket(t.Type)
	}
	return n
}

// bracket is 1 for what opens a bracket, -1 for what closes one.
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

// indent sets the blanks before each line: two for each line before it that opens more
// brackets than were closed since.
func (f *formatter) indent(lines []fline) {
	var open []int // by how much, for each such line
	for _, l := range lines {
		if f.tokens[l.start].Type == hclsyntax.TokenNewline {
			f.blanks[l.start] = 0
			continue
		}
		lead := l.assign
		for i := l.start; i < lead; i++ {
			if f.tokens[i].Type == hclsyntax.TokenOHeredoc {
				lead = i // what the heredoc holds doesn't count
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

// closed takes n brackets back.
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

// column aligns a cell in lines that follow each other: it starts one blank behind the
// longest of what is before it.
func (f *formatter) column(lines []fline, cell func(fline) (at, width int)) {
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
