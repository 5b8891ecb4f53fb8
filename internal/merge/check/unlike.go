package check

import (
	"fmt"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// What is found where it is not certain which engine runs the module.

// A place is where a rule finds something, whatever words an engine's name makes different.
type place struct {
	rule          *Rule
	address, file string
	line          int
}

func placed(f *Finding) place {
	return place{f.Rule, f.Address.String(), f.Range.Filename, f.Range.Start.Line}
}

// incomparable are rules whose findings are about a product or about neither.
var incomparable = []*Rule{EnginesDiffer, DeniedOverride, lockMismatch, internalError, UntrackedOverride, IgnoredOverride}

// Facts are what findings are about. They keep nothing of the module.
type Facts map[place]bool

// FactsOf are those of some findings.
func FactsOf(found []Finding) Facts {
	facts := Facts{}
	for i := range found {
		facts[placed(&found[i])] = true
	}
	return facts
}

// Compare notes which findings do not hold for another engine, given what is found for it
// in the same module.
func Compare(found []Finding, others Facts, other engine.Release) {
	for i := range found {
		if f := &found[i]; !others[placed(f)] && !slices.Contains(incomparable, f.Rule) {
			f.Unlike = other
		}
	}
}

// Qualified is a text of the finding, such as its message, whose first sentence says which
// engine it does not hold for, if that is known.
func (f *Finding) Qualified(text string) string {
	if f.Unlike.Version == "" {
		return text
	}
	end := diag.EndOfSentence(text)
	return fmt.Sprintf("%s; this doesn't hold for %s%s", text[:end], f.Unlike.Title(), text[end:])
}
