package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// rank hides what something else in effect outranks.
func (m *definer) rank(e *MergedItem) {
	inner := e.inner.Load()
	for _, r := range m.rules.Ranked[e.Path] {
		winner := inner.lookup(r.Path[len(e.Path)+1:])
		if winner == nil || !winner.InEffect() {
			continue
		}
		for _, path := range r.Outranks {
			loser := inner.lookup(path)
			if loser == nil || !loser.InEffect() {
				continue
			}
			// In one block, the engine refuses both.
			if source.Top(winner.Live[0]) != source.Top(loser.Live[0]) {
				m.report(outranked(e, winner, loser))
			}
			loser.hide(winner.Live[0], r)
			// A block means nothing any more when all that it held has lost.
			if around := inner.lookup(rules.Parent(path)); around != nil && around.Rule.OmitEmpty && around.InEffect() && !around.inner.Load().anyInEffect() {
				around.hide(winner.Live[0], r)
			}
		}
	}
}
