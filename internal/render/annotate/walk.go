package annotate

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// A Visitor notes what overrides did in the printed text of a top-level block.
type Visitor interface {
	// Top is called with what an override added to the top level: a block, or one argument of it.
	Top(block *plan.Block, printed *hclsyntax.Block)
	// Argument is called with each argument of a body.
	Argument(b Body, m plan.BodyItem, printed *hclsyntax.Attribute)
	// Block is called with each nested block that an override brought, before what is in it.
	Block(b Body, m plan.BodyItem, printed *hclsyntax.Block)
	// End is called behind the contents of a body that overrides changed.
	End(b Body)
}

// A Body is the contents of a block and how they are printed.
type Body struct {
	Content *merge.MergedBody // nil if they are unchanged
	Source  *source.Block
	Printed *hclsyntax.Block
	added   *source.Block // the block around the contents, or with them, that an override added; or nil
}

// CameWith reports whether an item is part of the block that an override added around it.
func (b Body) CameWith(it source.Item) bool { return isOf(it, b.added) }

func isOf(it source.Item, added *source.Block) bool {
	for b := it.Within(); b != nil; b = b.Within() {
		if b == added {
			return true
		}
	}
	return false
}

// Walk reads the printed text of a top-level block side by side with the block's merged contents. It
// reports false if the text can't be parsed.
func Walk(block *plan.Block, text []byte, v Visitor) bool {
	parsed, diags := parse.Config(text, "", hcl.InitialPos)
	file, ok := parsed.Body.(*hclsyntax.Body)
	if !ok || diags.HasErrors() || len(file.Blocks) != 1 {
		return false
	}
	body := Body{Content: block.Content, Source: block.Source, Printed: file.Blocks[0]}
	if block.Item != nil || source.IsOverride(block.Source) {
		v.Top(block, body.Printed)
		body.added = block.Source
	}
	if block.Item == nil {
		body.walk(v)
	}
	return true
}

func (b Body) walk(v Visitor) {
	blocks := b.Printed.Body.Blocks
	var escaped []plan.BodyItem
	for _, m := range plan.Members(b.Content, b.Source) {
		if m.Escaped {
			escaped = append(escaped, m)
			continue
		}
		blocks = b.member(v, m, b.Printed, blocks)
	}
	if len(escaped) > 0 && len(blocks) > 0 {
		inner := blocks[0].Body.Blocks
		for _, m := range escaped {
			inner = b.member(v, m, blocks[0], inner)
		}
	}
	if b.Content != nil {
		v.End(b)
	}
}

// member visits an item that is printed in a block. If it is a block, it is the first of the nested
// ones; the others are returned.
func (b Body) member(v Visitor, m plan.BodyItem, printed *hclsyntax.Block, blocks hclsyntax.Blocks) hclsyntax.Blocks {
	switch it := m.Item.(type) {
	case *source.Attr:
		if a := printed.Body.Attributes[it.Name]; a != nil {
			v.Argument(b, m, a)
		}
	case *source.Block:
		if len(blocks) > 0 {
			b.nested(v, m, it, blocks[0])
			return blocks[1:]
		}
	}
	return blocks
}

func (b Body) nested(v Visitor, m plan.BodyItem, it *source.Block, printed *hclsyntax.Block) {
	inner := Body{m.Content, it, printed, b.added}
	switch e := m.Entry; {
	case e == nil:
	case e.Rule.Do == rules.Flatten:
		inner.Content = b.Content
	case source.IsOverride(it) && !b.CameWith(it):
		v.Block(b, m, printed)
		inner.added = it
	}
	inner.walk(v)
}
