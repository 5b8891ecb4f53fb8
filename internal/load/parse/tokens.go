package parse

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Tokens are the tokens of native text, of a file or of an expression, as hclsyntax.LexConfig finds
// them.
func Tokens(src []byte, name string, start hcl.Pos) hclsyntax.Tokens {
	return allTokens(src, name, start, hclsyntax.LexConfig)
}

// TemplateTokens are the tokens of a text that is a template, as hclsyntax.LexTemplate finds them.
func TemplateTokens(src []byte, name string, start hcl.Pos) hclsyntax.Tokens {
	return allTokens(src, name, start, hclsyntax.LexTemplate)
}

func allTokens(src []byte, name string, start hcl.Pos, lex lexing) hclsyntax.Tokens {
	if len(src) <= limit.window && !hasOpenComment(src) {
		tokens, _ := lex(src, name, start)
		return tokens
	}
	var all hclsyntax.Tokens
	newLexer(src, name, start, lex).each(func(t hclsyntax.Token) { all = append(all, t) })
	return all
}

// EachToken calls yield with each token of native text. They are not all in memory at once.
func EachToken(src []byte, name string, start hcl.Pos, yield func(hclsyntax.Token)) {
	newLexer(src, name, start, hclsyntax.LexConfig).each(yield)
}

// EachTemplateToken does so for a text that is a template.
func EachTemplateToken(src []byte, name string, start hcl.Pos, yield func(hclsyntax.Token)) {
	newLexer(src, name, start, hclsyntax.LexTemplate).each(yield)
}

// Words are the tokens of native text, but literal text in a template is one token up to the next
// sequence. The lexer makes one or more of each line.
func Words(src []byte) hclsyntax.Tokens {
	var all hclsyntax.Tokens
	from := 0 // where the bytes of the last token start
	EachToken(src, "", hcl.Pos{Line: 1, Column: 1}, func(t hclsyntax.Token) {
		if n := len(all); n > 0 && isLiteral(t) && all[n-1].Type == t.Type {
			last := &all[n-1]
			last.Range.End = t.Range.End
			last.Bytes = src[from:t.Range.End.Byte]
			return
		}
		from = t.Range.Start.Byte
		all = append(all, t)
	})
	return all
}
