package render

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A member is an item in effect.
type member struct {
	item    load.Item
	entry   *merge.MergedItem // nil where no override changed anything
	content *merge.MergedBody // of a block, nil where it is what the block holds
	escaped bool
}

// members lists what a block holds after the merge, in the order in which it
// is printed.
func members(c *merge.MergedBody, b *load.Block) []member {
	var list []member
	if c == nil {
		for _, it := range b.Body.Items {
			list = append(list, member{item: it})
		}
		return list
	}
	acts, _ := actionsIn(c, b)
	args := 0
	for _, a := range acts {
		switch a.fate {
		case kept:
			list = append(list, keptMember(c, a))
		case exchanged:
			list = append(list, entryMembers(a.entry)...)
		}
		if _, isAttr := a.item.(*load.Attr); isAttr && a.fate != dropped {
			args = len(list)
		}
	}
	for _, e := range additions(c, b) {
		more := entryMembers(e)
		for i := range more {
			more[i].escaped = e.Escaped && b.Type != load.EscapeBlock
		}
		if e.Attr() != nil {
			list = slices.Insert(list, args, more...)
			args += len(more)
			continue
		}
		list = append(list, more...)
	}
	return list
}

func keptMember(c *merge.MergedBody, a act) member {
	m := member{item: a.item, entry: a.entry}
	if _, ok := a.item.(*load.Block); ok {
		m.content = within(c, a.entry)
	}
	return m
}

func entryMembers(e *merge.MergedItem) []member {
	var list []member
	for _, it := range e.Live {
		m := member{item: it, entry: e}
		if _, ok := it.(*load.Block); ok {
			m.content = e.Inner
		}
		list = append(list, m)
	}
	return list
}

// isHome tells the one of several blocks with one content that says what is said
// of the content as a whole.
func isHome(c *merge.MergedBody, b *load.Block) bool { return b == c.FirstPart() }

// isChanged tells whether overrides had to do with an entry or what it holds.
func isChanged(e *merge.MergedItem) bool {
	return e.IsOverridden() || e.Inner != nil && slices.ContainsFunc(e.Inner.Items, isChanged) || len(e.Live) == 0 || e.Rule.Do == merge.Flatten
}
