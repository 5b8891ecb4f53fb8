package address

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Most top-level blocks can be ruled out by their headers alone, which takes next to no time and
// memory.

// Leading returns a function that reports whether a pattern may match a top-level block of a
// module, or something in it. If it reports false, none does.
func (ps *Patterns) Leading(m *merge.Module) func(f *source.File, i int) bool {
	l := &leadMatcher{module: m, patterns: ps, starts: map[string]*starts{}}
	return l.mayMatch
}

// A leadMatcher compares the headers of blocks with patterns.
type leadMatcher struct {
	module   *merge.Module
	patterns *Patterns
	starts   map[string]*starts // by type
	names    [][]byte           // of the address at hand
}

// starts are the prefixes of the addresses of a type.
type starts struct {
	own       []byteNames
	first     byteNames
	hasLabels bool
	isKnown   bool
}

type byteNames [][]byte

func namesOf(names []string) byteNames {
	list := make(byteNames, len(names))
	for i, n := range names {
		list[i] = []byte(n)
	}
	return list
}

func (l *leadMatcher) startsOf(typ []byte) *starts {
	if known := l.starts[string(typ)]; known != nil {
		return known
	}
	first, hasLabels, own, isKnown := l.module.Start(string(typ))
	s := &starts{first: namesOf(first), hasLabels: hasLabels, isKnown: isKnown}
	for _, names := range own {
		s.own = append(s.own, namesOf(names))
	}
	l.starts[string(typ)] = s
	return s
}

func (l *leadMatcher) mayMatch(f *source.File, i int) bool {
	s := l.startsOf(f.TypeOf(i))
	if !s.isKnown {
		return true
	}
	for _, names := range s.own {
		if l.mayLead(names) {
			return true
		}
	}
	l.names = append(l.names[:0], s.first...)
	if s.hasLabels {
		l.names = f.LabelsOf(i, l.names)
	}
	return l.mayLead(l.names)
}

// mayLead reports whether a pattern may match an address that starts with names.
func (l *leadMatcher) mayLead(names [][]byte) bool {
	for _, p := range l.patterns.list {
		if p.mayLead(names) {
			return true
		}
	}
	return false
}

func (p Pattern) mayLead(names [][]byte) bool {
	for i, name := range names {
		if i == len(p.steps) || p.steps[i].isAny() {
			return true
		}
		switch s := p.steps[i]; {
		case s.isWild && s.Name == "*":
		case s.IsIndex():
			return false
		case s.isWild:
			if !matchText(s.Name, string(name)) {
				return false
			}
		case s.Name != string(name):
			return false
		}
	}
	return true
}

// plain is the pattern of nothing but the names of some segments.
func (f *finder) plain() *Patterns {
	var p Pattern
	for _, s := range f.wanted {
		if !s.IsIndex() {
			p.steps = append(p.steps, step{s, false})
		}
	}
	return NewPatterns(p)
}
