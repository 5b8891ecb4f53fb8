package check

import (
	"hash/maphash"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
)

// Findings for modules whose engine is not certain.

// An engineExcept is an engine to which a finding does not apply, and why.
type engineExcept struct {
	engine.Release
	why exceptReason
}

type exceptReason int

const (
	findsNothing    exceptReason = iota // it does something else there
	refusesIt                           // it refuses the subject of the finding
	refusesAll                          // it refuses the module for something else
	doesNotReadFile                     // that the finding is in
)

// words of why, which go on from a finding.
func (u engineExcept) words() string {
	switch u.why {
	case refusesIt:
		return u.Title() + " refuses it"
	case refusesAll:
		return "this doesn't hold for " + u.Title() + ", which refuses the module"
	case doesNotReadFile:
		return u.Title() + " doesn't read the file"
	}
	return "this doesn't hold for " + u.Title()
}

// A subject identifies a finding by rule and location, since its message may depend on the engine's
// name.
type subject struct {
	rule          *Rule
	address, file string
	line          int
}

func subjectOf(f *Finding) subject {
	return subject{f.Rule, f.Address.String(), f.Range.Filename, f.Range.Start.Line}
}

// incomparable are rules whose findings are about a product, or about neither or both, besides
// those about comments.
var incomparable = []*Rule{EnginesDiffer, DeniedOverride, internalError, UntrackedOverride, IgnoredOverride, shadowedFile}

// Facts record which findings a module has for an engine, and which files that engine reads. They
// hold hashes of the findings' subjects, since there may be very many, and nothing of the module.
type Facts struct {
	files          map[string]bool
	known, refused map[uint64]bool
}

// FactsOf are the facts of a module, as far as some findings depend on them; all of them for nil.
func FactsOf(m *merge.Module, diags hcl.Diagnostics, looksFor func(id string) bool, unsettled []*Finding) *Facts {
	facts := &Facts{map[string]bool{}, map[uint64]bool{}, map[uint64]bool{}}
	for _, f := range m.Source.Files {
		facts.files[f.Name] = true
	}
	f := diagnosed(m, diags, looksFor, facts.Note)
	if unsettled == nil || slices.ContainsFunc(unsettled, func(x *Finding) bool { return !x.Rule.Refusal }) {
		f.undiagnosed(diags.HasErrors())
	}
	return facts
}

var factSeed = maphash.MakeSeed()

func hashOf(s subject) uint64 { return maphash.Comparable(factSeed, s) }

// Note records a finding.
func (facts *Facts) Note(f Finding) {
	facts.known[hashOf(subjectOf(&f))] = true
	if f.IsRefusal() {
		facts.refused[hashOf(lineOf(&f))] = true
		facts.refused[hashOf(subject{address: f.Address.String()})] = true
	}
}

// lineOf is the line of a finding, for any rule.
func lineOf(f *Finding) subject { return subject{file: f.Range.Filename, line: f.Range.Start.Line} }

// why explains why the other engine does not have a finding.
func (facts *Facts) why(f *Finding) exceptReason {
	switch {
	case !facts.files[f.Range.Filename]:
		return doesNotReadFile
	case facts.refuses(f):
		return refusesIt
	case len(facts.refused) > 0:
		return refusesAll
	}
	return findsNothing
}

// refuses reports whether the subject of a finding, or a block around it, is refused.
func (facts *Facts) refuses(f *Finding) bool {
	isRefused := facts.refused[hashOf(lineOf(f))]
	for own := f.Address; !isRefused && !own.IsEmpty(); own = own.Parent() {
		isRefused = facts.refused[hashOf(subject{address: own.String()})]
	}
	return isRefused
}

func (f *Finding) isComparable() bool {
	return f.More == 0 && !f.Rule.Unsilenced && !slices.Contains(incomparable, f.Rule)
}

// Unsettled lists the findings of a module that may not hold for another engine. The others surely do, as its
// reading would show.
func Unsettled(m *load.Module, found []Finding, other engine.Release) []*Finding {
	var list, alone []*Finding
	keys := map[uint64]bool{}
	for i := range found {
		f := &found[i]
		switch it := load.ItemAt(m, f.Range); {
		case !f.isComparable():
		case it == nil || !f.Rule.Alone:
			list = append(list, f)
		default:
			top := source.Top(it)
			keys[source.KeyOf(top.Type, top.Labels)] = true
			alone = append(alone, f)
		}
	}
	wants := func(f *source.File, i int) bool { return keys[f.Key(i)] }
	if len(alone) > 0 && !compare.IsReadAlike(m, other, wants, false) {
		list = append(list, alone...)
	}
	return list
}

// Compare marks unsettled findings that do not hold for another engine, given its findings for the same module.
func Compare(unsettled []*Finding, others *Facts, other engine.Release) {
	for _, f := range unsettled {
		if !others.known[hashOf(subjectOf(f))] {
			f.Unlike = engineExcept{other, others.why(f)}
		}
	}
}

// Qualified is a text of the finding, such as its message, whose first sentence names the engine
// for which it does not hold, if that is known.
func (f *Finding) Qualified(text string) string {
	if f.Unlike.Version == "" {
		return text
	}
	end := diag.EndOfSentence(text)
	return text[:end] + "; " + f.Unlike.words() + text[end:]
}
