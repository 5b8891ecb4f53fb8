package address

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A Target is what an address names: a merged item, items inside the blocks of one that is
// replaced as a whole, or what an argument has for a key.
type Target struct {
	Address Address
	Item    *merge.MergedItem
	// Of is the merged item's own address, which Address goes on from.
	Of   Address
	rest []Segment // what leads on from the item's blocks
}

// IsWhole reports whether the target is a merged item as a whole.
func (t Target) IsWhole() bool { return len(t.rest) == 0 }

// exists reports whether the target names anything in any layer. An index counts
// what is in effect.
func (t Target) exists() bool {
	if t.rest[0].Name == "" && len(pick(t.Item.Live, t.rest[:1])) == 0 {
		return false
	}
	return len(t.Effective()) > 0 || slices.ContainsFunc(t.Item.Steps, func(s merge.Step) bool {
		return s.Item != nil && len(t.In(s.Item)) > 0
	})
}

// Effective lists what the target names of what is in effect.
func (t Target) Effective() []source.Item {
	return pick(t.Item.Live, t.rest)
}

// In lists what the target names inside one item of the merged item's history, be it
// in effect or not. An index at the start, which counts blocks in effect, is
// passed over.
func (t Target) In(it source.Item) []source.Item {
	rest := t.rest
	if len(rest) > 0 && rest[0].Name == "" {
		rest = rest[1:]
	}
	if found := pick([]source.Item{it}, rest); len(found) > 0 {
		return found
	}
	if a := unclear([]source.Item{it}, rest); a != nil {
		return []source.Item{a}
	}
	return nil
}

// Unclear returns the argument in effect of which only the engine knows whether it has
// the key that the target names; nil where the files say it.
func (t Target) Unclear() *source.Attr {
	if len(t.Effective()) > 0 {
		return nil
	}
	return unclear(t.Item.Live, t.rest)
}

// unclear returns the first argument on the way along segments whose keys nothing but its
// evaluation tells.
func unclear(items []source.Item, rest []Segment) *source.Attr {
	for n := range rest {
		for _, it := range pick(items, rest[:n]) {
			if a, ok := it.(*source.Attr); ok {
				if _, isKnown := a.Key(rest[n].Name); !isKnown {
					return a
				}
			}
		}
	}
	return nil
}

// pick follows segments from items: an index, the labels of a block, the name of
// something in it.
func pick(items []source.Item, rest []Segment) []source.Item {
	if len(rest) == 0 {
		return items
	}
	s := rest[0]
	if s.Name == "" {
		return pick(indexed(items, s.Index), rest[1:])
	}
	var labelled, inside []source.Item
	after := rest
	for _, it := range items {
		if a, ok := it.(*source.Attr); ok {
			if value, n := keyed(a, rest); value != nil {
				labelled, after = append(labelled, value), rest[n:]
				s = Segment{Index: -1}
			}
			continue
		}
		b := it.(*source.Block)
		if n := labelsLead(b, rest); n > 0 {
			labelled, after = append(labelled, it), rest[n:]
			s = rest[n-1]
			continue
		}
		for _, inner := range b.Tree().Body.Items {
			if inner.Called() == s.Name {
				inside = append(inside, inner)
			}
		}
	}
	if len(labelled) > 0 {
		return pick(indexed(labelled, s.Index), after)
	}
	return pick(indexed(inside, s.Index), rest[1:])
}

// keyed is what an argument has for the key that segments start with, and how many they are:
// a key may have dots itself.
func keyed(a *source.Attr, rest []Segment) (value *source.Attr, n int) {
	name := ""
	for i, s := range rest {
		if s.Index >= 0 || s.Name == "" {
			break
		}
		name = strings.TrimPrefix(name+"."+s.Name, ".")
		if found, _ := a.Key(name); found != nil {
			value, n = found, i+1
		}
	}
	return value, n
}

// labelsLead is how many segments a block's labels are, 0 if they are not those.
func labelsLead(b *source.Block, rest []Segment) int {
	for i, label := range b.Labels {
		if i >= len(rest) || rest[i].Name != label {
			return 0
		}
	}
	if b.Called() != b.Type {
		return 0 // the label of a dynamic block is what it is called
	}
	return len(b.Labels)
}

func indexed(items []source.Item, i int) []source.Item {
	switch {
	case i < 0:
		return items
	case i < len(items):
		return items[i : i+1]
	}
	return nil
}
