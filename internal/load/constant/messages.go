package constant

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

func unsuitable(a *source.Attr, want cty.Type, why string) *hcl.Diagnostic {
	if why == "a "+want.FriendlyName()+" is required" {
		return diag.New(a.Value(), "Unsuitable value type", "The argument %s must be a constant %s.", a.Name,
			want.FriendlyName())
	}
	return diag.New(a.Value(), "Unsuitable value type", "The argument %s must be a constant %s: %s.", a.Name,
		want.FriendlyName(), why)
}
