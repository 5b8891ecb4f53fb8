package merge

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// What histories are made of.

// A Step records what one source item did, and by which rule.
type Step struct {
	Item   source.Item // nil: what happened was caused by the absence, or by the presence, of something else
	Effect effect.Kind
	Rule   *rules.Rule
	cause  *cause // nil unless another item caused the step
}

// A cause is apart from its step, since there may be very many steps without one.
type cause struct {
	by    source.Item
	value *computed.Literal
}

// By is what caused the step: the item itself, a sibling, a later block.
func (s *Step) By() source.Item {
	if s.cause != nil {
		return s.cause.by
	}
	return s.Item
}

// Value is a text that no file holds, which is in effect from the step on; or nil.
func (s *Step) Value() *computed.Literal {
	if s.cause == nil {
		return nil
	}
	return s.cause.value
}

// because is the step with what caused it.
func (s Step) because(by source.Item) Step {
	if by != s.Item {
		s.cause = &cause{by: by}
	}
	return s
}

// manySteps is of how many steps it is likely that many more follow.
const manySteps = 8

func (e *MergedItem) step(s Step) {
	if len(e.Steps) == cap(e.Steps) {
		room := len(e.Steps)
		if room >= manySteps {
			room *= 3
		}
		e.Steps = slices.Grow(e.Steps, max(1, room)) // append makes long ones anew more often
	}
	e.Steps = append(e.Steps, s)
}

// Steps calls visit with every step of every history, in the order of the items.
// Those that no override addressed have one step, in which a primary file defined
// them.
func (m *Module) Steps(visit func(*MergedItem, Step)) { eachStep(m.All(), visit) }

func eachStep(items []*MergedItem, visit func(*MergedItem, Step)) {
	for _, e := range items {
		for _, s := range e.Steps {
			visit(e, s)
		}
		if e.Inner() != nil {
			eachStep(e.Inner().All(), visit)
		}
	}
}
