package merge

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// undecided handles a name that is an argument in one layer and nested blocks in the other. Only
// the provider's schema decides which one is in effect; without it, the argument is assumed,
// whichever is later.
func (m *merger) undecided(e *MergedItem, g *group) bool {
	if !e.InEffect() {
		return false
	}
	old, was := e.Live[0].(*source.Attr)
	later, is := g.items[0].(*source.Attr)
	if meaning := m.src.Schema.Meaning(g.items[0]); was != is && meaning != providerschema.Unknown {
		return m.decided(e, g, meaning)
	}
	switch {
	case is && later.IsVoid() && source.IsGuess(later) && !was:
		m.leave(e, g)
		return true
	case is && later.IsVoid() && source.IsGuess(later) && source.IsGuess(old) && !old.IsVoid():
		m.unsure(voidAsArgument, e, later)
		return false
	case was == is, source.IsGuess(e.Live[0]) || source.IsGuess(g.items[0]):
		return false // the two can be meant for the same
	}
	if !was && IsEmpty(later) {
		m.report(mayDrop(e, later, "tofumerge takes the argument, not the blocks."))
		return false
	}
	if !was {
		m.unsure(argumentOverBlocks, e, g.items[0])
		return false
	}
	m.unsure(blocksOverArgument, e, g.items[0])
	for _, it := range g.items {
		e.step(Step{Item: it, Effect: effect.Undecided, Rule: g.rule}.because(e.Live[0]))
	}
	return true
}

// leave lets the earlier items stay where a later one may mean no block
// at all, which hides none.
func (m *merger) leave(e *MergedItem, g *group) {
	for _, it := range g.items {
		e.step(Step{Item: it, Effect: effect.Undecided, Rule: g.rule}.because(e.Live[0]))
		m.report(mayDrop(e, it, "tofumerge keeps the blocks."))
	}
}

// decided handles such a name if the schema classifies it. An argument stays whatever blocks come
// later, and blocks stay whatever argument does.
func (m *merger) decided(e *MergedItem, g *group, meaning providerschema.Meaning) bool {
	_, isAttr := g.items[0].(*source.Attr)
	if isAttr == (meaning == providerschema.Argument) {
		return false
	}
	for _, it := range g.items {
		e.step(Step{Item: it, Effect: effect.Ignored, Rule: g.rule}.because(e.Live[0]))
		m.report(otherKind(e, it, isAttr))
	}
	return true
}

// IsEmpty reports whether an argument is null or a list without elements: if the name means nested
// blocks, it declares none.
func IsEmpty(a *source.Attr) bool { return rules.EmptyList.Passes(a) || rules.Null.Passes(a) }

// idle handles a JSON null or [] in place of nested blocks. Native files may write blocks of that
// name for an argument, so the value may remove them as well.
func (m *merger) idle(e *MergedItem, a *source.Attr) {
	if !source.IsGuess(a) {
		e.step(Step{Item: a, Effect: effect.Ignored, Rule: e.Rule})
		return
	}
	var d *hcl.Diagnostic
	if e.InEffect() && e.Attr() == nil {
		e.step(Step{Item: a, Effect: effect.Undecided, Rule: e.Rule}.because(e.Live[0]))
		d = mayDrop(e, a, "tofumerge keeps the blocks.")
	} else {
		e.step(Step{Item: a, Effect: effect.Ignored, Rule: e.Rule})
		d = jsonsyntax.VoidBlock(a.Name, source.Where(a))
	}
	m.unwritten[d] = source.Where(a)
	m.report(d)
}

// unsure warns that an item and the replaced one may be an argument or nested blocks.
func (m *merger) unsure(k ambiguityKind, e *MergedItem, it source.Item) {
	if d := m.doubts.add(k, e, it); d != nil {
		m.report(d)
	}
}
