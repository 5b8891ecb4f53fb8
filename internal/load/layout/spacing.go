package layout

import (
	"slices"

	"github.com/apparentlymart/go-textseg/v17/textseg"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

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
	case after.Type == hclsyntax.TokenOBrack && isIndexed(t.Type), t.Type == hclsyntax.TokenBang:
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

// isIndexed reports whether a bracket after a token is an index.
func isIndexed(t hclsyntax.TokenType) bool {
	return t == hclsyntax.TokenIdent || t == hclsyntax.TokenNumberLit || bracket(t) < 0
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

// columns is the width of tokens with the blanks before them, in grapheme clusters.
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
