package deny

import (
	"fmt"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// Keys and elements. A value replaces another one as a whole, and so do the nested blocks of a
// type: it sets, changes or drops every denied part.

// A layer holds the items of one block of an override file for a name, and the items that were
// effective before.
type layer struct {
	own         address.Address
	item        *merge.MergedItem
	now, before []source.Item
	outcome     merge.Outcome // of the first of now
}

// layersOf lists the layers of override files, in load order.
func layersOf(own address.Address, e *merge.MergedItem) []layer {
	var list []layer
	outcomes := e.Outcomes()
	for i, o := range outcomes {
		switch {
		case e.Inner() != nil || o.Item == nil || !source.IsOverride(o.Item):
		case i > 0 && merge.ShareOrigin(outcomes[i-1].Item, o.Item):
			last := &list[len(list)-1]
			last.now = append(last.now, o.Item)
		default:
			list = append(list, layer{own, e, []source.Item{o.Item}, e.Before(i), o})
		}
	}
	return list
}

// values judges the parts of a layer that isn't denied as a whole.
func (d *denial) values(l layer) {
	at := d.reach(l.own)
	if !d.MayGoOn(at) || d.isAnyListed(l.now) {
		return
	}
	now, before := d.survey(l.now, at), d.survey(l.before, at)
	if slices.EqualFunc(l.now, l.before, equal.Items) {
		return
	}
	for _, path := range now.order {
		was := before.found[path]
		for i, it := range now.found[path] {
			if !d.listed[it] && (i >= len(was) || !equal.Items(was[i], it)) {
				d.add(l, path, it, was)
			}
		}
	}
	switch {
	case len(now.hidden) > 0:
		d.unknown(l, now.hidden[0])
		return
	case l.outcome.Effect != effect.Replaced, l.outcome.Status == effect.StatusNoEffect, len(l.before) == 0:
		return // nothing is dropped
	}
	d.drops(l, before, now)
}

// reach is the match state of an item's addresses.
func (d *denial) reach(own address.Address) address.Progress {
	at := d.Reach(own)
	for _, other := range d.others {
		at.Join(d.Reach(other))
	}
	return at
}

// gone judges items that an item of another name removed: count removes for_each, cloud a backend.
func (d *denial) gone(l layer) {
	switch at := d.reach(l.own); {
	case d.isAnyListed(l.now):
	case d.Covers(l.own) || slices.ContainsFunc(d.others, d.Covers):
		d.note(l, address.Address{}, l.now[0], "The policy denies overrides of %s, which this %s drops. %s", l.own, noun(l.now[0]), d.changeAt(l, l.before[0]))
	case d.MayGoOn(at):
		d.drops(l, d.survey(l.before, at), &survey{})
	}
}

// drops denies the parts that were there before and are not there now.
func (d *denial) drops(l layer, before, now *survey) {
	for _, path := range before.order {
		if now.found[path] == nil {
			d.drop(l, path, before)
		}
	}
	if len(before.hidden) > 0 {
		h := before.hidden[0]
		d.note(l, h.path, l.now[0], "The policy denies overrides of %s. Only the plan shows which keys the value at %s has, so this one may drop one. "+
			"Change that value instead.", h.pattern, diag.Place(source.Where(h.item)))
	}
}

// isAnyListed reports whether one of some items is denied already, with all that it holds.
func (d *denial) isAnyListed(items []source.Item) bool {
	for _, it := range items {
		if d.listed[it] || d.isListed(it) {
			return true
		}
	}
	return false
}

// add denies a part, which is found at an item. was are the earlier ones.
func (d *denial) add(l layer, path address.Address, it source.Item, was []source.Item) {
	remedy := "Set it in a primary file instead."
	if len(was) > 0 {
		remedy = d.changeAt(l, was[0])
	}
	d.note(l, path, it, "The policy denies overrides of %s. %s", l.own.Join(path), remedy)
}

// changeAt is the remedy to change the earlier value. In an override file that would be denied,
// too.
func (d *denial) changeAt(l layer, was source.Item) string {
	if source.IsOverride(was) {
		return d.remedy(l.item, l.now[0])
	}
	return "Change it at " + diag.Place(source.Where(was)) + " instead."
}

// drop denies the lack of a part that was there before. A key may be repeated; an argument or a block
// that the policy denies would be denied again, and an item of another name has no room for it.
func (d *denial) drop(l layer, path address.Address, before *survey) {
	it, was := l.now[0], before.found[path][0]
	remedy := "Repeat it here as it is at " + diag.Place(source.Where(was)) + "."
	if before.whole[path] || it.Called() != l.before[0].Called() {
		remedy = d.changeAt(l, was)
	}
	d.note(l, path, it, "The policy denies overrides of %s, which this %s drops. %s", l.own.Join(path), noun(it), remedy)
}

// noun names what an item is.
func noun(it source.Item) string {
	if _, isBlock := it.(*source.Block); isBlock {
		return "block"
	}
	return "value"
}

// unknown denies a value whose parts only the engine knows.
func (d *denial) unknown(l layer, h hiddenPart) {
	if h.isTooLong {
		d.note(l, h.path, h.item, "The policy denies overrides of %s. The keys of this value are too long or nest too deep to look for it. "+
			"Shorten them.", h.pattern)
		return
	}
	d.note(l, h.path, h.item, "The policy denies overrides of %s. Only the plan shows which keys this value has, so it may set or drop one. "+
		"Write it in braces with every key spelled out.", h.pattern)
}

// note adds a finding about a part of a layer. Compared with a revision it is known if the part is
// unchanged.
func (d *denial) note(l layer, path address.Address, it source.Item, format string, args ...any) {
	f := check.DeniedOverride.At(source.Where(it), fmt.Sprintf(format, args...))
	f.Address, f.Item = l.own.Join(path), l.item
	if fact := d.facts.of(l.now[0]); fact != nil {
		fact.Tokens = equal.SumOfItem(it)
		f.Fact = fact
	}
	d.found = append(d.found, f)
}
