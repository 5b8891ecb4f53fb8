package plan

import (
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// How each item of a block is treated.

// An Action is the treatment of an item at its position.
type Action int

// The actions.
const (
	Keep    Action = iota
	Replace        // the effective items of an entry replace it
	Remove
)

// An ItemAction is the treatment of one item of a block.
type ItemAction struct {
	Item  source.Item
	Do    Action
	Entry *merge.MergedItem // the merged item printed there; may be nil if the item stays
}

// IsTouched reports whether a block with the merged contents c, or anything in it, is printed otherwise than its
// file has it.
func IsTouched(c *merge.MergedBody, b *source.Block) bool {
	for _, it := range b.Items() {
		a := actionFor(c, it)
		if a.Do != Keep {
			return true
		}
		if nested, ok := it.(*source.Block); ok {
			if inner := Within(c, a.Entry); inner != nil && IsTouched(inner, nested) {
				return true
			}
		}
	}
	return len(Additions(c, b)) > 0
}

// Within returns the merged contents of a nested block that itself stays; nil if they are unchanged. e is the block's
// entry in the contents c of the block around it.
func Within(c *merge.MergedBody, e *merge.MergedItem) *merge.MergedBody {
	switch {
	case e == nil:
		return nil
	case e.Rule.Do == rules.Flatten: // an escaping block, whose items belong to the block around it
		return c
	}
	return e.Inner()
}

// ActionsIn decides the treatment of each item of block b, whose merged contents are c. It reports whether all of the
// items stay.
func ActionsIn(c *merge.MergedBody, b *source.Block) (actions []ItemAction, allStay bool) {
	allStay = true
	actions = make([]ItemAction, 0, len(b.Items()))
	for _, it := range b.Items() {
		a := actionFor(c, it)
		allStay = allStay && a.Do == Keep
		actions = append(actions, a)
	}
	return actions, allStay
}

// actionFor returns the treatment of an item of one of the blocks that are merged into c. The item stays if it is in
// effect with its own value, or wasn't merged with anything. If another entry is printed at its position, or its
// value is computed, it is replaced. Otherwise what superseded it is printed elsewhere, and the item goes.
func actionFor(c *merge.MergedBody, it source.Item) ItemAction {
	if c.IsUntouched(it) {
		return ItemAction{it, Keep, nil}
	}
	owner, at := c.Owner(it), c.At(it) // the item's own entry, and the one printed at its position
	switch {
	case owner != nil && owner.Has(it):
		if owner.Value != nil { // its value is computed, so its own text doesn't stay
			return ItemAction{it, Replace, owner}
		}
		return ItemAction{it, Keep, owner}
	case at != nil && at.InEffect() && !at.Has(it): // another entry is printed in its place
		return ItemAction{it, Replace, at}
	case owner == nil || isSecondSetting(owner, it): // not merged with anything, or set twice and both printed
		return ItemAction{it, Keep, nil}
	}
	return ItemAction{it, Remove, owner}
}

// isSecondSetting reports whether an argument is set both inside and outside of an escaping block, it is the second
// of the two, and no override changed owner, the entry of both. The engine refuses the two only when it knows the
// provider's schema, so both are printed.
func isSecondSetting(owner *merge.MergedItem, it source.Item) bool {
	_, isAttr := it.(*source.Attr)
	isPrimary := it.Source().Role == source.Primary
	// Place is the first setting: it is in effect unless an override replaced it.
	isFirstInEffect := owner.InEffect() && owner.Live[0] == owner.Place
	return isAttr && isPrimary && isFirstInEffect && owner.Place != it
}

// Additions returns the entries of the contents c that are printed in block b but at the position of no existing
// item, in the order in which overrides added them. Those that get a block of their own are left out.
func Additions(c *merge.MergedBody, b *source.Block) (found []*merge.MergedItem) {
	if !c.MayHaveAdditions() {
		return nil
	}
	for _, e := range c.PrintedIn(b) {
		if e.Place == nil && !e.Rule.IsApart() {
			found = append(found, e)
		}
	}
	slices.SortStableFunc(found, func(a, b *merge.MergedItem) int { return int(a.Order - b.Order) })
	return found
}

// A BodyItem is an item in effect, as a body holds it after the merge.
type BodyItem struct {
	Item    source.Item
	Entry   *merge.MergedItem // nil if no override changed anything
	Content *merge.MergedBody // the merged contents of a block, nil if they are unchanged
	Escaped bool              // it belongs in an escaping block (_) that is made for it
	Part    *merge.Part       // how it is written in a file that is made of parts of others; else nil
}

// MadeOf returns the items to print in a file that is made of parts.
func MadeOf(parts []*merge.Part) (list []BodyItem) {
	for _, p := range parts {
		list = append(list, BodyItem{Item: p.Item, Entry: p.Entry, Escaped: p.IsEscaped, Part: p})
	}
	return list
}

// HasVoid reports whether the text Part.Void, such as null, is written in place of the item's own value.
func (m BodyItem) HasVoid() bool { return m.Part != nil && m.Part.Void != "" }

// IsPartial reports whether only some items of a block are written: those in Part.Held.
func (m BodyItem) IsPartial() bool { return m.Part != nil && m.Part.IsPartial }

// Members returns the merged contents of a block, in the order in which they are printed. If c is
// nil, they are the block's own contents.
func Members(c *merge.MergedBody, b *source.Block) []BodyItem {
	if c == nil {
		list := make([]BodyItem, len(b.Items()))
		for i, it := range b.Items() {
			list[i].Item = it
		}
		return list
	}
	// First the items of the block, as their treatments say.
	actions, _ := ActionsIn(c, b)
	list, args := make([]BodyItem, 0, len(actions)), 0 // args: the index behind the last argument, where new ones go
	for _, a := range actions {
		switch a.Do {
		case Keep:
			m := BodyItem{Item: a.Item, Entry: a.Entry}
			if _, isBlock := a.Item.(*source.Block); isBlock {
				m.Content = Within(c, a.Entry)
			}
			list = append(list, m)
		case Replace:
			list = append(list, entryMembers(a.Entry)...)
		}
		if _, isAttr := a.Item.(*source.Attr); isAttr && a.Do != Remove {
			args = len(list)
		}
	}
	// Then what overrides add: arguments behind the last one, blocks at the end.
	for _, e := range Additions(c, b) {
		more := entryMembers(e)
		for i := range more {
			more[i].Escaped = e.Escaped && b.Type != source.EscapeBlock // an escaping block needs no other one inside
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

// entryMembers returns the items in effect of an entry, to print one after the other.
func entryMembers(e *merge.MergedItem) (list []BodyItem) {
	for _, it := range e.Live {
		m := BodyItem{Item: it, Entry: e}
		if _, ok := it.(*source.Block); ok {
			m.Content = e.Inner()
		}
		list = append(list, m)
	}
	return list
}

// IsAddressed reports whether overrides addressed an entry, or anything that it holds. To be safe, it is
// true for an entry without items in effect, and for an escaping block, whose contents are entries of the
// block around it.
func IsAddressed(e *merge.MergedItem) bool {
	isUnclear := len(e.Live) == 0 || e.Rule.Do == rules.Flatten
	return isUnclear || e.IsOverridden() || e.Inner() != nil && slices.ContainsFunc(e.Inner().Items, IsAddressed)
}

// PrintedItems are the items of which a text consists, to drop diagnostics about all others. They are found by the
// walk that makes the text, so they are exactly the items in it.
type PrintedItems struct {
	items map[source.Item]bool // the value tells whether everything inside the item is printed as well
	// others is set if all other blocks of primary files are part of the text, too.
	others bool
}

// PrintedWhole returns the items of which whole files consist.
func PrintedWhole(files []*File) PrintedItems {
	var made []*Block
	for _, f := range files {
		made = append(made, f.Made()...)
	}
	return PrintedIn(made, true) // unchanged blocks are printed, too
}

// PrintedIn returns the items that printing blocks prints. With othersToo, all other blocks of primary files are
// printed as well.
func PrintedIn(blocks []*Block, othersToo bool) PrintedItems {
	s := PrintedItems{map[source.Item]bool{}, othersToo}
	for _, block := range blocks {
		if block.Item != nil {
			s.items[block.Item] = true
			continue
		}
		s.addItem(BodyItem{Item: block.Source, Content: block.Content})
	}
	return s
}

// addItem adds an item as a whole or, if it is a block with merged contents, each item that is printed in it.
func (s PrintedItems) addItem(m BodyItem) {
	s.items[m.Item] = m.Content == nil // merged contents may lack some of its items
	if b, ok := m.Item.(*source.Block); ok && m.Content != nil {
		for _, inner := range Members(m.Content, b) {
			s.addItem(inner)
		}
	}
}

// PrintedOf returns the items that are printed in a file that is made of parts.
func PrintedOf(parts []*merge.Part) PrintedItems {
	s := PrintedItems{items: map[source.Item]bool{}}
	s.addParts(parts)
	return s
}

// addParts adds parts, and for a block that is written partially the parts that it holds.
func (s PrintedItems) addParts(parts []*merge.Part) {
	for _, p := range parts {
		s.items[p.Item] = !p.IsPartial
		s.addParts(p.Held)
	}
}

// has reports whether an item is printed: itself, or because a block around it is printed as a whole.
func (s PrintedItems) has(it source.Item) bool {
	if _, ok := s.items[it]; ok {
		return true
	}
	for b := it.Within(); b != nil; b = b.Within() {
		if isWhole, ok := s.items[b]; ok {
			return isWhole
		}
	}
	return s.others && it.Source().Role == source.Primary
}

// Inexpressible returns problems with writing the printed items of JSON files in native syntax. These are errors for
// parts that native syntax can't express (Unsayable), and warnings about names that may be arguments or blocks
// (Guesses), for which native syntax must choose one. It calls printed at most once, and only if there is anything to
// report.
func Inexpressible(m *load.Module, printed func() PrintedItems) hcl.Diagnostics {
	all := sync.OnceValue(printed)
	matters := func(it source.Item) bool { return all().has(it) }
	diags := m.Guesses(matters)
	m.Unsayable(func(it source.Item, d *hcl.Diagnostic) {
		if matters(it) {
			diags = append(diags, d)
		}
	})
	return diags
}
