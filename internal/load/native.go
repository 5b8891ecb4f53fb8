package load

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A builder turns the parser's tree of one file into items. Where keeping is
// not set it builds in the same memory again and again: most blocks are judged
// and let go of, which so costs next to nothing.
type builder struct {
	file    *File
	keeping bool
	attrs   slab[Attr]
	blocks  slab[Block]
	bodies  slab[Body]
}

// reuse makes the memory of all items built so far available again. Nobody may
// hold any of them.
func (bd *builder) reuse() {
	bd.attrs.used, bd.blocks.used, bd.bodies.used = 0, 0, 0
}

// A slab hands out elements that can all be taken back at once.
type slab[T any] struct {
	made []*T
	used int
}

func (s *slab[T]) next(keeping bool) *T {
	if keeping {
		return new(T)
	}
	if s.used == len(s.made) {
		s.made = append(s.made, new(T))
	}
	s.used++
	return s.made[s.used-1]
}

func (bd *builder) attr(in *Block, a *hclsyntax.Attribute) *Attr {
	out := bd.attrs.next(bd.keeping)
	*out = Attr{
		File:  bd.file,
		In:    in,
		Name:  a.Name,
		expr:  a.Expr,
		name:  spanOf(a.NameRange),
		value: spanOf(a.Expr.Range()),
		end:   placeOf(a.SrcRange.End),
	}
	return out
}

// header builds a block without its body. It is never taken back.
func (bd *builder) header(nb *hclsyntax.Block) *Block {
	b := new(Block)
	bd.fill(b, nb)
	return b
}

func (bd *builder) fill(b *Block, nb *hclsyntax.Block) {
	*b = Block{
		File:   bd.file,
		Type:   nb.Type,
		Labels: nb.Labels,
		typ:    spanOf(nb.TypeRange),
		def:    placeOf(nb.DefRange().End),
		end:    placeOf(nb.CloseBraceRange.End),
	}
	if len(nb.LabelRanges) > 0 {
		b.labelAt = make([]span, len(nb.LabelRanges))
	}
	for i, r := range nb.LabelRanges {
		b.labelAt[i] = spanOf(r)
	}
}

// body builds what a block holds, in source order.
func (bd *builder) body(b *Block, nb *hclsyntax.Block) *Body {
	body := bd.bodies.next(bd.keeping)
	items := body.Items[:0]
	*body = Body{Open: nb.OpenBraceRange, Close: nb.CloseBraceRange}
	if cap(items) < len(nb.Body.Attributes)+len(nb.Body.Blocks) {
		items = make([]Item, 0, len(nb.Body.Attributes)+len(nb.Body.Blocks))
	}
	for _, a := range nb.Body.Attributes {
		items = append(items, bd.attr(b, a))
	}
	for _, child := range nb.Body.Blocks {
		inner := bd.blocks.next(bd.keeping)
		bd.fill(inner, child)
		inner.In = b
		inner.Body = bd.body(inner, child)
		items = append(items, inner)
	}
	slices.SortFunc(items, func(a, b Item) int { return startByte(a) - startByte(b) })
	body.Items = items
	return body
}

// startByte is where an item starts, without its range being built.
func startByte(it Item) int {
	switch it := it.(type) {
	case *Attr:
		return int(it.name.start.byte)
	case *Block:
		return int(it.typ.start.byte)
	}
	return 0
}

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
		b.rebuild()
		return
	}
	at := b.Extent()
	parsed, _ := hclsyntax.ParseConfig(b.File.Text(at), b.File.Name, at.Start)
	build := &builder{file: b.File, keeping: true}
	b.Body = build.body(b, parsed.Body.(*hclsyntax.Body).Blocks[0])
}

// givenTwice words the parser's finding of an argument that a block has twice
// in the way of other duplicates, with both places.
func givenTwice(f *File, body *hclsyntax.Body, diags hcl.Diagnostics) hcl.Diagnostics {
	for i, d := range diags {
		if d.Summary != "Attribute redefined" || d.Subject == nil {
			continue
		}
		name := string(f.Text(*d.Subject))
		if first := attributeBeside(body, *d.Subject, name); first != nil {
			diags[i] = attributeTwice(name, *d.Subject, first.NameRange)
		}
	}
	return diags
}

// attributeBeside finds the argument of a name in the body that a place is in.
func attributeBeside(body *hclsyntax.Body, at hcl.Range, name string) *hclsyntax.Attribute {
	i, _ := slices.BinarySearchFunc(body.Blocks, at.Start.Byte, func(b *hclsyntax.Block, at int) int {
		return b.Body.SrcRange.End.Byte - at - 1
	})
	if i < len(body.Blocks) && body.Blocks[i].Body.SrcRange.Start.Byte <= at.Start.Byte {
		return attributeBeside(body.Blocks[i].Body, at, name)
	}
	return body.Attributes[name]
}
