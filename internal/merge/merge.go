package merge

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
)

// Options say what is merged.
type Options struct {
	// NoOverrides leaves the override files out; they were loaded all the same.
	NoOverrides bool
}

// A Module is the effective configuration of a loaded module.
type Module struct {
	Source *load.Module
	Root   *Content // the top-level blocks
}

// Files merges the files of a loaded module. Diagnostics that are errors tell
// what the engine refuses; warnings tell what does nothing and what no printed
// configuration can say. The module is whole only if there are no errors.
func Files(src *load.Module, opts Options) (*Module, hcl.Diagnostics) {
	m := newMerger(src)
	for _, f := range src.Files {
		if f.Role == load.Primary {
			m.partial = m.partial || f.Broken
			m.primary(f)
		}
	}
	for _, f := range src.Files {
		if f.Role == load.Override && !opts.NoOverrides && !f.Broken {
			m.override(f)
		}
	}
	m.finish()
	return &Module{Source: src, Root: m.root}, m.diags
}

// A merger is the state of one merge.
type merger struct {
	src   *load.Module
	rules *ruleSet
	root  *Content
	homes map[Key]*Entry      // what a top-level item may address inside other blocks
	once  map[*Rule]load.Item // first items of the override file at hand
	late  []func()            // what is applied after the rest of that file
	vars  map[*Entry]*variable
	diags hcl.Diagnostics
	// partial tells that some primary file is broken, so that what seems to be
	// missing may well be there.
	partial bool
}

func newMerger(src *load.Module) *merger {
	rules := newRuleSet(Rules, src.Engine)
	return &merger{src: src, rules: rules, root: newContent("", rules), homes: map[Key]*Entry{}, vars: map[*Entry]*variable{}}
}

func (m *merger) report(d ...*hcl.Diagnostic) { m.diags = append(m.diags, d...) }

func (m *merger) primary(f *load.File) {
	for _, b := range f.Blocks {
		m.define(m.root, b, false)
	}
}

// define takes up an item of a primary file.
func (m *merger) define(c *Content, it load.Item, escaped bool) {
	key, rule := c.key(it, escaped)
	if m.isQuiet(c, key, rule, it) {
		c.quiet[key] = it
		return
	}
	e := c.Entry(key)
	switch {
	case e == nil:
		e = c.add(c.newEntry(key, rule))
		m.clash(c, e, it)
	case rule.Twice != "":
		m.report(declaredTwice(m, e, it))
		return
	}
	e.define(it)
	if b, ok := it.(*load.Block); ok && m.expands(e) && b.Body != nil {
		m.definePart(c, e, b)
	}
	m.home(e)
}

// isQuiet tells whether an item needs no entry unless an override addresses it:
// it is an argument, or a block whose tree was not kept, and the first of its key.
func (m *merger) isQuiet(c *Content, key Key, rule *Rule, it load.Item) bool {
	if b, ok := it.(*load.Block); ok && b.Body != nil || rule.Do == Append {
		return false
	}
	return c.quiet[key] == nil && c.index[key] == nil && (c != m.root || m.homes[key] == nil)
}

// expands tells whether the inside of a block is merged item by item.
func (m *merger) expands(e *Entry) bool {
	return e.Rule.Do == Merge || e.Rule.Do == Flatten || m.rules.holds[e.Path]
}

func (m *merger) definePart(c *Content, e *Entry, b *load.Block) {
	if e.Rule.Do == Flatten {
		c.Parts = append(c.Parts, b)
		for _, it := range b.Body.Items {
			m.define(c, it, true)
		}
		return
	}
	if e.Inner == nil {
		e.Inner = newContent(e.Path, m.rules)
	}
	e.Inner.Parts = append(e.Inner.Parts, b)
	for _, it := range b.Body.Items {
		m.define(e.Inner, it, false)
	}
}

// home makes an entry inside a block known to the top-level items that may
// address it.
func (m *merger) home(e *Entry) {
	for _, from := range m.rules.homes[e.Path] {
		key := Key{Space: Meta, Name: from, ID: e.Key.ID}
		if other := m.root.Entry(key); other != nil {
			m.report(declaredTwice(m, other, e.Live[0]))
		} else if other := m.homes[key]; other != nil && other != e {
			m.report(declaredTwice(m, other, e.Live[0]))
		}
		m.homes[key] = e
	}
}

// clash reports siblings that exclude each other in primary files, and an
// address that stands in another home already.
func (m *merger) clash(c *Content, e *Entry, it load.Item) {
	for _, name := range e.Rule.Displaces {
		if other := c.Named(name); other != nil && other.In() && e.Rule.Clash != "" {
			m.report(clashing(e.Rule, it, other.Live[0]))
		}
	}
	if other := m.homes[e.Key]; other != nil && c == m.root {
		m.report(declaredTwice(m, other, it))
	}
}

