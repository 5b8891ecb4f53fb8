package language

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A Kind is the kind of values that an argument takes. The kinds below are written without field
// names, so that one with a field missing does not compile.
type Kind struct {
	reading jsontree.Reading // how a string in JSON is read
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

// symbolLibraries is the experiment of reading symbol libraries.
const symbolLibraries = "symbol_libraries"

// The kinds of arguments. What kindType and kindDefault hold is judged together, by
// judge.Variable.
var (
	// Expression is anything.
	Expression = &Kind{jsontree.AsTemplate, plain, nil, some, "an expression"}
	// An expression that yields a number, a text or a bool.
	kindSingle = &Kind{jsontree.AsTemplate, plain, nil, none, "an expression"}
	// An expression that refers to something.
	kindCondition = &Kind{jsontree.AsTemplate, plain, judge.Condition, none, ""}
	// Accepted and never used.
	kindInert = &Kind{jsontree.AsTemplate, plain, nil, some, "anything, which it never uses"}
	// Constant is a value that needs no other object.
	Constant = &Kind{jsontree.AsTemplate, plain, judge.Constant, some, ""}
	// A constant bool.
	kindSetting = &Kind{jsontree.AsText, plain, func(a *source.Attr) hcl.Diagnostics { return judge.ConstantOf(a, cty.Bool) }, none, "a constant `true` or `false`"}
	// A constant string.
	kindText = &Kind{jsontree.AsText, plain, func(a *source.Attr) hcl.Diagnostics { return judge.ConstantOf(a, cty.String) }, none, "a constant string"}
	// A constant string that is not blank.
	kindNotice = &Kind{jsontree.AsText, plain, judge.Notice, none, "a constant string that is not empty"}
	// A constant string that is a name.
	kindWord = &Kind{jsontree.AsText, plain, judge.Word, none, ""}
	// A version constraint.
	kindConstraint = &Kind{jsontree.AsText, plain, judge.Constraint, none, "a constant version constraint"}
	// A version constraint on the engine itself.
	kindEngineConstraint = &Kind{jsontree.AsText, plain, judge.EngineConstraint, none, "a constant version constraint"}
	// A type expression.
	kindType = &Kind{jsontree.AsSource, typeExpr, nil, none, ""}
	// A variable's default.
	kindDefault = &Kind{jsontree.AsText, plain, nil, some, ""}
	// A reference to an object.
	kindReference = &Kind{jsontree.AsReference, plain, judge.Reference, none, "an address with constant keys"}
	// A list of references.
	kindReferences = &Kind{jsontree.AsReference, quotable, judge.References, some, ""}
	// A provider configuration.
	kindProviderRef = &Kind{jsontree.AsSource, quotable, judge.ProviderRef, none, ""}
	// Provider configurations by provider configuration.
	kindProviderMap = &Kind{jsontree.AsSource, quotable, judge.ProviderMap, some, ""}
	// Requirement is an entry of required_providers.
	Requirement = &Kind{jsontree.AsRequirement, plain, judge.Requirement, some, ""}
	// Attribute paths or the keyword all.
	kindIgnoreList = &Kind{jsontree.AsReference, quotable, judge.IgnoreList, some, ""}
	// References to resources.
	kindTriggerList = &Kind{jsontree.AsSource, plain, judge.Triggers, some, ""}
	// Create or destroy.
	kindWhen = &Kind{jsontree.AsReference, quotable, func(a *source.Attr) hcl.Diagnostics { return judge.OneOf(a, "create", "destroy") }, none, ""}
	// Continue or fail.
	kindOnFailure = &Kind{jsontree.AsReference, quotable, func(a *source.Attr) hcl.Diagnostics { return judge.OneOf(a, "continue", "fail") }, none, ""}
	// A resource's address whose keys may be expressions.
	kindImportAddress = &Kind{jsontree.AsSource, plain, judge.ImportAddress, none, "an address with any keys"}
	// A reference to an encryption method.
	kindMethod = &Kind{jsontree.AsBareReference, plain, nil, none, "a reference to a method"}
	// A language edition keyword.
	kindEdition = &Kind{jsontree.AsReference, plain, func(a *source.Attr) hcl.Diagnostics { return judge.BareOneOf(a, "tofu2024") }, none, ""}
	// A list of experiment keywords.
	kindExperiments = &Kind{jsontree.AsReference, plain, func(a *source.Attr) hcl.Diagnostics { return judge.Experiments(a, symbolLibraries) }, some, "the keyword `symbol_libraries`"}
	// A list of experiment keywords, in releases that have none.
	kindUnknownExperiments = &Kind{jsontree.AsReference, plain, func(a *source.Attr) hcl.Diagnostics { return judge.Experiments(a) }, some, "an empty list"}
	// The name is reserved; giving it is an error.
	kindReserved = &Kind{jsontree.AsText, refused, judge.RefuseReserved, none, ""}
	// Where a module is, an expression.
	kindSource = &Kind{jsontree.AsTemplate, plain, nil, none, "an expression"}
	// Where a module is, a constant string.
	kindFixedSource = &Kind{jsontree.AsText, plain, judge.FixedSource, none, "a constant string"}
	// NativeExpression is an expression that engines read, but JSON can't express.
	NativeExpression = &Kind{jsontree.AsTemplate, plain, nil, none, "an expression; in JSON a constant"}
	// Literal is any value; in JSON, a string that isn't a template.
	Literal = &Kind{jsontree.AsText, plain, nil, some, "an expression"}
	// A constant bool, not converted.
	kindFlag = &Kind{jsontree.AsTemplate, plain, judge.Flag, none, ""}
	// A list of events of a resource.
	kindEvents = &Kind{jsontree.AsReference, plain, func(a *source.Attr) hcl.Diagnostics { return judge.Events(a, judge.TriggerEvents) },
		some, "`before_` or `after_` and `create`, `update` or `destroy`"}
	// A list of events of a resource, for releases that know fewer.
	kindEarlyEvents = &Kind{jsontree.AsReference, plain, func(a *source.Attr) hcl.Diagnostics { return judge.Events(a, judge.TriggerEvents[:4]) },
		some, "`before_` or `after_` and `create` or `update`"}
	// Halt, taint or continue.
	kindOnActionFailure = &Kind{jsontree.AsReference, plain, func(a *source.Attr) hcl.Diagnostics { return judge.BareOneOf(a, "halt", "taint", "continue") }, none, ""}
	// A list of references to actions.
	kindActionList = &Kind{jsontree.AsSource, plain, judge.Actions, some, ""}
	// Experiments, in releases that have none.
	kindNoExperiments = &Kind{jsontree.AsReference, refused, judge.RefuseExperiments, some, ""}
	// A language edition, in releases that have but one.
	kindOldEdition = &Kind{jsontree.AsReference, plain, func(a *source.Attr) hcl.Diagnostics { return judge.BareOneOf(a, "TF2021") }, none, "the keyword `TF2021`"}
	// A type expression of the newer form only.
	kindOutputType = &Kind{jsontree.AsSource, typeExpr, judge.OutputType, none, ""}
	// The name of the elements of a dynamic block.
	kindIterator = &Kind{jsontree.AsBareReference, plain, nil, none, ""}
	// A key provider, or an object that resembles the result of one.
	kindKeySource = &Kind{jsontree.AsReferenceOrTemplate, plain, nil, some, "a key provider"}
)

// Reading tells how to read strings in JSON for arguments of the kind: as templates, as literal text or as
// references.
func (k *Kind) Reading() jsontree.Reading { return k.reading }

// IsType reports whether arguments of the kind are type expressions, which may contain default values.
func (k *Kind) IsType() bool { return k.use == typeExpr }

// IsRefused reports whether the kind refuses every value, for example because the argument's name is reserved.
func (k *Kind) IsRefused() bool { return k.use == refused }

// Takes returns a description of the values of the kind, for messages about releases that take different ones. It is
// "" if releases never differ in the kind.
func (k *Kind) Takes() string { return k.takes }

// HasParts reports whether a value of the kind may be an object or a list.
func (k *Kind) HasParts() bool { return k.parts == some }
