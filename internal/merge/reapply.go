package merge

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// Reapply warns of objects that the overrides would make something else if they were
// applied once more, to the merged primary files. Only variables are such: their
// default is judged after each override block, by the type in effect there.
func (m *Module) Reapply() hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, item := range m.Root.Items {
		if final := m.vars[item]; final != nil {
			diags = append(diags, final.Again(item.extensions(), item.Live[0])...)
		}
	}
	m.Source.Places(diags)
	return diags
}

// extensions lists the override blocks that were merged into the item.
func (item *MergedItem) extensions() []*source.Block {
	var list []*source.Block
	for _, s := range item.Steps {
		if b, ok := s.Item.(*source.Block); ok && s.Effect == effect.Extended {
			list = append(list, b)
		}
	}
	return list
}
