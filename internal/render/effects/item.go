package effects

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// effectOf returns the effect of the i-th outcome of an entry; nil for items of primary
// files, for blocks whose items have effects of their own, and for all but the first of
// blocks that come together.
func effectOf(
	m *merge.Module, e *merge.MergedItem, outcomes []merge.Outcome, i int, hidden map[source.Item][]source.Item,
) *Entry {
	o := outcomes[i]
	if !source.IsOverride(o.Item) || o.Status == merge.StatusMatched || e.Rule.Do == merge.Flatten {
		return nil
	}
	if o.Effect == merge.Ignored && e.IsReportedByItems(o.Item) || isContinued(outcomes, i) {
		return nil
	}
	verb, isListed := o.Effect.Verb()
	if !isListed {
		return nil
	}
	effect := &Entry{
		Verb: verb, Item: o.Item, Range: source.Where(o.Item), Status: o.Status, By: o.By, Rule: o.Rule, Why: o.Why(),
	}
	switch o.Effect {
	case merge.Added:
		if o.Status == merge.StatusNoEffect {
			effect.Verb, effect.Note = merge.HasNoEffect, wording.WhyIdle(o)
			return effect
		}
		if m.IsPartOfAddition(o.Item) {
			return nil
		}
		effect.add(hidden[o.Item])
	case merge.Replaced:
		effect.replace(e, i, hidden[o.Item])
	case merge.Ignored:
		effect.Note = wording.WhyIdle(o)
	case merge.Undecided:
		effect.Note = wording.WhyUndecided(o)
	case merge.Refused:
		effect.Note = "not allowed in an override file"
	}
	if o.Status == merge.StatusReplaced || o.Status == merge.StatusHidden || o.Status == merge.StatusCleared {
		by := wording.Place(o.By)
		if o.By.Called() != o.Item.Called() && o.By.Within() != nil {
			by = wording.Name(o.By) + " at " + by
		}
		effect.Note = strings.TrimPrefix(effect.Note+"; "+o.Words()+" by "+by, "; ")
	}
	return effect
}

// isContinued reports whether the i-th outcome continues its predecessor's effect.
func isContinued(outcomes []merge.Outcome, i int) bool {
	if i == 0 {
		return false
	}
	before, o := outcomes[i-1], outcomes[i]
	return before.Effect == o.Effect && (o.Effect == merge.Added || o.Effect == merge.Replaced) &&
		merge.ShareOrigin(before.Item, o.Item)
}

// add refines the effect of an item that nothing was there for.
func (f *Entry) add(hidden []source.Item) {
	if _, isBlock := f.Item.(*source.Block); isBlock && len(hidden) > 0 {
		f.Verb = merge.Replaces
	}
	f.Note = hiding(hidden)
}

// replace refines the effect of the i-th item of an entry on the earlier items.
func (f *Entry) replace(e *merge.MergedItem, i int, hidden []source.Item) {
	_, isAttr := f.Item.(*source.Attr)
	earlier := e.Before(i)
	switch {
	case check.IsSameAs(e, e.Outcomes(), i, earlier):
		f.Verb, f.Note = merge.Repeats, "same as "+wording.Place(earlier[0])
	case isAttr:
		f.Verb, f.Note = merge.Overrides, hiding(hidden)
	default:
		f.Verb, f.Note = merge.Replaces, wording.CountOf(append(earlier, hidden...))
	}
}

// drop records the parts of earlier values that the item leaves out. For blocks, people see them
// only with -a and in explain.
func (f *Entry) drop(names []string) {
	f.Drops = names
	if _, isAttr := f.Item.(*source.Attr); isAttr && len(names) > 0 {
		f.Note = strings.Trim(f.Note+"; drops "+wording.Some(names, ", "), "; ")
	}
}

// hiding words the items that have no effect because of another one.
func hiding(hidden []source.Item) string {
	if len(hidden) == 0 {
		return ""
	}
	if _, isAttr := hidden[0].(*source.Attr); isAttr {
		return wording.Outranks + " " + wording.CountOf(hidden)
	}
	return wording.CountOf(hidden)
}
