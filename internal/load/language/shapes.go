package language

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// An ArgShape describes one argument of the language.
type ArgShape struct {
	Kind *Kind
	// Also judges a value of the right kind further; it may be nil.
	Also func(*source.Attr) hcl.Diagnostics
	// InJSON judges values that an engine refuses in JSON only; it may be nil.
	InJSON func(*source.Attr) hcl.Diagnostics
	// Hides names the argument of the same block whose value is not to be shown
	// to people if this one is true.
	Hides   string
	Engines engine.Releases // the releases that know it so
	// Else is its shape in the other releases; nil if they don't know it.
	Else *ArgShape
	// Free: the name is not the language's, but one of those that the owner of an
	// open body may choose.
	Free bool

	Unknown bool // the engine at hand does not know it
}

// A BlockShape describes one type of nested block.
type BlockShape struct {
	Labels  []string // what each label is called
	Once    bool     // at most one in a body
	Many    bool     // a body may hold several of this type, and their order matters
	Fixed   bool     // merging refuses it in an override file, whatever it holds
	Reserve bool     // the name is kept free; giving it is an error
	Kept    bool     // releases that don't know it keep the name free
	Like    string   // the top-level type whose bodies its body is like
	Inside  bool     // its declarations are inside it, so its tree is always needed
	Refuse  string   // why a block known elsewhere is not allowed here
	// Experiment is the keyword without which a top-level block in a primary file is refused.
	Experiment string
	Engines    engine.Releases // the releases that know it so
	Else       *BlockShape     // its shape in the other releases; nil if they don't know it
	Body       *BodyShape

	Unknown bool // the engine at hand does not know it
}

// A BodyShape describes the inside of a block.
type BodyShape struct {
	// Open bodies belong to a provider, a module or the like, which decides what else they may
	// hold; the shape knows only the meta-arguments.
	Open bool
	// Owned is the kind of the arguments that the owner of an open body chooses; nil for Expression.
	Owned *Kind
	// Unset makes null for an argument of the owner equivalent to no value.
	Unset bool
	// Secrets, if set, are the names of arguments, here and in blocks inside, whose
	// values are not to be shown to people.
	Secrets CredentialNames
	// Names, for a body of arguments whose names the author chooses, is their kind.
	Names  *Kind
	Args   map[string]ArgShape
	Blocks map[string]BlockShape
	// Required lists arguments, in byte order, that a block in a primary file must set. Always requires
	// them in override files, too.
	Required []string
	Always   bool
	// Exclusive lists paths of which a block may have at most one.
	Exclusive [][]string
	// Check judges what depends on more than one argument.
	Check func(*source.Block) hcl.Diagnostics
	// Each judges arguments of one block together; Final those in effect, which
	// override files may have changed. Either may be nil.
	Each, Final judge.Joint
}

// Arg returns the shape of an argument, and whether the body has one of that name. The kind of any
// other argument is the one that the owner of the body chooses.
func (s *BodyShape) Arg(name string) (ArgShape, bool) {
	switch {
	case s == nil:
		return ArgShape{Kind: Expression}, false
	case s.Names != nil:
		return ArgShape{Kind: s.Names}, true
	}
	if a, ok := s.Args[name]; ok {
		return a, true
	}
	return ArgShape{Kind: cmp.Or(s.Owned, Expression)}, false
}

// Judged returns the judge of the arguments in effect, or nil.
func (s *BodyShape) Judged() judge.Joint {
	if s == nil {
		return nil
	}
	return s.Final
}

// Inside is the shape of the bodies nested in an open body by its owner.
func (s *BodyShape) Inside() *BodyShape {
	if s != nil && s.Owned != nil {
		return s
	}
	return Open
}

// IsOpen reports whether the body belongs to a provider, a module or the like.
func (s *BodyShape) IsOpen() bool { return s != nil && s.Open }

