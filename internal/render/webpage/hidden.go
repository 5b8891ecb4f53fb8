package webpage

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// secretsOf lists the stretches of a file's native text that are not to be shown, in order.
func (b *builder) secretsOf(f *source.File) [][2]int {
	if known, ok := b.secrets[f]; ok {
		return known
	}
	hidden := b.m.Source.Secrets()
	list := hidden.In(f, 0, len(f.Given))
	if f.Syntax == source.JSON && len(list) > 0 {
		list = nil
		for i := range f.Len() {
			list = b.secretsIn(list, f.Block(i))
		}
	}
	b.secrets[f] = list
	return list
}

func (b *builder) secretsIn(list [][2]int, block *source.Block) [][2]int {
	for _, it := range block.Items() {
		switch it := it.(type) {
		case *source.Attr:
			if b.redact.IsSecret(it) {
				list = append(list, [2]int{it.Value().Start.Byte, it.Value().End.Byte})
			}
		case *source.Block:
			list = b.secretsIn(list, it)
		}
	}
	return list
}

// hide replaces the value of an argument as it is printed.
func (w *walker) hide(printed *hclsyntax.Attribute) {
	at := printed.Expr.Range()
	w.hidden = append(w.hidden, textedit.Replace(at.Start.Byte, at.End.Byte, hiddenText))
}
