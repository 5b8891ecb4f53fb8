package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// What primary files declare and no override addresses has no merged items, since there may be very
// much of it: the arguments of a body are its untouched items, and top-level blocks stay in their
// files, except for those that may be declared twice.

// fewItems is how many items of a body are looked through one by one. There are as many bodies as
// blocks that overrides address, and a map takes ten times the room of a short list.
const fewItems = 24

// untouchedItems are the items of a body in primary files that no override addressed. The merge
// takes those that it looks at; afterwards they are only read.
type untouchedItems struct {
	few  []source.Item
	many map[Key]source.Item // instead, once there are more
}

// left is how many there are.
func (u *untouchedItems) left() int { return len(u.few) + len(u.many) }

// expect makes room for a number of items more.
func (u *untouchedItems) expect(n int) {
	if u.many == nil {
		u.few = slices.Grow(u.few, min(n, fewItems))
	}
}

// add adds an item whose key no other one has.
func (u *untouchedItems) add(in *rules.Kind, key Key, it source.Item) {
	switch {
	case u.many != nil:
		u.many[key] = it
	case len(u.few) < fewItems:
		u.few = append(u.few, it)
	default:
		u.many = make(map[Key]source.Item, 2*fewItems)
		u.many[key] = it
		for _, it := range u.few {
			key, _ := keyOf(in, it, isEscaped(it))
			u.many[key] = it
		}
		u.few = nil
	}
}

// find is the item of a key, or nil.
func (u *untouchedItems) find(in *rules.Kind, key Key) source.Item {
	for _, it := range u.few {
		if it.Called() == key.Name {
			if k, _ := keyOf(in, it, isEscaped(it)); k == key {
				return it
			}
		}
	}
	return u.many[key]
}

// has reports whether an item is one of them.
func (u *untouchedItems) has(in *rules.Kind, it source.Item) bool {
	if u.many == nil {
		return slices.Contains(u.few, it)
	}
	key, _ := keyOf(in, it, isEscaped(it))
	return u.many[key] == it
}

// drop takes out an item, which has the key.
func (u *untouchedItems) drop(key Key, it source.Item) {
	if u.many != nil {
		delete(u.many, key)
		return
	}
	i := slices.Index(u.few, it)
	u.few = slices.Delete(u.few, i, i+1)
}

// inLoadOrder lists them.
func (u *untouchedItems) inLoadOrder() []source.Item {
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

// A declaration is a block that declares something and that no override addresses.
type declaration struct {
	file  *source.File
	index int32
}

// suspects are the declarations that another one may repeat.
type suspects map[declaration]bool

func (s suspects) has(f *source.File, i int) bool {
	return len(s) > 0 && s[declaration{f, int32(i)}]
}
