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
	Single                       // an expression that yields a number, a text or a bool
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
	parts   kindParts
	takes   string // for people, where releases differ in the kind
}

// A kindParts says what a value of a kind may have.
type kindParts int

const (
	some kindParts = iota // keys or elements
	none                  // neither: it is a single value or a reference
)

// A kindUse sets apart the kinds that need more than a judge.
type kindUse int

const (
	plain    kindUse = iota
	typeExpr         // type expressions, which may hold defaults of optional attributes
	refused          // no value is accepted
	quotable         // references and keywords, which may be in quotes
)

// kinds has the row of each kind. What Type and Default hold is judged together, by
// DecodeVariable.
var kinds = [numKinds]kindRow{
	Expression:       {"Expression", AsTemplate, plain, nil, some, "an expression"},
	Single:           {"Single", AsTemplate, plain, nil, none, "an expression"},
	Condition:        {"Condition", AsTemplate, plain, checkCondition, none, ""},
	Inert:            {"Inert", AsTemplate, plain, nil, some, "anything, which it never uses"},
	Constant:         {"Constant", AsTemplate, plain, checkConstant, some, ""},
	Setting:          {"Setting", AsText, plain, constantOf(cty.Bool), none, "a constant `true` or `false`"},
	Text:             {"Text", AsText, plain, constantOf(cty.String), none, "a constant string"},
	Notice:           {"Notice", AsText, plain, checkNotice, none, "a constant string that is not empty"},
	Word:             {"Word", AsText, plain, checkWord, none, ""},
	Constraint:       {"Constraint", AsText, plain, checkConstraint, none, "a constant version constraint"},
	EngineConstraint: {"EngineConstraint", AsText, plain, checkEngineConstraint, none, "a constant version constraint"},
	Type:             {"Type", AsSource, typeExpr, nil, none, ""},
	Default:          {"Default", AsText, plain, nil, some, ""},
	Reference:        {"Reference", AsReference, plain, checkReference, none, "an address with constant keys"},
	References:       {"References", AsReference, quotable, checkReferences, some, ""},
	ProviderRef:      {"ProviderRef", AsSource, quotable, checkProviderRef, none, ""},
	ProviderMap:      {"ProviderMap", AsSource, quotable, checkProviderMap, some, ""},
	Requirement:      {"Requirement", AsRequirement, plain, checkRequirement, some, ""},
	IgnoreList:       {"IgnoreList", AsReference, quotable, checkIgnoreList, some, ""},
	TriggerList:      {"TriggerList", AsSource, plain, checkTriggers, some, ""},
	When:             {"When", AsReference, quotable, oneOf("create", "destroy"), none, ""},
	OnFailure:        {"OnFailure", AsReference, quotable, oneOf("continue", "fail"), none, ""},
	ImportAddress: {"ImportAddress", AsSource, plain, checkImportAddress,
		none, "an address with any keys"},
	Method:           {"Method", AsBareReference, plain, nil, none, "a reference to a method"},
	Edition:          {"Edition", AsReference, plain, bareOneOf("tofu2024"), none, ""},
	Experiments:      {"Experiments", AsReference, plain, checkExperiments, some, ""},
	Reserved:         {"Reserved", AsText, refused, refuseReserved, none, ""},
	Source:           {"Source", AsTemplate, plain, nil, none, "an expression"},
	FixedSource:      {"FixedSource", AsText, plain, checkFixedSource, none, "a constant string"},
	NativeExpression: {"NativeExpression", AsTemplate, plain, nil, none, "an expression; in JSON a constant"},
	Literal:          {"Literal", AsText, plain, nil, some, "an expression"},
	Flag:             {"Flag", AsTemplate, plain, checkFlag, none, ""},
	Events: {"Events", AsReference, plain, events(triggerEvents),
		some, "`before_` or `after_` and `create`, `update` or `destroy`"},
	EarlyEvents: {"EarlyEvents", AsReference, plain, events(triggerEvents[:4]),
		some, "`before_` or `after_` and `create` or `update`"},
	OnActionFailure: {"OnActionFailure", AsReference, plain, bareOneOf("halt", "taint", "continue"), none, ""},
	ActionList:      {"ActionList", AsSource, plain, checkActions, some, ""},
	NoExperiments:   {"NoExperiments", AsReference, refused, refuseExperiments, some, ""},
	OldEdition:      {"OldEdition", AsReference, plain, bareOneOf("TF2021"), none, "the keyword `TF2021`"},
	OutputType:      {"OutputType", AsSource, typeExpr, checkOutputType, none, ""},
	Iterator:        {"Iterator", AsBareReference, plain, nil, none, ""},
	KeySource:       {"KeySource", AsReferenceOrTemplate, plain, nil, some, "a key provider"},
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

// HasParts reports whether a value of the kind may have keys or elements.
func (k Kind) HasParts() bool { return kinds[k].parts == some }

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