// TakesNull reports whether null for an argument of the body's owner means no value.
func (s *BodyShape) TakesNull() bool { return s != nil && s.Unset }

// Block returns the shape of a nested block, if the body has one of that type.
func (s *BodyShape) Block(typ string) (BlockShape, bool) {
	if s == nil {
		return BlockShape{}, false
	}
	b, ok := s.Blocks[typ]
	return b, ok
}

// Knows reports whether the language itself gives a name inside the body a meaning.
// Names that the author chooses have none.
func (s *BodyShape) Knows(name string) bool {
	if s == nil {
		return false
	}
	_, isArg := s.Args[name]
	_, isBlock := s.Blocks[name]
	return isArg || isBlock
}

// At returns the shape of the body of a block, given the types of the blocks around it from this
// body inwards, joined by "/"; nil if the language doesn't describe it.
func (s *BodyShape) At(path string) *BodyShape {
	for path != "" {
		var name string
		name, path, _ = strings.Cut(path, "/")
		block, ok := s.Block(name)
		if !ok {
			return nil
		}
		s = block.Body
	}
	return s
}

// Top is the shape of a top-level block; an open one where the language does not have
// the type.
func (s *BodyShape) Top(typ string) BlockShape {
	if shape, ok := s.Block(typ); ok {
		return shape
	}
	return BlockShape{Body: Open}
}

// Inner is the shape of a nested block of the body; an open one where the language does
// not know the block, which the second result reports.
func (s *BodyShape) Inner(b *source.Block) (BlockShape, bool) {
	if known, ok := s.Block(b.Type); ok && known.Body != nil {
		return known, true
	}
	if b.Type == source.DynamicBlock && len(b.Labels) == 1 {
		return BlockShape{Labels: []string{"type"}, Many: true, Body: DynamicShape}, true
	}
	return BlockShape{Many: true, Body: s.Inside()}, false
}

// Types lists the types of nested blocks that are known.
func (s *BodyShape) Types() []string {
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.Blocks)), func(typ string) bool { return s.Blocks[typ].Unknown })
}

// Open is the shape of a body that the language leaves to its owner.
var Open = &BodyShape{Open: true}

// DynamicShape is the inside of a dynamic block.
var DynamicShape = &BodyShape{
	Args:   map[string]ArgShape{"for_each": {Kind: Expression}, "iterator": {Kind: kindIterator}, "labels": {Kind: Expression}},
	Blocks: map[string]BlockShape{"content": {Once: true, Body: Open}},
}

// The language: what each block may hold, in which releases. Facts were observed
// with the loaders of the releases that engine.Observed lists;
// https://opentofu.org/docs/language and
// https://developer.hashicorp.com/terraform/language describe most of them.

// Root is the shape of a configuration file.
var Root = &BodyShape{Blocks: map[string]BlockShape{
	"terraform": {Inside: true, Body: terraformShape},
	"language":  {Body: languageShape, Engines: engine.Releases{OpenTofu: ">= 1.12"}},
	"provider":  {Inside: true, Labels: []string{"name"}, Body: providerShape},
	"variable": {
		Labels:  []string{"name"},
		Body:    variableShape(judge.Const, judge.UnreliableConst),
		Engines: engine.Releases{Terraform: ">= 1.15"},
		Else: &BlockShape{
			Labels:  []string{"name"},
			Body:    variableShape(judge.UntypedVariable, judge.Typed),
			Engines: engine.Releases{OpenTofu: ">= 1.13"},
			Else:    &BlockShape{Labels: []string{"name"}, Body: variableShape(judge.Variable, nil)},
		},
	},
	"locals":   {Body: &BodyShape{Names: Expression}},
	"output":   {Labels: []string{"name"}, Body: outputShape},
	"module":   moduleBlock,
	"resource": {Labels: []string{"type", "name"}, Body: resourceShape},
	"data":     {Labels: []string{"type", "name"}, Body: dataShape},
	"ephemeral": {
		Labels:  []string{"type", "name"},
		Body:    ephemeralShape(true),
		Engines: engine.Releases{OpenTofu: ">= 1.11"},
		Else:    &BlockShape{Labels: []string{"type", "name"}, Body: ephemeralShape(false), Engines: judge.SinceEphemeral},
	},
	"action": {
		Labels:  []string{"type", "name"},
		Body:    actionShape,
		Engines: sinceActions,
		Else:    &BlockShape{Labels: []string{"type", "name"}, Body: Open, Engines: unreadActions},
	},
	"moved":   {Body: movedShape},
	"import":  {Body: importShape},
	"removed": {Body: removedShape, Engines: sinceRemoved},
	"check":   {Inside: true, Labels: []string{"name"}, Body: checkShape},
	"symbols": {
		Labels:     []string{"name"},
		Body:       symbolsShape,
		Engines:    engine.SinceSymbols,
		Experiment: symbolLibraries,
	},
	"required_providers": {
		Refuse: "required_providers belongs in a terraform block. Move it there.",
	},
}}