func (m *merger) override(f *load.File) {
	m.once = map[*Rule]load.Item{}
	items := make([]load.Item, len(f.Blocks))
	for i, b := range f.Blocks {
		items[i] = b
	}
	for _, g := range m.group(nil, m.root, items, false) {
		m.apply(m.root, g, false)
	}
	for len(m.late) > 0 {
		next := m.late[0]
		m.late = m.late[1:]
		next()
	}
}

// A group is the items of one override block that address one entry.
type group struct {
	key   Key
	rule  *Rule
	items []load.Item
}

// group sorts items by what they address, in the order of the first of each.
// Where a rule does anything but replace, each item is a group of its own.
// Items of an escaping block come after those around it, as in the engine.
func (m *merger) group(groups []*group, c *Content, items []load.Item, escaped bool) []*group {
	var inside []load.Item
	for _, it := range items {
		key, rule := c.key(it, escaped)
		if g := sameGroup(groups, key); g != nil && rule.Do == Replace {
			g.items = append(g.items, it)
			continue
		}
		groups = append(groups, &group{key: key, rule: rule, items: []load.Item{it}})
		if b, ok := it.(*load.Block); ok && rule.Do == Flatten {
			inside = append(inside, b.Body.Items...)
		}
	}
	if len(inside) > 0 {
		groups = m.group(groups, c, inside, true)
	}
	return groups
}

func sameGroup(groups []*group, key Key) *group {
	for _, g := range groups {
		if g.key == key {
			return g
		}
	}
	return nil
}

// apply lets a group of an override block have its effect on a body. A fresh
// body is one that the same override block adds as a whole.
func (m *merger) apply(c *Content, g *group, fresh bool) {
	if g.rule.Once && m.isSecond(g) {
		return
	}
	if g.rule.Last {
		m.late = append(m.late, func() { m.replace(c, g, fresh) })
		return
	}
	switch do := g.rule.Do; {
	case do == Drop, do == KeepEarlier && !fresh:
		m.ignore(c, g)
	case do == Reject:
		m.reject(c, g)
	case do == Identify && !fresh:
		m.entry(c, g).step(Step{Item: g.items[0], By: g.items[0], Did: Matched, Rule: g.rule})
	case do == Flatten:
		m.flatten(c, g, fresh)
	case do == Merge:
		m.mergeBlock(c, g, fresh)
	default:
		m.replace(c, g, fresh)
	}
}

// isSecond reports an item of which an override file may have one only.
func (m *merger) isSecond(g *group) bool {
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
	return true
}

func (m *merger) entry(c *Content, g *group) *Entry {
	if e := c.Entry(g.key); e != nil {
		return e
	}
	return c.add(c.newEntry(g.key, g.rule))
}

func (m *merger) ignore(c *Content, g *group) {
	e := m.entry(c, g)
	for _, it := range g.items {
		e.step(Step{Item: it, By: it, Did: Ignored, Rule: g.rule})
		if g.rule.Unsayable {
			m.report(notSayable(g.rule, it))
		} else {
			m.report(noEffect(g.rule, it))
		}
	}
}

func (m *merger) reject(c *Content, g *group) {
	for _, it := range g.items {
		if passes(g.rule.Unless, it) {
			m.ignore(c, g)
			return
		}
		m.entry(c, g).step(Step{Item: it, By: it, Did: Refused, Rule: g.rule})
		m.report(rejected(g.rule, it))
	}
}

func passes(t *Test, it load.Item) bool {
	a, ok := it.(*load.Attr)
	return ok && t != nil && t.Pass(a)
}

// flatten takes up an escaping block, whose items are applied by themselves.
func (m *merger) flatten(c *Content, g *group, fresh bool) {
	e := m.entry(c, g)
	b := g.items[0].(*load.Block)
	did := Added
	if e.In() {
		did = Extended
	}
	e.step(Step{Item: b, By: b, Did: did, Rule: g.rule})
	if fresh {
		e.Live, e.Place = []load.Item{b}, b
		c.Parts = append(c.Parts, b)
	}
}

// mergeBlock applies an override block's items to the block it addresses, or
// adds the block.
func (m *merger) mergeBlock(c *Content, g *group, fresh bool) {
	b := g.items[0].(*load.Block)
	e := c.Entry(g.key)
	if e == nil && c == m.root {
		e = m.homes[g.key]
	}
	if e == nil || !e.In() {
		m.addBlock(c, g, b, fresh)
		return
	}
	e.step(Step{Item: b, By: b, Did: Extended, Rule: e.Rule})
	if e.Inner == nil {
		return // the block stands in a broken file
	}
	for _, inner := range m.group(nil, e.Inner, b.Body.Items, false) {
		m.apply(e.Inner, inner, false)
	}
	m.clear(e.Inner, b)
	if e.Rule.Each != nil {
		e.Rule.Each(m, e, b)
	}
}

func (m *merger) reportMissing(c *Content, g *group, it load.Item) {
	if !m.partial {
		m.report(missing(m, c, g.rule, g.key, it))
	}
}

