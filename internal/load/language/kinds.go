package language

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/jsonstring"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A Kind is the kind of values that an argument takes. The table kinds has a row for each.
type Kind int

// The kinds of arguments.
const (
	Expression           Kind = iota // anything
	kindSingle                       // an expression that yields a number, a text or a bool
	kindCondition                    // an expression that refers to something
	kindInert                        // accepted and never used
	Constant                         // a value that needs no other object
	kindSetting                      // a constant bool
	kindText                         // a constant string
	kindNotice                       // a constant string that is not blank
	kindWord                         // a constant string that is a name
	kindConstraint                   // a version constraint
	kindEngineConstraint             // a version constraint on the engine itself
	kindType                         // a type expression
	kindDefault                      // a variable's default
	kindReference                    // a reference to an object
	kindReferences                   // a list of references
	kindProviderRef                  // a provider configuration
	kindProviderMap                  // provider configurations by provider configuration
	Requirement                      // an entry of required_providers
	kindIgnoreList                   // attribute paths or the keyword all
	kindTriggerList                  // references to resources
	kindWhen                         // create or destroy
	kindOnFailure                    // continue or fail
	kindImportAddress                // a resource's address whose keys may be expressions
	kindMethod                       // a reference to an encryption method
	kindEdition                      // a language edition keyword
	kindExperiments                  // a list of experiment keywords
	kindReserved                     // the name is reserved; giving it is an error
	kindSource                       // where a module is, an expression
	kindFixedSource                  // where a module is, a constant string
	NativeExpression                 // an expression that engines read, but JSON can't express
	Literal                          // any value; in JSON, a string that isn't a template
	kindFlag                         // a constant bool, not converted
	kindEvents                       // a list of events of a resource
	kindEarlyEvents                  // the same, for releases that know fewer
	kindOnActionFailure              // halt, taint or continue
	kindActionList                   // a list of references to actions
	kindNoExperiments                // experiments, in releases that have none
	kindOldEdition                   // a language edition, in releases that have but one
	kindOutputType                   // a type expression of the newer form only
	kindIterator                     // the name of the elements of a dynamic block
	kindKeySource                    // a key provider, or an object that resembles the result of one

	numKinds = iota
)

// A kindRow is everything that depends on a kind. Rows are written without field
// names, so that one with a field missing does not compile.
type kindRow struct {
	name    string
	reading jsonstring.Reading // how a string in JSON is read
	use     kindUse
	judge   func(*source.Attr) hcl.Diagnostics // judges the value alone; nil accepts any value
	parts   kindParts
	takes   string // for people, where releases differ in the kind
}

