package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// replace replaces the contents of the merged item by a group, or adds it.
func (m *merger) replace(c *MergedBody, g *group, fresh bool) {
	if g.rule.Unless.Passes(g.items[0]) {
		m.ignore(c, g)
		return
	}
	e := c.claim(g.key)
	switch {
	case g.rule.Orphan == rules.FailOrphan && (e == nil || !e.InEffect()):
		m.reportMissing(c, g, g.items[0])
		return
	case e == nil:
		e = m.itemOf(c, g)
	}
	if old := e.Attr(); old != nil && g.rule.Keeps.Passes(old) && !g.rule.Keeps.Passes(g.items[0]) {
		e.step(Step{Item: g.items[0], Effect: effect.Ignored, Rule: g.rule}.because(old))
		m.report(keptEarlier(g.rule, g.items[0], old))
		return
	}
	if m.undecided(e, g) {
		return
	}
	m.put(e, g, fresh)
	m.displace(c, e)
	if g.rule.TofuOnly && !g.items[0].Source().Tofu {
		m.report(noEffect(m.src.Engine, g.rule, g.items[0], m.remedy(c, e, g.rule, g.items[0]).text))
	}
}

func (m *merger) put(e *MergedItem, g *group, fresh bool) {
	did := effect.Replaced
	m.hasEffect = m.hasEffect || !fresh
	if !e.InEffect() {
		did, e.Order = effect.Added, m.next()
	}
	// Nobody writes to items, so most groups share the items of a body.
	e.Live, e.Value = g.items[:1:1], nil
	for i, it := range g.items {
		if _, isAttr := it.(*source.Attr); isAttr && i > 0 {
			e.step(Step{Item: it, Effect: effect.Ignored, Rule: g.rule}.because(g.items[0]))
			m.report(givenTwice(it, g.items[0]))
			continue
		}
		e.step(Step{Item: it, Effect: did, Rule: g.rule})
		if i > 0 {
			e.Live = append(e.Live, it)
		}
	}
	if fresh && e.Place == nil {
		e.Place = e.Live[0]
	}
}

// displace hides the siblings that an item excludes, and prints the item at their position.
func (m *merger) displace(c *MergedBody, e *MergedItem) {
	for _, name := range e.Rule.Displaces {
		other := c.claimNamed(name)
		if other == nil || !other.InEffect() {
			continue
		}
		other.hide(e.Live[0], e.Rule)
		switch {
		case other.Place == nil:
			e.Order = other.Order
		case e.Place == nil || e.Place == other.Place:
			c.move(e, other.Place)
		}
	}
}

func (m *merger) itemOf(c *MergedBody, g *group) *MergedItem {
	if e := c.claim(g.key); e != nil {
		return e
	}
	return c.add(c.newItem(g.key, g.rule, g.items[0]))
}

func (m *merger) ignore(c *MergedBody, g *group) {
	e := m.itemOf(c, g)
	for _, it := range g.items {
		e.step(Step{Item: it, Effect: effect.Ignored, Rule: g.rule})
		switch {
		case g.rule.Unsayable:
			m.report(notSayable(g.rule, it))
		case e.InEffect() && g.rule.Unless.Passes(e.Live[0]): // it repeats what is in effect
		default:
			r := m.remedy(c, e, g.rule, it)
			m.report(m.advise(noEffect(m.src.Engine, g.rule, it, r.text), r))
		}
		if b, ok := it.(*source.Block); ok && expands(m.rules, e) {
			m.refuseInside(e.Path, b)
		}
	}
}

// refuseInside refuses items that the engine rejects even in a block without effect.
func (m *merger) refuseInside(path string, b *source.Block) {
	for _, it := range b.Items() {
		rule := m.rules.At(rules.Join(path, it.Called()))
		if rule != nil && rule.Strict {
			m.report(rejected(rule, it, m.remedy(nil, nil, rule, it).text))
		}
		if inner, ok := it.(*source.Block); ok && rule != nil {
			m.refuseInside(rule.Path, inner)
		}
	}
}

func (m *merger) reject(c *MergedBody, g *group) {
	for _, it := range g.items {
		if g.rule.Unless.Passes(it) {
			m.ignore(c, g)
			return
		}
		e := m.itemOf(c, g)
		e.step(Step{Item: it, Effect: effect.Refused, Rule: g.rule})
		r := m.remedy(c, e, g.rule, it)
		m.report(m.advise(rejected(g.rule, it, r.text), r))
	}
}

func (m *merger) reportMissing(c *MergedBody, g *group, it source.Item) {
	if m.partial {
		m.itemOf(c, g).step(Step{Item: it, Effect: effect.Undecided, Rule: g.rule})
	} else {
		m.report(missing(m, c, g.rule, g.key, it))
		m.itemOf(c, g).step(Step{Item: it, Effect: effect.Missing, Rule: g.rule})
	}
}
