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

// An engineExcept is an engine for which a finding doesn't hold, and why.
type engineExcept struct {
	engine.Release
	why exceptReason
}

// An exceptReason is why a finding doesn't hold for an engine.
type exceptReason int

const (
	findsNothing    exceptReason = iota // it does something else there
	refusesIt                           // it refuses the subject of the finding
	refusesAll                          // it refuses the module for something else
	doesNotReadFile                     // that the finding is in
)

// words returns the reason as a clause to append to a sentence of the finding: "OpenTofu 1.11 refuses it".
func (e engineExcept) words() string {
	switch e.why {
	case refusesIt:
		return e.Title() + " refuses it"
	case refusesAll:
		return "this doesn't hold for " + e.Title() + ", which refuses the module"
	case doesNotReadFile:
		return e.Title() + " doesn't read the file"
	}
	return "this doesn't hold for " + e.Title()
}

// A subject identifies a finding by rule and location: its message may name the engine.
type subject struct {
	rule          *Rule
	address, file string
	line          int
}

// subjectOf returns the subject of a finding.
func subjectOf(f *Finding) subject {
	return subject{f.Rule, f.Address.String(), f.Range.Filename, f.Range.Start.Line}
}

// incomparable lists rules whose findings can't be compared between engines, besides those about comments:
// they are about one product, or about no product.
var incomparable = []*Rule{EnginesDiffer, DeniedOverride, internalError, UntrackedOverride, IgnoredOverride, shadowedFile}

// Facts record which findings a module has for an engine, and which files that engine reads. They hold
// hashes, since there may be very many findings, and keep no part of the module.
type Facts struct {
	files   map[string]bool
	known   map[uint64]bool // the subjects of all findings
	refused map[uint64]bool // the lines and the addresses of refusals, as subjects without a rule
}

// FactsOf returns what one engine finds in a module, so that Compare can look up the unsettled findings of another
// engine: those that this engine may not have. If all of these are refusals, it judges only diagnostics, which is
// faster. If unsettled is nil, the facts are complete.
func FactsOf(m *merge.Module, diags hcl.Diagnostics, looksFor func(id string) bool, unsettled []*Finding) *Facts {
	facts := &Facts{files: map[string]bool{}, known: map[uint64]bool{}, refused: map[uint64]bool{}}
	for _, f := range m.Source.Files {
		facts.files[f.Name] = true
	}
	f := visitDiagnosed(m, diags, looksFor, facts.Note)
	isNoRefusal := func(x *Finding) bool { return !x.Rule.Refusal }
	if unsettled == nil || slices.ContainsFunc(unsettled, isNoRefusal) { // all refusals are from diagnostics
		f.visitUndiagnosed(diags.HasErrors())
	}
	return facts
}

var factSeed = maphash.MakeSeed()

// hashOf returns the hash of a subject, which differs from run to run.
func hashOf(s subject) uint64 { return maphash.Comparable(factSeed, s) }

// Note records a finding of the engine. A refusal also marks its line and address, for refuses.
func (facts *Facts) Note(f Finding) {
	facts.known[hashOf(subjectOf(&f))] = true
	if f.IsRefusal() {
		facts.refused[hashOf(lineOf(&f))] = true
		facts.refused[hashOf(subject{address: f.Address.String()})] = true
	}
}

// lineOf returns a subject that has only the line of a finding, without a rule.
func lineOf(f *Finding) subject { return subject{file: f.Range.Filename, line: f.Range.Start.Line} }

// reasonWithout returns why the engine of the facts lacks a finding that another engine has.
func (facts *Facts) reasonWithout(f *Finding) exceptReason {
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

// refuses reports whether the engine refuses something on the line of a finding, at its address, or at an
// address around it.
func (facts *Facts) refuses(f *Finding) bool {
	isRefused := facts.refused[hashOf(lineOf(f))]
	for own := f.Address; !isRefused && !own.IsEmpty(); own = own.Parent() {
		isRefused = facts.refused[hashOf(subject{address: own.String()})]
	}
	return isRefused
}

// isComparable reports whether another engine could have the same finding. One that stands for unlisted
// findings, one about a comment and those of incomparable rules have no counterpart.
func (f *Finding) isComparable() bool {
	return f.More == 0 && !f.Rule.Unsilenced && !slices.Contains(incomparable, f.Rule)
}

// Unsettled returns the findings that may not hold for another engine, as pointers into found. It leaves out
// those that can't be compared, and those that certainly hold there: those whose rule judges blocks on their
// own (Rule.Alone), if both engines read these blocks alike. If none remain, the module needn't be loaded for
// the other engine.
func Unsettled(m *load.Module, found []Finding, other engine.Release) []*Finding {
	var list, alone []*Finding // alone: those that hold if both engines read their blocks alike
	keys := map[uint64]bool{}
	for i := range found {
		f := &found[i]
		switch it := load.ItemAt(m, f.Range); {
		case !f.isComparable(): // left out
		case it == nil || !f.Rule.Alone:
			list = append(list, f)
		default:
			top := source.Top(it)
			keys[source.KeyOf(top.Type, top.Labels)] = true
			alone = append(alone, f)
		}
	}
	wants := func(f *source.File, i int) bool { return keys[f.Key(i)] }
	if len(alone) > 0 && !compare.IsReadAlike(m, other, wants, false) { // it must accept them, too
		list = append(list, alone...)
	}
	return list
}

// MarkUnlike sets Unlike in those of the unsettled findings that another engine doesn't have. others are the
// facts of the module as read by that engine.
func MarkUnlike(unsettled []*Finding, others *Facts, other engine.Release) {
	for _, f := range unsettled {
		if !others.known[hashOf(subjectOf(f))] {
			f.Unlike = engineExcept{other, others.reasonWithout(f)}
		}
	}
}

// Qualified returns text, which is a message or summary of the finding. If the finding doesn't hold for some
// engine, it appends that to the first sentence.
func (f *Finding) Qualified(text string) string {
	if f.Unlike.Version == "" {
		return text
	}
	end := diag.EndOfSentence(text)
	return text[:end] + "; " + f.Unlike.words() + text[end:]
}
