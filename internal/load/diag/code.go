package diag

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// A Code identifies the kind of a diagnostic, for code that depends on it; the summary is for
// people. Only such diagnostics have a code.
type Code string

// The codes of diagnostics about the files of a module.
const (
	NoEffect           Code = "no-effect"           // an override that changes nothing
	Unreadable         Code = "unreadable"          // a file can't be read
	OddBytes           Code = "odd-bytes"           // bytes that aren't text, accepted by the engine there
	InvalidConstraint  Code = "invalid-constraint"  // no version constraint
	UnknownBlock       Code = "unknown-block"       // a block type that the engine does not know
	NoRegistrySource   Code = "no-registry-source"  // a version of a module that has none
	IncompatibleModule Code = "incompatible-module" // not for the release of the engine
	ConstSecret        Code = "const-secret"        // a constant variable that is a secret
	InitRefuses        Code = "init-refuses"        // a value that init refuses, and no other command
	EnginesDiffer      Code = "engines-differ"      // two engines make different things of an item
)

// A Related is a second range that a diagnostic is about.
type Related struct {
	Note  string // describes that range, such as "first declared here"
	Range hcl.Range
	// IsHint marks a range that may only have been meant.
	IsHint bool
}

// An extra travels in the Extra of an hcl.Diagnostic.
type extra struct {
	code    Code
	related *Related
	also    []hcl.Range
	isGrave bool
	isGiven bool
}

func extraOf(d *hcl.Diagnostic) extra {
	x, _ := d.Extra.(extra)
	return x
}

// CodeOf is the code of a diagnostic, empty if it has none.
func CodeOf(d *hcl.Diagnostic) Code { return extraOf(d).code }

// WithCode gives a diagnostic a code. It returns the diagnostic.
func WithCode(code Code, d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.code = code
	d.Extra = x
	return d
}

// RelatedOf returns the second range of a diagnostic, if it has one.
func RelatedOf(d *hcl.Diagnostic) (related Related, ok bool) {
	if r := extraOf(d).related; r != nil {
		return *r, true
	}
	return Related{}, false
}

// WithRelated gives a diagnostic a second range, and returns the diagnostic.
func WithRelated(related Related, d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.related = &related
	d.Extra = x
	return d
}

// Given marks diagnostics whose file names are as options gave them: paths from the working directory,
// not names in the directory of the module.
func Given(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		x := extraOf(d)
		x.isGiven = true
		d.Extra = x
	}
	return diags
}

// IsGiven reports whether Given has marked a diagnostic.
func IsGiven(d *hcl.Diagnostic) bool { return extraOf(d).isGiven }

// AlsoOf returns further ranges to which a diagnostic applies as it does to its subject.
func AlsoOf(d *hcl.Diagnostic) []hcl.Range { return extraOf(d).also }

// WithAlso replaces the further ranges of a diagnostic, and returns the diagnostic.
func WithAlso(places []hcl.Range, d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.also = places
	d.Extra = x
	return d
}

// ReadAsError marks a warning that people read as an error although the module is printed: the
// engine accepts what nobody can mean, or refuses the module only when it is installed or
// planned. It returns the diagnostic.
func ReadAsError(d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.isGrave = true
	d.Extra = x
	return d
}

// IsError reports whether people read a diagnostic as an error. Whether there is a result is
// decided by its severity alone.
func IsError(d *hcl.Diagnostic) bool { return d.Severity == hcl.DiagError || extraOf(d).isGrave }

// Errors returns the diagnostics of a list that are shown as errors.
func Errors(diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return !IsError(d) })
}

// Refusals returns the diagnostics of a list for which an engine refuses the module.
func Refusals(diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return d.Severity != hcl.DiagError })
}
