package address

import "github.com/tofumerge/tofumerge/internal/merge"

// Aliases are further addresses of the items of a walk. If a rule's items may be addressed from
// elsewhere, they, and what they hold, have such an address.
type Aliases struct {
	Module *merge.Module
	// prefixes replace a prefix of the current address by another one.
	prefixes [][2]Address
}

// Of returns the addresses of an item besides its own. It must be called for each item of a walk, in
// its order.
func (a *Aliases) Of(own Address, e *merge.MergedItem) (others []Address) {
	for n := len(a.prefixes); n > 0; n-- {
		if _, isIn := own.In(a.prefixes[n-1][0]); isIn {
			break
		}
		a.prefixes = a.prefixes[:n-1]
	}
	for _, alias := range a.Module.Aliases(e) {
		a.prefixes = append(a.prefixes, [2]Address{own, {alias}})
	}
	for _, p := range a.prefixes {
		rest, _ := own.In(p[0])
		others = append(others, p[1].Join(rest))
	}
	return others
}

// An AliasIndex lists the aliases of the items of modules.
type AliasIndex map[Address][]Address

// IndexAliases indexes the aliases of some modules' items, but not of what these hold.
func IndexAliases(modules ...*merge.Module) AliasIndex {
	x := AliasIndex{}
	for _, m := range modules {
		Walk(m, func(own Address, e *merge.MergedItem) {
			for _, alias := range m.Aliases(e) {
				x[own] = append(x[own], Address{alias})
			}
		})
	}
	return x
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
