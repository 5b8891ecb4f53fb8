package feature

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// An outcome is the merge's result for an item that has a history.
type outcome struct {
	entry
	merge.Outcome
	at int // index in merged.Outcomes()
}

// isContinued reports whether the item is a later one of several blocks that were applied together,
// so the description of the first holds for all.
func (o outcome) isContinued() bool {
	if o.at == 0 {
		return false
	}
	last := o.merged.Outcomes()[o.at-1]
	return last.Effect == o.Effect && (o.Effect == effect.Added || o.Effect == effect.Replaced) &&
		merge.ShareOrigin(last.Item, o.Item)
}

// outcomeIndex holds the outcomes of all items of a module.
type outcomeIndex struct {
	of map[source.Item]outcome
	// hidden lists, for each item, the items that it outranks.
	hidden map[source.Item][]source.Item
}

// outcomesOf returns the outcomes of a view.
var outcomesOf = view.Cached(newOutcomes)

func newOutcomes(v *view.View) *outcomeIndex {
	all := &outcomeIndex{of: map[source.Item]outcome{}, hidden: map[source.Item][]source.Item{}}
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
					all.of[o.Item] = outcome{e, o, i}
				}
			}
		}
	}
	for _, f := range v.Merged.Source.Files {
		for _, it := range x.in(f.Name) {
			if o := all.of[it]; o.Status == effect.StatusHidden && o.merged.Inner() == nil && o.By != nil {
				all.hidden[o.By] = append(all.hidden[o.By], it)
			}
		}
	}
	return all
}

// A blockNumber is how many nested blocks of primary files others replace.
type blockNumber struct {
	before int
	first  source.Item // of these; nil if as many replace them, or if a dynamic block leaves the number open
}

type numberKey struct{ of *merge.MergedItem }

// numberOf is computed once for each name, because each of its blocks needs it.
func numberOf(v *view.View, e *merge.MergedItem) blockNumber {
	return view.Once(v, numberKey{e}, func(*view.View) blockNumber { return newBlockNumber(e) })
}

func newBlockNumber(e *merge.MergedItem) (n blockNumber) {
	isStatic := func(it source.Item) bool {
		b, isBlock := it.(*source.Block)
		return isBlock && b.Within() != nil && b.Type != source.DynamicBlock
	}
	var before []source.Item
	for _, o := range e.Outcomes() {
		if !source.IsOverride(o.Item) {
			before = append(before, o.Item)
		}
	}
	for _, it := range slices.Concat(before, e.Live) {
		if !isStatic(it) {
			return n
		}
	}
	if len(before) > 0 && len(before) != len(e.Live) {
		n = blockNumber{len(before), before[0]}
	}
	return n
}
