package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// InPrimary reports whether the primary block, to which a top-level block of an override file is
// applied, itself holds what the override block leaves out. What another override file gives
// doesn't count: engines check a primary block before they apply overrides. Nor does anything for
// a nested block, which replaces those of the primary file as a whole.
func InPrimary(v *view.View, name string, item protocol.PrimaryItem) bool {
	b := blockWithBrace(v, name, item.Brace)
	if b == nil || b.Within() != nil || !source.IsOverride(b) || holds(b, item.Name, 1) {
		return false
	}
	e, _, ok := indexOf(v).at(b)
	if !ok {
		return false
	}
	for _, s := range e.merged.Steps {
		if base, isBlock := s.Item.(*source.Block); isBlock && !source.IsOverride(base) && holds(base, item.Name, item.Blocks) {
			return true
		}
	}
	return false
}

// blockWithBrace is the block whose body starts at a position of a native file, or nil.
func blockWithBrace(v *view.View, name string, at protocol.Position) *source.Block {
	t := v.Text(name)
	b, _ := v.ItemAt(name, at).(*source.Block)
	if b == nil || t == nil || b.File.Syntax == source.JSON || b.OpenBrace().Start.Byte != t.Offset(at, v.Encoding) {
		return nil
	}
	return b
}

// holds reports whether a block has an argument, or at least that many nested blocks. A dynamic
// block may stand for any number.
func holds(b *source.Block, name string, blocks int) bool {
	for _, it := range b.Items() {
		if it.Called() != name {
			continue
		}
		nested, isBlock := it.(*source.Block)
		blocks--
		if !isBlock || nested.Type != name || blocks <= 0 {
			return true
		}
	}
	return false
}
