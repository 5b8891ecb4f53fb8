package source

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// TestSimpleExpr holds expressions that are made without the parser against its own.
func TestSimpleExpr(t *testing.T) {
	pieces := []string{"a", "true", "null", ".", "_b", "-", "0", "\"", "x y", "$", "{", "\\", "é", " ", "\n", "*", "[0]"}
	made := 0
	var grow func(prefix string, left int)
	grow = func(prefix string, left int) {
		if hasSimple(t, prefix) {
			made++
		}
		for _, p := range pieces[:len(pieces)*min(left, 1)] {
			grow(prefix+p, left-1)
		}
	}
	grow("", 4)
	if made < 100 {
		t.Errorf("%d expressions made", made)
	}
}

// hasSimple compares the expression of a text with the parser's, if one is made.
func hasSimple(t *testing.T, text string) bool {
	t.Helper()
	start := hcl.Pos{Line: 3, Column: 9, Byte: 40}
	want, diags := hclsyntax.ParseExpression([]byte(text), "main.tf", start)
	got := simpleExpr([]byte(text), want.Range())
	if got == nil {
		return false
	}
	if diags.HasErrors() || !reflect.DeepEqual(want, got) {
		t.Errorf("%q: want %#v, %v, got %#v", text, want, diags, got)
	}
	return true
}

// TestSimpleExprs does the same for objects and lists, put together from their tokens in any order.
func TestSimpleExprs(t *testing.T) {
	pieces := strings.Split("a|b.c|for|true|null|-|0|15|1.5|1e3|\"\"|\"x y\"|\"é\"|\"${a}\"|\"a\\n\"|\"|.|*|?|(|)|#|//|\r\n|::|==|=>|{}|[]|{ a = 1 }|[1, 2]|a = 1|a : \"b\"", "|")
	signs := []string{"=", ":", ",", "\n", " ", "\t", "{", "}", "[", "]"}
	random := rand.New(rand.NewPCG(7, 7))
	made := 0
	for range 150_000 {
		open := random.IntN(2)
		text := "{["[open : open+1]
		for range random.IntN(9) {
			if random.IntN(3) == 0 {
				text += pieces[random.IntN(len(pieces))]
			} else {
				text += []string{signs[random.IntN(len(signs))], "a = 1", "\"k\" = [", "a = {", "15", "\"x\"", ", "}[random.IntN(7)]
			}
		}
		if hasSimple(t, text+"}]"[open:open+1]) {
			made++
		}
	}
	if made < 2000 {
		t.Errorf("%d expressions made", made)
	}
}
