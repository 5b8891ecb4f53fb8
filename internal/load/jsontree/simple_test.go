package jsontree

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// TestSimpleText compares the results for bytes with those for the parsed expression.
func TestSimpleText(t *testing.T) {
	pieces := []string{
		"a", "true", "null", ".b", "[0]", "[*]", "(", ")", ", ", " == ", " ? ", " : ", "1", "007", "-", "\"", "${", "}", "%{ if x }", "%{ endif }",
		"$${", "~", " ", "{", "x = 1", "\\n", "é", "\ufeff", "<<E\nt\nE\n", "for x in y : z", "!", "\t", "/* c */",
	}
	testSimpleText(t, pieces, 6)
}

// TestSimpleCollection does so for tuples and objects.
func TestSimpleCollection(t *testing.T) {
	testSimpleText(t, []string{
		"[", "[", "]", "{", "}", "\n", ", ", ",\n", " = ", " : ", "a", "b.c", "\"d\"", "\"e${f}\"", "a = 1", "\"g\" = h", "i = [j, 2]", "{}", "[]", " ",
		"true", "null", "1", "1.5", "-1", "k[0]", "l()", "# m\n", "\"${n(\"}\")}\"", "\"$${\"", "for o in p : o", "=>", "==", "\r\n", "\t", "true = 1",
		"\"%{ if q }r%{ endif }\"", "(s)", "a = 2", "é", "\"\ufefft\" = 1", "\"\\u0041\"", "u\n= 1", "v = \n1",
	}, 8)
}

// TestSimpleHeredoc does so for heredocs, and for strings with escape sequences.
func TestSimpleHeredoc(t *testing.T) {
	pieces := []string{
		"a", " ", "  ", "\n", "\n  ", "\r\n", "${a}", "${ \"}\" }", "%{ if b }", "%{ else }", "%{ endif }", "%{ for c in d }", "%{ endfor }", "$${", "%%{", "$", "~", "}",
		"\\n", "\\\"", "\\u0041", "é", "\ufeff", "E", "\nE\n", "<<F\nx\nF\n", "${<<F\n${e}\nF\n}", "# c", "\t", "\x00",
	}
	for _, around := range [][2]string{{"<<E\n", "\nE"}, {"<<-E\n", "\n  E"}, {"<<-E\n  ", "\nE"}, {"\"", "\""}, {"\"\\n", "\""}} {
		testSimple(t, pieces, 8, 5_000, around)
	}
}

func testSimpleText(t *testing.T, pieces []string, most int) {
	testSimple(t, pieces, most, 60_000, [2]string{})
}

func testSimple(t *testing.T, pieces []string, most, runs int, around [2]string) {
	r := rand.New(rand.NewPCG(3, 0))
	simple, valid := 0, 0
	for range runs {
		var text strings.Builder
		for range 1 + r.IntN(most) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		whole := around[0] + text.String() + around[1]
		expr, diags := hclsyntax.ParseExpression([]byte(whole+"\n"), "", hcl.InitialPos)
		if diags.HasErrors() || expr.Range().Start.Byte > 0 || expr.Range().End.Byte < len(whole) {
			continue // no value of an argument
		}
		valid++
		got, ok := SimpleText([]byte(whole))
		if !ok {
			continue
		}
		simple++
		if want := dense(Source(whole).Value(expr, AsTemplate)); dense(got) != want {
			t.Fatalf("%q: got %s, want %s", whole, dense(got), want)
		}
	}
	t.Logf("%d of %d", simple, valid)
	if simple*2 < valid {
		t.Errorf("%d of %d only", simple, valid)
	}
}
