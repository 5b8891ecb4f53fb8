package address

import "github.com/tofumerge/tofumerge/internal/merge"

// An AliasIndex holds the further addresses of items by their own ones: of items that a rule lets
// top-level blocks address from elsewhere.
type AliasIndex map[Address][]Address

// IndexAliases indexes the aliases of some modules' items, but not of what these hold.
func IndexAliases(modules ...*merge.Module) AliasIndex {
	x := AliasIndex{}
	for _, m := range modules {
		Walk(m, func(own Address, e *merge.MergedItem) { x.Add(m, own, e) })
	}
	return x
}

// Add adds the aliases of an item of a module, and lists its further addresses. Those of the blocks
// around it must have been added before.
func (x AliasIndex) Add(m *merge.Module, own Address, e *merge.MergedItem) (others []Address) {
	for _, alias := range m.Aliases(e) {
		x[own] = append(x[own], Address{alias})
	}
	return x.Of(own)
}

// Of lists the further addresses of an item, from its own aliases and those of the blocks around it.
func (x AliasIndex) Of(own Address) (others []Address) {
	if len(x) == 0 {
		return nil
	}
	for around := own; !around.IsEmpty(); around = around.Parent() {
		for _, alias := range x[around] {
			rest, _ := own.In(around)
			others = append(others, alias.Join(rest))
		}
	}
	return others
}
