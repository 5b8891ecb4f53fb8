package address

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Patterns are several patterns, on the way from the address of a block to those of all that it
// holds, at every depth.
type Patterns []Pattern

// A Progress is how far each pattern has got, all ways to address a thing taken
// together: were each way followed by itself, every block around it would double
// their number.
type Progress []reached

// Start is how far the patterns got where no segment was read.
func (ps Patterns) Start() Progress {
	at := make(Progress, len(ps))
	for i, p := range ps {
		at[i] = p.start()
	}
	return at
}

// follow goes on from what another address has reached, and reports whether a
// pattern is used up on the way.
func (ps Patterns) follow(from Progress, way Address) (Progress, bool) {
	at, isMatch := slices.Clone(from), false
	for segment := range way.texts() {
		for i, p := range ps {
			at[i] = p.follow(at[i], segment)
			isMatch = isMatch || p.isAt(at[i])
		}
	}
	return at, isMatch
}

// Reach is what an address of a top-level object reaches.
func (ps Patterns) Reach(a Address) Progress {
	at, _ := ps.follow(ps.Start(), a)
	return at
}

// AreAt reports whether a pattern is used up.
func (ps Patterns) AreAt(at Progress) bool {
	for i, p := range ps {
		if p.isAt(at[i]) {
			return true
		}
	}
	return false
}

// Ways follows the ways to address an item: by its name, for a block also by its
// number among those of one name, and by its labels.
func (ps Patterns) Ways(around Progress, name Address, number int, it source.Item) (Progress, bool) {
	at, isMatch := ps.follow(around, name)
	b, ok := it.(*source.Block)
	if !ok || it.Within() == nil {
		return at, isMatch
	}
	ways := []Address{name.At(number)}
	if len(b.Labels) > 0 && b.Called() == b.Type {
		ways = append(ways, name.Child(b.Labels...))
	}
	for _, way := range ways {
		other, isOther := ps.follow(around, way)
		isMatch = isMatch || isOther
		at.Join(other)
	}
	return at, isMatch
}

// Join adds what another address of the same thing has reached.
func (at Progress) Join(other Progress) {
	for i := range at {
		at[i] = at[i].or(other[i])
	}
}
