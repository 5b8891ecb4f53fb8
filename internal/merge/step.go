package merge

import (
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