var providerShape = &BodyShape{
	Open:    true,
	Unset:   true,
	Secrets: CommonCredentials,
	Args: map[string]ArgShape{
		"alias":      {Kind: kindWord},
		"version":    {Kind: kindConstraint},
		"for_each":   {Kind: Expression, Also: judge.Instances, Engines: judge.SinceInstances},
		"count":      {Kind: kindReserved},
		"depends_on": {Kind: kindReserved},
		"source":     {Kind: kindReserved},
	},
	Blocks: map[string]BlockShape{
		source.EscapeBlock: escape,
		"lifecycle":        {Reserve: true},
		"locals":           {Reserve: true},
	},
	Check: judge.Provider,
}

func variableShape(check func(*source.Block) hcl.Diagnostics, final judge.Joint) *BodyShape {
	return &BodyShape{
		Args: map[string]ArgShape{
			"description": {Kind: kindText},
			"type":        {Kind: kindType},
			"default":     {Kind: kindDefault},
			"sensitive":   {Kind: kindSetting, Hides: "default"},
			"nullable":    {Kind: kindSetting},
			"ephemeral":   {Kind: kindSetting, Hides: "default", Engines: judge.SinceEphemeral},
			"deprecated":  deprecated,
			"const":       {Kind: kindSetting, Engines: sinceConst},
		},
		Blocks: map[string]BlockShape{
			"validation": {
				Many:    true,
				Fixed:   true,
				Body:    conditionShape,
				Engines: judge.SinceReach,
				Else:    &BlockShape{Many: true, Fixed: true, Body: validationShape},
			},
		},
		Check: check,
		Final: final,
	}
}

// deprecated is the argument that names a replacement.
var deprecated = ArgShape{
	Kind:    kindNotice,
	Engines: engine.Releases{OpenTofu: ">= 1.10"},
	Else:    &ArgShape{Kind: kindText, Engines: sinceDeprecated},
}

var outputShape = &BodyShape{
	Args: map[string]ArgShape{
		"description": {Kind: kindText},
		"type":        {Kind: kindOutputType, Engines: engine.Releases{Terraform: ">= 1.15"}},
		"value":       {Kind: Expression},
		"sensitive":   {Kind: kindSetting, Hides: "value"},
		"ephemeral":   {Kind: kindSetting, Hides: "value", Engines: judge.SinceEphemeral},
		"deprecated":  deprecated,
		"depends_on":  dependsOn,
	},
	Blocks: map[string]BlockShape{
		"precondition":  {Many: true, Fixed: true, Body: conditionShape},
		"postcondition": {Refuse: "Outputs can have preconditions, but no postconditions. Remove this block."},
	},
	Required: []string{"value"},
	Check:    judge.Labels,
}