func (m *merger) addBlock(c *Content, g *group, b *load.Block, fresh bool) {
	if g.rule.Orphan == Fail || g.rule.Orphan == AddUnaliased && aliasOf(b) != "" {
		m.reportMissing(c, g, b)
		return
	}
	e := m.entry(c, g)
	e.Live = []load.Item{b}
	if e.Inner == nil {
		e.Inner = newContent(e.Path, m.rules)
	}
	e.Inner.Parts = []*load.Block{b}
	if fresh {
		e.Place = b
	}
	at := len(e.Steps)
	e.step(Step{Item: b, By: b, Did: Added, Rule: g.rule})
	for _, inner := range m.group(nil, e.Inner, b.Body.Items, false) {
		m.apply(e.Inner, inner, true)
	}
	if g.rule.Hollow && !e.Inner.AnyIn() {
		e.Steps[at].Did = Ignored
		e.Live, e.Place = nil, nil
	}
}

// clear lets a later block's lack of an argument have its effect.
func (m *merger) clear(c *Content, b *load.Block) {
	for _, r := range m.rules.absent[c.Path] {
		e := c.Named(base(r.Path))
		if e == nil || !e.In() || b.Body.Attr(e.Key.Name) != nil {
			continue
		}
		m.report(cleared(e, b))
		e.step(Step{By: b, Did: Removed, Rule: r})
		e.Live, e.Value = nil, nil
	}
}

// replace puts a group in the place of what the entry held, or adds it.
func (m *merger) replace(c *Content, g *group, fresh bool) {
	if passes(g.rule.Unless, g.items[0]) {
		m.ignore(c, g)
		return
	}
	e := c.Entry(g.key)
	if e == nil || len(e.Steps) == 0 {
		if g.rule.Orphan == Fail {
			m.reportMissing(c, g, g.items[0])
			return
		}
		e = m.entry(c, g)
	}
	if old := e.Attr(); old != nil && passes(g.rule.Keeps, old) && !passes(g.rule.Keeps, g.items[0]) {
		e.step(Step{Item: g.items[0], By: old, Did: Ignored, Rule: g.rule})
		m.report(keptEarlier(g.rule, g.items[0], old))
		return
	}
	if m.undecided(c, e, g) {
		return
	}
	m.put(c, e, g, fresh)
	m.displace(c, e)
	if g.rule.TofuOnly && !g.items[0].Source().Tofu {
		m.report(noEffect(g.rule, g.items[0]))
	}
}

func (m *merger) put(c *Content, e *Entry, g *group, fresh bool) {
	did := Replaced
	if !e.In() {
		did = Added
	}
	e.Live, e.Value = nil, nil
	for i, it := range g.items {
		if _, isAttr := it.(*load.Attr); isAttr && i > 0 {
			e.step(Step{Item: it, By: g.items[0], Did: Ignored, Rule: g.rule})
			m.report(givenTwice(it, g.items[0]))
			continue
		}
		e.step(Step{Item: it, By: it, Did: did, Rule: g.rule})
		e.Live = append(e.Live, it)
	}
	if fresh && e.Place == nil {
		e.Place = e.Live[0]
	}
}

// undecided deals with a name that is an argument in one layer and nested
// blocks in the other. Only the provider's schema tells which counts; an
// argument is taken over blocks, whichever is later.
func (m *merger) undecided(c *Content, e *Entry, g *group) bool {
	if !e.In() {
		return false
	}
	_, was := e.Live[0].(*load.Attr)
	_, is := g.items[0].(*load.Attr)
	if was == is {
		return false
	}
	m.report(mixed(e, g.items[0], was))
	if !was {
		return false
	}
	for _, it := range g.items {
		e.step(Step{Item: it, By: e.Live[0], Did: Undecided, Rule: g.rule})
	}
	return true
}

// displace hides the siblings that an item excludes and takes their place.
func (m *merger) displace(c *Content, e *Entry) {
	for _, name := range e.Rule.Displaces {
		other := c.Named(name)
		if other == nil || !other.In() {
			continue
		}
		other.step(Step{By: e.Live[0], Did: Hidden, Rule: e.Rule})
		other.Live = nil
		if other.Place != nil && (e.Place == nil || e.Place == other.Place) {
			c.move(e, other.Place)
		}
	}
}

// finish settles what depends on all files.
func (m *merger) finish() {
	for _, e := range m.root.Entries {
		if e.Inner == nil {
			continue
		}
		m.rank(e)
		if e.Rule.End != nil {
			e.Rule.End(m, e)
		}
	}
}

// rank hides what something else in effect outranks.
func (m *merger) rank(e *Entry) {
	for _, r := range m.rules.ranked[e.Path] {
		winner := e.Inner.lookup(r.Path[len(e.Path)+1:])
		if winner == nil || !winner.In() {
			continue
		}
		for _, path := range r.Outranks {
			loser := e.Inner.lookup(path)
			if loser == nil || !loser.In() {
				continue
			}
			m.report(outranked(e, winner, loser))
			loser.step(Step{By: winner.Live[0], Did: Hidden, Rule: r})
			loser.Live = nil
		}
	}
}
