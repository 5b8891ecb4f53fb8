package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// Definition links the name of an override to the overridden item: the declaration in a primary
// file, else the one in the first override block. An item added by an override links to the block
// in a primary file to which it is added; a declaration in a primary file links to itself. It returns nil
// for values, and for items that no override touches.
func Definition(v *view.View, name string, p protocol.Position) []protocol.LocationLink {
	return linksFrom(v, name, p, (*index).bases)
}

// Implementation links a name to its overrides that are in effect.
func Implementation(v *view.View, name string, p protocol.Position) []protocol.LocationLink {
	return linksFrom(v, name, p, func(x *index, it source.Item) []source.Item {
		return x.related(it, func(o merge.Outcome, at source.Item) bool {
			return source.IsOverride(at) && o.Status.IsInEffect()
		})
	})
}

// References lists where a name is declared and overridden, in the order in which the engine
// applies the files. Without withDeclaration it lists the overrides alone.
func References(v *view.View, name string, p protocol.Position, withDeclaration bool) []protocol.Location {
	return Locations(linksFrom(v, name, p, func(x *index, it source.Item) []source.Item {
		return x.related(it, func(_ merge.Outcome, at source.Item) bool {
			return withDeclaration || source.IsOverride(at)
		})
	}))
}

// Locations converts links to locations, for clients that don't support links.
func Locations(links []protocol.LocationLink) (list []protocol.Location) {
	for _, l := range links {
		list = append(list, protocol.Location{URI: l.TargetURI, Range: l.TargetSelectionRange})
	}
	return list
}

// linksFrom returns links from the name at a position to the items that find returns for it. There are none from
// other positions, such as in a value.
func linksFrom(
	v *view.View, name string, p protocol.Position, find func(*index, source.Item) []source.Item,
) (links []protocol.LocationLink) {
	s := spotAt(v, name, p)
	if s == nil || !s.isName {
		return nil
	}
	origin := s.rangeOf(v)
	for _, it := range find(indexOf(v), s.item) {
		links = append(links, linkFrom(v, &origin, it))
	}
	return links
}

// linkFrom links a range to an item: editors preview the whole item, and select its name.
func linkFrom(v *view.View, origin *protocol.Range, it source.Item) protocol.LocationLink {
	return protocol.LocationLink{
		OriginSelectionRange: origin,
		TargetURI:            v.URI(it.Source().Name),
		TargetRange:          v.Range(wholeOf(it)),
		TargetSelectionRange: v.Range(source.Where(it)),
	}
}

// related lists the items in the history of an item for which selects returns true, each once, in the order in which
// they are applied. selects gets an item at and its outcome; for an argument inside a block that is replaced as a
// whole, the outcome is that of the block.
func (x *index) related(it source.Item, selects func(o merge.Outcome, at source.Item) bool) []source.Item {
	about, ok := x.subject(it)
	if !ok {
		return nil
	}
	var list []source.Item
	// known are the items in list already, and effective those in effect. A block that is merged item by item needs
	// no list of these: its status is merged, not effective.
	known, effective := map[source.Item]bool{}, map[source.Item]bool{}
	if about.Item.Inner() == nil {
		for _, live := range about.Effective() {
			effective[live] = true
		}
	}
	for _, o := range about.Item.Outcomes() {
		if !about.matters(o.Item) {
			continue
		}
		for _, at := range about.In(o.Item) { // the item itself, or the part of the block that the history is about
			// A part is found by its path. Each file counts its blocks from 0, so a block of another file can have the
			// same index as the one in effect: leave it out.
			isOther := o.Status == effect.StatusEffective && !effective[at]
			if !known[at] && !isOther && selects(o, at) {
				known[at] = true
				list = append(list, at)
			}
		}
	}
	return list
}

// bases returns the items to which the definition of an item leads. An item of a primary file leads to itself, an
// override to the items that it overrides. If there are none, it leads to the first override of the name or, if that
// is in the same block, to what the block around it overrides. Failing that, it leads to the items that it outranks.
// In which block an item is, merge.Holder tells: an escaping block (_) doesn't count.
func (x *index) bases(it source.Item) []source.Item {
	if !source.IsOverride(it) {
		return x.related(it, func(_ merge.Outcome, at source.Item) bool { return at == it })
	}
	if found := x.overriddenItems(it); len(found) > 0 { // tags leads to tags in main.tf
		return found
	}
	// No primary file has it, so it leads to the first override of the name: tags in b_override.tf to tags in
	// a_override.tf. It doesn't if that is the item itself, or in the same block: several blocks of one name there,
	// such as two ingress blocks, are applied together, and none overrides another.
	all := x.related(it, func(merge.Outcome, source.Item) bool { return true })
	if len(all) > 0 && merge.Holder(all[0]) != merge.Holder(it) {
		return all[:1]
	}
	// Go outwards to a block that overrides something: added tags lead to their resource in main.tf.
	for b := merge.Holder(it); b != nil; b = merge.Holder(b) {
		if found := x.overriddenItems(b); len(found) > 0 {
			return found
		}
	}
	return x.outranked(it) // cloud leads to backend, if no primary file has a terraform block
}

// outranked returns the items of other names, in the block around an item, that have no effect because the item
// takes precedence: in a terraform block, cloud hides backend. They may be in any file.
func (x *index) outranked(it source.Item) (list []source.Item) {
	around := x.entries[merge.Holder(it)].merged
	if merge.Holder(it) == nil || around == nil || around.Inner() == nil {
		return nil // it isn't in a block that is merged item by item
	}
	for _, e := range around.Inner().Items {
		for _, o := range e.Outcomes() {
			if o.Status == effect.StatusHidden && o.By == it {
				list = append(list, o.Item)
			}
		}
	}
	return list
}

// overriddenItems returns the items of primary files that an override overrides, or that have other names and
// no effect because the override takes precedence.
func (x *index) overriddenItems(it source.Item) []source.Item {
	list := x.related(it, func(_ merge.Outcome, at source.Item) bool { return !source.IsOverride(at) })
	e := x.entries[it].merged
	if e == nil || !e.InEffect() || merge.Holder(it) == nil {
		return list
	}
	// Add the items of other names that it hides in the block around it, as cloud hides backend.
	if around := x.entries[merge.Holder(it)].merged; around != nil && around.Inner() != nil {
		around.Inner().EachHidden(e, func(hidden source.Item) {
			if !source.IsOverride(hidden) {
				list = append(list, hidden)
			}
		})
	}
	return list
}
