package limits

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
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
			Subject:  &at,
		})
	}
	return diags
}
