package address

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Walk visits the items that overrides addressed, and their neighbours, each with its address: in
// load order, each before its contents.
func Walk(m *merge.Module, visit func(own Address, item *merge.MergedItem)) {
	w := walker{m, visit, func(c *merge.MergedBody) []*merge.MergedItem { return c.Items }}
	w.walk(m.Root, m.Root.Items, Address{})
}

// WalkOne visits an item of the top level so, and those that it holds. Where items of its kind have
// numbers, WalkOne reports false.
func WalkOne(m *merge.Module, top *merge.MergedItem, visit func(own Address, item *merge.MergedItem)) bool {
	if top.Rule.Match == rules.ByPosition {
		return false
	}
	w := walker{m, visit, func(c *merge.MergedBody) []*merge.MergedItem { return c.Items }}
	w.walk(m.Root, []*merge.MergedItem{top}, Address{})
	return true
}

// WalkAll visits every item so.
func WalkAll(m *merge.Module, visit func(own Address, item *merge.MergedItem)) {
	walker{m, visit, (*merge.MergedBody).All}.walk(m.Root, m.All(), Address{})
}

// WalkSome visits every item so of the blocks that overrides may address, and of those others
// that are wanted.
func WalkSome(
	m *merge.Module, wants func(f *source.File, i int) bool, visit func(own Address, item *merge.MergedItem),
) {
	walker{m, visit, (*merge.MergedBody).All}.walk(m.Root, m.AllOf(wants), Address{})
}

// WalkChosen visits the items at the top level that WalkSome visits, and of each body the items
// that a function chooses.
func WalkChosen(
	m *merge.Module, wants func(f *source.File, i int) bool,
	choose func(*merge.MergedBody) []*merge.MergedItem, visit func(own Address, item *merge.MergedItem),
) {
	walker{m, visit, choose}.walk(m.Root, m.AllOf(wants), Address{})
}

// WalkIn visits every item of a body, which belongs to a block with an address; nil holds none.
func WalkIn(m *merge.Module, around Address, body *merge.MergedBody, visit func(own Address, inner *merge.MergedItem)) {
	if body != nil {
		walker{m, visit, (*merge.MergedBody).All}.walk(body, body.All(), around)
	}
}

// A walker visits items in the order in which the files were loaded.
type walker struct {
	module *merge.Module
	visit  func(own Address, item *merge.MergedItem)
	items  func(*merge.MergedBody) []*merge.MergedItem
}

// walk visits items of a body, which a block holds that has an address; the top level
// is held by none.
func (w walker) walk(c *merge.MergedBody, items []*merge.MergedItem, around Address) {
	ordered := w.module.InLoadOrder(items)
	same := map[string]int{}
	for _, item := range ordered {
		if item.Rule.Match == rules.ByPosition {
			same[item.Key.Name]++
		}
	}
	seen := map[string]int{}
	for _, item := range ordered {
		own := addressIn(c, around, item)
		if same[item.Key.Name] > 1 {
			own = own.At(seen[item.Key.Name])
			seen[item.Key.Name]++
		}
		if item.Rule.Do != rules.Flatten { // its items have addresses without it
			w.visit(own, item)
		}
		if item.Inner() != nil {
			w.walk(item.Inner(), w.items(item.Inner()), own)
		}
	}
}

// addressIn returns the address of an item of a body inside a block that has one itself.
func addressIn(c *merge.MergedBody, around Address, item *merge.MergedItem) Address {
	if around.IsEmpty() || namesItself(item.Rule) {
		return Of(item)
	}
	if c.NeedsEscape(item) {
		around = around.Child(source.EscapeBlock) // the name alone means something else
	}
	own := around.Child(item.Key.Name)
	if item.Rule.Match != rules.ByPosition {
		own = own.Join(Address{item.Key.ID})
	}
	return own
}

// All lists the addresses of everything that a module declares or that an override
// file addresses, sorted, without repetition.
func All(m *merge.Module) []Address {
	var list []Address
	WalkAll(m, func(own Address, item *merge.MergedItem) {
		list = append(list, own)
		if item.Inner() != nil {
			return
		}
		for _, it := range item.Live {
			if b, ok := it.(*source.Block); ok {
				for _, inner := range b.Items() {
					list = append(list, own.Child(inner.Called()))
				}
			}
		}
	})
	slices.SortFunc(list, Address.Compare)
	return slices.Compact(list)
}
