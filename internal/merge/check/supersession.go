package check

import (
	"fmt"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// isSuperseded reports whether a later override made an item pointless.
func isSuperseded(o merge.Outcome) bool {
	return (o.Status == effect.StatusReplaced || o.Status == effect.StatusHidden) && o.By != nil && source.IsOverride(o.By) && !merge.ShareOrigin(o.By, o.Item)
}

// superseded makes the finding of an item that a later override made pointless.
func (f *findings) superseded(o merge.Outcome) *Finding {
	x := f.add(supersededOverride, o.Item, "%s", supersededMessage(o.By, o.Item))
	x.Related = &diag.Related{Note: "later override", Range: source.Where(o.By)}
	return x
}

func supersededMessage(by, it source.Item) string {
	return fmt.Sprintf("Superseded by %s. Remove one of the two.", supersededBy(by, it))
}

// supersededBy names the item that superseded another one.
func supersededBy(by, it source.Item) string {
	if by.Called() != it.Called() {
		return diag.Escape(by.Called()) + " at " + placeFrom(it, by)
	}
	return placeFrom(it, by)
}
