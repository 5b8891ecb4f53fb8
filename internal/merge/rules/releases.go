package rules

import (
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
)

// Holds reports whether an engine follows the rule: it knows the path, and does not
// pass over the block around it.
func (r *Rule) Holds(e engine.Release) bool {
	if !r.Engines.Has(e) || !language.Of(e).HasPath(r.Path) {
		return false
	}
	for path := Parent(r.Path); path != ""; path = Parent(path) {
		if around := Of(path, e); around != nil && around.Do == Drop && !r.Strict {
			return false
		}
	}
	return true
}

// Of is the row of the table with a path that an engine follows, or nil.
func Of(path string, e engine.Release) *Rule {
	for i := range All {
		if r := &All[i]; r.Path == path && r.Engines.Has(e) && language.Of(e).HasPath(path) {
			return r
		}
	}
	return nil
}

// Scope states in parentheses for which releases the rule holds; it is empty for all releases.
func (r *Rule) Scope() string {
	if words := r.Releases(); words != engine.AllReleases {
		return " (" + words + ")"
	}
	return ""
}

// Sentence is Why with the releases that the rule holds for.
func (r *Rule) Sentence() string { return r.Scoped(r.Why) }

// Scoped puts the releases of the rule at the end of a sentence, or of the last of several.
func (r *Rule) Scoped(why string) string { return strings.TrimSuffix(why, ".") + r.Scope() + "." }

// releasesOf words the releases of one product that follow the rule, without its name; empty if
// that is all of them.
func (r *Rule) releasesOf(p engine.Product) string { return p.Describe(r.Holds) }

// releases caches the releases of rules in words.
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
