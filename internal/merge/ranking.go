package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Decisions that need all files.

// finish settles everything that depends on all files.
func (m *merger) finish() {
	m.tryRemedies()
	for _, e := range m.root.Items {
		if e.Inner() == nil {
			continue
		}
		m.rank(e)
		if judge := e.Inner().kind.Shape.Judged(); judge != nil && !m.isJudged(e) {
			diags := judge(func(name string) *source.Attr { return e.Inner().claimNamed(name).Attr() })
			remedyVersions(e, diags)
			m.report(diags...)
		}
		if end := checks[e.Rule.Check].end; end != nil {
			end(m, e)
		}
	}
}

// isJudged reports whether an item is a block that was judged when its file was read, since no
// override file can change it.
func (m *merger) isJudged(e *MergedItem) bool {
	if len(e.Live) != 1 || e.IsOverridden() {
		return false
	}
	b, ok := e.Live[0].(*source.Block)
	return ok && !m.src.IsAddressed(b)
}

// rank hides what something else in effect outranks.
func (m *merger) rank(e *MergedItem) {
	for _, r := range m.rules.Ranked(e.Path) {
		winner := e.Inner().lookup(r.Path[len(e.Path)+1:])
		if winner == nil || !winner.InEffect() {
			continue
		}
		for _, path := range r.Outranks {
			loser := e.Inner().lookup(path)
			if loser == nil || !loser.InEffect() {
				continue
			}
			m.report(outranked(e, winner, loser))
			loser.step(Step{Effect: effect.Hidden, Rule: r}.because(winner.Live[0]))
			loser.Live = nil
			hideEmpty(e.Inner().lookup(rules.Parent(path)), winner, r)
		}
	}
}

// hideEmpty hides a block that means nothing any more, since all that it held has
// lost.
func hideEmpty(e, winner *MergedItem, r *rules.Rule) {
	if e == nil || !e.Rule.OmitEmpty || !e.InEffect() || e.Inner().anyInEffect() {
		return
	}
	e.step(Step{Effect: effect.Hidden, Rule: r}.because(winner.Live[0]))
	e.Live = nil
}
