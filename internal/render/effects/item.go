package effects

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// effectOf returns the effect of the i-th outcome of an entry; nil for items of primary
// files, for blocks whose items have effects of their own, and for all but the first of
// blocks that come together.
func effectOf(
	m *merge.Module, e *merge.MergedItem, outcomes []merge.Outcome, i int, hidden map[source.Item][]source.Item,
) *Entry {
	o := outcomes[i]
	if !source.IsOverride(o.Item) || o.Status == effect.StatusMatched || e.Rule.Do == rules.Flatten {
		return nil
	}
	if o.Effect == effect.Ignored && e.IsReportedByItems(o.Item) || isContinued(outcomes, i) {
		return nil
	}
	verb, isListed := o.Effect.Verb()
	if !isListed {
		return nil
	}
	entry := &Entry{
		Verb: verb, Item: o.Item, Range: source.Where(o.Item), Status: o.Status, By: o.By, Rule: o.Rule, Why: o.Why(),
	}
	switch o.Effect {
	case effect.Added:
		if o.Status == effect.StatusNoEffect {
			entry.Verb, entry.Note = effect.HasNoEffect, wording.WhyIdle(o)
			return entry
		}
		if m.IsPartOfAddition(o.Item) {
			return nil
		}
		entry.add(hidden[o.Item])
	case effect.Replaced:
		entry.replace(e, i, hidden[o.Item])
	case effect.Ignored:
		entry.Note = wording.WhyIdle(o)
	case effect.Undecided:
		entry.Note = wording.WhyUndecided(o)
	case effect.Refused:
		entry.Note = "not allowed in an override file"
	}
	if o.Status == effect.StatusReplaced || o.Status == effect.StatusHidden || o.Status == effect.StatusCleared {
		by := wording.Place(o.By)
		if o.By.Called() != o.Item.Called() && o.By.Within() != nil {
			by = wording.Name(o.By) + " at " + by
		}
		entry.Note = strings.TrimPrefix(entry.Note+"; "+o.Words()+" by "+by, "; ")
	}
	return entry
}

// isContinued reports whether the i-th outcome continues its predecessor's effect.
func isContinued(outcomes []merge.Outcome, i int) bool {
	if i == 0 {
		return false
	}
	before, o := outcomes[i-1], outcomes[i]
	return before.Effect == o.Effect && (o.Effect == effect.Added || o.Effect == effect.Replaced) &&
		merge.ShareOrigin(before.Item, o.Item)
}

// add refines the effect of an item that nothing was there for.
func (f *Entry) add(hidden []source.Item) {
	if _, isBlock := f.Item.(*source.Block); isBlock && len(hidden) > 0 {
		f.Verb = effect.Replaces
	}
	f.Note = hiding(hidden)
}

// replace refines the effect of the i-th item of an entry on the earlier items.
func (f *Entry) replace(e *merge.MergedItem, i int, hidden []source.Item) {
	_, isAttr := f.Item.(*source.Attr)
	earlier := e.Before(i)
	switch {
	case check.IsSameAs(e, e.Outcomes(), i, earlier):
		f.Verb, f.Note = effect.Repeats, "same as "+wording.Place(earlier[0])
	case isAttr:
		f.Verb, f.Note = effect.Overrides, hiding(hidden)
	default:
		f.Verb, f.Note = effect.Replaces, wording.CountOf(append(earlier, hidden...))
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
