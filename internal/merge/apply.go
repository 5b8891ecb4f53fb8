package merge

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// The effects of one override block on a merged body.

// group sorts items by the names they address, in the order of the first item of each. Under a rule
// that does anything but replace, each item is a separate group. Items of an escaping block come
// after the items around it, as in the engine.
func (m *merger) group(c *MergedBody, items []source.Item) []group {
	g := groupBuilder{c: c}
	if n := len(m.spareGroups); n > 0 {
		g.groups, m.spareGroups = m.spareGroups[n-1][:0], m.spareGroups[:n-1]
	}
	g.groups = slices.Grow(g.groups, len(items))
	g.take(items, false)
	g.take(g.inside, true)
	return g.groups
}

// applyAll lets the groups of an override block have their effects, one after the other. Their
// memory is for other groups then.
func (m *merger) applyAll(c *MergedBody, groups []group, fresh bool) {
	for i := range groups {
		m.apply(c, &groups[i], fresh)
	}
	m.spareGroups = append(m.spareGroups, groups)
}

// apply lets a group of an override block have its effect on a body. A fresh
// body is one that the same override block adds as a whole.
func (m *merger) apply(c *MergedBody, g *group, fresh bool) {
	if g.rule.Once && m.isSecond(c, g) {
		return
	}
	if g.rule.Last {
		own := *g
		m.deferred = append(m.deferred, func() { m.replace(c, &own, fresh) })
		return
	}
	switch do := g.rule.Do; {
	case do == rules.Drop, do == rules.KeepEarlier && !fresh:
		m.ignore(c, g)
	case do == rules.Reject:
		m.reject(c, g)
	case do == rules.Identify && !fresh:
		m.itemOf(c, g).step(Step{Item: g.items[0], Effect: effect.Matched, Rule: g.rule})
	case do == rules.Flatten:
		m.flatten(c, g, fresh)
	case do == rules.Renew:
		m.renew(c, g, fresh)
	case do == rules.Merge:
		m.mergeBlock(c, g, fresh)
	default:
		m.replace(c, g, fresh)
	}
}

// isSecond reports an item that an override file may contain only once.
func (m *merger) isSecond(c *MergedBody, g *group) bool {
	first := m.once[g.rule]
	if first == nil {
		first = g.items[0]
		m.once[g.rule] = first
	}
	last := g.items[len(g.items)-1]
	if last == first {
		return false
	}
	m.report(secondInFile(g.rule, last, first))
	m.itemOf(c, g).step(Step{Item: last, Effect: effect.Refused, Rule: g.rule}.because(first))
	return true
}

// flatten adds an escaping block, whose items are applied separately.
func (m *merger) flatten(c *MergedBody, g *group, fresh bool) {
	e := m.itemOf(c, g)
	b := g.items[0].(*source.Block)
	did := effect.Added
	if e.InEffect() {
		did = effect.Extended
	}
	e.step(Step{Item: b, Effect: did, Rule: g.rule})
	if fresh {
		e.Live, e.Place = []source.Item{b}, b
		c.Parts = append(c.Parts, b)
	}
}

// mergeBlock applies an override block's items to the block it addresses, or
// adds the block.
func (m *merger) mergeBlock(c *MergedBody, g *group, fresh bool) {
	b := g.items[0].(*source.Block)
	e := c.claim(g.key)
	if e == nil && c == m.root {
		e = m.aliasTargets[g.key]
	}
	if e == nil || !e.InEffect() {
		m.addBlock(c, g, b, fresh)
		return
	}
	e.step(Step{Item: b, Effect: effect.Extended, Rule: e.Rule})
	if e.Inner() == nil {
		return // the block is in a broken file
	}
	m.applyAll(e.Inner(), m.group(e.Inner(), b.Items()), false)
	m.ignoreVoid(e.Inner(), b)
	m.clear(e.Inner(), b)
	if each := checks[e.Rule.Check].each; each != nil {
		each(m, e, b)
	}
}

// ignoreVoid notes the properties of a JSON body that mean no item.
func (m *merger) ignoreVoid(c *MergedBody, b *source.Block) {
	for _, a := range b.Idle() {
		e := c.claim(Key{metaSpace, a.Name, ""})
		if e == nil {
			e = c.claim(Key{Body, a.Name, ""})
		}
		if e == nil {
			key := Key{Body, a.Name, ""}
			if c.kind.Shape.Knows(a.Name) {
				key.Space = metaSpace
			}
			e = c.add(c.newItem(key, ruleOf(c.kind, key), a))
		}
		m.idle(e, a)
	}
}

func (m *merger) addBlock(c *MergedBody, g *group, b *source.Block, fresh bool) {
	if g.rule.Orphan == rules.FailOrphan || g.rule.Orphan == rules.AddUnaliased && rules.AliasOf(b) != "" {
		m.reportMissing(c, g, b)
		return
	}
	e := m.itemOf(c, g)
	e.Order = m.next()
	e.Live = []source.Item{b}
	e.body(m.rules).Parts = []*source.Block{b}
	if fresh {
		e.Place = b
	}
	m.added[b] = true
	at := len(e.Steps)
	e.step(Step{Item: b, Effect: effect.Added, Rule: g.rule})
	m.applyAll(e.Inner(), m.group(e.Inner(), b.Items()), true)
	if g.rule.OmitEmpty {
		m.deferred = append(m.deferred, func() { e.omitEmpty(at) })
	}
}

// omitEmpty takes an added block back if nothing in it came into effect.
func (e *MergedItem) omitEmpty(step int) {
	if !e.Inner().anyInEffect() {
		e.Steps[step].Effect = effect.Ignored
		e.Live, e.Place = nil, nil
	}
}

// clear lets a later block's lack of an argument have its effect.
func (m *merger) clear(c *MergedBody, b *source.Block) {
	for _, r := range m.rules.Clearing[c.kind.Path] {
		e := c.claimNamed(rules.Base(r.Path))
		if e == nil || !e.InEffect() || b.Attr(e.Key.Name) != nil {
			continue
		}
		m.report(cleared(e, b))
		e.step(Step{Effect: effect.Cleared, Rule: r}.because(b))
		e.Live, e.Value = nil, nil
	}
}
