package limits

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// Tokens take up to 400 times the memory of their text. To make refused files as cheap as others,
// their text is turned into tokens bit by bit.

// A lexing turns text into tokens, as the functions of hclsyntax do.
type lexing func(src []byte, filename string, start hcl.Pos) hclsyntax.Tokens

// lexAtOnce is how many bytes are turned into tokens at once, unless they contain no position from
// which lexing could resume. A token at the end may be cut in two, so tokens in the last few bytes
// are not relied on.
const (
	lexAtOnce = 32 << 10
	lexUnsure = 64
)

// tooDeep returns where the nesting of a text's tokens first exceeds MaxDepth.
func tooDeep(src []byte, name string, lex lexing) *hcl.Range {
	return newNesting().text(src, name, lex, lexAtOnce)
}

// text follows a text, some bytes at once, and returns where it nests too deep.
func (n *nesting) text(src []byte, name string, lex lexing, atOnce int) *hcl.Range {
	return eachStretch(src, name, lex, atOnce, func(tokens hclsyntax.Tokens, count int, again bool) *hcl.Range {
		if again {
			return n.clone().tokens(tokens, count)
		}
		return n.tokens(tokens, count)
	})
}

// eachStretch turns a text into tokens, some bytes at once, and calls find with the tokens of each
// stretch until find returns a range. Only the first count tokens are final; if again is set, they
// will be repeated with the tokens behind them.
func eachStretch(src []byte, name string, lex lexing, atOnce int,
	find func(tokens hclsyntax.Tokens, count int, again bool) *hcl.Range) *hcl.Range {
	for at, size := hcl.InitialPos, atOnce; ; {
		end := min(len(src), at.Byte+size)
		if end == len(src) {
			tokens := lex(src[at.Byte:], name, at)
			return find(tokens, len(tokens), false)
		}
		// Without the end of a comment behind the stretch, a comment in it would be code.
		tokens := lex(append(src[at.Byte:end:end], "*/"...), name, at)
		sure := 0
		for sure < len(tokens) && tokens[sure].Range.End.Byte < end-lexUnsure {
			sure++
		}
		if resume := resumption(tokens[:sure]); resume > 0 {
			if found := find(tokens, resume, false); found != nil {
				return found
			}
			at, size = tokens[resume-1].Range.End, atOnce
			continue
		}
		if found := find(tokens, sure, true); found != nil {
			return found
		}
		size *= 2
	}
}

// resumption is the number of tokens up to the last line end outside of strings and heredocs, from
// which the rest of the text gives the same tokens without the text before it, or 0. The meaning of
// a brace depends on the tokens after it, perhaps on another line.
func resumption(tokens hclsyntax.Tokens) int {
	found, open := 0, 0
	for i, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl:
			open++
		case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
			open--
		case hclsyntax.TokenNewline:
			if open == 0 && i > 0 && !slices.Contains(beforeWords, tokens[i-1].Type) {
				found = i + 1
			}
		}
	}
	return found
}

// beforeWords are the tokens behind which a word may decide on the nesting, and
// those that may be between.
var beforeWords = []hclsyntax.TokenType{hclsyntax.TokenOBrace, hclsyntax.TokenNewline, hclsyntax.TokenComment}

// tokens follows the first of some tokens, and returns where they nest too deep.
func (n *nesting) tokens(tokens hclsyntax.Tokens, count int) *hcl.Range {
	for i := range count {
		nestToken(n, tokens, i)
		if n.tooDeep() {
			return tokens[i].Range.Ptr()
		}
	}
	return nil
}

func (n *nesting) clone() *nesting {
	other := *n
	other.levels = slices.Clone(n.levels)
	return &other
}

// CheckTemplate refuses a template that can't be parsed safely, at a range; nil for any other. It is
// text first, as in a heredoc without an end.
func CheckTemplate(src []byte, at hcl.Range) *hcl.Diagnostic {
	scan := newDepthScan(src)
	scan.modes[0] = mode{kind: '<', marker: []byte{0}}
	return check(scan, parse.TemplateTokens, at)
}

// CheckExpression refuses an expression that can't be parsed safely, at a range; nil for any other.
func CheckExpression(src []byte, at hcl.Range) *hcl.Diagnostic {
	return check(newDepthScan(src), parse.Tokens, at)
}

func check(scan *depthScan, lex lexing, at hcl.Range) *hcl.Diagnostic {
	switch src := scan.src; {
	case len(src) > MaxDepth && scan.run() && tooDeep(src, "", lex) != nil:
		return nestedTooDeep(at)
	case longRun(src) >= 0 && longNumberIn(src, "", lex) != nil:
		return longNumber(at)
	}
	return nil
}
