package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A fate is what became of an item that has a history.
type fate struct {
	entry
	merge.Outcome
	at int // of the outcome, in the history
}

// before lists what was in effect before the item came.
func (f fate) before() []source.Item { return f.merged.Before(f.at) }

// isContinued reports whether the item goes on with what the one before it in the history
// began, as the second of several blocks that come together does.
func (f fate) isContinued() bool {
	if f.at == 0 {
		return false
	}
	last := f.merged.Outcomes()[f.at-1]
	return last.Did == f.Did && (f.Did == merge.Added || f.Did == merge.Replaced) &&
		merge.ShareOrigin(last.Item, f.Item)
}

// fates are what became of the items of a module.
type fates struct {
	of map[source.Item]fate
	// hidden is what has no effect because of an item, for want of a successor of its own.
	hidden map[source.Item][]source.Item
}

type fatesKey struct{}

// fatesOf is what became of the items of a view, worked out when it is first asked for.
func fatesOf(v *view.View) *fates { return view.Once(v, fatesKey{}, newFates) }

func newFates(v *view.View) *fates {
	all := &fates{of: map[source.Item]fate{}, hidden: map[source.Item][]source.Item{}}
	x := indexOf(v)
	if x == nil {
		return all
	}
	for _, f := range v.Merged.Source.Files {
		for _, it := range x.in(f.Name) {
			e := x.entries[it]
			if _, known := all.of[it]; known {
				continue
			}
			for i, o := range e.merged.Outcomes() {
				if _, known := all.of[o.Item]; !known {
					all.of[o.Item] = fate{e, o, i}
				}
			}
		}
	}
	for _, f := range v.Merged.Source.Files {
		for _, it := range x.in(f.Name) {
			if f := all.of[it]; f.Status == merge.StatusHidden && f.merged.Inner == nil && f.By != nil {
				all.hidden[f.By] = append(all.hidden[f.By], it)
			}
		}
	}
	return all
}
