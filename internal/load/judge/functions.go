package judge

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Functions reports calls of functions of providers in a native file that an
// engine is to read which has no such syntax.
func Functions(f *source.File) hcl.Diagnostics {
	if !bytes.Contains(f.Native, []byte("::")) || sinceProviderFunctions.Has(f.Engine) {
		return nil
	}
	var diags hcl.Diagnostics
	parse.EachToken(f.Native, f.Name, hcl.InitialPos, func(t hclsyntax.Token) {
		if t.Type == hclsyntax.TokenDoubleColon {
			diags = append(diags, laterFunction(t.Range, f.Engine))
		}
	})
	return diags
}
