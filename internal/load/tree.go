package load

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// An Item is an *Attr or a *Block as one file wrote it.
type Item interface {
	// Source is the file that the item stands in.
	Source() *File
	// Extent is the item's own text, without comments around it.
	Extent() hcl.Range
	// Header is the short text that names the item: an argument's name, a
	// block's type and labels.
	Header() hcl.Range
	// Within is the block that holds the item, nil at the top level.
	Within() *Block
	// Called is the item's name: an argument's name, a block's type, for a
	// dynamic block the type that it makes.
	Called() string
}

// An Attr is one argument.
type Attr struct {
	File  *File
	In    *Block
	Name  string
	Names hcl.Range // the name
	Range hcl.Range // name, equals sign and value
	Value hcl.Range // the value's expression
	Expr  hcl.Expression
}

// Source implements Item.
func (a *Attr) Source() *File { return a.File }

// Extent implements Item.
func (a *Attr) Extent() hcl.Range { return a.Range }

// Header implements Item.
func (a *Attr) Header() hcl.Range { return a.Names }

// Within implements Item.
func (a *Attr) Within() *Block { return a.In }

// Called implements Item.
func (a *Attr) Called() string { return a.Name }

// A Block is one block. Body is nil where the file's tree was not kept because
// no override file can address the block.
type Block struct {
	File      *File
	In        *Block
	Type      string
	Labels    []string
	LabelAt   []hcl.Range
	TypeRange hcl.Range
	Def       hcl.Range // type and labels
	Range     hcl.Range // from the type through the closing brace
	Body      *Body
}

// Source implements Item.
func (b *Block) Source() *File { return b.File }

// Extent implements Item.
func (b *Block) Extent() hcl.Range { return b.Range }

// Header implements Item.
func (b *Block) Header() hcl.Range { return b.Def }

// Within implements Item.
func (b *Block) Within() *Block { return b.In }

// Called implements Item.
func (b *Block) Called() string {
	if b.Type == dynamicType && len(b.Labels) == 1 {
		return b.Labels[0]
	}
	return b.Type
}

// dynamicType is the block type that stands for blocks of the type that its
// label names.
const dynamicType = "dynamic"

// A Body is what a block holds, in source order.
type Body struct {
	Open  hcl.Range // the opening brace
	Close hcl.Range // the closing brace
	Items []Item
}

// Attr returns the first argument of a name, or nil.
func (b *Body) Attr(name string) *Attr {
	if b == nil {
		return nil
	}
	for _, it := range b.Items {
		if a, ok := it.(*Attr); ok && a.Name == name {
			return a
		}
	}
	return nil
}

// Blocks returns the nested blocks of a type, in order.
func (b *Body) Blocks(typ string) []*Block {
	if b == nil {
		return nil
	}
	var found []*Block
	for _, it := range b.Items {
		if nb, ok := it.(*Block); ok && nb.Type == typ {
			found = append(found, nb)
		}
	}
	return found
}

// nativeBlocks turns the top level of a parsed file into blocks without bodies.
func nativeBlocks(f *File, body *hclsyntax.Body) []*Block {
	blocks := make([]*Block, len(body.Blocks))
	for i, nb := range body.Blocks {
		blocks[i] = nativeHeader(f, nb)
	}
	return blocks
}

func nativeHeader(f *File, nb *hclsyntax.Block) *Block {
	return &Block{
		File:      f,
		Type:      nb.Type,
		Labels:    nb.Labels,
		LabelAt:   nb.LabelRanges,
		TypeRange: nb.TypeRange,
		Def:       nb.DefRange(),
		Range:     hcl.RangeBetween(nb.TypeRange, nb.CloseBraceRange),
	}
}

// nativeBody turns a parsed body, with all that it holds, into items.
func nativeBody(f *File, within *Block, nb *hclsyntax.Block) *Body {
	in := nb.Body
	body := &Body{
		Open:  nb.OpenBraceRange,
		Close: nb.CloseBraceRange,
		Items: make([]Item, 0, len(in.Attributes)+len(in.Blocks)),
	}
	for _, a := range in.Attributes {
		attr := nativeAttr(f, a)
		attr.In = within
		body.Items = append(body.Items, attr)
	}
	for _, child := range in.Blocks {
		b := nativeHeader(f, child)
		b.In, b.Body = within, nativeBody(f, b, child)
		body.Items = append(body.Items, b)
	}
	slices.SortFunc(body.Items, func(a, b Item) int {
		return a.Header().Start.Byte - b.Header().Start.Byte
	})
	return body
}

func nativeAttr(f *File, a *hclsyntax.Attribute) *Attr {
	return &Attr{
		File:  f,
		Name:  a.Name,
		Names: a.NameRange,
		Range: a.SrcRange,
		Value: a.Expr.Range(),
		Expr:  a.Expr,
	}
}

// Tree returns the block with its whole tree, which is parsed again where it
// was not kept.
func (b *Block) Tree() *Block {
	if b.Body != nil {
		return b
	}
	parsed, _ := hclsyntax.ParseConfig(b.File.Text(b.Range), b.File.Name, b.Range.Start)
	whole := *b
	whole.Body = nativeBody(b.File, &whole, parsed.Body.(*hclsyntax.Body).Blocks[0])
	return &whole
}
