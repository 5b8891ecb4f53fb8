package plan

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
)

// A PartForm is how an item is written in a file that is made of parts of others.
type PartForm struct {
	// IsPartial is set if only the items in Held are written of a block.
	IsPartial bool
	Held      []BodyItem
	// IsNull is set if null is written as the value.
	IsNull bool
	// HasLead and HasTail are set if the comments above the item, and those behind it, are written.
	HasLead, HasTail bool
}

// MadeOf returns the items to print for the parts of a file.
func MadeOf(parts []*extract.Part) []BodyItem {
	var list []BodyItem
	for _, p := range parts {
		list = append(list, BodyItem{
			Item: p.Item, Entry: p.Entry, Escaped: p.IsEscaped,
			Made: &PartForm{IsPartial: p.IsPartial, Held: MadeOf(p.Held), IsNull: p.IsNull, HasLead: p.HasLead, HasTail: p.HasTail},
		})
	}
	return list
}

// PrintedOf returns the items that such a file is made of.
func PrintedOf(list []BodyItem) PrintedItems {
	s := PrintedItems{items: map[source.Item]bool{}}
	s.takeMade(list)
	return s
}

func (s PrintedItems) takeMade(list []BodyItem) {
	for _, m := range list {
		s.items[m.Item] = !m.Made.IsPartial
		s.takeMade(m.Made.Held)
	}
}
