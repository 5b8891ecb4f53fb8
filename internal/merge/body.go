package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// newBody returns an empty body for the blocks at a path of the rules, such as resource/lifecycle.
func newBody(path string, set *rules.Set) *MergedBody { return &MergedBody{kind: set.Kind(path)} }

// claim returns the merged item of a key for the merge to change, or nil if the body has none or is nil. An
// item that no override addressed so far moves from c.untouched to c.Items. Once merged, use Item, which
// changes nothing.
func (c *MergedBody) claim(k Key) *MergedItem {
	if c == nil {
		return nil
	}
	if e := c.indexed(k); e != nil {
		return e
	}
	it := c.untouched.find(c.kind, k)
	if it == nil {
		return nil
	}
	c.untouched.drop(k, it)
	return c.add(c.defined(k, it))
}

// claimNamed claims the item of a name of the language that rules don't divide by labels or position.
func (c *MergedBody) claimNamed(name string) *MergedItem { return c.claim(Key{Name: name}) }

// Item returns the merged item of a key, or nil. Several goroutines may call it, and get the same one each
// time: an item that no override addressed is made on the first call.
func (c *MergedBody) Item(k Key) *MergedItem {
	if c == nil {
		return nil
	}
	if e := c.indexed(k); e != nil {
		return e
	}
	it := c.untouched.find(c.kind, k)
	if it == nil {
		return nil
	}
	known := c.answers()
	known.mutex.Lock()
	defer known.mutex.Unlock()
	e := known.made[k]
	if e == nil {
		if known.made == nil {
			known.made = map[Key]*MergedItem{}
		}
		e = c.defined(k, it)
		known.made[k] = e
	}
	return e
}

// All lists the merged items of the body: those in c.Items, then, in load order, those that no override
// addressed.
func (c *MergedBody) All() []*MergedItem {
	known := c.answers()
	if list := known.all.Load(); list != nil {
		return *list
	}
	list := slices.Clip(c.Items)
	for _, it := range c.untouched.inLoadOrder() {
		list = append(list, c.Owner(it))
	}
	known.all.Store(&list)
	return list
}

// defined makes the merged item of an item in a primary file that no override addressed so far. The caller
// decides whether to add it to the body, to cache it, or to drop it.
func (c *MergedBody) defined(k Key, it source.Item) *MergedItem {
	e := c.newItem(k, ruleOf(c.kind, k), it)
	e.define(it)
	return e
}

// newItem returns a merged item of a key, still without history. it is the first item with the key; it
// decides whether the item must stay in an escaping block.
func (c *MergedBody) newItem(k Key, rule *rules.Rule, it source.Item) *MergedItem {
	return &MergedItem{Key: k, Path: rules.Join(c.kind.Path, k.Name), Rule: rule, Escaped: k.Space == Body && knows(c.kind, it)}
}

// Owner returns the merged item to which an item in one of the body's parts belongs, or nil.
func (c *MergedBody) Owner(it source.Item) *MergedItem {
	key, _ := c.key(it, isEscaped(it))
	return c.Item(key)
}

// IsUntouched reports whether no override addressed an item, so it is unchanged.
func (c *MergedBody) IsUntouched(it source.Item) bool {
	return c.untouched.has(c.kind, it)
}

// At returns the merged item to print at the position of an item, or nil: its own one may be printed
// elsewhere.
func (c *MergedBody) At(it source.Item) *MergedItem {
	if e := c.moved[it]; e != nil {
		return e
	}
	if e := c.Owner(it); e != nil && e.Place == it {
		return e
	}
	return nil
}

// key returns the key by which an item addresses a merged item of the body, and the rule for it. escaped
// tells that the item is in an escaping block, where no name is the language's.
func (c *MergedBody) key(it source.Item, escaped bool) (Key, *rules.Rule) {
	return keyOf(c.kind, it, escaped)
}

// move has a merged item printed at the position of an item of another one, which it displaced.
func (c *MergedBody) move(e *MergedItem, place source.Item) {
	e.Place = place
	if c.moved == nil {
		c.moved = map[source.Item]*MergedItem{}
	}
	c.moved[place] = e
}

// NeedsEscape reports whether the name of a merged item alone means something else, so that the
// item must be in an escaping block.
func (c *MergedBody) NeedsEscape(e *MergedItem) bool {
	return e.Escaped || e.Key.Space == Body && c.kind.Shape.Knows(e.Key.Name)
}

// anyInEffect reports whether any item of the body is in effect, those that no override addressed included.
func (c *MergedBody) anyInEffect() bool {
	return c.untouched.left() > 0 || slices.ContainsFunc(c.Items, (*MergedItem).InEffect)
}

// lookup claims the item at a path in the body, such as lifecycle/enabled. It returns nil if a block on the
// way is missing or has no merged body.
func (c *MergedBody) lookup(path string) *MergedItem {
	for {
		name, rest, more := strings.Cut(path, "/")
		e := c.claimNamed(name)
		if e == nil || !more {
			return e
		}
		c, path = e.inner.Load(), rest
		if c == nil {
			return nil
		}
	}
}

// add appends a merged item whose key the body doesn't have yet, and returns it.
func (c *MergedBody) add(e *MergedItem) *MergedItem {
	c.Items = append(c.Items, e)
	switch {
	case c.index != nil:
		c.index.add(e)
	case len(c.Items) > fewItems:
		c.index = &index{items: make(map[uint64]*MergedItem, 2*len(c.Items))}
		for _, e := range c.Items {
			c.index.add(e)
		}
	}
	return e
}

