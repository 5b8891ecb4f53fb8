package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Aliases returns further addresses of a merged item inside a block: those of the top-level items
// that may address it.
func (m *Module) Aliases(e *MergedItem) []string {
	var list []string
	set := m.Root.kind.Rules
	for _, from := range set.Addressing[e.Path] {
		list = append(list, address(set.At(from), Key{Name: from, ID: e.Key.ID}))
	}
	return list
}

// HasAlias reports whether a top-level block may address a block of a type inside a top-level block of
// another type, so the inner block has an alias.
func (m *Module) HasAlias(outer, inner string) bool {
	return len(m.Root.kind.Rules.Addressing[rules.Join(outer, inner)]) > 0
}

// Address is people's name for the declaration of a top-level block.
func (m *Module) Address(b *source.Block) string {
	key, rule := m.Root.key(b, false)
	return address(rule, key)
}

// Start returns the prefix of the addresses of top-level blocks of a type, and whether their labels
// follow; own holds the prefixes of items inside them with separate addresses. isKnown is false if
// addresses of the type may start with anything.
func (m *Module) Start(typ string) (start []string, hasLabels bool, own [][]string, isKnown bool) {
	r := m.Root.kind.Names.Own(typ)
	if r == nil || m.Root.kind.Rules.HoldsTargets[r.Path] {
		return nil, false, nil, false
	}
	if item := m.Root.kind.Rules.At(rules.Join(r.Path, "*")); item != nil && len(item.Prefix) > 0 {
		own = [][]string{item.Prefix}
	}
	switch start = r.Prefix; {
	case r.Match == rules.ByPosition:
		return start, false, own, len(start) > 0
	case r.Match == rules.ByName && len(start) == 0:
		return []string{typ}, false, own, true
	}
	return start, r.Match != rules.ByName, own, true
}

// Rule returns the rule of a top-level block.
func (m *Module) Rule(b *source.Block) *rules.Rule {
	_, rule := m.Root.key(b, false)
	return rule
}

// OwnAddresses lists the addresses of a top-level block's items if they do not continue the block's
// address, like those of local values. Overrides neither add nor remove any.
func (m *Module) OwnAddresses(b *source.Block) []string {
	_, rule := m.Root.key(b, false)
	own := m.Root.kind.Rules.At(rules.Join(rule.Path, "*"))
	if own == nil {
		return nil
	}
	var list []string
	for _, it := range b.Items() {
		list = append(list, address(own, Key{Name: it.Called()}))
	}
	return list
}

// OwnerOf returns the merged item of a block of a primary file, also of a nested one, or nil.
func (m *Module) OwnerOf(b *source.Block) *MergedItem {
	in := Holder(b)
	if in == nil {
		if e := m.Root.Owner(b); e != nil {
			return e
		}
		key, _ := m.Root.key(b, false)
		m.mutex.Lock()
		defer m.mutex.Unlock()
		return m.alone[key]
	}
	if around := m.OwnerOf(in); around != nil && around.Inner() != nil {
		return around.Inner().Owner(b)
	}
	return nil
}
