package judge

import (
	"math/rand/v2"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// For random texts, every value that isPlainProviderMap accepts is also accepted after parsing.
func TestPlainProviderMap(t *testing.T) {
	parts := []string{"aws", "aws.east", "b2", "null", "A", "b-c", "é", "2b", ".", "[0]", " = ", " = ", ": ", ", ", "\n", "#\n", "\"aws\"", "(aws)", "{", "}", "for "}
	r := rand.New(rand.NewPCG(5, 1))
	told := 0
	for range 200_000 {
		text := "a {\n  b = {"
		for range r.IntN(8) {
			text += parts[r.IntN(len(parts))]
		}
		text += "}\n}\n"
		f := &source.File{Name: "main.tf", Native: []byte(text)}
		scan := outline.NewScanner(f.Native)
		if scan.Next() != outline.Found {
			continue
		}
		b, _ := new(source.Builder).For(f).Block(&source.Description{Tree: scan.Tree}, nil)
		a := b.Attr("b")
		if a == nil || !isPlainProviderMap(a) {
			continue
		}
		told++
		f.Parsed = true
		if diags := ProviderMap(a); len(diags) > 0 {
			t.Fatalf("%q: %s", text, diags)
		}
	}
	if told < 1000 {
		t.Errorf("told of %d", told)
	}
}
