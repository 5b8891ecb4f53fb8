package diag

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// A Code says what a diagnostic is about, for what decides by it; the summary is for
// people. Only diagnostics on which something depends have one.
type Code string

// The codes of diagnostics about the files of a module.
const (
	NoEffect           Code = "no-effect"           // what an override says does nothing
	Unreadable         Code = "unreadable"          // a file can't be read
	OddBytes           Code = "odd-bytes"           // bytes that are no text, which the engine accepts there
	InvalidConstraint  Code = "invalid-constraint"  // no version constraint
	UnknownBlock       Code = "unknown-block"       // a block type that the engine does not know
	NoRegistrySource   Code = "no-registry-source"  // a version of a module that has none
	IncompatibleModule Code = "incompatible-module" // not for the release of the engine
	ConstSecret        Code = "const-secret"        // a constant variable that is a secret
	InitRefuses        Code = "init-refuses"        // a value that init refuses, and no other command
	EnginesDiffer      Code = "engines-differ"      // two engines make different things of an item
)

// A Related is a second place that a diagnostic is about.
type Related struct {
	Note  string // what is there, such as "first declared here"
	Range hcl.Range
	// IsHint says that the place is only what may have been meant.
	IsHint bool
}

// An extra travels in the Extra of an hcl.Diagnostic.
type extra struct {
	code    Code
	related *Related
	also    []hcl.Range
	isGrave bool
}

func extraOf(d *hcl.Diagnostic) extra {
	x, _ := d.Extra.(extra)
	return x
}

// CodeOf is the code of a diagnostic, empty where it has none.
func CodeOf(d *hcl.Diagnostic) Code { return extraOf(d).code }

// WithCode gives a diagnostic a code. It returns the diagnostic.
func WithCode(code Code, d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.code = code
	d.Extra = x
	return d
}

// RelatedOf is the second place of a diagnostic, if it has one.
func RelatedOf(d *hcl.Diagnostic) (related Related, ok bool) {
	if r := extraOf(d).related; r != nil {
		return *r, true
	}
	return Related{}, false
}

// WithRelated gives a diagnostic a second place. It returns the diagnostic.
func WithRelated(related Related, d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.related = &related
	d.Extra = x
	return d
}

// AlsoOf are further places of which a diagnostic says the same as of its subject.
func AlsoOf(d *hcl.Diagnostic) []hcl.Range { return extraOf(d).also }

// WithAlso gives a diagnostic such places in the place of those it has. It returns the
// diagnostic.
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

// Errors are those of a list that people read as errors.
func Errors(diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return !IsError(d) })
}

// Refusals are those of a list for which an engine refuses the module.
func Refusals(diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return d.Severity != hcl.DiagError })
}
