package source

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// TestPlainlyRefersTo holds looks at the text against the expression, for random texts.
func TestPlainlyRefersTo(t *testing.T) {
	parts := []string{"var.a", "var.a", "var.ab", "var", ".a", " ", "\n", ".", "\"", "(", ")", "f(", ", ", "[", "]", "{", "}", "x = ", " == 1",
		" ? ", " : ", "!", "-", "ä", "b", "0", "${", "\\\"", "for var in b : ", "[*]", "\"c\"", "true", "null.b", "1.5", "1e3", "f().b", "[1].b", "can(", "contains([\"a\", \"b\"], ", "# ", "/* ", "::"}
	r := rand.New(rand.NewPCG(3, 1))
	agreed, refused, anything := 0, 0, 0
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
		f := &File{Native: []byte(text.String())}
		a := &Attr{File: f, value: outline.Span{End: outline.Place{Byte: uint32(text.Len())}}}
		if a.PlainlyRefers() {
			if len(expr.Variables()) == 0 {
				t.Fatalf("%q refers to nothing", text.String())
			}
			anything++
		}
		switch plainly := a.PlainlyRefersTo("var", "a"); {
		case plainly && !refers:
			t.Fatalf("%q does not refer to var.a", text.String())
		case plainly:
			agreed++
		case refers:
			refused++
		}
	}
	if agreed < 1000 || refused > agreed || anything < agreed {
		t.Errorf("told of %d texts, not of %d; of %d that they refer to anything", agreed, refused, anything)
	}
}

// TestPlainText holds the text of strings in quotes against their values.
func TestPlainText(t *testing.T) {
	parts := []string{`"`, `"`, "a", " ", `\n`, `\"`, "${", "}", "%{", "$${", "é", "\t", "#", "/*", "\u007f"}
	r := rand.New(rand.NewPCG(4, 1))
	told := 0
	for range 100_000 {
		text := `"`
		for range r.IntN(6) {
			text += parts[r.IntN(len(parts))]
		}
		text += `"`
		expr, diags := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
		if diags.HasErrors() {
			continue
		}
		a := &Attr{File: &File{Native: []byte(text)}, value: outline.Span{End: outline.Place{Byte: uint32(len(text))}}}
		plain, ok := a.PlainText()
		if !ok {
			continue
		}
		told++
		if v, diags := expr.Value(nil); diags.HasErrors() || v.AsString() != string(plain) {
			t.Fatalf("%s is %#v, not %q", text, v, plain)
		}
	}
	if told < 1000 {
		t.Errorf("told of %d texts", told)
	}
}
