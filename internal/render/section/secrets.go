package section

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
	list := hidden.In(f, 0, len(f.Raw))
	if f.Syntax == source.JSON && len(list) > 0 {
		list = nil
		for i := range f.Len() {
			list = b.redact.SecretsIn(list, f.Block(i))
		}
	}
	b.secrets[f] = list
	return list
}

// hide replaces the value of an argument as it is printed.
func (w *walker) hide(printed *hclsyntax.Attribute) {
	at := printed.Expr.Range()
	w.hidden = append(w.hidden, textedit.Replace(at.Start.Byte, at.End.Byte, hiddenText))
}
