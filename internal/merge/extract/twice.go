package extract

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// givenTwice lists the arguments that a block of a primary file has directly and in its escaping
// block. Engines refuse them only when they have the provider's schema, so that merging takes the
// first one: an edit of the other would be lost without a word.
func (x *index) givenTwice() hcl.Diagnostics {
	var list hcl.Diagnostics
	for _, e := range x.of {
		for i, s := range e.Steps {
			if first := e.Steps[max(i-1, 0)]; i > 0 && isTwice(first, s) {
				list = append(list, diag.NewWith(diag.Related{Note: "set here, too", Range: first.Item.Header()}, s.Item.Header(), "Duplicate argument",
					"This block sets %s twice, and %s refuses both once it has the provider's schema. Remove one of the two.", diag.Escape(e.Key.Name), x.module.Source.Engine.Title()))
			}
		}
	}
	slices.SortFunc(list, func(a, b *hcl.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Subject.Filename, b.Subject.Filename), cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte))
	})
	return list
}

// isTwice reports whether two steps are arguments of one block of a primary file.
func isTwice(first, second merge.Step) bool {
	if first.Effect != effect.Defined || second.Effect != effect.Defined || first.Item == nil || second.Item == nil {
		return false
	}
	_, isAttr := second.Item.(*source.Attr)
	around := merge.Holder(second.Item)
	return isAttr && around != nil && around == merge.Holder(first.Item)
}
