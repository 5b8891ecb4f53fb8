package merge

import (
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// How the items of a body are found by their keys. Most bodies have a few, which are looked
// through one by one: there are as many bodies as blocks that overrides address, and a map
// takes ten times the room of a short list.

// fewItems is how many that are.
const fewItems = 24

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

// An index finds items by the hashes of their keys, which take a third of the room.
type index struct {
	items map[uint64]*MergedItem
	alike map[Key]*MergedItem // items whose hash another item has, too; nil if there are none
}

var keySeed = maphash.MakeSeed()

func (x *index) add(e *MergedItem) {
	hash := maphash.Comparable(keySeed, e.Key)
	if other := x.items[hash]; other == nil || other.Key == e.Key {
		x.items[hash] = e
		return
	}
	if x.alike == nil {
		x.alike = map[Key]*MergedItem{}
	}
	x.alike[e.Key] = e
}

func (x *index) find(k Key) *MergedItem {
	if e := x.items[maphash.Comparable(keySeed, k)]; e == nil || e.Key == k {
		return e
	}
	return x.alike[k]
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

// untouched are the items of a body in primary files that no override addressed. The merge
// takes those that it looks at; afterwards they are only read.
type untouched struct {
	few  []source.Item
	many map[Key]source.Item // instead, once there are more
}

// left is how many there are.
func (u *untouched) left() int { return len(u.few) + len(u.many) }

// expect makes room for a number of items more.
func (u *untouched) expect(n int) {
	if u.many == nil {
		u.few = slices.Grow(u.few, min(n, fewItems))
	}
}

// add adds an item whose key no other one has.
func (u *untouched) add(c *MergedBody, key Key, it source.Item) {
	switch {
	case u.many != nil:
		u.many[key] = it
	case len(u.few) < fewItems:
		u.few = append(u.few, it)
	default:
		u.many = make(map[Key]source.Item, 2*fewItems)
		u.many[key] = it
		for _, it := range u.few {
			key, _ := c.key(it, isEscaped(it))
			u.many[key] = it
		}
		u.few = nil
	}
}

// find is the item of a key, or nil.
func (u *untouched) find(c *MergedBody, key Key) source.Item {
	for _, it := range u.few {
		if it.Called() == key.Name {
			if k, _ := c.key(it, isEscaped(it)); k == key {
				return it
			}
		}
	}
	return u.many[key]
}

// has reports whether an item is one of them.
func (u *untouched) has(c *MergedBody, it source.Item) bool {
	if u.many == nil {
		return slices.Contains(u.few, it)
	}
	key, _ := c.key(it, isEscaped(it))
	return u.many[key] == it
}

// drop takes out an item, which has the key.
func (u *untouched) drop(key Key, it source.Item) {
	if u.many != nil {
		delete(u.many, key)
		return
	}
	i := slices.Index(u.few, it)
	u.few = slices.Delete(u.few, i, i+1)
}

// inLoadOrder lists them.
func (u *untouched) inLoadOrder() []source.Item {
	items := slices.AppendSeq(slices.Clone(u.few), maps.Values(u.many))
	slices.SortFunc(items, func(a, b source.Item) int {
		x, y := a.Header(), b.Header()
		if d := strings.Compare(x.Filename, y.Filename); d != 0 {
			return d
		}
		return x.Start.Byte - y.Start.Byte
	})
	return items
}

// Untouched lists the items that no override addressed, in load order.
func (c *MergedBody) Untouched() []source.Item { return c.untouched.inLoadOrder() }

// Twin finds, for an item that no override addressed, the same item of the same file in
// another reading of the module, if none addressed it there either and both give it the same
// address. It comes with the rules for the two.
func (c *MergedBody) Twin(it source.Item, other *MergedBody) (twin source.Item, mine, theirs *rules.Rule) {
	key, mine := c.key(it, isEscaped(it))
	twin = other.untouched.find(other, key)
	if twin == nil || twin.Source().Name != it.Source().Name || twin.Extent() != it.Extent() ||
		c.knows(it) != other.knows(twin) || c.kind.Shape.Knows(key.Name) != other.kind.Shape.Knows(key.Name) {
		return nil, nil, nil
	}
	_, theirs = other.key(twin, isEscaped(twin))
	return twin, mine, theirs
}
