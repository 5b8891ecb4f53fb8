package judge

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Imports reports import blocks of primary files that have one target. Those
// whose keys are computed may have others.
func Imports(files []*source.File) hcl.Diagnostics {
	var diags hcl.Diagnostics
	first := map[string]hcl.Range{}
	for _, f := range files {
		if f.Role == source.Override || f.Broken {
			continue
		}
		for i := range f.Len() {
			if string(f.TypeOf(i)) != "import" {
				continue
			}
			if b := f.Block(i); len(b.Labels) == 0 {
				diags = append(diags, importedTwice(b, first)...)
			}
		}
	}
	return diags
}

func importedTwice(b *source.Block, first map[string]hcl.Range) hcl.Diagnostics {
	to := b.Attr("to")
	if to == nil {
		return nil
	}
	if _, diags := hcl.AbsTraversalForExpr(to.Expr()); diags.HasErrors() {
		return nil
	}
	target, at := traversalText(to.Expr()), to.Value()
	if b.File.Syntax == source.JSON {
		at = b.File.Place(at)
	}
	if other, ok := first[target]; ok {
		return hcl.Diagnostics{repeatedImport(to, at, other)}
	}
	first[target] = at
	return nil
}

// Functions reports calls of functions of providers in a native file that an
// engine is to read which has no such syntax.
func Functions(f *source.File) hcl.Diagnostics {
	if !bytes.Contains(f.Native, []byte("::")) || sinceProviderFunctions.Has(f.Engine) {
		return nil
	}
	var diags hcl.Diagnostics
	parse.EachToken(f.Native, f.Name, hcl.InitialPos, func(t hclsyntax.Token) {
		if t.Type == hclsyntax.TokenDoubleColon {
			diags = append(diags, diag.New(t.Range, "Invalid function call",
				"%s does not support functions of providers, with :: in their names (supported by %s).",
				f.Engine.Title(), sinceProviderFunctions))
		}
	})
	return diags
}
