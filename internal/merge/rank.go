package merge

import (
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// rank hides what something else in effect outranks.
func (m *definer) rank(e *MergedItem) {
	inner := e.inner.Load()
	for _, r := range m.rules.Ranked(e.Path) {
		winner := inner.lookup(r.Path[len(e.Path)+1:])
		if winner == nil || !winner.InEffect() {
			continue
		}
		for _, path := range r.Outranks {
			loser := inner.lookup(path)
			if loser == nil || !loser.InEffect() {
				continue
			}
			m.report(outranked(e, winner, loser))
			loser.step(Step{Effect: effect.Hidden, Rule: r}.because(winner.Live[0]))
			loser.Live = nil
			hideEmpty(inner.lookup(rules.Parent(path)), winner, r)
		}
	}
}

// hideEmpty hides a block that means nothing any more, since all that it held has
// lost.
func hideEmpty(e, winner *MergedItem, r *rules.Rule) {
	if e == nil || !e.Rule.OmitEmpty || !e.InEffect() || e.inner.Load().anyInEffect() {
		return
	}
	e.step(Step{Effect: effect.Hidden, Rule: r}.because(winner.Live[0]))
	e.Live = nil
}
