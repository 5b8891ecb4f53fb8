package vartype

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func quotedType(a *source.Attr) *hcl.Diagnostic {
	if a.Origin() != nil {
		return diag.New(a.Value(), "Invalid type constraint",
			"Write the type without ${ }: string, list(string), map(string), object({...}).")
	}
	return diag.New(a.Value(), "Invalid quoted type constraints",
		"Write the type without quotes: string, list(string), map(string), object({...}).")
}
