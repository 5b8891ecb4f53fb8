package merge

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
)

// A ruleSet is the table as one engine follows it, indexed.
type ruleSet struct {
	language *language.BodyShape
	byPath   map[string]*Rule
	absent   map[string][]*Rule  // rules with an Absent action, by the path around them
	ranked   map[string][]*Rule  // rules that outrank others, by the top-level type, in table order
	homes    map[string][]string // top-level types that may address a path
	holds    map[string]bool     // paths that hold a home
}

func newRuleSet(rules []Rule, e engine.Release) *ruleSet {
	s := &ruleSet{language.Of(e), map[string]*Rule{}, map[string][]*Rule{}, map[string][]*Rule{}, map[string][]string{}, map[string]bool{}}
	for i := range rules {
		r := &rules[i]
		if !r.Engines.Has(e) || !s.language.HasPath(r.Path) {
			continue
		}
		s.byPath[r.Path] = r
		if r.Absent == Clear {
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
	return s
}

// find returns the rule of a name inside the body of a path. A name that an
// escaping block keeps from the language has no rule of its own.
func (s *ruleSet) find(path string, key Key) *Rule {
	if key.Space == Meta {
		if r := s.byPath[join(path, key.Name)]; r != nil {
			return r
		}
	}
	if r := s.byPath[join(path, "*")]; r != nil && path != "" {
		return r
	}
	return s.byPath["*"]
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
