package layout

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format lays native text out. Text that the formatter would make into other
// tokens, as hclwrite 2.25 does with "0 .0", stays as it is.
func Format(text []byte) []byte {
	if laid, ok := plainly(text); ok {
		return laid
	}
	laid := hclwrite.Format(text)
	if bytes.Equal(laid, text) {
		return laid
	}
	was, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	is, _ := hclsyntax.LexConfig(laid, "", hcl.InitialPos)
	same := slices.EqualFunc(was, is, func(a, b hclsyntax.Token) bool {
		return a.Type == b.Type && (bytes.Equal(a.Bytes, b.Bytes) || a.Type == hclsyntax.TokenComment)
	})
	if !same {
		return text
	}
	return laid
}

// IsClean reports whether text is laid out as Format does it.
func IsClean(text []byte) bool { return bytes.Equal(Format(text), text) }
