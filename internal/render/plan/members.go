package plan

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A BodyItem is an item in effect, as a body holds it after the merge.
type BodyItem struct {
	Item    source.Item
	Entry   *merge.MergedItem // nil if no override changed anything
	Content *merge.MergedBody // the merged contents of a block, nil if they are unchanged
	Escaped bool              // it belongs in an escaping block that is made for it
	Part    *extract.Part     // how it is written in a file that is made of parts of others; else nil
}

// MadeOf returns the items to print for the parts of a file.
func MadeOf(parts []*extract.Part) []BodyItem {
	var list []BodyItem
	for _, p := range parts {
		list = append(list, BodyItem{Item: p.Item, Entry: p.Entry, Escaped: p.IsEscaped, Part: p})
	}
	return list
}

// IsNull reports whether null is written as the value.
func (m BodyItem) IsNull() bool { return m.Part != nil && m.Part.IsNull }

// IsPartial reports whether only parts of a block are written.
func (m BodyItem) IsPartial() bool { return m.Part != nil && m.Part.IsPartial }

// Members returns the merged contents of a block, in the order in which they are printed. If c is
// nil, they are the block's own contents.
func Members(c *merge.MergedBody, b *source.Block) []BodyItem {
	var list []BodyItem
	if c == nil {
		for _, it := range b.Items() {
			list = append(list, BodyItem{Item: it})
		}
		return list
	}
	actions, _ := ActionsIn(c, b)
	args := 0
	for _, a := range actions {
		switch a.Do {
		case Keep:
			list = append(list, keptMember(c, a))
		case Replace:
			list = append(list, entryMembers(a.Entry)...)
		}
		if _, isAttr := a.Item.(*source.Attr); isAttr && a.Do != Remove {
			args = len(list)
		}
	}
	for _, e := range Additions(c, b) {
		more := entryMembers(e)
		for i := range more {
			more[i].Escaped = e.Escaped && b.Type != source.EscapeBlock
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

func keptMember(c *merge.MergedBody, a ItemAction) BodyItem {
	m := BodyItem{Item: a.Item, Entry: a.Entry}
	if _, ok := a.Item.(*source.Block); ok {
		m.Content = Within(c, a.Entry)
	}
	return m
}

func entryMembers(e *merge.MergedItem) []BodyItem {
	var list []BodyItem
	for _, it := range e.Live {
		m := BodyItem{Item: it, Entry: e}
		if _, ok := it.(*source.Block); ok {
			m.Content = e.Inner()
		}
		list = append(list, m)
	}
	return list
}

// IsChanged reports whether overrides addressed an entry, or anything that it holds.
func IsChanged(e *merge.MergedItem) bool {
	return e.IsOverridden() || e.Inner() != nil && slices.ContainsFunc(e.Inner().Items, IsChanged) ||
		len(e.Live) == 0 || e.Rule.Do == rules.Flatten
}