// moduleBlock is a module call. Releases differ in when they judge its source together with its
// version: OpenTofu since 1.8 once files are merged, the others in each block separately, Terraform
// since 1.15 only when the module is installed.
var moduleBlock = BlockShape{
	Labels: []string{"name"}, Body: moduleShape(nil,
		judge.StaticSource(judge.RefuseVersion)), Engines: engine.Releases{OpenTofu: ">= 1.10"},
	Else: &BlockShape{
		Labels: []string{"name"}, Body: moduleShape(nil,
			judge.StaticSource(judge.RefuseAnyVersion)), Engines: engine.Releases{OpenTofu: ">= 1.8"},
		Else: &BlockShape{
			Labels: []string{"name"}, Body: moduleShape(nil,
				judge.AtInstallation(judge.RefuseVersion)), Engines: engine.Releases{Terraform: ">= 1.15"},
			Else: &BlockShape{
				Labels: []string{"name"},
				Body:   moduleShape(judge.RefuseAnyVersion, judge.AcrossBlocks(judge.AtInstallation(judge.RefuseAnyVersion))),
			},
		},
	},
}

// moduleShape is the inside of a module call. Each judges the arguments of one
// block, final those in effect.
func moduleShape(each, final judge.Joint) *BodyShape {
	return &BodyShape{
		Open: true,
		Args: map[string]ArgShape{
			"source":     {Kind: kindSource, Engines: sinceStatic, Else: &ArgShape{Kind: kindFixedSource}},
			"version":    {Kind: kindSingle, Engines: sinceStatic, Else: &ArgShape{Kind: kindConstraint}},
			"count":      {Kind: kindSingle},
			"for_each":   {Kind: Expression},
			"providers":  keyed(kindProviderMap),
			"depends_on": dependsOn,
			"ignore_nested_deprecations": {
				Kind:    kindFlag,
				Engines: engine.Releases{Terraform: ">= 1.15"},
				Else:    &ArgShape{Free: true},
			},
		},
		Blocks: map[string]BlockShape{
			source.EscapeBlock: escape,
			"lifecycle": {
				Once:    true,
				Kept:    true,
				Body:    &BodyShape{Args: unmanagedLifecycle.Args},
				Engines: sinceEnabled,
			},
			"locals":   {Reserve: true},
			"provider": {Labels: []string{"type"}, Reserve: true},
		},
		Required:  []string{"source"},
		Exclusive: repetition,
		Check:     judge.Labels,
		Each:      each,
		Final:     final,
	}
}

var checkShape = &BodyShape{
	Blocks: map[string]BlockShape{
		"data":   {Labels: []string{"type", "name"}, Once: true, Like: "data", Body: nestedDataShape},
		"assert": {Many: true, Fixed: true, Body: conditionShape},
	},
	Check: judge.Check,
}

var movedShape = &BodyShape{
	Args: map[string]ArgShape{
		"from": {Kind: kindReference, Also: judge.MovedAddress},
		"to":   {Kind: kindReference, Also: judge.MovedAddress},
	},
	Required: []string{"from", "to"},
	Check:    judge.Moved,
}

var importShape = &BodyShape{
	Args: map[string]ArgShape{
		"to": {
			Kind:    kindImportAddress,
			Also:    judge.ImportTarget,
			Engines: sinceRemoved,
			Else:    &ArgShape{Kind: kindReference, Also: judge.ImportTarget},
		},
		"id":       {Kind: Expression, Engines: engine.Releases{OpenTofu: ">= 1.6", Terraform: ">= 1.6"}, Else: &ArgShape{Kind: kindText}},
		"identity": {Kind: Expression, Engines: engine.Releases{OpenTofu: ">= 1.12", Terraform: ">= 1.12"}},
		"for_each": {Kind: Expression, Engines: engine.Releases{OpenTofu: ">= 1.7", Terraform: ">= 1.7"}},
		"provider": providerRef,
	},
	Required:  []string{"to"},
	Exclusive: [][]string{{"id"}, {"identity"}},
	Check:     judge.Import,
}

