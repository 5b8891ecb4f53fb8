package merge

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

func newBody(path string, set *rules.Set) *MergedBody { return &MergedBody{kind: set.Kind(path)} }

// claim returns the item of a key, or nil, for the merge to change. A source item that
// had none so far gets it.
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

// claimNamed claims the item of a name that the rule does not divide further.
func (c *MergedBody) claimNamed(name string) *MergedItem { return c.claim(Key{Name: name}) }

// Item returns the merged item of a key, or nil. It is the same each time.
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

// All lists the items of the body, those that no override addressed at the end.
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

// defined is the item that nothing but a primary file has to do with.
func (c *MergedBody) defined(k Key, it source.Item) *MergedItem {
	e := c.newItem(k, ruleOf(c.kind, k), it)
	e.define(it)
	return e
}

// newItem makes the merged item that an item starts.
func (c *MergedBody) newItem(k Key, rule *rules.Rule, it source.Item) *MergedItem {
	return &MergedItem{Key: k, Path: rules.Join(c.kind.Path, k.Name), Rule: rule, Escaped: k.Space == Body && knows(c.kind, it)}
}

// Owner returns the merged item to which an item of a part belongs, or nil.
func (c *MergedBody) Owner(it source.Item) *MergedItem {
	key, _ := c.key(it, isEscaped(it))
	return c.Item(key)
}

// IsUntouched reports whether no override addressed an item, so it is unchanged.
func (c *MergedBody) IsUntouched(it source.Item) bool {
	return c.untouched.has(c.kind, it)
}

// At returns the merged item that is printed at an item's position, or nil.
func (c *MergedBody) At(it source.Item) *MergedItem {
	if e := c.moved[it]; e != nil {
		return e
	}
	if e := c.Owner(it); e != nil && e.Place == it {
		return e
	}
	return nil
}

// key returns the key by which an item addresses a merged item, and the rule for it.
func (c *MergedBody) key(it source.Item, escaped bool) (Key, *rules.Rule) {
	return keyOf(c.kind, it, escaped)
}

// move prints a merged item at an item's position.
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

// anyInEffect reports whether anything of the content is in effect.
func (c *MergedBody) anyInEffect() bool {
	return c.untouched.left() > 0 || slices.ContainsFunc(c.Items, (*MergedItem).InEffect)
}

// lookup follows a path of plain names through merged blocks.
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

// indexed returns the item of a key that was added, or nil.
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

// Counterpart finds, for an item that no override addressed, the same item of the same file in
// another reading of the module, if none addressed it there either and both give it the same
// address. It comes with the rules for the two.
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

// body is the merged body of an item that is being merged, which has one from then on.
func (e *MergedItem) body(set *rules.Set) *MergedBody {
	if e.inner.Load() == nil {
		e.inner.Store(newBody(e.Path, set))
	}
	return e.inner.Load()
}
