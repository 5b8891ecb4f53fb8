package merge

import (
	"cmp"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
)

// A ruleSet is the table as one engine follows it, indexed.
type ruleSet struct {
	language *language.BodyShape
	byPath   map[string]*Rule
	within   map[string]*namedRules // by the path around them
	others   *namedRules            // where no row of the table is for
	absent   map[string][]*Rule     // rules with an Absent action, by the path around them
	ranked   map[string][]*Rule     // rules that outrank others, by the top-level type, in table order
	homes    map[string][]string    // top-level types that may address a path
	holds    map[string]bool        // paths that hold a home
	kinds    sync.Map               // of *bodyKind, by the path
}

// A bodyKind is what bodies of one path have in common.
type bodyKind struct {
	Path  string
	rules *ruleSet
	named *namedRules // the rules for the names in Path
	shape *language.BodyShape
}

// kind returns the kind of the bodies of a path.
func (s *ruleSet) kind(path string) *bodyKind {
	if known, ok := s.kinds.Load(path); ok {
		return known.(*bodyKind)
	}
	known, _ := s.kinds.LoadOrStore(path, &bodyKind{path, s, s.in(path), s.language.At(path)})
	return known.(*bodyKind)
}

func newRuleSet(rules []Rule, e engine.Release) *ruleSet {
	s := &ruleSet{
		language: language.Of(e),
		byPath:   map[string]*Rule{},
		within:   map[string]*namedRules{},
		absent:   map[string][]*Rule{},
		ranked:   map[string][]*Rule{},
		homes:    map[string][]string{},
		holds:    map[string]bool{},
	}
	for i := range rules {
		r := &rules[i]
		if !r.Engines.Has(e) || !s.language.HasPath(r.Path) {
			continue
		}
		s.byPath[r.Path] = r
		if r.Absent == clearEarlier {
			s.absent[parent(r.Path)] = append(s.absent[parent(r.Path)], r)
		}
		if len(r.Outranks) > 0 {
			top, _, _ := strings.Cut(r.Path, "/")
			s.ranked[top] = append(s.ranked[top], r)
		}
		for _, home := range r.Homes {
			s.homes[home] = append(s.homes[home], r.Path)
			s.holds[parent(home)] = true
		}
	}
	s.nameRules()
	return s
}

// namedRules are the rules inside the body of one path.
type namedRules struct {
	byName map[string]*Rule
	rest   *Rule // of the names that have none of their own
}

// nameRules sorts the rules by the path around them.
func (s *ruleSet) nameRules() {
	s.others = &namedRules{rest: s.byPath["*"]}
	for path, r := range s.byPath {
		around := s.within[parent(path)]
		if around == nil {
			around = &namedRules{byName: map[string]*Rule{}, rest: s.others.rest}
			s.within[parent(path)] = around
		}
		around.byName[base(path)] = r
	}
	for _, around := range s.within {
		around.rest = cmp.Or(around.byName["*"], around.rest)
	}
}

// in returns the rules inside the body of a path.
func (s *ruleSet) in(path string) *namedRules { return cmp.Or(s.within[path], s.others) }

// find returns the rule of a name. A name that an escaping block keeps from the language has no
// separate rule.
func (n *namedRules) find(key Key) *Rule {
	if key.Space == metaSpace {
		if r := n.byName[key.Name]; r != nil {
			return r
		}
	}
	return n.rest
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

// parent is the path around a path's last name.
func parent(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}

// base is a path's last name.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