var removedShape = &BodyShape{
	Args:     map[string]ArgShape{"from": {Kind: kindReference, Also: judge.RemovedAddress}},
	Required: []string{"from"},
	Always:   true,
	Blocks: map[string]BlockShape{
		"lifecycle": {
			Once:    true,
			Body:    removedLifecycle,
			Engines: engine.Releases{OpenTofu: ">= 1.10"},
			Else: &BlockShape{
				Many:    true,
				Body:    removedLifecycle,
				Engines: engine.Releases{OpenTofu: ">= 1.10", Terraform: ">= 1.7"},
			},
		},
		"provisioner": {
			Labels:  []string{"type"},
			Many:    true,
			Body:    provisionerShape,
			Engines: engine.Releases{OpenTofu: ">= 1.10", Terraform: ">= 1.9"},
		},
		"connection": {Once: true, Body: guarded, Engines: engine.Releases{Terraform: ">= 1.9"}},
	},
	Check: judge.Removed,
}

var removedLifecycle = &BodyShape{Args: map[string]ArgShape{"destroy": {Kind: kindSetting}}}

// The part of the table in shapes.go that several blocks have in common.

// The releases since which several names are known.
var (
	sinceDeprecated = engine.Releases{OpenTofu: ">= 1.10", Terraform: ">= 1.15"}
	sinceEnabled    = engine.Releases{OpenTofu: ">= 1.11"}
	sinceConst      = engine.Releases{OpenTofu: ">= 1.12", Terraform: ">= 1.15"}
	sinceDestroy    = engine.Releases{OpenTofu: ">= 1.12", Terraform: ">= 1.16"}
	// Since these prevent_destroy and destroy are expressions.
	sinceComputedDestroy = engine.Releases{OpenTofu: ">= 1.12"}
	sinceRemoved         = engine.Releases{OpenTofu: ">= 1.7", Terraform: ">= 1.7"}
	sinceActions         = engine.Releases{Terraform: ">= 1.14"}
	// Terraform 1.13 skips the contents of actions.
	unreadActions = engine.Releases{Terraform: ">= 1.13"}
	// Before these a module's source is a constant.
	sinceStatic = engine.Releases{OpenTofu: ">= 1.8", Terraform: ">= 1.15"}
)

// literal bodies are guarded ones in which strings in JSON aren't templates.
var literal = &BodyShape{Open: true, Owned: Literal, Secrets: CommonCredentials}

// guarded bodies are open ones that hold credentials.
var guarded = &BodyShape{Open: true, Secrets: CommonCredentials}

var escape = BlockShape{Once: true, Body: Open}

// A reference to a provider configuration may have a key in later releases, and in
// JSON any key in the latest ones.
var providerRef = keyed(kindProviderRef)

func keyed(k *Kind) ArgShape {
	return ArgShape{Kind: k, Engines: judge.SinceKeysInJSON,
		Else: &ArgShape{Kind: k, InJSON: judge.ComputedKeys, Engines: judge.SinceInstances,
			Else: &ArgShape{Kind: k, Also: judge.RefuseKey}}}
}

var dependsOn = ArgShape{
	Kind:    kindReferences,
	Also:    judge.RefuseActions,
	Engines: sinceActions,
	Else:    &ArgShape{Kind: kindReferences},
}

var repetition = [][]string{{"count"}, {"for_each"}, {"lifecycle", "enabled"}}

// The part of the table in shapes.go that is about resources of all modes, and what their
// blocks have in common.

