package feature

import (
	"cmp"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// Symbols are the blocks and arguments of an override file by their effective addresses, each with
// its effect. Other files have none: their language server has its own.
func Symbols(v *view.View, name string) []protocol.DocumentSymbol {
	x, text := indexOf(v), v.Text(name)
	if x == nil || text == nil || v.Detail.HidesSymbols {
		return nil
	}
	f := v.Merged.Source.File(name)
	if f == nil || f.Role != source.Override {
		return nil
	}
	var list []protocol.DocumentSymbol
	for i := range f.Len() {
		b := f.Block(i)
		s := symbolOf(v, b)
		s.Name = safetext.OneLine(cmp.Or(x.entries[b].address.String(), b.Called()))
		if title, places := overriddenBy(v, b); len(places) > 0 {
			s.Detail = title
		}
		list = append(list, s)
	}
	return list
}

// symbolOf is the symbol of an item, with the symbols of the items in a block.
func symbolOf(v *view.View, it source.Item) protocol.DocumentSymbol {
	from, to := source.Spread(it)
	s := protocol.DocumentSymbol{
		Name: safetext.OneLine(it.Called()), Kind: protocol.SymbolProperty,
		Range:          v.Text(it.Source().Name).Range(from, to, v.Encoding),
		SelectionRange: v.Location(it).Range,
	}
	if e, ok := indexOf(v).entries[it]; ok {
		s.Name = safetext.OneLine(cmp.Or(e.address.Last(), s.Name))
		if o := outcomesOf(v).of[it]; o.merged != nil {
			s.Detail = o.Words()
		}
	}
	if b, isBlock := it.(*source.Block); isBlock {
		s.Kind = protocol.SymbolClass
		for _, inner := range b.Items() {
			s.Children = append(s.Children, symbolOf(v, inner))
		}
	}
	return s
}