// A kindParts lists what a value of a kind may contain.
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
	Expression:           {"Expression", jsonstring.AsTemplate, plain, nil, some, "an expression"},
	kindSingle:           {"Single", jsonstring.AsTemplate, plain, nil, none, "an expression"},
	kindCondition:        {"Condition", jsonstring.AsTemplate, plain, judge.Condition, none, ""},
	kindInert:            {"Inert", jsonstring.AsTemplate, plain, nil, some, "anything, which it never uses"},
	Constant:             {"Constant", jsonstring.AsTemplate, plain, judge.Constant, some, ""},
	kindSetting:          {"Setting", jsonstring.AsText, plain, judge.ConstantOf(cty.Bool), none, "a constant `true` or `false`"},
	kindText:             {"Text", jsonstring.AsText, plain, judge.ConstantOf(cty.String), none, "a constant string"},
	kindNotice:           {"Notice", jsonstring.AsText, plain, judge.Notice, none, "a constant string that is not empty"},
	kindWord:             {"Word", jsonstring.AsText, plain, judge.Word, none, ""},
	kindConstraint:       {"Constraint", jsonstring.AsText, plain, judge.Constraint, none, "a constant version constraint"},
	kindEngineConstraint: {"EngineConstraint", jsonstring.AsText, plain, judge.EngineConstraint, none, "a constant version constraint"},
	kindType:             {"Type", jsonstring.AsSource, typeExpr, nil, none, ""},
	kindDefault:          {"Default", jsonstring.AsText, plain, nil, some, ""},
	kindReference:        {"Reference", jsonstring.AsReference, plain, judge.Reference, none, "an address with constant keys"},
	kindReferences:       {"References", jsonstring.AsReference, quotable, judge.References, some, ""},
	kindProviderRef:      {"ProviderRef", jsonstring.AsSource, quotable, judge.ProviderRef, none, ""},
	kindProviderMap:      {"ProviderMap", jsonstring.AsSource, quotable, judge.ProviderMap, some, ""},
	Requirement:          {"Requirement", jsonstring.AsRequirement, plain, judge.Requirement, some, ""},
	kindIgnoreList:       {"IgnoreList", jsonstring.AsReference, quotable, judge.IgnoreList, some, ""},
	kindTriggerList:      {"TriggerList", jsonstring.AsSource, plain, judge.Triggers, some, ""},
	kindWhen:             {"When", jsonstring.AsReference, quotable, judge.OneOf("create", "destroy"), none, ""},
	kindOnFailure:        {"OnFailure", jsonstring.AsReference, quotable, judge.OneOf("continue", "fail"), none, ""},
	kindImportAddress: {"ImportAddress", jsonstring.AsSource, plain, judge.ImportAddress,
		none, "an address with any keys"},
	kindMethod:       {"Method", jsonstring.AsBareReference, plain, nil, none, "a reference to a method"},
	kindEdition:      {"Edition", jsonstring.AsReference, plain, judge.BareOneOf("tofu2024"), none, ""},
	kindExperiments:  {"Experiments", jsonstring.AsReference, plain, judge.Experiments, some, ""},
	kindReserved:     {"Reserved", jsonstring.AsText, refused, judge.RefuseReserved, none, ""},
	kindSource:       {"Source", jsonstring.AsTemplate, plain, nil, none, "an expression"},
	kindFixedSource:  {"FixedSource", jsonstring.AsText, plain, judge.FixedSource, none, "a constant string"},
	NativeExpression: {"NativeExpression", jsonstring.AsTemplate, plain, nil, none, "an expression; in JSON a constant"},
	Literal:          {"Literal", jsonstring.AsText, plain, nil, some, "an expression"},
	kindFlag:         {"Flag", jsonstring.AsTemplate, plain, judge.Flag, none, ""},
	kindEvents: {"Events", jsonstring.AsReference, plain, judge.Events(judge.TriggerEvents),
		some, "`before_` or `after_` and `create`, `update` or `destroy`"},
	kindEarlyEvents: {"EarlyEvents", jsonstring.AsReference, plain, judge.Events(judge.TriggerEvents[:4]),
		some, "`before_` or `after_` and `create` or `update`"},
	kindOnActionFailure: {"OnActionFailure", jsonstring.AsReference, plain, judge.BareOneOf("halt", "taint", "continue"), none, ""},
	kindActionList:      {"ActionList", jsonstring.AsSource, plain, judge.Actions, some, ""},
	kindNoExperiments:   {"NoExperiments", jsonstring.AsReference, refused, judge.RefuseExperiments, some, ""},
	kindOldEdition:      {"OldEdition", jsonstring.AsReference, plain, judge.BareOneOf("TF2021"), none, "the keyword `TF2021`"},
	kindOutputType:      {"OutputType", jsonstring.AsSource, typeExpr, judge.OutputType, none, ""},
	kindIterator:        {"Iterator", jsonstring.AsBareReference, plain, nil, none, ""},
	kindKeySource:       {"KeySource", jsonstring.AsReferenceOrTemplate, plain, nil, some, "a key provider"},
}

// String is the name of the kind in this package.
func (k Kind) String() string { return kinds[k].name }

// Reading is how a string of an argument is read in JSON.
func (k Kind) Reading() jsonstring.Reading { return kinds[k].reading }

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

// judge reports errors in an argument's value that a loader finds: it evaluates nothing that
// depends on another object.
func (k Kind) judge(a *source.Attr) hcl.Diagnostics {
	if judge := kinds[k].judge; judge != nil {
		return judge(a)
	}
	return nil
}