var resourceShape = &BodyShape{
	Open:  true,
	Unset: true,
	Args: map[string]ArgShape{
		"count":      {Kind: kindSingle},
		"for_each":   {Kind: Expression},
		"provider":   providerRef,
		"depends_on": dependsOn,
	},
	Blocks: map[string]BlockShape{
		source.EscapeBlock: escape,
		"lifecycle":        {Once: true, Body: lifecycleShape},
		"connection":       {Once: true, Body: guarded},
		"provisioner":      {Labels: []string{"type"}, Many: true, Body: provisionerShape},
		"locals":           {Reserve: true},
	},
	Exclusive: repetition,
	Check:     judge.Resource,
}

var lifecycleShape = &BodyShape{
	Args: map[string]ArgShape{
		"create_before_destroy": {Kind: kindSetting},
		"prevent_destroy": {
			Kind:    NativeExpression,
			Engines: sinceComputedDestroy,
			Else:    &ArgShape{Kind: kindSetting},
		},
		"destroy": {
			Kind:    kindSingle,
			Engines: sinceComputedDestroy,
			Else:    &ArgShape{Kind: kindSetting, Engines: sinceDestroy},
		},
		"enabled":              {Kind: kindSingle, Engines: sinceEnabled},
		"ignore_changes":       {Kind: kindIgnoreList},
		"replace_triggered_by": {Kind: kindTriggerList},
	},
	Blocks: map[string]BlockShape{
		"precondition":  {Many: true, Fixed: true, Body: ownConditionShape},
		"postcondition": {Many: true, Fixed: true, Body: ownConditionShape},
		"action_trigger": {
			Many:    true,
			Body:    triggerShape,
			Engines: sinceActions,
			Else:    &BlockShape{Many: true, Body: Open, Engines: unreadActions},
		},
	},
}

// unmanagedConditions are the nested blocks of a lifecycle block without actions.
var unmanagedConditions = map[string]BlockShape{
	"precondition":  {Many: true, Fixed: true, Body: ownConditionShape},
	"postcondition": {Many: true, Fixed: true, Body: ownConditionShape},
}

// triggerShape is a block that has actions invoked.
var triggerShape = &BodyShape{Required: []string{"actions", "events"}, Args: map[string]ArgShape{
	"events":     {Kind: kindEvents, Engines: sinceDestroy, Else: &ArgShape{Kind: kindEarlyEvents}},
	"actions":    {Kind: kindActionList, Also: judge.ActionKeys, Engines: sinceDestroy, Else: &ArgShape{Kind: kindActionList}},
	"condition":  {Kind: kindSingle},
	"on_failure": {Kind: kindOnActionFailure, Engines: sinceDestroy},
}}

var actionShape = &BodyShape{
	Args: map[string]ArgShape{
		"count":    {Kind: kindSingle},
		"for_each": {Kind: Expression},
		"provider": providerRef,
	},
	Blocks:    map[string]BlockShape{"config": {Once: true, Body: Open}},
	Exclusive: [][]string{{"count"}, {"for_each"}},
	Check:     judge.Resource,
}

var conditionShape = &BodyShape{Args: conditionArgs, Required: conditionNeeds}

// ownConditionShape is a condition of the object that it is in.
var ownConditionShape = &BodyShape{Args: conditionArgs, Required: conditionNeeds, Check: judge.Own}

// validationShape is the rule of a variable where it can refer to nothing else.
var validationShape = &BodyShape{Args: conditionArgs, Required: conditionNeeds, Check: judge.Reach}

var conditionArgs = map[string]ArgShape{
	"condition":     {Kind: kindCondition},
	"error_message": {Kind: kindSingle},
}

var conditionNeeds = []string{"condition", "error_message"}

var provisionerShape = &BodyShape{
	Open: true,
	Args: map[string]ArgShape{
		"when":       {Kind: kindWhen},
		"on_failure": {Kind: kindOnFailure},
	},
	Blocks: map[string]BlockShape{
		source.EscapeBlock: escape,
		"connection":       {Once: true, Body: guarded},
		"lifecycle":        {Reserve: true},
	},
	Check: judge.Provisioner,
}

