package limits

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

func NestedTooDeep(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Nesting too deep", "Brackets, template directives and operators nest more than %d levels "+
		"deep here, which can't be parsed safely. Split the expression, for example with local values.", MaxDepth)
}

func LongNumber(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Number too long", "A number of more than %d digits takes too long to read. Write it with "+
		"an exponent or as a string.", maxDigits)
}

func CostlyAt(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Constant too large", "Computing this constant takes too many steps, too much memory or "+
		"numbers with too many digits. Write out its value, or move the expression into a local value, which is "+
		"computed only when it is used.")
}
