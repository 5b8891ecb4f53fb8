package merge

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// The effects of one override block on a merged body.

// A group is the items of one override block that address one merged item.
type group struct {
	key   Key
	rule  *rules.Rule
	items []source.Item
}

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
		if g.rule.Unsayable {
			m.report(notSayable(g.rule, it))
		} else {
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
			e = c.add(c.newItem(key, c.rule(key), a))
		}
		m.idle(e, a)
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
	for _, r := range m.rules.Clearing(c.kind.Path) {
		e := c.claimNamed(rules.Base(r.Path))
		if e == nil || !e.InEffect() || b.Attr(e.Key.Name) != nil {
			continue
		}
		m.report(cleared(e, b))
		e.step(Step{Effect: effect.Cleared, Rule: r}.because(b))
		e.Live, e.Value = nil, nil
	}
}

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
	m.works = m.works || !fresh
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
		other.step(Step{Effect: effect.Hidden, Rule: e.Rule}.because(e.Live[0]))
		other.Live = nil
		switch {
		case other.Place == nil:
			e.Order = other.Order
		case e.Place == nil || e.Place == other.Place:
			c.move(e, other.Place)
		}
	}
}