// unmanagedLifecycle is the lifecycle block of objects that no provider creates.
var unmanagedLifecycle = &BodyShape{
	Args:   map[string]ArgShape{"enabled": {Kind: kindSingle, Engines: sinceEnabled}},
	Blocks: unmanagedConditions,
}

var dataShape = &BodyShape{
	Open:  true,
	Unset: true,
	Args:  resourceShape.Args,
	Blocks: map[string]BlockShape{
		source.EscapeBlock: escape,
		"lifecycle":        {Once: true, Body: unmanagedLifecycle},
		"locals":           {Reserve: true},
	},
	Exclusive: repetition,
	Check:     judge.Resource,
}

// ephemeralShape is the inside of an ephemeral resource. OpenTofu refuses the blocks
// that belong to managed resources there, Terraform takes them for the provider's.
func ephemeralShape(isStrict bool) *BodyShape {
	blocks := map[string]BlockShape{
		source.EscapeBlock: escape,
		"lifecycle":        {Once: true, Body: unmanagedLifecycle},
		"locals":           {Reserve: true},
	}
	if isStrict {
		blocks["connection"] = BlockShape{
			Refuse: "Only managed resources can have connection blocks. Remove this one.",
		}
		blocks["provisioner"] = BlockShape{
			Refuse: "Only managed resources can have provisioners. Remove this one.",
		}
	}
	return &BodyShape{Open: true, Args: resourceShape.Args, Blocks: blocks, Exclusive: repetition, Check: judge.Resource}
}

// nestedDataShape is a data block inside a check: no repetition, no lifecycle.
var nestedDataShape = &BodyShape{
	Open: true,
	Args: map[string]ArgShape{
		"count":      {Kind: kindReserved},
		"for_each":   {Kind: kindReserved},
		"provider":   providerRef,
		"depends_on": dependsOn,
	},
	Blocks: map[string]BlockShape{
		source.EscapeBlock: escape,
		"lifecycle":        {Refuse: "A data block in a check block can't have a lifecycle block. Remove this one."},
		"locals":           {Reserve: true},
	},
	Check: judge.Resource,
}

// The part of the table in shapes.go that is about the blocks terraform and
// language.

var terraformShape = &BodyShape{
	Args: map[string]ArgShape{
		"required_version": {
			Kind:    kindEngineConstraint,
			Engines: engine.Releases{OpenTofu: ">= 1.12"},
			Else:    &ArgShape{Kind: kindConstraint},
		},
		"experiments": {
			Kind:    kindInert,
			Engines: engine.Releases{OpenTofu: ">= 1.12"},
			Else:    &ArgShape{Kind: kindNoExperiments},
		},
		"language": {
			Kind:    kindInert,
			Engines: engine.Releases{OpenTofu: ">= 1.12"},
			Else:    &ArgShape{Kind: kindOldEdition},
		},
	},
	Blocks: map[string]BlockShape{
		"backend": {
			Labels:  []string{"type"},
			Body:    guarded,
			Engines: engine.Releases{OpenTofu: ">= 1.8"},
			Else:    &BlockShape{Labels: []string{"type"}, Body: literal},
		},
		"cloud": {
			Body:    guarded,
			Engines: engine.Releases{OpenTofu: ">= 1.8"},
			Else:    &BlockShape{Body: literal},
		},
		"state_store": {
			Labels: []string{"type"},
			Refuse: "state_store is an experiment of Terraform that no release reads. Remove this block.",
		},
		"required_providers": {Body: &BodyShape{Names: Requirement}},
		"provider_meta": {
			Labels: []string{"provider"},
			Body:   &BodyShape{Names: Constant, Check: judge.ProviderLabel},
		},
		"encryption": {Body: encryptionShape, Engines: engine.Releases{OpenTofu: ">= 1.7"}},
	},
}

