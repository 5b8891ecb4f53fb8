package check

import (
	"fmt"
	"hash/maphash"
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

// Facts are what findings are about, by hashes: there may be very many. They keep nothing of the
// module.
type Facts map[uint64]struct{}

var factSeed = maphash.MakeSeed()

func hashOf(f *Finding) uint64 { return maphash.Comparable(factSeed, placed(f)) }

// Note takes up what a finding is about.
func (facts Facts) Note(f Finding) { facts[hashOf(&f)] = struct{}{} }

// Compare notes which findings do not hold for another engine, given what is found for it
// in the same module.
func Compare(found []Finding, others Facts, other engine.Release) {
	for i := range found {
		f := &found[i]
		if _, holds := others[hashOf(f)]; !holds && f.More == 0 && !slices.Contains(incomparable, f.Rule) {
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
