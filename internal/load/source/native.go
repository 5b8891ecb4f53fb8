package source

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Tree returns the block with its whole tree, which is parsed again where it
// was not kept.
func (b *Block) Tree() *Block {
	if b.Body != nil {
		return b
	}
	whole := *b
	whole.grow()
	return &whole
}

// grow gives the block its tree again.
func (b *Block) grow() {
	if b.from != nil {
		b.File.translator.Grow(b)
		return
	}
	at := b.Extent()
	parsed, _ := hclsyntax.ParseConfig(b.File.Text(at), b.File.Name, at.Start)
	build := NewBuilder(b.File)
	build.Keeping = true
	b.Body = build.Body(b, parsed.Body.(*hclsyntax.Body).Blocks[0])
}

// Adopt makes a body that was built for a copy of the block its own.
func (b *Block) Adopt(body *Body) {
	b.Body = body
	for _, it := range body.Items {
		switch it := it.(type) {
		case *Attr:
			it.In = b
		case *Block:
			it.In = b
		}
	}
}
