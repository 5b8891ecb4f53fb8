package check

import (
	"fmt"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// A repetition is a value that overrides set once more, one or several of them.
type repetition struct {
	first  source.Item   // the repeated item
	before []source.Item // what each of them repeats, one behind the other
	items  []source.Item // the first item of each override
	all    []source.Item // of overrides, including the repeated one
	last   merge.Outcome // of the last one
}

// repeats finds the overrides of a history that repeat the value effective before them. Equal
// overrides are one finding: either they repeat it, or a later override supersedes them. It returns
// the items that need no other finding.
func (f *findings) repeats(e *merge.MergedItem, outcomes []merge.Outcome) (covered map[source.Item]bool) {
	if !f.looksFor(equivalentOverride.ID) || e.Rule.IsRepeated() {
		return nil
	}
	covered = map[source.Item]bool{}
	var r *repetition
	for i, o := range outcomes {
		if !source.IsOverride(o.Item) || o.Effect != effect.Replaced {
			continue
		}
		earlier := e.Before(i)
		if !IsSameAs(e, outcomes, i, earlier) {
			continue
		}
		if r == nil || !merge.ShareOrigin(r.last.Item, earlier[0]) {
			f.repetition(r, covered)
			r = &repetition{first: earlier[0]}
			if source.IsOverride(r.first) {
				r.all = append(r.all, earlier...)
			}
		}
		r.before, r.items, r.last = append(r.before, earlier[0]), append(r.items, o.Item), o
		r.all = append(r.all, together(outcomes[i:])...)
	}
	f.repetition(r, covered)
	return covered
}

// repetition makes the finding of a repetition, and marks the items that need no other finding.
func (f *findings) repetition(r *repetition, covered map[source.Item]bool) {
	if r == nil {
		return
	}
	for _, it := range r.all {
		covered[it] = true
	}
	own := f.nameOf(r.items[0]).address.String()
	if f.looksFor(supersededOverride.ID) && isSuperseded(r.last) {
		last := r.last.Item
		x := f.superseded(r.last)
		x.Former = append(r.former(own), keyIn(supersededOverride, own, x.Message))
		x.Joint = []*Rule{equivalentOverride}
		x.Also = slices.DeleteFunc(r.all, func(it source.Item) bool { return it == last })
		if others := r.beside(); len(others) > 0 {
			x.Message = fmt.Sprintf("Superseded by %s, and so is the same override at %s. Remove them.", supersededBy(r.last.By, last), placesFrom(last, others, 3))
		}
		return
	}
	x := f.add(equivalentOverride, r.items[0], "%s", r)
	x.Related = &diag.Related{Note: "same here", Range: source.Where(r.first)}
	if x.Also = r.items[1:]; len(x.Also) > 0 {
		x.Related = &diag.Related{Note: "and here", Range: source.Where(x.Also[0])}
	}
	x.Former = r.former(own)
	if len(x.Also) > 0 || source.IsOverride(r.first) {
		x.Joint = []*Rule{supersededOverride}
	}
}

// beside returns the overrides that equal the last one.
func (r *repetition) beside() (list []source.Item) {
	if source.IsOverride(r.first) {
		list = append(list, r.first)
	}
	return append(list, r.items[:len(r.items)-1]...)
}

// String is the message that overrides repeat something.
func (r *repetition) String() string {
	if len(r.items) == 1 {
		return repeatsMessage(r.items[0], r.first)
	}
	return fmt.Sprintf("Same as %s, and so is the override at %s. Remove them, or keep one to pin the value.", placeFrom(r.items[0], r.first), placesFrom(r.items[0], r.items[1:], 3))
}

func repeatsMessage(it, of source.Item) string {
	return fmt.Sprintf("Same as %s. Remove it, or keep it to pin the value.", placeFrom(it, of))
}

// former returns the keys of the findings listed before equal overrides became one finding: each
// that repeats, and each that the next one supersedes.
func (r *repetition) former(own string) (keys []Key) {
	for i, it := range r.items {
		keys = append(keys, keyIn(equivalentOverride, own, repeatsMessage(it, r.before[i])))
		if source.IsOverride(r.before[i]) {
			keys = append(keys, keyIn(supersededOverride, own, supersededMessage(it, r.before[i])))
		}
	}
	return keys
}

// IsSameAs reports whether the items from one origin, starting at first, equal earlier ones of a
// history. Equal texts differ if something else is effective instead of the text: default = {} is
// another value under another type.
func IsSameAs(e *merge.MergedItem, outcomes []merge.Outcome, first int, earlier []source.Item) bool {
	if e.Value != nil && e.Has(outcomes[first].Item) {
		return false
	}
	if first > 0 && merge.ShareOrigin(outcomes[first-1].Item, outcomes[first].Item) {
		return false
	}
	return slices.EqualFunc(earlier, together(outcomes[first:]), equal.Items)
}

// together are the items that come with the first of some outcomes.
func together(outcomes []merge.Outcome) (list []source.Item) {
	for _, o := range outcomes {
		if !merge.ShareOrigin(o.Item, outcomes[0].Item) {
			break
		}
		list = append(list, o.Item)
	}
	return list
}

// isSuperseded reports whether a later override made an item pointless.
func isSuperseded(o merge.Outcome) bool {
	return (o.Status == effect.StatusReplaced || o.Status == effect.StatusHidden) && o.By != nil && source.IsOverride(o.By) && !merge.ShareOrigin(o.By, o.Item)
}

// superseded makes the finding of an item that a later override made pointless.
func (f *findings) superseded(o merge.Outcome) *Finding {
	x := f.add(supersededOverride, o.Item, "%s", supersededMessage(o.By, o.Item))
	x.Related = &diag.Related{Note: "later override", Range: source.Where(o.By)}
	return x
}

func supersededMessage(by, it source.Item) string {
	return fmt.Sprintf("Superseded by %s. Remove one of the two.", supersededBy(by, it))
}

// supersededBy names the item that superseded another one.
func supersededBy(by, it source.Item) string {
	if by.Called() != it.Called() {
		return diag.Escape(by.Called()) + " at " + placeFrom(it, by)
	}
	return placeFrom(it, by)
}
