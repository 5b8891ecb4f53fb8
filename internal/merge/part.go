package merge

import "github.com/tofumerge/tofumerge/internal/load/source"

// A Part is a block or an argument on its way to a file that is made of parts of others.
type Part struct {
	Item source.Item
	// Entry is the merged item whose value it has; nil for the text of the item.
	Entry *MergedItem
	// Void, if set, is written as the value.
	Void string
	// IsEscaped is set if the part belongs in an escaping block.
	IsEscaped bool
	// IsPartial is set if only parts of a block are written, those in Held.
	IsPartial bool
	Held      []*Part
	// HasLead and HasTail are set if the comments above the item, and those behind it, are copied.
	HasLead, HasTail bool
}
