package address

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// A Target is the object that an address names: a merged item, items inside the blocks of one that
// is replaced as a whole, or a key or an element of an argument's value.
type Target struct {
	Address Address
	Item    *merge.MergedItem
	// Of is the merged item's own address, a prefix of Address.
	Of     Address
	rest   []segments.Segment // the path from the item's blocks
	values values
}

// values are the parts of arguments that were read, each once; nil if nothing is kept.
type values map[*source.Attr]*parts.Value

func (known values) of(a *source.Attr) *parts.Value {
	v := known[a]
	if v == nil {
		v = parts.Of(a)
		if known != nil && len(v.Parts) > 0 {
			known[a] = v
		}
	}
	return v
}

// IsWhole reports whether the target is a merged item as a whole.
func (t Target) IsWhole() bool { return len(t.rest) == 0 }

// exists reports whether the target names anything in any layer.
func (t Target) exists() bool {
	return len(t.Effective()) > 0 || slices.ContainsFunc(t.Item.Steps, func(s merge.Step) bool {
		return s.Item != nil && len(t.In(s.Item)) > 0
	})
}

// Effective lists the effective items that the target names.
func (t Target) Effective() []source.Item {
	return t.values.pick(t.Item.Live, t.rest)
}

// In lists the items that the target names inside one item of the merged item's history, whether or
// not it is in effect. An index at the start numbers effective blocks; if there are fewer, it
// numbers the blocks of the primary files.
func (t Target) In(it source.Item) []source.Item {
	rest := t.rest
	if _, isBlock := it.(*source.Block); len(rest) > 0 && rest[0].IsIndex() && (isBlock || len(t.Item.Live) > 1) {
		if rest[0].Index >= len(t.Item.Live) && !t.isPast(it, rest[0].Index) {
			return nil
		}
		rest = rest[1:]
	}
	if found := t.values.pick([]source.Item{it}, rest); len(found) > 0 {
		return found
	}
	if a := t.values.unclear([]source.Item{it}, rest); a != nil {
		return []source.Item{a}
	}
	return nil
}

// isPast reports whether an item is number index among the blocks of primary files.
func (t Target) isPast(it source.Item, index int) bool {
	for _, s := range t.Item.Steps {
		if s.Effect == effect.Defined && s.Item != nil {
			if index == 0 {
				return s.Item == it
			}
			index--
		}
	}
	return false
}

// Unclear returns the effective argument for which only the engine knows whether it has the part
// that the target names; nil if the files decide it.
func (t Target) Unclear() *source.Attr {
	if len(t.Effective()) > 0 {
		return nil
	}
	return t.values.unclear(t.Item.Live, t.rest)
}

// unclear returns the first argument on the way along segments whose parts nothing but its
// evaluation shows.
func (known values) unclear(items []source.Item, rest []segments.Segment) *source.Attr {
	for n := range rest {
		for _, it := range known.pick(items, rest[:n]) {
			a, ok := it.(*source.Attr)
			if !ok {
				continue
			}
			v := known.of(a)
			if p := v.Part(rest[n]); p == nil && !v.IsAll || p != nil && !p.IsSure {
				return a
			}
		}
	}
	return nil
}

// pick follows segments from items: an index, the labels of a block, the name of
// something in it, a key, an element. An index that is left out means every element.
func (known values) pick(items []source.Item, rest []segments.Segment) []source.Item {
	if len(rest) == 0 || len(items) == 0 {
		return items
	}
	var found, labelled []source.Item
	after := rest[1:]
	for _, it := range items {
		switch it := it.(type) {
		case *source.Attr:
			found = append(found, known.inValue(it, rest[0])...)
		case *source.Block:
			if n := labelsLead(it, rest); n > 0 {
				labelled, after = append(labelled, it), rest[n:]
				continue
			}
			for _, inner := range it.Items() {
				if rest[0] == segments.Named(inner.Called()) {
					found = append(found, inner)
				}
			}
		}
	}
	switch {
	case len(labelled) > 0:
		found = labelled
	case len(found) == 0 && rest[0].IsIndex() && rest[0].Index < len(items) && !isOneAttr(items):
		found = items[rest[0].Index : rest[0].Index+1]
	}
	return known.pick(found, after)
}

// isOneAttr reports whether an index behind items means an element.
func isOneAttr(items []source.Item) bool {
	_, isAttr := items[0].(*source.Attr)
	return isAttr && len(items) == 1
}

// inValue is the part of an argument's value for a segment.
func (known values) inValue(a *source.Attr, s segments.Segment) []source.Item {
	v := known.of(a)
	if p := v.Part(s); p != nil && p.IsSure {
		return []source.Item{p.Value}
	}
	if !v.IsList || s.IsIndex() {
		return nil
	}
	var found []source.Item
	for _, p := range v.Parts {
		found = append(found, known.inValue(p.Value, s)...)
	}
	return found
}

// labelsLead is how many segments a block's labels are, 0 if they are not those.
func labelsLead(b *source.Block, rest []segments.Segment) int {
	if b.Called() != b.Type || len(rest) < len(b.Labels) {
		return 0 // the label of a dynamic block is its name
	}
	for i, label := range b.Labels {
		if rest[i] != segments.Named(label) {
			return 0
		}
	}
	return len(b.Labels)
}
