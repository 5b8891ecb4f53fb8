package language

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A Kind is what an argument takes. The table kinds has a row for each.
type Kind int

// The kinds of arguments.
const (
	Expression       Kind = iota // anything
	Condition                    // an expression that refers to something
	Inert                        // accepted and never used
	Constant                     // a value that needs no other object
	Setting                      // a constant bool
	Text                         // a constant string
	Notice                       // a constant string that is not blank
	Word                         // a constant string that is a name
	Constraint                   // a version constraint
	EngineConstraint             // a version constraint on the engine itself
	Type                         // a type expression
	Default                      // a variable's default
	Reference                    // a reference to an object
	References                   // a list of references
	ProviderRef                  // a provider configuration
	ProviderMap                  // provider configurations by provider configuration
	Requirement                  // an entry of required_providers
	IgnoreList                   // attribute paths or the keyword all
	TriggerList                  // references to resources
	When                         // create or destroy
	OnFailure                    // continue or fail
	ImportAddress                // a resource's address whose keys may be expressions
	Method                       // a reference to an encryption method
	Edition                      // a language edition keyword
	Experiments                  // a list of experiment keywords
	Reserved                     // the name is reserved; giving it is an error
	Source                       // where a module is, an expression
	FixedSource                  // where a module is, a constant string
	NativeExpression             // an expression, which JSON can't say although it is read there
	Literal                      // anything; a string in JSON is no template
	Flag                         // a constant bool, not converted
	Events                       // a list of events of a resource
	EarlyEvents                  // the same, for releases that know fewer
	OnActionFailure              // halt, taint or continue
	ActionList                   // a list of references to actions
	NoExperiments                // experiments, in releases that have none
	OldEdition                   // a language edition, in releases that have but one
	OutputType                   // a type expression of the newer form only
	Iterator                     // the name of the elements of a dynamic block
	KeySource                    // a key provider, or an object that is like what one gives

	numKinds = iota
)

// A kindRow is everything that depends on a kind. Rows are written without field
// names, so that one with a field missing does not compile.
type kindRow struct {
	name    string
	reading Reading // how a string in JSON is read
	use     kindUse
	judge   func(*source.Attr) hcl.Diagnostics // of a value by itself; nil takes any
	takes   string                             // for people, where releases differ in the kind
}

// A kindUse sets apart the kinds that need more than a judge.
type kindUse int

const (
	plain    kindUse = iota
	typeExpr         // type expressions, which may hold defaults of optional attributes
	refused          // no value is accepted
)

// kinds has the row of each kind. What Type and Default hold is judged together, by
// DecodeVariable.
var kinds = [numKinds]kindRow{
	Expression:       {"Expression", AsTemplate, plain, nil, "an expression"},
	Condition:        {"Condition", AsTemplate, plain, checkCondition, ""},
	Inert:            {"Inert", AsTemplate, plain, nil, "anything, which it never uses"},
	Constant:         {"Constant", AsTemplate, plain, checkConstant, ""},
	Setting:          {"Setting", AsText, plain, constantOf(cty.Bool), "a constant `true` or `false`"},
	Text:             {"Text", AsText, plain, constantOf(cty.String), "a constant string"},
	Notice:           {"Notice", AsText, plain, checkNotice, "a constant string that is not empty"},
	Word:             {"Word", AsText, plain, checkWord, ""},
	Constraint:       {"Constraint", AsText, plain, checkConstraint, "a constant version constraint"},
	EngineConstraint: {"EngineConstraint", AsText, plain, checkEngineConstraint, "a constant version constraint"},
	Type:             {"Type", AsSource, typeExpr, nil, ""},
	Default:          {"Default", AsText, plain, nil, ""},
	Reference:        {"Reference", AsReference, plain, checkReference, "an address with constant keys"},
	References:       {"References", AsReference, plain, checkReferences, ""},
	ProviderRef:      {"ProviderRef", AsSource, plain, checkProviderRef, ""},
	ProviderMap:      {"ProviderMap", AsSource, plain, checkProviderMap, ""},
	Requirement:      {"Requirement", AsRequirement, plain, checkRequirement, ""},
	IgnoreList:       {"IgnoreList", AsReference, plain, checkIgnoreList, ""},
	TriggerList:      {"TriggerList", AsSource, plain, checkTriggers, ""},
	When:             {"When", AsReference, plain, oneOf("create", "destroy"), ""},
	OnFailure:        {"OnFailure", AsReference, plain, oneOf("continue", "fail"), ""},
	ImportAddress: {"ImportAddress", AsSource, plain, checkImportAddress,
		"an address with any keys"},
	Method:           {"Method", AsBareReference, plain, nil, "a reference to a method"},
	Edition:          {"Edition", AsReference, plain, bareOneOf("tofu2024"), ""},
	Experiments:      {"Experiments", AsReference, plain, checkExperiments, ""},
	Reserved:         {"Reserved", AsText, refused, refuseReserved, ""},
	Source:           {"Source", AsTemplate, plain, nil, "an expression"},
	FixedSource:      {"FixedSource", AsText, plain, checkFixedSource, "a constant string"},
	NativeExpression: {"NativeExpression", AsTemplate, plain, nil, "an expression; in JSON a constant"},
	Literal:          {"Literal", AsText, plain, nil, "an expression"},
	Flag:             {"Flag", AsTemplate, plain, checkFlag, ""},
	Events: {"Events", AsReference, plain, events(triggerEvents),
		"`before_` or `after_` and `create`, `update` or `destroy`"},
	EarlyEvents: {"EarlyEvents", AsReference, plain, events(triggerEvents[:4]),
		"`before_` or `after_` and `create` or `update`"},
	OnActionFailure: {"OnActionFailure", AsReference, plain, bareOneOf("halt", "taint", "continue"), ""},
	ActionList:      {"ActionList", AsSource, plain, checkActions, ""},
	NoExperiments:   {"NoExperiments", AsReference, refused, refuseExperiments, ""},
	OldEdition:      {"OldEdition", AsReference, plain, bareOneOf("TF2021"), "the keyword `TF2021`"},
	OutputType:      {"OutputType", AsSource, typeExpr, checkOutputType, ""},
	Iterator:        {"Iterator", AsBareReference, plain, nil, ""},
	KeySource:       {"KeySource", AsReferenceOrTemplate, plain, nil, "a key provider"},
}

// String is the name of the kind in this package.
func (k Kind) String() string { return kinds[k].name }

// Reading is how a string of an argument is read in JSON.
func (k Kind) Reading() Reading { return kinds[k].reading }

// IsType reports whether arguments of the kind hold type expressions, in which there
// may be defaults of optional attributes.
func (k Kind) IsType() bool { return kinds[k].use == typeExpr }

// Takes describes a value of the kind for people; "" where all releases agree on the
// kind of every argument that has it.
func (k Kind) Takes() string { return kinds[k].takes }

// isRefused reports whether no value of the kind is accepted.
func (k Kind) isRefused() bool { return kinds[k].use == refused }

// judge reports what is wrong with an argument's value, as a loader does: nothing
// that depends on another object is evaluated.
func (k Kind) judge(a *source.Attr) hcl.Diagnostics {
	if judge := kinds[k].judge; judge != nil {
		return judge(a)
	}
	return nil
}
