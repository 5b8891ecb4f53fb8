package source

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// TestPlainlyRefersTo holds a look at the text against the expression, for random texts.
func TestPlainlyRefersTo(t *testing.T) {
	parts := []string{"var.a", "var.a", "var.ab", "var", ".a", " ", "\n", ".", "\"", "(", ")", "f(", ", ", "[", "]", "{", "}", "x = ", " == 1",
		" ? ", " : ", "!", "-", "ä", "b", "0", "${", "\\\"", "for var in b : ", "[*]", "\"c\"", "can(", "contains([\"a\", \"b\"], ", "# ", "/* ", "::"}
	r := rand.New(rand.NewPCG(3, 1))
	agreed, refused := 0, 0
	for range 300_000 {
		var text strings.Builder
		for range 1 + r.IntN(6) {
			text.WriteString(parts[r.IntN(len(parts))])
		}
		expr, diags := hclsyntax.ParseExpression([]byte(text.String()), "", hcl.InitialPos)
		if diags.HasErrors() {
			continue
		}
		refers := false
		for _, ref := range expr.Variables() {
			step, ok := hcl.Traverser(nil), false
			if len(ref) > 1 && ref.RootName() == "var" {
				step = ref[1]
				_, ok = step.(hcl.TraverseAttr)
			}
			refers = refers || ok && step.(hcl.TraverseAttr).Name == "a"
		}
		f := &File{Src: []byte(text.String())}
		a := &Attr{File: f, value: Span{End: Place{Byte: uint32(text.Len())}}}
		switch plainly := a.PlainlyRefersTo("var", "a"); {
		case plainly && !refers:
			t.Fatalf("%q does not refer to var.a", text.String())
		case plainly:
			agreed++
		case refers:
			refused++
		}
	}
	if agreed < 1000 || refused > agreed {
		t.Errorf("told of %d texts, not of %d", agreed, refused)
	}
}
