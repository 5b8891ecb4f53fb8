package limits_test

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/limits"
)

func Example() {
	deep := "a = " + strings.Repeat("[", limits.MaxDepth+1)
	diags := limits.CheckText([]byte(deep), "main.tf")
	fmt.Printf("%s: %s\n", diags[0].Subject, diags[0].Summary)

	for _, text := range []string{"[for x in [1, 2] : x + 1]", "[for a in [1, 1, 1] : a + 1e99999999]"} {
		expr, _ := hclsyntax.ParseExpression([]byte(text), "main.tf", hcl.InitialPos)
		v, diags := limits.Evaluate(expr)
		if diags.HasErrors() {
			fmt.Println(diags[0].Summary)
			continue
		}
		fmt.Println(v.LengthInt())
	}
	// Output:
	// main.tf:1,2005-2006: Nesting too deep
	// 2
	// Constant too large
}
