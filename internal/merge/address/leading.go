package address

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Leading returns a function that reports whether a pattern may match a top-level block of a
// module, or something in it. If it reports false, none does. It reads the headers of blocks alone,
// which takes next to no time and memory, and rules out most blocks.
func (ps *Patterns) Leading(m *merge.Module) func(f *source.File, i int) bool {
	starts := map[string]*start{} // by type
	var labels [][]byte
	return func(f *source.File, i int) bool {
		typ := f.TypeOf(i)
		s := starts[string(typ)]
		if s == nil {
			s = ps.startOf(m, string(typ))
			starts[string(typ)] = s
		}
		if s.isSure || !s.hasLabels {
			return s.isSure || len(s.at) > 0
		}
		at := s.at
		labels = f.LabelsOf(i, labels[:0])
		for n, label := range labels {
			switch n {
			case len(labels) - 1:
				return ps.mayFollow(at, label)
			case 0:
				at = s.first(ps, label)
			default:
				at = ps.step(at, segments.Named(string(label)))
			}
			if len(at) == 0 || ps.AreAt(at) {
				return len(at) > 0
			}
		}
		return true
	}
}

// A start is what the type of a top-level block reveals about its address.
type start struct {
	at        Progress // after the names that the addresses of the type start with
	hasLabels bool     // which follow these names
	isSure    bool     // a pattern may match, whatever the labels are
	// firsts are the states after a first label, which many blocks share.
	firsts map[string]Progress
}

func (s *start) first(ps *Patterns, label []byte) Progress {
	at, isKnown := s.firsts[string(label)]
	if !isKnown {
		at = ps.step(s.at, segments.Named(string(label)))
		s.firsts[string(label)] = at
	}
	return at
}

func (ps *Patterns) startOf(m *merge.Module, typ string) *start {
	names, hasLabels, own, isKnown := m.Start(typ)
	s := &start{hasLabels: hasLabels, isSure: !isKnown, firsts: map[string]Progress{}}
	for _, names := range own {
		at, isMatch := ps.follow(ps.Start(), New(names...))
		s.isSure = s.isSure || isMatch || len(at) > 0
	}
	at, isMatch := ps.follow(ps.Start(), New(names...))
	s.at = at
	s.isSure = s.isSure || isMatch || slices.ContainsFunc(at, func(i int) bool { return ps.states[i].isAny })
	return s
}
