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

// newBody returns an empty merged body for blocks at a path of the rules, such as resource/lifecycle; "" is the top
// level.
func newBody(path string, set *rules.Set) *MergedBody { return &MergedBody{kind: set.Kind(path)} }

// claim returns the merged item with key k for the merge to change; nil if the body has none, or is nil itself. An
// argument that no override has addressed so far moves from c.untouched to c.Items. Readers of a finished merge
// call Item, which changes nothing.
func (c *MergedBody) claim(k Key) *MergedItem {
	if c == nil {
		return nil
	}
	if e := c.findInItems(k); e != nil {
		return e
	}
	it := c.untouched.find(c.kind, k)
	if it == nil {
		return nil
	}
	c.untouched.drop(k, it)
	return c.addItem(c.newUntouchedItem(k, it))
}

// claimNamed is claim for a name of the language, such as lifecycle: it returns the merged item for the merge to
// change, or nil. All items with such a name in a body are one merged item: their rule doesn't tell them apart by
// labels or position.
func (c *MergedBody) claimNamed(name string) *MergedItem { return c.claim(Key{Name: name}) }

// Item returns the merged item with key k, or nil. An argument that no override addressed gets its merged item on
// the first call, which caches it. Several goroutines may call Item, and all get the same one.
func (c *MergedBody) Item(k Key) *MergedItem {
	if c == nil {
		return nil
	}
	if e := c.findInItems(k); e != nil {
		return e
	}
	it := c.untouched.find(c.kind, k)
	if it == nil {
		return nil
	}
	cache := c.ensureCache()
	cache.mutex.Lock()
	defer cache.mutex.Unlock()
	e := cache.untouched[k]
	if e == nil {
		if cache.untouched == nil {
			cache.untouched = map[Key]*MergedItem{}
		}
		e = c.newUntouchedItem(k, it)
		cache.untouched[k] = e
	}
	return e
}

// All lists the merged items of the body: those in c.Items, then, in load order, those of arguments that no
// override addressed. The first call caches the list.
func (c *MergedBody) All() []*MergedItem {
	cache := c.ensureCache()
	if list := cache.all.Load(); list != nil {
		return *list
	}
	list := slices.Clip(c.Items)
	for _, it := range c.untouched.inLoadOrder() {
		list = append(list, c.Owner(it))
	}
	cache.all.Store(&list)
	return list
}

// newUntouchedItem makes the merged item, with key k, of an item of a primary file that no override has addressed
// so far. It isn't part of the body yet: the caller adds it, caches it or drops it.
func (c *MergedBody) newUntouchedItem(k Key, it source.Item) *MergedItem {
	e := c.newItem(k, ruleOf(c.kind, k), it)
	e.addDefinition(it)
	return e
}

// newItem returns a merged item with key k and an empty history. it is the first item with the key. Escaped is set
// if it comes from an escaping block, as in _ { count = 1 }, and its name means something else outside of that.
func (c *MergedBody) newItem(k Key, rule *rules.Rule, it source.Item) *MergedItem {
	// Outside of an escaping block, a name of the language would be in metaSpace.
	mustStayEscaped := k.Space == Body && isInLanguage(c.kind, it)
	return &MergedItem{Key: k, Path: rules.Join(c.kind.Path, k.Name), Rule: rule, Escaped: mustStayEscaped}
}

// Owner returns the merged item that an item in one of the body's Parts belongs to, or nil.
func (c *MergedBody) Owner(it source.Item) *MergedItem {
	key, _ := c.key(it, isEscaped(it))
	return c.Item(key)
}

// IsUntouched reports whether no override addressed an item, so it is unchanged.
func (c *MergedBody) IsUntouched(it source.Item) bool {
	return c.untouched.has(c.kind, it)
}

// At returns the merged item to print at the position of an item: the one that displaced it (see printAt), or else
// its own. It returns nil if neither is printed there.
func (c *MergedBody) At(it source.Item) *MergedItem {
	if e := c.moved[it]; e != nil {
		return e
	}
	if e := c.Owner(it); e != nil && e.Place == it {
		return e
	}
	return nil
}

// key returns the key by which an item addresses a merged item of the body, and the rule for it. escaped tells that
// the item is in an escaping block: _ { count = 1 } sets an argument of the provider, not the meta-argument.
func (c *MergedBody) key(it source.Item, escaped bool) (Key, *rules.Rule) {
	return keyOf(c.kind, it, escaped)
}

