package limits

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Computations may share a budget, until one exceeds it: what took no work in vain still has it.
func TestSharedBudget(t *testing.T) {
	expr := func(text string) hcl.Expression {
		e, diags := hclsyntax.ParseExpression([]byte(text), "a.tf", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return e
	}
	long := cty.StringVal(strings.Repeat("x", 10_000))
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"a": long, "list": cty.TupleVal([]cty.Value{long, cty.True})}}
	budget := Budget(50_000)
	for _, test := range []struct {
		text       string
		isComputed bool
		fails      bool
	}{
		{`a`, true, false},
		{`"${a}${a}"`, true, false},      // 40,000: it makes and holds twice the text
		{`"${a}${a}"`, false, false},     // more than is left
		{`list[1]`, true, false},         // a reference is free
		{`list[2]`, true, true},          // also one that fails
		{`"x${1}" == "x1"`, true, false}, // little enough for its text
	} {
		v, isComputed, diags := budget.Evaluate(expr(test.text), ctx)
		if isComputed != test.isComputed || diags.HasErrors() != test.fails || isComputed && !test.fails && !v.IsWhollyKnown() {
			t.Errorf("%s is computed: %t, %v, with %d left", test.text, isComputed, diags, budget)
		}
	}
	for _, want := range []bool{true, false} {
		if got := budget.Covers(long, expr("a")); got != want {
			t.Errorf("a long value is walked through: %t, with %d left", got, budget)
		}
	}
	for _, short := range []cty.Value{cty.StringVal("x"), cty.UnknownVal(cty.List(cty.String))} {
		if !budget.Covers(short, expr("a")) {
			t.Errorf("%#v isn't, with %d left", short, budget)
		}
	}
}
