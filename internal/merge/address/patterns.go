package address

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Patterns are several patterns, matched from the address of a block down to those of all its
// contents.
type Patterns []Pattern

// A Progress is the match state of each pattern, for all ways to address an item at once: following
// each way separately would double their number with every surrounding block.
type Progress []prefixSet

// Start is how far the patterns got where no segment was read.
func (ps Patterns) Start() Progress {
	at := make(Progress, len(ps))
	for i, p := range ps {
		at[i] = p.start()
	}
	return at
}

// Follow continues from the match state of another address.
func (ps Patterns) Follow(from Progress, way ...segments.Segment) Progress {
	at := slices.Clone(from)
	for _, s := range way {
		for i, p := range ps {
			at[i] = p.follow(at[i], s)
		}
	}
	return at
}

// FollowOther continues with a name that isn't known.
func (ps Patterns) FollowOther(from Progress, isKnown func(name string) bool) Progress {
	return ps.through(from, func(s step) bool { return !s.IsIndex() && (s.isWild || !isKnown(s.Name)) })
}

// FollowAnyIndex continues with any number, or none.
func (ps Patterns) FollowAnyIndex(from Progress) Progress {
	to := ps.through(from, func(s step) bool { return s.IsIndex() || s.isWild && s.Name == "*" })
	to.Join(from)
	return to
}

// FollowNumber continues with a number in a pattern, or none.
func (ps Patterns) FollowNumber(from Progress) Progress {
	to := ps.through(from, step.IsIndex)
	to.Join(from)
	return to
}

// through continues with a segment that some steps of the patterns fit.
func (ps Patterns) through(from Progress, fits func(step) bool) Progress {
	to := make(Progress, len(ps))
	for i, p := range ps {
		if from[i] == nil {
			continue
		}
		r := make(prefixSet, len(from[i]))
		for n, s := range p.steps {
			switch {
			case !from[i][n]:
			case s.isAny():
				r[n] = true
			case fits(s):
				r[n+1] = true
			}
		}
		to[i] = p.skip(r)
	}
	return to
}

// IsAt reports whether so many segments of one of the patterns may be used up.
func (at Progress) IsAt(pattern, segments int) bool {
	return at[pattern] != nil && at[pattern][segments]
}

// follow also reports whether a pattern is used up on the way.
func (ps Patterns) follow(at Progress, way Address) (Progress, bool) {
	isMatch := false
	for _, s := range way.Segments() {
		at = ps.Follow(at, s)
		isMatch = isMatch || ps.AreAt(at)
	}
	return at, isMatch
}

// Reach is the match state of a top-level object's address.
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

// MayGoOn reports whether a pattern may match something below.
func (ps Patterns) MayGoOn(at Progress) bool {
	return slices.ContainsFunc(at, func(r prefixSet) bool { return r != nil && slices.Contains(r[:len(r)-1], true) })
}

// Going names the first pattern that may match something below.
func (ps Patterns) Going(at Progress) string {
	for i, p := range ps {
		if ps[i : i+1].MayGoOn(at[i : i+1]) {
			return p.text
		}
	}
	return ""
}

// Ways follows the ways to address an item: by its name, for a block also by its number among those
// of one name, and by its labels. It reports whether a pattern matches.
func (ps Patterns) Ways(around Progress, name Address, number int, it source.Item) (Progress, bool) {
	at, isMatch := ps.follow(slices.Clone(around), name)
	b, ok := it.(*source.Block)
	if !ok || it.Within() == nil {
		return at, isMatch
	}
	if len(b.Labels) > 0 && b.Called() == b.Type {
		labelled, isOther := ps.follow(slices.Clone(around), name.Child(b.Labels...))
		isMatch = isMatch || isOther
		at.Join(labelled)
	}
	at.Join(ps.Follow(at, segments.At(number)))
	return at, isMatch || ps.AreAt(at)
}

// Join adds the match state of another address of the same object.
func (at Progress) Join(other Progress) {
	for i := range at {
		at[i] = at[i].or(other[i])
	}
}
