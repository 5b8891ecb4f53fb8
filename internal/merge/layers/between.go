package layers

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
)

// A ValueChange is a variable whose value is not the same in two sets.
type ValueChange struct {
	Name string
	// Before and After are the values; nil if the module doesn't declare the variable.
	Before, After *ValueSide
}

// A ValueSide is a value, and the layer in effect; nil if nothing gives one.
type ValueSide struct {
	Result
	From *Layer
}

// Kind is what became of the value.
func (c *ValueChange) Kind() changes.Kind {
	switch {
	case c.Before == nil:
		return changes.Added
	case c.After == nil:
		return changes.Dropped
	}
	return changes.Changed
}

// IsSecret reports whether one of the values is not to be shown. Then neither is.
func (c *ValueChange) IsSecret() bool { return c.Before.isSecret() || c.After.isSecret() }

func (v *ValueSide) isSecret() bool {
	return v != nil && (v.Result.IsSecret || v.From != nil && v.From.IsSecret)
}

// Between lists the declared variables whose values are not the same in two sets: in the order of
// the later one, and then those that only the earlier one declares.
func Between(was, is *Set) []ValueChange {
	var list []ValueChange
	add := func(name string) {
		c := ValueChange{Name: name, Before: was.side(name), After: is.side(name)}
		if (c.Before != nil || c.After != nil) && !c.Before.isSame(c.After) {
			list = append(list, c)
		}
	}
	for _, v := range is.variables {
		add(v.Name)
	}
	for _, v := range was.variables {
		if is.byName[v.Name] == nil {
			add(v.Name)
		}
	}
	return list
}

// side is the value of a variable that is declared, or nil.
func (s *Set) side(name string) *ValueSide {
	v := s.byName[name]
	if v == nil || v.Item == nil {
		return nil
	}
	side := &ValueSide{s.Result(v), v.InEffect()}
	if side.IsDefault {
		side.From = &v.Layers[0]
	}
	return side
}

// isSame reports whether two values are the same. Values that are unknown, or too large to compare,
// are the same if their texts are.
func (v *ValueSide) isSame(other *ValueSide) bool {
	switch {
	case v == nil || other == nil:
		return v == other
	case v.State != other.State:
		return false
	case v.State == Known && !limits.IsVast(v.Value) && !limits.IsVast(other.Value):
		return bytes.Equal(computed.ValueText(v.Value), computed.ValueText(other.Value))
	}
	return bytes.Equal(v.From.text(), other.From.text())
}

// text is a layer's value as it was written.
func (l *Layer) text() []byte {
	switch {
	case l == nil:
		return nil
	case l.Default != nil:
		return l.Default.Display()
	case l.Value != nil:
		return l.Value.Text()
	}
	return nil
}
