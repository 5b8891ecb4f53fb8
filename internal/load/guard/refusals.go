package guard

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

func NestedTooDeep(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Nesting too deep", "Brackets, template directives and operators nest more than %d deep "+
		"here. Such a file can't be parsed safely; split the expression, for example by means of local values.", MaxDepth)
}

func LongNumber(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Number too long", "A number of more than %d digits can't be read in reasonable time. Write "+
		"it with an exponent, or as a string.", maxDigits)
}

func CostlyAt(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Constant too large", "To compute this constant takes too many steps, too much memory or "+
		"numbers of too many digits. Write its value out, or move the expression into a local value, where nothing "+
		"is computed before it is used.")
}
