package deny

import "github.com/tofumerge/tofumerge/internal/load/source"

// A counter numbers nested blocks of a type. A dynamic block makes any number of them, so it and
// those behind it have no certain number.
type counter struct {
	n        int
	isUnsure bool
}

// next is the number of the next item; negative without a certain one.
func (c *counter) next(it source.Item) int {
	if b, ok := it.(*source.Block); ok && b.Type == source.DynamicBlock {
		c.isUnsure = true
	}
	if c.isUnsure {
		return -1
	}
	c.n++
	return c.n - 1
}

// counters number the nested blocks of a body by their types.
type counters map[string]*counter

func (c counters) of(name string) *counter {
	if c[name] == nil {
		c[name] = &counter{}
	}
	return c[name]
}
