package limits

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// MaxDepth is how deep brackets, template directives and operators may nest in
// a file. The parser recurses once for each and dies of a stack overflow, which
// no program survives, so deeper files are refused before it sees them.
const MaxDepth = 2000

// Depth refuses native text whose nesting would overflow the parser's stack, and returns the
// offsets at which the text can be cut. The linear pass over raw bytes never underestimates; its
// suspicions are confirmed on tokens, which cost ten times as much.
func Depth(src []byte, name string) (cuts []int, diags hcl.Diagnostics) {
	if len(src) <= MaxDepth {
		return nil, nil // too short to nest so deep
	}
	cuts, ok := Cuts(src, pieceSize)
	if ok {
		return cuts, nil
	}
	at := tooDeep(src, name, parse.Tokens)
	if at == nil {
		return nil, nil
	}
	return nil, hcl.Diagnostics{nestedTooDeep(*at)}
}

// A nesting follows how deep a parser would recurse. Each open bracket is a
// level with a count of the operators and directives that are open in it.
type nesting struct {
	levels  []level
	total   int
	deepest int
}

type level struct {
	lines   bool // newlines end items inside, as in a block or an object
	waiting int  // operators and directives
}

func newNesting() *nesting {
	return &nesting{levels: []level{{lines: true}}}
}

func (n *nesting) tooDeep() bool {
	n.deepest = max(n.deepest, n.total)
	return n.total > MaxDepth
}

func (n *nesting) top() *level { return &n.levels[len(n.levels)-1] }

func (n *nesting) open(lines bool) {
	n.levels = append(n.levels, level{lines: lines})
	n.total++
}

func (n *nesting) close() {
	if len(n.levels) == 1 {
		return
	}
	n.total -= 1 + n.top().waiting
	n.levels = n.levels[:len(n.levels)-1]
}

func (n *nesting) wait(by int) {
	if by < 0 && n.top().waiting == 0 {
		return
	}
	n.top().waiting += by
	n.total += by
}

func (n *nesting) comma() {
	n.total -= n.top().waiting
	n.top().waiting = 0
}

func (n *nesting) newline() {
	if n.top().lines {
		n.comma()
	}
}

func nestToken(n *nesting, tokens hclsyntax.Tokens, i int) {
	switch tokens[i].Type {
	case hclsyntax.TokenOBrace:
		n.open(!isWord(tokens, i+1, "for"))
	case hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp:
		n.open(false)
	case hclsyntax.TokenTemplateControl:
		n.wait(directiveStep(tokens, i+1))
		n.open(false)
	case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
		n.open(false)
	case hclsyntax.TokenCBrack:
		n.close()
		n.wait(1) // an index nests what precedes it
	case hclsyntax.TokenCBrace, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd,
		hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		n.close()
	case hclsyntax.TokenComma:
		n.comma()
	case hclsyntax.TokenNewline:
		n.newline()
	case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenQuestion, hclsyntax.TokenPlus,
		hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenAnd,
		hclsyntax.TokenOr, hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan,
		hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenDoubleColon:
		n.wait(1)
	}
}

// isWord reports whether the next token, apart from newlines and comments, is a word.
func isWord(tokens hclsyntax.Tokens, i int, word string) bool {
	for ; i < len(tokens); i++ {
		switch tokens[i].Type {
		case hclsyntax.TokenNewline, hclsyntax.TokenComment:
			continue
		}
		return string(tokens[i].Bytes) == word
	}
	return false
}

// directiveStep returns by how much the directive whose keyword is at i changes the nesting of
// directives.
func directiveStep(tokens hclsyntax.Tokens, i int) int {
	switch {
	case isWord(tokens, i, "if"), isWord(tokens, i, "for"):
		return 1
	case isWord(tokens, i, "endif"), isWord(tokens, i, "endfor"):
		return -1
	}
	return 0
}
