package rules

import (
	"cmp"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
)

// A Set is the table as one engine follows it, indexed by paths. Nobody changes its maps.
type Set struct {
	language *language.BodyShape
	byPath   map[string]*Rule
	within   map[string]*names // by the path around them
	others   *names            // of blocks that no row of the table is inside of
	kinds    sync.Map          // of *Kind, by the path

	Clearing     map[string][]*Rule  // by which a later block removes what it lacks, by the path of the block
	Ranked       map[string][]*Rule  // that outrank others, by the top-level type, in the order of the table
	Addressing   map[string][]string // top-level types that may address the items at a path
	HoldsTargets map[string]bool     // paths of the blocks in which top-level blocks may address items
}

// At returns the rule with a path, or nil.
func (s *Set) At(path string) *Rule { return s.byPath[path] }

// For returns the rule of the items at a path, which may be one of any name there.
func (s *Set) For(path string) *Rule { return s.names(Parent(path)).Find(Base(path), false) }

// names returns the rules inside the body of a path.
func (s *Set) names(path string) *names { return cmp.Or(s.within[path], s.others) }

// A Kind is what bodies of one path have in common.
type Kind struct {
	Path  string
	Rules *Set
	Names *names              // the rules for the names in Path
	Shape *language.BodyShape // nil if only the rules know the path
}

// Kind returns the kind of the bodies of a path.
func (s *Set) Kind(path string) *Kind {
	if known, ok := s.kinds.Load(path); ok {
		return known.(*Kind)
	}
	known, _ := s.kinds.LoadOrStore(path, &Kind{path, s, s.names(path), s.language.At(path)})
	return known.(*Kind)
}

// NewSet indexes the rules that an engine follows.
func NewSet(e engine.Release) *Set {
	s := &Set{
		language: language.Of(e),
		byPath:   map[string]*Rule{},
		within:   map[string]*names{},

		Clearing:     map[string][]*Rule{},
		Ranked:       map[string][]*Rule{},
		Addressing:   map[string][]string{},
		HoldsTargets: map[string]bool{},
	}
	for i := range All {
		r := &All[i]
		if !r.Engines.Has(e) || !s.language.HasPath(r.Path) {
			continue
		}
		s.byPath[r.Path] = r
		if r.Absent == clearEarlier {
			s.Clearing[Parent(r.Path)] = append(s.Clearing[Parent(r.Path)], r)
		}
		if len(r.Outranks) > 0 {
			top, _, _ := strings.Cut(r.Path, "/")
			s.Ranked[top] = append(s.Ranked[top], r)
		}
		for _, target := range r.Targets {
			s.Addressing[target] = append(s.Addressing[target], r.Path)
			s.HoldsTargets[Parent(target)] = true
		}
	}
	s.nameRules()
	return s
}

// names are the rules inside the body of one path.
type names struct {
	byName   map[string]*Rule
	fallback *Rule // of the names that have none of their own
}

// nameRules sorts the rules by the path around them.
func (s *Set) nameRules() {
	s.others = &names{fallback: s.byPath["*"]}
	for path, r := range s.byPath {
		around := s.within[Parent(path)]
		if around == nil {
			around = &names{byName: map[string]*Rule{}, fallback: s.others.fallback}
			s.within[Parent(path)] = around
		}
		around.byName[Base(path)] = r
	}
	for _, around := range s.within {
		around.fallback = cmp.Or(around.byName["*"], around.fallback)
	}
}

// Find returns the rule of a name. A name that an escaping block keeps from the language has no
// separate rule.
func (n *names) Find(name string, isEscaped bool) *Rule {
	if !isEscaped {
		if r := n.byName[name]; r != nil {
			return r
		}
	}
	return n.fallback
}

// Own returns the separate rule of a name, or nil.
func (n *names) Own(name string) *Rule { return n.byName[name] }
