package merge

import (
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
)

// Holds reports whether an engine follows the rule: it knows the path, and does not
// pass over the block around it.
func (r *Rule) Holds(e engine.Release) bool {
	if !r.Engines.Has(e) || !language.HasPlace(e, r.Path) {
		return false
	}
	for path := parent(r.Path); path != ""; path = parent(path) {
		if around := RuleOf(path, e); around != nil && around.Do == Drop && !r.Strict {
			return false
		}
	}
	return true
}

// RuleOf is the row of the table with a path that an engine follows, or nil.
func RuleOf(path string, e engine.Release) *Rule {
	for i := range Rules {
		if r := &Rules[i]; r.Path == path && r.Engines.Has(e) && language.HasPlace(e, path) {
			return r
		}
	}
	return nil
}

// scope says for which releases the rule holds, in a sentence that goes on after
// others; it is empty where that is all of them.
func (r *Rule) scope() string {
	if words := r.Releases(); words != engine.AllReleases {
		return " This holds for " + words + "."
	}
	return ""
}

// releases are those of rules in words, once somebody asked.
var releases sync.Map // of string, by *Rule

// Releases words the set of known releases that follow the rule.
func (r *Rule) Releases() string {
	if known, ok := releases.Load(r); ok {
		return known.(string)
	}
	words := engine.Describe(r.Holds)
	releases.Store(r, words)
	return words
}