// indexed returns the item of a key in c.Items, or nil. It ignores items that no override addressed.
func (c *MergedBody) indexed(k Key) *MergedItem {
	if c.index != nil {
		return c.index.find(k)
	}
	for _, e := range slices.Backward(c.Items) {
		if e.Key == k {
			return e
		}
	}
	return nil
}

// Untouched lists the items that no override addressed, in load order.
func (c *MergedBody) Untouched() []source.Item { return c.untouched.inLoadOrder() }

// Counterpart finds the same item in another reading of the module: in the same file, at the same range, with
// the same address, and as here not addressed by an override. It returns nil if there is none, else the rules
// of both readings, mine for c and theirs for other.
func (c *MergedBody) Counterpart(it source.Item, other *MergedBody) (counterpart source.Item, mine, theirs *rules.Rule) {
	key, mine := c.key(it, isEscaped(it))
	counterpart = other.untouched.find(other.kind, key)
	if counterpart == nil || counterpart.Source().Name != it.Source().Name || counterpart.Extent() != it.Extent() ||
		knows(c.kind, it) != knows(other.kind, counterpart) || c.kind.Shape.Knows(key.Name) != other.kind.Shape.Knows(key.Name) {
		return nil, nil, nil
	}
	_, theirs = other.key(counterpart, isEscaped(counterpart))
	return counterpart, mine, theirs
}

// body returns the merged body of an item that is being merged; the first call makes an empty one.
func (e *MergedItem) body(set *rules.Set) *MergedBody {
	if e.inner.Load() == nil {
		e.inner.Store(newBody(e.Path, set))
	}
	return e.inner.Load()
}

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

// primary adds the blocks of a primary file to the root. Blocks that no override file addresses stay in their
// files, without merged items: they are only checked for duplicates.
func (m *definer) primary(f *source.File) {
	for i := range f.Len() {
		if !f.IsAddressed(i) {
			m.declare(f.Key(i), declaration{f, int32(i)}, m.isUnique)
		} else if b := f.Block(i); language.HasItsLabels(b) {
			m.define(m.root, b, false)
		}
	}
	f.Names(func(key uint64, i int) {
		m.declare(key, declaration{f, int32(i)}, func(declaration) bool { return true })
	})
}

// isUnique reports whether a second declaration like d is an error: whether the rule of its type says so.
func (m *definer) isUnique(d declaration) bool {
	r := m.root.kind.Names.Own(string(d.file.TypeOf(int(d.index))))
	return r != nil && r.Duplicate != ""
}

// declare notes that a block declares the key, which is a hash. If another one seems to declare the same, and
// isUnique says that this is an error, both become suspects: defineSuspects compares them by name, because
// hashes can collide.
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

// defineSuspects defines the suspects in load order. define reports those that do declare something twice.
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

// define adds an item of a primary file to a body. An argument stays an untouched item; other items get a
// merged one. It reports a second declaration of an address, and blocks that exclude each other. escaped
// tells that the item is in an escaping block.
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

// defineParts defines the contents of m.wholes, several items at a time. Their errors stay in order.
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

// definePart adds the items of block b to the merged item e that b belongs to. Those of an escaping block go
// to c, the body around it. Among the items of any other block, escaping blocks come last: an argument
// outside wins over one of the same name inside.
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

// addTarget notes in m.aliasTargets that a top-level block may address e by another name: in an override
// file, data "x" "y" reaches the one inside a check. It reports whatever declares the same address in the
// primary files.
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

// clash reports conflicts of a new merged item e with primary files: with a sibling that it excludes, as a
// backend excludes cloud, and with a block inside another one that has the same address.
func (m *definer) clash(c *MergedBody, e *MergedItem, it source.Item) {
	for _, name := range e.Rule.Displaces {
		if other := c.claimNamed(name); other != nil {
			m.report(withPlace(diag.New(it.Header(), e.Rule.Clash, "Primary files can have a backend block or a cloud block, not both. Remove this one or the one at %s; an override can't.",
				placeOf(other.Live[0])), "the other block", other.Live[0]))
		}
	}
	if other := m.aliasTargets[e.Key]; other != nil && c == m.root {
		m.report(declaredTwice(m.rules, m.meant, other, it))
	}
}

// Contents of blocks that no override can change are merged on demand. There may be very many of
// them, and most are never needed.

// Inner returns the merged body of a block that is merged item by item; nil for any other item. If no
// override can change the block, the first call makes the body. Several goroutines may call it.
func (e *MergedItem) Inner() *MergedBody {
	if c := e.inner.Load(); c != nil {
		return c
	}
	set := e.ownRules()
	if set == nil || !expands(set, e) {
		return nil
	}
	e.inner.CompareAndSwap(nil, bodyOf(e, set))
	return e.inner.Load()
}

// ownRules returns the rules for the contents of a block that no override can change; nil for any
// other item.
func (e *MergedItem) ownRules() *rules.Set {
	if asked := e.asked.Load(); asked != nil {
		return asked.alone
	}
	return nil
}

// bodyOf merges the contents of an item's blocks into a new body, without changing e. It drops errors, which
// were reported when the files were read.
func bodyOf(e *MergedItem, set *rules.Set) *MergedBody {
	own := &MergedItem{Key: e.Key, Path: e.Path, Rule: e.Rule}
	m := newDefiner(set)
	c := own.body(set)
	for _, it := range e.Live {
		m.definePart(m.root, own, it.(*source.Block))
	}
	m.hideOutranked(own)
	return c
}
