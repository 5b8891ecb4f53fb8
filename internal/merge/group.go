package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A group is the items of one override block that address one merged item.
type group struct {
	key   Key
	rule  *rules.Rule
	items []source.Item
}

// A groupBuilder makes the groups of one override block.
type groupBuilder struct {
	c      *MergedBody
	groups []group
	byKey  map[Key]int   // indices of those to which more items may come; nil while there are few
	inside []source.Item // of escaping blocks
}

// fewGroups is how many groups are looked through one by one.
const fewGroups = 8

func (g *groupBuilder) take(items []source.Item, escaped bool) {
	for i, it := range items {
		key, rule := g.c.key(it, escaped)
		if known := g.known(key, rule); known != nil {
			known.items = append(known.items, it)
			continue
		}
		// The capacity is limited so that append doesn't overwrite the next group's items.
		g.groups = append(g.groups, group{key: key, rule: rule, items: items[i : i+1 : i+1]})
		if g.byKey != nil && rule.Do == rules.Replace {
			g.byKey[key] = len(g.groups) - 1
		}
		if b, ok := it.(*source.Block); ok && rule.Do == rules.Flatten {
			g.inside = append(g.inside, b.Items()...)
		}
	}
}

// known is the group that an item of a key belongs to, nil if it starts one.
func (g *groupBuilder) known(key Key, rule *rules.Rule) *group {
	if rule.Do != rules.Replace {
		return nil
	}
	if g.byKey == nil && len(g.groups) > fewGroups {
		g.byKey = make(map[Key]int, cap(g.groups))
		for i, made := range g.groups {
			if made.rule.Do == rules.Replace {
				g.byKey[made.key] = i
			}
		}
	}
	if g.byKey != nil {
		if i, ok := g.byKey[key]; ok {
			return &g.groups[i]
		}
		return nil
	}
	for i := range g.groups {
		if made := &g.groups[i]; made.key == key && made.rule.Do == rules.Replace {
			return made
		}
	}
	return nil
}
