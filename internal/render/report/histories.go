package report

import (
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Histories records the histories of targets: each one's own, and for a merged
// block those of what it holds; with all also of what no override addressed.
func Histories(m *merge.Module, redact wording.Redactor, targets []address.Target, all bool) []HistoryRecord {
	list := []HistoryRecord{}
	for _, target := range targets {
		list = append(list, History(redact, target))
		EachIn(m, target, all, func(inner address.Target) { list = append(list, History(redact, inner)) })
	}
	return list
}

// Overridden records the histories of everything that overrides had to do with.
func Overridden(m *merge.Module, redact wording.Redactor) []HistoryRecord {
	list := []HistoryRecord{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.IsOverridden() && e.Rule.Do != merge.Flatten {
			list = append(list, History(redact, address.Target{Address: own, Of: own, Item: e}))
		}
	})
	return list
}

// EachIn visits what a merged block holds, at every depth, and returns how many
// names it left out because no override addressed them; with all it leaves out none.
func EachIn(m *merge.Module, target address.Target, all bool, visit func(address.Target)) (left int) {
	if target.Item.Inner == nil {
		return 0
	}
	address.WalkIn(m, target.Of, target.Item, func(own address.Address, e *merge.MergedItem) {
		if e.Rule.Do == merge.Flatten || len(e.Steps) == 0 {
			return
		}
		if !all && !e.IsOverridden() {
			left++
			return
		}
		visit(address.Target{Address: own, Of: own, Item: e})
	})
	return left
}
