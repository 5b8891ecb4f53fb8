package jsontree

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
)

func invalid(at hcl.Range, what string) *hcl.Diagnostic {
	return diag.New(at, "Invalid JSON", "%s", what)
}

func tooDeep(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Nesting too deep", "Objects and arrays nest more than %d levels deep here, which can't "+
		"be read safely.", limits.MaxDepth)
}
