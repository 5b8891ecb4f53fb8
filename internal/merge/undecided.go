package merge

import "github.com/tofumerge/tofumerge/internal/load/source"

// undecided deals with a name that is an argument in one layer and nested
// blocks in the other. Only the provider's schema decides which counts; an
// argument is taken over blocks, whichever is later.
func (m *merger) undecided(e *MergedItem, g *group) bool {
	if !e.InEffect() {
		return false
	}
	old, was := e.Live[0].(*source.Attr)
	later, is := g.items[0].(*source.Attr)
	switch {
	case is && later.IsVoid() && later.IsGuess() && !was:
		m.leave(e, g)
		return true
	case is && later.IsVoid() && later.IsGuess() && old.IsGuess() && !old.IsVoid():
		m.report(nothingOrValue(e, later, "It is printed as an argument."))
		return false
	case was == is, isGuess(e.Live[0]) || isGuess(g.items[0]):
		return false // the two can be meant for the same
	}
	m.report(mixed(e, g.items[0], was))
	if !was {
		return false
	}
	for _, it := range g.items {
		e.step(Step{Item: it, By: e.Live[0], Did: Undecided, Rule: g.rule})
	}
	return true
}

// leave lets the earlier items stay where a later one may mean no block
// at all, which hides none.
func (m *merger) leave(e *MergedItem, g *group) {
	for _, it := range g.items {
		e.step(Step{Item: it, By: e.Live[0], Did: Undecided, Rule: g.rule})
		m.report(nothingOrValue(e, it, "It is printed as a nested block."))
	}
}

func isGuess(it source.Item) bool {
	switch it := it.(type) {
	case *source.Attr:
		return it.IsGuess()
	case *source.Block:
		return it.IsGuess()
	}
	return false
}
