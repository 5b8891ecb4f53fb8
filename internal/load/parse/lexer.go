package parse

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A token takes 96 bytes, even for a single letter, and a growing list of tokens is copied several
// times. To limit memory to a few bytes for each byte of text, the text is turned into tokens
// window by window.
const (
	// margin is how far behind a token the lexer may look before it decides on it, but for those
	// of mayGrow.
	margin = 64
	// maxPrefix is how long a prefix is worth it.
	maxPrefix = 16 << 10
)

// A lexing turns text into tokens, as the functions of hclsyntax do.
type lexing func(src []byte, name string, start hcl.Pos) (hclsyntax.Tokens, hcl.Diagnostics)

// A lexer finds the tokens that a lexing finds in the whole text.
type lexer struct {
	lex     lexing
	src     []byte
	name    string
	offset  int // of the text's first byte in the file
	at      hcl.Pos
	inside  []level // levels open at that position, outermost first
	lastEnd int     // the last end of a comment, or -1
	window  int
	done    bool
}

// A level is a quoted template, a heredoc, or code in a sequence.
type level struct {
	kind    levelKind
	opener  []byte // of a heredoc
	midLine bool   // of a heredoc: no closing marker can follow
	braces  int    // that are open in code
}

type levelKind byte

const (
	inCode levelKind = iota
	inQuotes
	inHeredoc
)

func newLexer(src []byte, name string, start hcl.Pos, lex lexing) *lexer {
	return &lexer{lex: lex, src: src, name: name, offset: start.Byte, at: start,
		lastEnd: bytes.LastIndex(src, []byte("*/")), window: limit.window}
}

// each calls yield with each token, including the token at the end of the text.
func (l *lexer) each(yield func(hclsyntax.Token)) {
	for size := l.window; !l.done; {
		tokens := l.sure(size)
		if len(tokens) == 0 {
			size *= 2
			continue
		}
		for _, t := range tokens {
			l.step(t)
			yield(t)
		}
		l.at = tokens[len(tokens)-1].Range.End
		size = l.window
	}
}

// sure returns the tokens of a window on which nothing behind the window has an influence.
func (l *lexer) sure(size int) hclsyntax.Tokens {
	from := l.at.Byte - l.offset
	before := l.prefix()
	end := min(len(l.src), from+size)
	if len(before) > maxPrefix {
		end = len(l.src)
	}
	tokens := l.tokens(before, from, end)
	if end == len(l.src) {
		l.done = true
		return tokens
	}
	n := 0
	for n < len(tokens) && tokens[n].Range.End.Byte-l.offset < end-margin && !l.mayGrow(tokens[n], end) {
		n++
	}
	for n > 0 && mayHideLineEnd(tokens[n-1]) {
		n--
	}
	return tokens[:n]
}

// tokens returns the tokens of src[from:end], lexed in the state that before produces.
func (l *lexer) tokens(before []byte, from, end int) hclsyntax.Tokens {
	text := l.closed(append(before, l.src[from:end]...), from-len(before), end)
	lines := bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	start := l.at
	start.Byte -= len(before)
	if lines > 0 {
		start.Line -= lines
		start.Column = 1
	}
	tokens, _ := l.lex(text, l.name, start)
	for len(before) > 0 && tokens[0].Range.Start.Byte < l.at.Byte {
		tokens = tokens[1:]
	}
	for i := range tokens {
		t := &tokens[i]
		if len(before) > 0 {
			l.shift(&t.Range.Start, l.at.Column-column)
			l.shift(&t.Range.End, l.at.Column-column)
		}
		if t.Range.End.Byte-l.offset > end {
			return tokens[:i] // the end of a comment was put there
		}
		t.Bytes = l.src[t.Range.Start.Byte-l.offset : t.Range.End.Byte-l.offset]
		if t.Type == hclsyntax.TokenPlus && t.Bytes[0] == '*' {
			t.Type = hclsyntax.TokenStar
		}
	}
	return tokens
}

// shift corrects a column of the line in which a window starts.
func (l *lexer) shift(p *hcl.Pos, by int) {
	if p.Line == l.at.Line {
		p.Column += by
	}
}

