package limits

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// maxErrors is the most errors of one constant that are reported, more than anybody reads. A
// reference of six bytes is an error that takes hundreds.
const maxErrors = 1000

// firstErrors returns the first errors of a constant, and how many there are if others are left out.
// They don't keep the syntax tree in memory.
func firstErrors(diags hcl.Diagnostics, at hcl.Range) hcl.Diagnostics {
	all := len(diags)
	if all > maxErrors {
		diags = slices.Clone(diags[:maxErrors])
	}
	for _, d := range diags {
		d.Expression, d.EvalContext = nil, nil
	}
	if all > maxErrors {
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "Too many errors",
			Detail:   fmt.Sprintf("This value contains %d errors. Only the first %d are reported.", all, maxErrors),
			Subject:  at.Ptr(), // not &at, which would allocate at on every call
		})
	}
	return diags
}

func nestedTooDeep(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Nesting too deep", "Brackets, template directives and operators nest more than %d levels "+
		"deep here, which can't be parsed safely. Split the expression, for example with local values.", MaxDepth)
}

// LongNumber refuses a number at a range that has more than MaxDigits digits.
func LongNumber(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Number too long", "A number of more than %d digits takes too long to read. Write it with "+
		"an exponent or as a string.", MaxDigits)
}

// CostlyAt refuses a constant at a range that takes too much work to compute.
func CostlyAt(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Constant too large", "Computing this constant takes too many steps, too much memory or "+
		"numbers with too many digits. Write out its value, or move the expression into a local value, which is "+
		"computed only when it is used.")
}
