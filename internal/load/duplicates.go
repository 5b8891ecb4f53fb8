package load

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// givenTwice replaces the parser's diagnostic about an argument that is set twice in a block by one
// with both ranges, as other duplicates get.
func givenTwice(f *source.File, body *hclsyntax.Body, diags hcl.Diagnostics) hcl.Diagnostics {
	for i, d := range diags {
		if d.Summary != "Attribute redefined" || d.Subject == nil {
			continue
		}
		name := string(f.Text(*d.Subject))
		if first := attributeBeside(body, *d.Subject, name); first != nil {
			diags[i] = language.AttributeTwice(name, *d.Subject, first.NameRange)
		}
	}
	return diags
}

// attributeBeside finds the argument of a name in the body that contains a range.
func attributeBeside(body *hclsyntax.Body, at hcl.Range, name string) *hclsyntax.Attribute {
	i, _ := slices.BinarySearchFunc(body.Blocks, at.Start.Byte, func(b *hclsyntax.Block, at int) int {
		return b.Body.SrcRange.End.Byte - at - 1
	})
	if i < len(body.Blocks) && body.Blocks[i].Body.SrcRange.Start.Byte <= at.Start.Byte {
		return attributeBeside(body.Blocks[i].Body, at, name)
	}
	return body.Attributes[name]
}