// closed closes a comment that the end of the window cuts. If no end follows in the text, /* does
// not open a comment: it is two tokens. The lexer would search for the end behind each of them,
// which takes a second for 30 KB, so the second is replaced by other tokens.
func (l *lexer) closed(text []byte, from, end int) []byte {
	for at := max(0, l.lastEnd+1-from); at < len(text); at += 2 {
		n := bytes.Index(text[at:], []byte("/*"))
		if n < 0 {
			break
		}
		at += n
		text[at+1] = '+'
	}
	if end < len(l.src) {
		text = append(text, "*/"...)
	}
	return text
}

// prefix is text that brings the lexer into its current state.
func (l *lexer) prefix() []byte {
	if l.at.Byte == l.offset {
		return nil
	}
	text := []byte("\n")
	for _, in := range l.inside {
		switch in.kind {
		case inQuotes:
			text = append(text, '"')
		case inHeredoc:
			text = append(text, in.opener...)
		default:
			text = append(text, "${ "...)
			text = append(text, bytes.Repeat([]byte("{ "), in.braces)...)
		}
	}
	if n := len(l.inside); n > 0 && l.inside[n-1].midLine {
		text = append(text, "${0}"...)
	}
	return text
}

// mayGrow reports whether a larger window could change a token: the possible opening of a heredoc
// with a very long marker, or a number followed by very many dots.
func (l *lexer) mayGrow(t hclsyntax.Token, end int) bool {
	switch t.Type {
	case hclsyntax.TokenLessThan:
		rest := l.src[t.Range.Start.Byte-l.offset : end]
		return bytes.HasPrefix(rest, []byte("<<")) && bytes.IndexFunc(rest[2:], isBehindName) < 0
	case hclsyntax.TokenNumberLit:
		rest := l.src[t.Range.End.Byte-l.offset : end]
		return len(bytes.TrimLeft(rest, ".")) < margin
	}
	return false
}

// isBehindName reports whether a character is surely not part of a name.
func isBehindName(r rune) bool { return r == '\n' || r == ' ' || r == '"' || r == '<' }

// mayHideLineEnd reports whether a token ends with a line end that the lexer has seen as something
// that follows a dollar sign.
func mayHideLineEnd(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenStringLit && isMark(t) && t.Bytes[len(t.Bytes)-1] == '\n'
}

// isMark reports whether a literal starts with a sign that could have started a sequence. The
// lexer makes tokens of their own of these.
func isMark(t hclsyntax.Token) bool {
	return len(t.Bytes) > 0 && (t.Bytes[0] == '$' || t.Bytes[0] == '%')
}

// endsLine reports whether a literal is the end of a line.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenStringLit && !isMark(t) && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// step records what a token opens or closes.
func (l *lexer) step(t hclsyntax.Token) {
	n := len(l.inside)
	switch t.Type {
	case hclsyntax.TokenOQuote:
		l.inside = append(l.inside, level{kind: inQuotes})
	case hclsyntax.TokenOHeredoc:
		l.inside = append(l.inside, level{kind: inHeredoc, opener: t.Bytes})
	case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		if n > 0 {
			l.inside[n-1].midLine = l.inside[n-1].kind == inHeredoc
		}
		l.inside = append(l.inside, level{})
	case hclsyntax.TokenStringLit, hclsyntax.TokenBadUTF8:
		if n > 0 && l.inside[n-1].kind == inHeredoc {
			l.inside[n-1].midLine = t.Type == hclsyntax.TokenStringLit && !endsLine(t) ||
				t.Type != hclsyntax.TokenStringLit && l.inside[n-1].midLine
		}
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		l.inside = l.inside[:n-1]
	case hclsyntax.TokenOBrace:
		l.brace(1)
	case hclsyntax.TokenCBrace:
		l.brace(-1)
	case hclsyntax.TokenTemplateSeqEnd:
		if n > 0 && l.inside[n-1].braces == 0 {
			l.inside = l.inside[:n-1]
		} else {
			l.brace(-1)
		}
	}
}

func (l *lexer) brace(by int) {
	if n := len(l.inside); n > 0 {
		l.inside[n-1].braces += by
	}
}
