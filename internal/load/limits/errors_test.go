package limits

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Of very many errors in a constant the first are reported, and how many there are. Up to that number
// each is.
func TestFirstErrors(t *testing.T) {
	for count, want := range map[int]int{2: 2, maxErrors: maxErrors, maxErrors + 1: maxErrors + 1, 3 * maxErrors: maxErrors + 1} {
		expr, _ := hclsyntax.ParseExpression([]byte(`"`+strings.Repeat("${a} ", count)+`"`), "", hcl.InitialPos)
		_, diags := Evaluate(expr)
		if len(diags) != want {
			t.Errorf("%d errors are reported of %d, want %d", len(diags), count, want)
		}
		if diags[0].Expression != nil {
			t.Error("an error keeps the expression in memory")
		}
		last := diags[len(diags)-1]
		if isSummary := last.Summary == "Too many errors"; isSummary != (count > maxErrors) {
			t.Errorf("the last of %d is %q", count, last.Summary)
		}
	}
}
