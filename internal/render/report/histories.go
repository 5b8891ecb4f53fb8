package report

import (
	"iter"

	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Histories records the histories of targets, and for merged blocks also of their contents: of
// items that overrides addressed, or with all of every item.
func Histories(m *merge.Module, redact wording.Redactor, targets []address.Target, all bool) iter.Seq[HistoryRecord] {
	return func(yield func(HistoryRecord) bool) {
		for _, target := range targets {
			isWanted := yield(History(redact, target))
			EachIn(m, target, all, func(inner address.Target) {
				isWanted = isWanted && yield(History(redact, inner))
			})
			if !isWanted {
				return
			}
		}
	}
}

// Overridden records the histories of all names that overrides addressed.
func Overridden(m *merge.Module, redact wording.Redactor) []HistoryRecord {
	list := []HistoryRecord{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.IsOverridden() && e.Rule.Do != rules.Flatten {
			list = append(list, History(redact, address.Target{Address: own, Of: own, Item: e}))
		}
	})
	return list
}

// EachIn visits the names that a merged block holds, at every depth. Without all it leaves
// out those that no override addressed, and returns how many these are.
func EachIn(m *merge.Module, target address.Target, all bool, visit func(address.Target)) (left int) {
	if target.Item.Inner() == nil {
		return 0
	}
	address.WalkIn(m, target.Of, target.Item.Inner(), func(own address.Address, e *merge.MergedItem) {
		if e.Rule.Do == rules.Flatten || len(e.Steps) == 0 {
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
