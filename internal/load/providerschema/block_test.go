package providerschema

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// blockIn is the first block of a text.
func blockIn(t *testing.T, text string) *source.Block {
	t.Helper()
	src := []byte(text)
	parsed, diags := hclsyntax.ParseConfig(src, "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	f := &source.File{Name: "main.tf", Raw: src, Native: src}
	nb := parsed.Body.(*hclsyntax.Body).Blocks[0]
	b, _ := new(source.Builder).For(f).Block(&source.Description{Tree: parse.Outline(nb)}, nil)
	return b
}
