package merge

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A definer adds the items of primary files to merged bodies.
type definer struct {
	rules        *rules.Set
	root         *MergedBody
	aliasTargets map[Key]*MergedItem // the targets of a top-level item inside other blocks
	// wholes are top-level items whose blocks are merged when all are known: their contents reveal
	// nothing about other items.
	wholes []*MergedItem
	meant  map[string]string // see meantNames
	// declared are the blocks of primary files that no override addresses, by hash; those
	// that may declare something twice are suspects.
	declared map[uint64]declaration
	suspects suspects
	diags    hcl.Diagnostics
}

func newDefiner(set *rules.Set) *definer {
	return &definer{rules: set, root: newBody("", set), aliasTargets: map[Key]*MergedItem{}, suspects: suspects{}}
}

func (m *definer) report(d ...*hcl.Diagnostic) { m.diags = append(m.diags, d...) }

// primary adds the blocks of a primary file. Blocks that no override addresses are only checked for
// duplicates.
func (m *definer) primary(f *source.File, isAddressed func(f *source.File, i int) bool) {
	for i := range f.Len() {
		if !isAddressed(f, i) {
			m.declare(f.Key(i), declaration{f, int32(i)}, m.isUnique)
		} else if b := f.Block(i); language.HasItsLabels(b) {
			m.define(m.root, b, false)
		}
	}
	f.Names(func(key uint64, i int) {
		m.declare(key, declaration{f, int32(i)}, func(declaration) bool { return true })
	})
}

// isUnique reports whether blocks of the type of one declare something that may be
// declared once.
func (m *definer) isUnique(d declaration) bool {
	r := m.root.kind.Names.Own(string(d.file.TypeOf(int(d.index))))
	return r != nil && r.Duplicate != ""
}

// declare notes a declaration. Blocks that seem to declare the same, if it may be
// declared once only, are put aside, to be defined once all are known.
func (m *definer) declare(key uint64, here declaration, isUnique func(declaration) bool) {
	first, known := m.declared[key]
	if !known {
		m.declared[key] = here
	}
	switch {
	case known && isUnique(here):
		m.suspects[first], m.suspects[here] = true, true
	case !known && len(m.aliasTargets) > 0 && isUnique(here):
		if k, _ := m.root.key(here.file.Block(int(here.index)), false); m.aliasTargets[k] != nil {
			m.suspects[here] = true
		}
	}
}

// defineSuspects defines, in load order, the blocks that may declare something twice, which
// reports whether they do.
func (m *definer) defineSuspects(files []*source.File) {
	for _, f := range files {
		for i := range f.Len() {
			if m.suspects.has(f, i) {
				if b := f.Block(i); language.HasItsLabels(b) {
					m.define(m.root, b, false)
				}
			}
		}
	}
}

// define adds an item of a primary file.
func (m *definer) define(c *MergedBody, it source.Item, escaped bool) {
	key, rule := c.key(it, escaped)
	if m.isUntouched(c, key, rule, it) {
		c.untouched.add(c.kind, key, it)
		return
	}
	e := c.claim(key)
	switch {
	case e == nil:
		e = c.add(c.newItem(key, rule, it))
		m.clash(c, e, it)
	case rule.Duplicate != "":
		m.report(declaredTwice(m.rules, m.meant, e, it))
		return
	}
	e.define(it)
	if b, ok := it.(*source.Block); ok && expands(m.rules, e) {
		if c == m.root && !m.rules.HoldsTargets[e.Path] {
			if e.inner.Load() == nil {
				e.body(m.rules)
				m.wholes = append(m.wholes, e)
			}
		} else {
			m.definePart(c, e, b)
		}
	}
	m.addTarget(e)
}

// defineParts adds the contents of those items' blocks, several items at a time.
func (m *definer) defineParts() {
	diags := make([]hcl.Diagnostics, len(m.wholes))
	parallel.Each(len(m.wholes), func(i int) {
		e := m.wholes[i]
		own := *m // shared fields are only read meanwhile
		own.diags = nil
		for _, it := range e.Live {
			if b, ok := it.(*source.Block); ok {
				own.definePart(m.root, e, b)
			}
		}
		diags[i] = own.diags
	})
	m.report(slices.Concat(diags...)...)
}

// isUntouched reports whether an item needs no merged item unless an override addresses it:
// it is an argument, and the first of its key.
func (m *definer) isUntouched(c *MergedBody, key Key, rule *rules.Rule, it source.Item) bool {
	if _, isBlock := it.(*source.Block); isBlock || rule.IsApart() {
		return false
	}
	return c.untouched.find(c.kind, key) == nil && c.indexed(key) == nil && (c != m.root || m.aliasTargets[key] == nil)
}

// expands reports whether the contents of a block have separate histories: if they are merged item
// by item, or if a whole declaration is ignored.
func expands(set *rules.Set, e *MergedItem) bool {
	isPassedOver := e.Rule.Do == rules.Drop && e.Rule.Match == rules.ByLabels
	return e.Rule.Do == rules.Merge || e.Rule.Do == rules.Flatten || isPassedOver || set.HoldsTargets[e.Path]
}

func (m *definer) definePart(c *MergedBody, e *MergedItem, b *source.Block) {
	if e.Rule.Do == rules.Flatten {
		c.Parts = append(c.Parts, b)
		for _, it := range b.Items() {
			m.define(c, it, true)
		}
		return
	}
	inner := e.body(m.rules)
	inner.Parts = append(inner.Parts, b)
	inner.untouched.expect(len(b.Items()))
	var escaping []source.Item
	for _, it := range b.Items() {
		if _, rule := inner.key(it, false); rule.Do == rules.Flatten {
			escaping = append(escaping, it) // items outside come first
			continue
		}
		m.define(inner, it, false)
	}
	for _, it := range escaping {
		m.define(inner, it, false)
	}
}

// addTarget makes a merged item inside a block known to the top-level items that may
// address it.
func (m *definer) addTarget(e *MergedItem) {
	for _, from := range m.rules.Addressing[e.Path] {
		key := Key{Space: metaSpace, Name: from, ID: e.Key.ID}
		if other := cmp.Or(m.root.claim(key), m.aliasTargets[key]); other != nil && other != e {
			m.report(declaredTwice(m.rules, m.meant, other, e.Live[0]))
		}
		m.aliasTargets[key] = e
		// A top-level block that no override addresses may declare the same.
		if first, ok := m.declared[source.KeyOf(key.Name, e.Live[0].(*source.Block).Labels)]; ok {
			m.suspects[first] = true
		}
	}
}

// clash reports siblings that exclude each other in primary files, and an
// address that an item inside another block has already.
func (m *definer) clash(c *MergedBody, e *MergedItem, it source.Item) {
	for _, name := range e.Rule.Displaces {
		if other := c.claimNamed(name); other != nil {
			m.report(clashing(e.Rule, it, other.Live[0]))
		}
	}
	if other := m.aliasTargets[e.Key]; other != nil && c == m.root {
		m.report(declaredTwice(m.rules, m.meant, other, it))
	}
}