// printAt has merged item e printed at the position of place, an item that e displaced: a backend where the cloud
// block was.
func (c *MergedBody) printAt(e *MergedItem, place source.Item) {
	e.Place = place
	if c.moved == nil {
		c.moved = map[source.Item]*MergedItem{}
	}
	c.moved[place] = e
}

// NeedsEscape reports whether a merged item must be printed in an escaping block, because the language would give
// its name another meaning outside. Unlike e.Escaped, it also counts names of the provider (in space Body) that the
// language uses in another form: for a block where the item is an argument, or the reverse.
func (c *MergedBody) NeedsEscape(e *MergedItem) bool {
	return e.Escaped || e.Key.Space == Body && c.kind.Shape.Knows(e.Key.Name)
}

// anyInEffect reports whether any item of the body is in effect, those that no override addressed included.
func (c *MergedBody) anyInEffect() bool {
	return c.untouched.count() > 0 || slices.ContainsFunc(c.Items, (*MergedItem).InEffect)
}

// lookup claims the item at a path in the body, such as lifecycle/enabled. It returns nil if the item or a block on
// the way is missing.
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

// addItem appends e, whose key the body doesn't have yet, to c.Items, and returns e. It keeps c.index once there
// are more than fewItems.
func (c *MergedBody) addItem(e *MergedItem) *MergedItem {
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

// findInItems returns the item of a key in c.Items, or nil. It doesn't look at c.untouched.
func (c *MergedBody) findInItems(k Key) *MergedItem {
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

// Counterpart finds the same item in another engine's reading of the module: at the same range of the same file,
// with the same address, and addressed by no override, as here. It returns nil if there is none, or if the name
// belongs to the language in only one of the two. mine and theirs are the rules of the item in c and in other.
func (c *MergedBody) Counterpart(it source.Item, other *MergedBody) (counterpart source.Item, mine, theirs *rules.Rule) {
	key, mine := c.key(it, isEscaped(it))
	counterpart = other.untouched.find(other.kind, key)
	if counterpart == nil || counterpart.Source().Name != it.Source().Name || counterpart.Extent() != it.Extent() {
		return nil, nil, nil
	}
	// isInLanguage looks for the name in the item's own form, argument or block. Knows counts both: see NeedsEscape.
	hasSameMeaning := isInLanguage(c.kind, it) == isInLanguage(other.kind, counterpart) &&
		c.kind.Shape.Knows(key.Name) == other.kind.Shape.Knows(key.Name)
	if !hasSameMeaning {
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

// A definer does the first half of a merge: it adds the items of primary files to merged bodies. Then a merger,
// which embeds it, applies the override files.
type definer struct {
	rules *rules.Set
	root  *MergedBody
	// aliasTargets are items inside other blocks, by the key of the top-level block that addresses them
	// in override files: data "x" "y" reaches the data block inside a check.
	aliasTargets map[Key]*MergedItem
	// pending are top-level items whose contents defineParts merges once all are known: these contents
	// reveal nothing about other items.
	pending       []*MergedItem
	intendedNames map[string]string // of primary files that seem misnamed, by their names: see the function
	// declared are the blocks of primary files that no override addresses, by hash; those
	// that may declare something twice are suspects.
	declared map[uint64]declaration
	suspects suspects
	diags    hcl.Diagnostics
}

// newDefiner returns a definer whose root is empty. The caller sets declared and intendedNames if it defines whole
// files.
func newDefiner(set *rules.Set) *definer {
	return &definer{rules: set, root: newBody("", set), aliasTargets: map[Key]*MergedItem{}, suspects: suspects{}}
}

func (m *definer) report(d ...*hcl.Diagnostic) { m.diags = append(m.diags, d...) }

// definePrimaryFile adds the blocks of a primary file to the root. Blocks that no override file addresses may be
// very many, so they get no merged items. declare only notes the hashes of their addresses, and of names in them
// (such as local values), to find duplicates.
func (m *definer) definePrimaryFile(f *source.File) {
	for i := range f.Len() {
		if !f.IsAddressed(i) { // no override changes it
			m.declare(f.Key(i), declaration{f, int32(i)}, m.isUnique)
		} else if b := f.Block(i); language.HasItsLabels(b) {
			m.define(m.root, b, false)
		}
	}
	// Nothing may declare a name in a block, such as a local value, twice. i is the index of the block.
	alwaysUnique := func(declaration) bool { return true }
	f.Names(func(key uint64, i int) {
		m.declare(key, declaration{f, int32(i)}, alwaysUnique)
	})
}

// isUnique reports whether it is an error to declare the same as d once more. It is if the rule of d's block type
// has a message for that (Duplicate).
func (m *definer) isUnique(d declaration) bool {
	r := m.root.kind.Names.Own(string(d.file.TypeOf(int(d.index))))
	return r != nil && r.Duplicate != ""
}

// declare notes that block here declares key, a hash of a type and labels or of a name. A second declaration with
// the hash is an error if isUnique says so. But hashes can collide, so both blocks only become suspects, which
// defineSuspects compares by name. A block is also suspect if an item inside another block has its address.
func (m *definer) declare(key uint64, here declaration, isUnique func(declaration) bool) {
	if first, known := m.declared[key]; known {
		if isUnique(here) {
			m.suspects[first], m.suspects[here] = true, true
		}
		return
	}
	m.declared[key] = here
	if len(m.aliasTargets) > 0 && isUnique(here) { // data "x" "y" may also be inside a check
		if k, _ := m.root.key(here.file.Block(int(here.index)), false); m.aliasTargets[k] != nil {
			m.suspects[here] = true
		}
	}
}

// defineSuspects gives the suspects merged items, in load order. If two of them do declare the same address, define
// reports that.
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

// define adds an item of a primary file to a body. An argument stays an untouched item, without a merged one, until
// an override addresses it. define reports a second declaration of an address, and blocks that exclude each other.
// escaped tells that the item is in an escaping block.
func (m *definer) define(c *MergedBody, it source.Item, escaped bool) {
	key, rule := c.key(it, escaped)
	if isUntouched(c, key, rule, it) {
		c.untouched.add(c.kind, key, it)
		return
	}
	e := c.claim(key)
	switch {
	case e == nil: // the first one with the key
		e = c.addItem(c.newItem(key, rule, it))
		m.reportClashes(c, e, it)
	case rule.Duplicate != "": // otherwise several belong together, such as nested blocks of a type
		m.report(declaredTwice(m.rules, m.intendedNames, e, it))
		return
	}
	e.addDefinition(it)
	if b, ok := it.(*source.Block); ok && mergesContents(m.rules, e) {
		// Contents of most top-level blocks are left to defineParts. Those of a block such as check are defined at
		// once: override files may address the data block in it as one of the top level.
		switch {
		case c != m.root || m.rules.HoldsTargets[e.Path]:
			m.definePart(c, e, b)
		case e.inner.Load() == nil: // the first block of e
			e.body(m.rules) // makes e.inner
			m.pending = append(m.pending, e)
		}
	}
	m.addTarget(e) // if top-level blocks may address items at its path
}

// defineParts defines the contents of m.pending, several items at a time. The errors come in the order of the
// items.
func (m *definer) defineParts() {
	diags := make([]hcl.Diagnostics, len(m.pending))
	parallel.Each(len(m.pending), func(i int) {
		e := m.pending[i]
		worker := *m // shared fields are only read meanwhile
		worker.diags = nil
		for _, it := range e.Live {
			if b, ok := it.(*source.Block); ok {
				worker.definePart(m.root, e, b)
			}
		}
		diags[i] = worker.diags
	})
	m.report(slices.Concat(diags...)...)
}

// isUntouched reports whether an item of a primary file needs no merged item unless an override addresses it: it is
// an argument, and the first with its key.
func isUntouched(c *MergedBody, key Key, rule *rules.Rule, it source.Item) bool {
	if _, isBlock := it.(*source.Block); isBlock || rule.IsApart() { // each required_version is a merged item of its own
		return false
	}
	return c.untouched.find(c.kind, key) == nil && c.findInItems(key) == nil
}

// mergesContents reports whether the items in block e have histories of their own: e is merged item by item, is an
// escaping block, is a declaration that no override can change, or holds items that top-level blocks of override files
// may address, as a check does.
func mergesContents(set *rules.Set, e *MergedItem) bool {
	// Overrides of both a declaration and a setting are dropped (Drop), but only a declaration has labels.
	isFixedDeclaration := e.Rule.Do == rules.Drop && e.Rule.Match == rules.ByLabels
	return e.Rule.Do == rules.Merge || e.Rule.Do == rules.Flatten || isFixedDeclaration || set.HoldsTargets[e.Path]
}

// definePart adds the items of block b to e, the merged item that b belongs to. If b is an escaping block, they go
// to c, the body around it. In any other block, escaping blocks come last: an argument outside of them wins over
// one of the same name inside.
func (m *definer) definePart(c *MergedBody, e *MergedItem, b *source.Block) {
	if e.Rule.Do == rules.Flatten {
		c.Parts = append(c.Parts, b)
		for _, it := range b.Items() {
			m.define(c, it, true) // escaped
		}
		return
	}
	inner := e.body(m.rules)
	inner.Parts = append(inner.Parts, b)
	inner.untouched.grow(len(b.Items()))
	var escaping []source.Item
	for _, it := range b.Items() {
		if _, rule := inner.key(it, false); rule.Do == rules.Flatten {
			escaping = append(escaping, it)
			continue
		}
		m.define(inner, it, false)
	}
	for _, it := range escaping { // define calls definePart for the block, and that defines the items in it as escaped
		m.define(inner, it, false)
	}
}

// addTarget notes in m.aliasTargets the keys by which top-level blocks of override files may address e, an item
// inside another block: data "x" "y" reaches the one inside a check. It reports whatever declares the same address
// in primary files.
func (m *definer) addTarget(e *MergedItem) {
	for _, from := range m.rules.Addressing[e.Path] {
		key := Key{Space: metaSpace, Name: from, ID: e.Key.ID}
		if other := cmp.Or(m.root.claim(key), m.aliasTargets[key]); other != nil && other != e {
			m.report(declaredTwice(m.rules, m.intendedNames, other, e.Live[0]))
		}
		m.aliasTargets[key] = e
		// A top-level block that no override addresses may declare the same. Only its hash is known, so it becomes a
		// suspect: defineSuspects compares it with m.aliasTargets.
		if first, ok := m.declared[source.KeyOf(key.Name, e.Live[0].(*source.Block).Labels)]; ok {
			m.suspects[first] = true
		}
	}
}

// reportClashes reports conflicts of e, the merged item made for item it in body c: with a sibling that its rule
// excludes, as a backend excludes cloud, and with a block inside another one that has the same address.
func (m *definer) reportClashes(c *MergedBody, e *MergedItem, it source.Item) {
	for _, name := range e.Rule.Displaces {
		if other := c.claimNamed(name); other != nil {
			m.report(withPlace(diag.New(it.Header(), e.Rule.Clash, "Primary files can have a backend block or a cloud block, not both. Remove this one or the one at %s; an override can't.",
				placeOf(other.Live[0])), "the other block", other.Live[0]))
		}
	}
	if other := m.aliasTargets[e.Key]; other != nil && c == m.root {
		m.report(declaredTwice(m.rules, m.intendedNames, other, it))
	}
}

// Contents of blocks that no override can change are merged on demand. There may be very many of
// them, and most are never needed.

// Inner returns the merged body of a block that is merged item by item; nil for any other item. The contents of a
// block that no override can change are merged on the first call. Several goroutines may call it.
func (e *MergedItem) Inner() *MergedBody {
	if c := e.inner.Load(); c != nil {
		return c
	}
	set := e.contentRules()
	if set == nil || !mergesContents(set, e) {
		return nil
	}
	e.inner.CompareAndSwap(nil, mergeContents(e, set)) // unless another goroutine was faster
	return e.inner.Load()
}

// contentRules returns the rules by which Inner merges the contents of a block that no override can change: AllOf
// puts them into the cache when it makes the item. It returns nil for other items, whose contents were merged along
// with the module.
func (e *MergedItem) contentRules() *rules.Set {
	if cache := e.cache.Load(); cache != nil {
		return cache.contentRules
	}
	return nil
}

// mergeContents merges the contents of the blocks of e, which no override can change, into a new body. Other
// goroutines may use e, so it works on a copy. It drops errors: they were reported when the files were read.
func mergeContents(e *MergedItem, set *rules.Set) *MergedBody {
	own := &MergedItem{Key: e.Key, Path: e.Path, Rule: e.Rule}
	m := newDefiner(set)
	c := own.body(set)
	for _, it := range e.Live {
		m.definePart(m.root, own, it.(*source.Block)) // adds to c
	}
	m.hideOutranked(own)
	return c
}