var encryptionShape = &BodyShape{
	Blocks: map[string]BlockShape{
		"key_provider": {
			Labels:  []string{"type", "name"},
			Body:    keyProviderShape(judge.Element),
			Engines: sinceElementNames,
			Else:    &BlockShape{Labels: []string{"type", "name"}, Body: keyProviderShape(nil)},
		},
		"method": {
			Labels:  []string{"type", "name"},
			Body:    &BodyShape{Open: true, Secrets: OfEncryption, Check: judge.Element},
			Engines: sinceElementNames,
			Else:    &BlockShape{Labels: []string{"type", "name"}, Body: &BodyShape{Open: true, Secrets: OfEncryption}},
		},
		"state":                     {Once: true, Body: enforceableShape},
		"plan":                      {Once: true, Body: enforceableShape},
		"remote_state_data_sources": {Once: true, Body: remoteShape},
	},
	Check: judge.Encryption,
}

var (
	sinceElementNames = engine.Releases{OpenTofu: ">= 1.10"}
	// Before these a target's method is any expression that gives its address.
	sinceMethodNames = engine.Releases{OpenTofu: ">= 1.10"}
	// Before these no key provider takes its key from another one.
	sinceChains = engine.Releases{OpenTofu: ">= 1.10"}
	// Since these a key provider names another one in JSON by a mere string, too.
	sinceQuotedKeys = engine.Releases{OpenTofu: ">= 1.12"}
)

var methodRef = ArgShape{Kind: kindMethod, Engines: sinceMethodNames, Else: &ArgShape{Kind: Expression}}

func keyProviderShape(check func(*source.Block) hcl.Diagnostics) *BodyShape {
	chain := ArgShape{
		Kind:    kindKeySource,
		Engines: sinceQuotedKeys,
		Else:    &ArgShape{Kind: Expression, Engines: sinceChains, Else: &ArgShape{Free: true}},
	}
	alias := ArgShape{Kind: kindText, Engines: engine.Releases{OpenTofu: ">= 1.9"}, Else: &ArgShape{Free: true}}
	return &BodyShape{
		Open:    true,
		Secrets: OfEncryption,
		Args:    map[string]ArgShape{"encrypted_metadata_alias": alias, "chain": chain},
		Check:   check,
	}
}

var targetShape = func() *BodyShape {
	target := &BodyShape{Args: map[string]ArgShape{"method": methodRef}}
	target.Blocks = map[string]BlockShape{"fallback": {Once: true, Body: target}}
	return target
}()

var enforceableShape = &BodyShape{
	Args: map[string]ArgShape{
		"method":   methodRef,
		"enforced": {Kind: kindSetting},
	},
	Blocks: targetShape.Blocks,
}

var remoteShape = &BodyShape{
	Blocks: map[string]BlockShape{
		"default":                  {Once: true, Body: targetShape},
		"remote_state_data_source": {Labels: []string{"name"}, Body: targetShape},
	},
	Check: judge.Encryption,
}

// symbolsShape is the inside of a call of a symbol library. Nothing but its names is judged in an
// override file, where no release reads it.
var symbolsShape = &BodyShape{
	Args: map[string]ArgShape{
		"source":  {Kind: kindSingle},
		"version": {Kind: kindSingle},
	},
	Required: []string{"source"},
	Always:   true,
	Check:    judge.Labels,
	Final:    judge.SymbolSource,
}

var languageShape = &BodyShape{
	Args: map[string]ArgShape{
		"edition": {Kind: kindEdition},
		"experiments": {
			Kind:    kindExperiments,
			Engines: engine.SinceSymbols,
			Else:    &ArgShape{Kind: kindUnknownExperiments},
		},
	},
	Blocks: map[string]BlockShape{
		"compatible_with": {Once: true, Body: &BodyShape{
			Open:     true,
			Required: []string{"opentofu"}, // without it the engine crashes
			Args:     map[string]ArgShape{"opentofu": {Kind: kindEngineConstraint}},
		}},
	},
}
