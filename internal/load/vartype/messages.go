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

func unfitDefault(at hcl.Range, err error) *hcl.Diagnostic {
	return diag.New(at, "Invalid default value for variable", "This default doesn't fit the variable's type: %s.",
		err)
}

func nullDefault(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid default value for variable",
		"The default can't be null because nullable is false. Set another default, or remove nullable.")
}
