package language

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// An ArgShape describes one argument of the language.
type ArgShape struct {
	Name string
	Kind *Kind
	// Also judges a value of the right kind further; it may be nil.
	Also func(*source.Attr) hcl.Diagnostics
	// InJSON judges values that an engine refuses in JSON only; it may be nil.
	InJSON func(*source.Attr) hcl.Diagnostics
	// Hides names the argument of the same block whose value is not to be shown
	// to people if this one is true.
	Hides   string
	Engines *engine.Releases // the releases that know it so; nil for all
	// Else is its shape in the other releases; nil if they don't know it.
	Else *ArgShape
	// Free: the name is not the language's, but one of those that the owner of an
	// open body may choose.
	Free bool

	Unknown bool // the engine at hand does not know it
}

// A BlockShape describes one type of nested block.
type BlockShape struct {
	Name    string
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
	Engines    *engine.Releases // the releases that know it so; nil for all
	Else       *BlockShape      // its shape in the other releases; nil if they don't know it
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
	Names *Kind
	// Args and Blocks are lists, since maps would be built at each start.
	Args   []ArgShape
	Blocks []BlockShape
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

// Arg returns the shape of an argument, and whether the language defines the name in this body. In a body like that
// of locals (Names), it defines every name. For any other name, the result has the kind of arguments that the body's
// owner defines (Owned), or else Expression. s may be nil.
func (s *BodyShape) Arg(name string) (ArgShape, bool) {
	switch {
	case s == nil:
		return ArgShape{Kind: Expression}, false
	case s.Names != nil:
		return ArgShape{Kind: s.Names}, true
	}
	if a := s.findArg(name); a != nil {
		return *a, true
	}
	return ArgShape{Kind: cmp.Or(s.Owned, Expression)}, false
}

// findArg returns the entry for a name in Args, or nil.
func (s *BodyShape) findArg(name string) *ArgShape {
	for i := range s.Args {
		if s.Args[i].Name == name {
			return &s.Args[i]
		}
	}
	return nil
}

// findBlock returns the entry for a block type in Blocks, or nil.
func (s *BodyShape) findBlock(name string) *BlockShape {
	for i := range s.Blocks {
		if s.Blocks[i].Name == name {
			return &s.Blocks[i]
		}
	}
	return nil
}

// AllNames lists the names of the body's arguments, followed by the types of its blocks, both in byte order.
func (s *BodyShape) AllNames() (names []string) {
	for i := range s.Args {
		names = append(names, s.Args[i].Name)
	}
	slices.Sort(names)
	return append(names, s.blockNames()...)
}

// blockNames lists the types of the body's blocks in byte order.
func (s *BodyShape) blockNames() (names []string) {
	for i := range s.Blocks {
		names = append(names, s.Blocks[i].Name)
	}
	slices.Sort(names)
	return names
}

// Judged returns the function that judges the effective arguments of the body together, or nil.
func (s *BodyShape) Judged() judge.Joint {
	if s == nil {
		return nil
	}
	return s.Final
}

// Inside returns the shape of blocks in the body that the language doesn't describe, such as a provider's. If the
// owner's arguments have a kind of their own (Owned), those inside have it too.
func (s *BodyShape) Inside() *BodyShape {
	if s != nil && s.Owned != nil {
		return s
	}
	return Open
}

// IsOpen reports whether the body belongs to a provider, a module or the like.
func (s *BodyShape) IsOpen() bool { return s != nil && s.Open }

// TakesNull reports whether null for an argument that the language doesn't describe means that it isn't set.
func (s *BodyShape) TakesNull() bool { return s != nil && s.Unset }

// Block returns the shape of a nested block, and whether the body's shape lists the type. s may be nil.
func (s *BodyShape) Block(typ string) (BlockShape, bool) {
	if s != nil {
		if b := s.findBlock(typ); b != nil {
			return *b, true
		}
	}
	return BlockShape{}, false
}

// Knows reports whether the body's shape lists an argument or block of that name. Names that authors choose, as in
// locals, aren't listed.
func (s *BodyShape) Knows(name string) bool {
	return s != nil && (s.findArg(name) != nil || s.findBlock(name) != nil)
}

// At returns the shape of the body at a path of block types inside this one, such as resource/lifecycle; nil if the
// language doesn't describe it.
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

// Top returns the shape of a top-level block. For a type that the language doesn't have, any contents are allowed.
func (s *BodyShape) Top(typ string) BlockShape {
	if shape, ok := s.Block(typ); ok {
		return shape
	}
	return BlockShape{Body: Open}
}

// Inner returns the shape of a nested block, and whether the language describes the block. Otherwise, as for a
// provider's blocks, any contents are allowed.
func (s *BodyShape) Inner(b *source.Block) (BlockShape, bool) {
	if known, ok := s.Block(b.Type); ok && known.Body != nil {
		return known, true
	}
	if b.Type == source.DynamicBlock && len(b.Labels) == 1 {
		return BlockShape{Labels: []string{"type"}, Many: true, Body: DynamicShape}, true
	}
	return BlockShape{Many: true, Body: s.Inside()}, false
}

// Types lists the types of nested blocks that the shape's release knows.
func (s *BodyShape) Types() []string {
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(s.blockNames(), func(typ string) bool { return s.findBlock(typ).Unknown })
}

// Open is the shape of a body that the language leaves to its owner.
var Open = &BodyShape{Open: true}

// DynamicShape is the inside of a dynamic block.
var DynamicShape = &BodyShape{
	Args:   []ArgShape{{Name: "for_each", Kind: Expression}, {Name: "iterator", Kind: kindIterator}, {Name: "labels", Kind: Expression}},
	Blocks: []BlockShape{{Name: "content", Once: true, Body: Open}},
}

// The language: what each block may hold, in which releases. Facts were observed
// with the loaders of the releases that engine.Observed lists;
// https://opentofu.org/docs/language and
// https://developer.hashicorp.com/terraform/language describe most of them.

// Root is the shape of a configuration file.
var Root = &BodyShape{Blocks: []BlockShape{
	{Name: "terraform", Inside: true, Body: terraformShape},
	{Name: "language", Body: languageShape, Engines: &engine.Releases{OpenTofu: ">= 1.12"}},
	{Name: "provider", Inside: true, Labels: []string{"name"}, Body: providerShape},
	{
		Name: "variable", Labels: []string{"name"},
		Body:    &BodyShape{Args: variableArgs, Blocks: variableBlocks, Check: judge.VariableWithConst, Final: judge.UnreliableConst},
		Engines: &engine.Releases{Terraform: ">= 1.15"},
		Else: &BlockShape{
			Labels:  []string{"name"},
			Body:    &BodyShape{Args: variableArgs, Blocks: variableBlocks, Check: judge.UntypedVariable, Final: judge.Typed},
			Engines: &engine.Releases{OpenTofu: ">= 1.13"},
			Else:    &BlockShape{Labels: []string{"name"}, Body: &BodyShape{Args: variableArgs, Blocks: variableBlocks, Check: judge.Variable}},
		},
	},
	{Name: "locals", Body: &BodyShape{Names: Expression}},
	{Name: "output", Labels: []string{"name"}, Body: outputShape},
	moduleBlock,
	{Name: "resource", Labels: []string{"type", "name"}, Body: resourceShape},
	{Name: "data", Labels: []string{"type", "name"}, Body: dataShape},
	{
		Name: "ephemeral", Labels: []string{"type", "name"},
		Body:    ephemeralShape,
		Engines: &engine.Releases{OpenTofu: ">= 1.11"},
		Else:    &BlockShape{Labels: []string{"type", "name"}, Body: lenientEphemeralShape, Engines: &judge.SinceEphemeral},
	},
	{
		Name: "action", Labels: []string{"type", "name"},
		Body:    actionShape,
		Engines: &sinceActions,
		Else:    &BlockShape{Labels: []string{"type", "name"}, Body: Open, Engines: &unreadActions},
	},
	{Name: "moved", Body: movedShape},
	{Name: "import", Body: importShape},
	{Name: "removed", Body: removedShape, Engines: &sinceRemoved},
	{Name: "check", Inside: true, Labels: []string{"name"}, Body: checkShape},
	{Name: "symbols", Labels: []string{"name"}, Body: symbolsShape, Engines: &engine.SinceSymbols, Experiment: symbolLibraries},
	{Name: "required_providers", Refuse: "required_providers belongs in a terraform block. Move it there."},
}}

var providerShape = &BodyShape{
	Open:    true,
	Unset:   true,
	Secrets: CommonCredentials,
	Args: []ArgShape{
		{Name: "alias", Kind: kindWord},
		{Name: "version", Kind: kindConstraint},
		{Name: "for_each", Kind: Expression, Also: judge.Instances, Engines: &judge.SinceInstances},
		{Name: "count", Kind: kindReserved},
		{Name: "depends_on", Kind: kindReserved},
		{Name: "source", Kind: kindReserved},
	},
	Blocks: []BlockShape{
		escape,
		{Name: "lifecycle", Reserve: true},
		{Name: "locals", Reserve: true},
	},
	Check: judge.Provider,
}

var variableArgs = []ArgShape{
	{Name: "description", Kind: kindText},
	{Name: "type", Kind: kindType},
	{Name: "default", Kind: kindDefault},
	{Name: "sensitive", Kind: kindSetting, Hides: "default"},
	{Name: "nullable", Kind: kindSetting},
	{Name: "ephemeral", Kind: kindSetting, Hides: "default", Engines: &judge.SinceEphemeral},
	deprecated,
	{Name: "const", Kind: kindSetting, Engines: &sinceConst},
}

var variableBlocks = []BlockShape{
	{
		Name: "validation", Many: true,
		Fixed:   true,
		Body:    conditionShape,
		Engines: &judge.SinceReach,
		Else:    &BlockShape{Many: true, Fixed: true, Body: validationShape},
	},
}

// deprecated is the argument that names a replacement.
var deprecated = ArgShape{
	Name:    "deprecated",
	Kind:    kindNotice,
	Engines: &engine.Releases{OpenTofu: ">= 1.10"},
	Else:    &ArgShape{Kind: kindText, Engines: &sinceDeprecated},
}

var outputShape = &BodyShape{
	Args: []ArgShape{
		{Name: "description", Kind: kindText},
		{Name: "type", Kind: kindOutputType, Engines: &engine.Releases{Terraform: ">= 1.15"}},
		{Name: "value", Kind: Expression},
		{Name: "sensitive", Kind: kindSetting, Hides: "value"},
		{Name: "ephemeral", Kind: kindSetting, Hides: "value", Engines: &judge.SinceEphemeral},
		deprecated,
		dependsOn,
	},
	Blocks: []BlockShape{
		{Name: "precondition", Many: true, Fixed: true, Body: conditionShape},
		{Name: "postcondition", Refuse: "Outputs can have preconditions, but no postconditions. Remove this block."},
	},
	Required: []string{"value"},
	Check:    judge.Labels,
}

// moduleBlock is a module call. Releases differ in when they judge its source together with its
// version: OpenTofu since 1.8 once files are merged, the others in each block separately, Terraform
// since 1.15 only when the module is installed.
var moduleBlock = BlockShape{
	Name: "module", Labels: []string{"name"}, Engines: &engine.Releases{OpenTofu: ">= 1.10"},
	Body: moduleShape(nil, func(arg judge.Args) hcl.Diagnostics { return judge.StaticSource(arg, judge.RefuseVersion) }),
	Else: &BlockShape{
		Labels: []string{"name"}, Engines: &engine.Releases{OpenTofu: ">= 1.8"},
		Body: moduleShape(nil, func(arg judge.Args) hcl.Diagnostics { return judge.StaticSource(arg, judge.RefuseEvenNullVersion) }),
		Else: &BlockShape{
			Labels: []string{"name"}, Engines: &engine.Releases{Terraform: ">= 1.15"},
			Body: moduleShape(nil, func(arg judge.Args) hcl.Diagnostics { return judge.AtInstallation(judge.RefuseVersion(arg)) }),
			Else: &BlockShape{
				Labels: []string{"name"},
				Body: moduleShape(judge.RefuseEvenNullVersion, func(arg judge.Args) hcl.Diagnostics {
					return judge.AtInstallation(judge.AcrossBlocks(arg, judge.RefuseEvenNullVersion))
				}),
			},
		},
	},
}

// moduleShape returns the shape of a module call. each judges source and version of one block, final the effective
// ones; either may be nil.
func moduleShape(each, final judge.Joint) *BodyShape {
	return &BodyShape{
		Open: true, Args: moduleArgs, Blocks: moduleBlocks, Required: []string{"source"}, Exclusive: repetition,
		Check: judge.Labels, Each: each, Final: final,
	}
}

var moduleArgs = []ArgShape{
	{Name: "source", Kind: kindSource, Engines: &sinceStatic, Else: &ArgShape{Kind: kindFixedSource}},
	{Name: "version", Kind: kindSingle, Engines: &sinceStatic, Else: &ArgShape{Kind: kindConstraint}},
	{Name: "count", Kind: kindSingle},
	{Name: "for_each", Kind: Expression},
	providersRef,
	dependsOn,
	{Name: "ignore_nested_deprecations", Kind: kindFlag, Engines: &engine.Releases{Terraform: ">= 1.15"}, Else: &ArgShape{Free: true}},
}

var moduleBlocks = []BlockShape{
	escape,
	{Name: "lifecycle", Once: true, Kept: true, Body: &BodyShape{Args: unmanagedArgs}, Engines: &sinceEnabled},
	{Name: "locals", Reserve: true},
	{Name: "provider", Labels: []string{"type"}, Reserve: true},
}

var checkShape = &BodyShape{
	Blocks: []BlockShape{
		{Name: "data", Labels: []string{"type", "name"}, Once: true, Like: "data", Body: nestedDataShape},
		{Name: "assert", Many: true, Fixed: true, Body: conditionShape},
	},
	Check: judge.Check,
}

var movedShape = &BodyShape{
	Args: []ArgShape{
		{Name: "from", Kind: kindReference, Also: judge.MovedAddress},
		{Name: "to", Kind: kindReference, Also: judge.MovedAddress},
	},
	Required: []string{"from", "to"},
	Check:    judge.Moved,
}

var importShape = &BodyShape{
	Args: []ArgShape{
		{Name: "to", Kind: kindImportAddress, Also: judge.ImportTarget, Engines: &sinceRemoved, Else: &ArgShape{Kind: kindReference, Also: judge.ImportTarget}},
		{Name: "id", Kind: Expression, Engines: &engine.Releases{OpenTofu: ">= 1.6", Terraform: ">= 1.6"}, Else: &ArgShape{Kind: kindText}},
		{Name: "identity", Kind: Expression, Engines: &engine.Releases{OpenTofu: ">= 1.12", Terraform: ">= 1.12"}},
		{Name: "for_each", Kind: Expression, Engines: &engine.Releases{OpenTofu: ">= 1.7", Terraform: ">= 1.7"}},
		providerRef,
	},
	Required:  []string{"to"},
	Exclusive: [][]string{{"id"}, {"identity"}},
	Check:     judge.Import,
}

var removedShape = &BodyShape{
	Args:     []ArgShape{{Name: "from", Kind: kindReference, Also: judge.RemovedAddress}},
	Required: []string{"from"},
	Always:   true,
	Blocks: []BlockShape{
		{
			Name: "lifecycle", Once: true,
			Body:    removedLifecycle,
			Engines: &engine.Releases{OpenTofu: ">= 1.10"},
			Else: &BlockShape{
				Many:    true,
				Body:    removedLifecycle,
				Engines: &engine.Releases{OpenTofu: ">= 1.10", Terraform: ">= 1.7"},
			},
		},
		{Name: "provisioner", Labels: []string{"type"}, Many: true, Body: provisionerShape, Engines: &engine.Releases{OpenTofu: ">= 1.10", Terraform: ">= 1.9"}},
		{Name: "connection", Once: true, Body: guarded, Engines: &engine.Releases{Terraform: ">= 1.9"}},
	},
	Check: judge.Removed,
}

var removedLifecycle = &BodyShape{Args: []ArgShape{{Name: "destroy", Kind: kindSetting}}}

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

var escape = BlockShape{Name: source.EscapeBlock, Once: true, Body: Open}

// A reference to a provider configuration may have a key in later releases, and in
// JSON any key in the latest ones. So may those that a module call passes on.
var (
	providerRef = ArgShape{Name: "provider", Kind: kindProviderRef, Engines: &judge.SinceKeysInJSON,
		Else: &ArgShape{Kind: kindProviderRef, InJSON: judge.ComputedKeys, Engines: &judge.SinceInstances,
			Else: &ArgShape{Kind: kindProviderRef, Also: judge.RefuseKey}}}
	providersRef = ArgShape{Name: "providers", Kind: kindProviderMap, Engines: &judge.SinceKeysInJSON,
		Else: &ArgShape{Kind: kindProviderMap, InJSON: judge.ComputedKeys, Engines: &judge.SinceInstances,
			Else: &ArgShape{Kind: kindProviderMap, Also: judge.RefuseKey}}}
)

var dependsOn = ArgShape{
	Name:    "depends_on",
	Kind:    kindReferences,
	Also:    judge.RefuseActions,
	Engines: &sinceActions,
	Else:    &ArgShape{Kind: kindReferences},
}

var repetition = [][]string{{"count"}, {"for_each"}, {"lifecycle", "enabled"}}

// The part of the table in shapes.go that is about resources of all modes, and what their
// blocks have in common.

var resourceShape = &BodyShape{
	Open:  true,
	Unset: true,
	Args:  resourceArgs,
	Blocks: []BlockShape{
		escape,
		{Name: "lifecycle", Once: true, Body: lifecycleShape},
		{Name: "connection", Once: true, Body: guarded},
		{Name: "provisioner", Labels: []string{"type"}, Many: true, Body: provisionerShape},
		{Name: "locals", Reserve: true},
	},
	Exclusive: repetition,
	Check:     judge.Resource,
}

var resourceArgs = []ArgShape{
	{Name: "count", Kind: kindSingle},
	{Name: "for_each", Kind: Expression},
	providerRef,
	dependsOn,
}

var lifecycleShape = &BodyShape{
	Args: []ArgShape{
		{Name: "create_before_destroy", Kind: kindSetting},
		{Name: "prevent_destroy", Kind: NativeExpression, Engines: &sinceComputedDestroy, Else: &ArgShape{Kind: kindSetting}},
		{Name: "destroy", Kind: kindSingle, Engines: &sinceComputedDestroy, Else: &ArgShape{Kind: kindSetting, Engines: &sinceDestroy}},
		{Name: "enabled", Kind: kindSingle, Engines: &sinceEnabled},
		{Name: "ignore_changes", Kind: kindIgnoreList},
		{Name: "replace_triggered_by", Kind: kindTriggerList},
	},
	Blocks: []BlockShape{
		{Name: "precondition", Many: true, Fixed: true, Body: ownConditionShape},
		{Name: "postcondition", Many: true, Fixed: true, Body: ownConditionShape},
		{Name: "action_trigger", Many: true, Body: triggerShape, Engines: &sinceActions, Else: &BlockShape{Many: true, Body: Open, Engines: &unreadActions}},
	},
}

// unmanagedConditions are the nested blocks of a lifecycle block without actions.
var unmanagedConditions = []BlockShape{
	{Name: "precondition", Many: true, Fixed: true, Body: ownConditionShape},
	{Name: "postcondition", Many: true, Fixed: true, Body: ownConditionShape},
}

// triggerShape is a block that has actions invoked.
var triggerShape = &BodyShape{Required: []string{"actions", "events"}, Args: []ArgShape{
	{Name: "events", Kind: kindEvents, Engines: &sinceDestroy, Else: &ArgShape{Kind: kindEarlyEvents}},
	{Name: "actions", Kind: kindActionList, Also: judge.ActionInstances, Engines: &sinceDestroy, Else: &ArgShape{Kind: kindActionList}},
	{Name: "condition", Kind: kindSingle},
	{Name: "on_failure", Kind: kindOnActionFailure, Engines: &sinceDestroy},
}}

var actionShape = &BodyShape{
	Args: []ArgShape{
		{Name: "count", Kind: kindSingle},
		{Name: "for_each", Kind: Expression},
		providerRef,
	},
	Blocks:    []BlockShape{{Name: "config", Once: true, Body: Open}},
	Exclusive: [][]string{{"count"}, {"for_each"}},
	Check:     judge.Resource,
}

var conditionShape = &BodyShape{Args: conditionArgs, Required: conditionNeeds}

// ownConditionShape is a condition of the object that it is in.
var ownConditionShape = &BodyShape{Args: conditionArgs, Required: conditionNeeds, Check: judge.Own}

// validationShape is the rule of a variable where it can refer to nothing else.
var validationShape = &BodyShape{Args: conditionArgs, Required: conditionNeeds, Check: judge.Reach}

var conditionArgs = []ArgShape{
	{Name: "condition", Kind: kindCondition},
	{Name: "error_message", Kind: kindSingle},
}

var conditionNeeds = []string{"condition", "error_message"}

var provisionerShape = &BodyShape{
	Open: true,
	Args: []ArgShape{
		{Name: "when", Kind: kindWhen},
		{Name: "on_failure", Kind: kindOnFailure},
	},
	Blocks: []BlockShape{
		escape,
		{Name: "connection", Once: true, Body: guarded},
		{Name: "lifecycle", Reserve: true},
	},
	Check: judge.Provisioner,
}

// unmanagedLifecycle is the lifecycle block of objects that no provider creates.
var unmanagedLifecycle = &BodyShape{
	Args:   unmanagedArgs,
	Blocks: unmanagedConditions,
}

var unmanagedArgs = []ArgShape{{Name: "enabled", Kind: kindSingle, Engines: &sinceEnabled}}

var dataShape = &BodyShape{
	Open:      true,
	Unset:     true,
	Args:      resourceArgs,
	Blocks:    unmanagedBlocks,
	Exclusive: repetition,
	Check:     judge.Resource,
}

// unmanagedBlocks are the nested blocks of resources that no provider creates.
var unmanagedBlocks = []BlockShape{
	escape,
	{Name: "lifecycle", Once: true, Body: unmanagedLifecycle},
	{Name: "locals", Reserve: true},
}

// ephemeralShape is an ephemeral resource in OpenTofu, which refuses the blocks of managed resources there.
var ephemeralShape = &BodyShape{
	Open: true,
	Args: resourceArgs,
	Blocks: []BlockShape{
		escape,
		{Name: "lifecycle", Once: true, Body: unmanagedLifecycle},
		{Name: "locals", Reserve: true},
		{Name: "connection", Refuse: "Only managed resources can have connection blocks. Remove this one."},
		{Name: "provisioner", Refuse: "Only managed resources can have provisioners. Remove this one."},
	},
	Exclusive: repetition,
	Check:     judge.Resource,
}

// lenientEphemeralShape is one in Terraform, which leaves such blocks to the provider.
var lenientEphemeralShape = &BodyShape{Open: true, Args: resourceArgs, Blocks: unmanagedBlocks, Exclusive: repetition, Check: judge.Resource}

// nestedDataShape is a data block inside a check: no repetition, no lifecycle.
var nestedDataShape = &BodyShape{
	Open: true,
	Args: []ArgShape{
		{Name: "count", Kind: kindReserved},
		{Name: "for_each", Kind: kindReserved},
		providerRef,
		dependsOn,
	},
	Blocks: []BlockShape{
		escape,
		{Name: "lifecycle", Refuse: "A data block in a check block can't have a lifecycle block. Remove this one."},
		{Name: "locals", Reserve: true},
	},
	Check: judge.Resource,
}

// The part of the table in shapes.go that is about the blocks terraform and
// language.

var terraformShape = &BodyShape{
	Args: []ArgShape{
		{Name: "required_version", Kind: kindEngineConstraint, Engines: &engine.Releases{OpenTofu: ">= 1.12"}, Else: &ArgShape{Kind: kindConstraint}},
		{Name: "experiments", Kind: kindInert, Engines: &engine.Releases{OpenTofu: ">= 1.12"}, Else: &ArgShape{Kind: kindNoExperiments}},
		{Name: "language", Kind: kindInert, Engines: &engine.Releases{OpenTofu: ">= 1.12"}, Else: &ArgShape{Kind: kindOldEdition}},
	},
	Blocks: []BlockShape{
		{
			Name: "backend", Labels: []string{"type"},
			Body:    guarded,
			Engines: &engine.Releases{OpenTofu: ">= 1.8"},
			Else:    &BlockShape{Labels: []string{"type"}, Body: literal},
		},
		{Name: "cloud", Body: guarded, Engines: &engine.Releases{OpenTofu: ">= 1.8"}, Else: &BlockShape{Body: literal}},
		{Name: "state_store", Labels: []string{"type"}, Refuse: "state_store is an experiment of Terraform that no release reads. Remove this block."},
		{Name: "required_providers", Body: &BodyShape{Names: Requirement}},
		{Name: "provider_meta", Labels: []string{"provider"}, Body: &BodyShape{Names: Constant, Check: judge.ProviderLabel}},
		{Name: "encryption", Body: encryptionShape, Engines: &engine.Releases{OpenTofu: ">= 1.7"}},
	},
}

var encryptionShape = &BodyShape{
	Blocks: []BlockShape{
		{
			Name: "key_provider", Labels: []string{"type", "name"},
			Body:    &BodyShape{Open: true, Secrets: OfEncryption, Args: keyProviderArgs, Check: judge.Element},
			Engines: &sinceElementNames,
			Else:    &BlockShape{Labels: []string{"type", "name"}, Body: &BodyShape{Open: true, Secrets: OfEncryption, Args: keyProviderArgs}},
		},
		{
			Name: "method", Labels: []string{"type", "name"},
			Body:    &BodyShape{Open: true, Secrets: OfEncryption, Check: judge.Element},
			Engines: &sinceElementNames,
			Else:    &BlockShape{Labels: []string{"type", "name"}, Body: &BodyShape{Open: true, Secrets: OfEncryption}},
		},
		{Name: "state", Once: true, Body: enforceableShape},
		{Name: "plan", Once: true, Body: enforceableShape},
		{Name: "remote_state_data_sources", Once: true, Body: remoteShape},
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

var methodRef = ArgShape{Name: "method", Kind: kindMethod, Engines: &sinceMethodNames, Else: &ArgShape{Kind: Expression}}

var keyProviderArgs = []ArgShape{
	{Name: "encrypted_metadata_alias", Kind: kindText, Engines: &engine.Releases{OpenTofu: ">= 1.9"}, Else: &ArgShape{Free: true}},
	{
		Name:    "chain",
		Kind:    kindKeySource,
		Engines: &sinceQuotedKeys,
		Else:    &ArgShape{Kind: Expression, Engines: &sinceChains, Else: &ArgShape{Free: true}},
	},
}

var targetShape = func() *BodyShape {
	target := &BodyShape{Args: []ArgShape{methodRef}}
	target.Blocks = []BlockShape{{Name: "fallback", Once: true, Body: target}}
	return target
}()

var enforceableShape = &BodyShape{
	Args: []ArgShape{
		methodRef,
		{Name: "enforced", Kind: kindSetting},
	},
	Blocks: targetShape.Blocks,
}

var remoteShape = &BodyShape{
	Blocks: []BlockShape{
		{Name: "default", Once: true, Body: targetShape},
		{Name: "remote_state_data_source", Labels: []string{"name"}, Body: targetShape},
	},
	Check: judge.Encryption,
}

// symbolsShape is the inside of a call of a symbol library. Nothing but its names is judged in an
// override file, where no release reads it.
var symbolsShape = &BodyShape{
	Args: []ArgShape{
		{Name: "source", Kind: kindSingle},
		{Name: "version", Kind: kindSingle},
	},
	Required: []string{"source"},
	Always:   true,
	Check:    judge.Labels,
	Final:    judge.SymbolSource,
}

var languageShape = &BodyShape{
	Args: []ArgShape{
		{Name: "edition", Kind: kindEdition},
		{Name: "experiments", Kind: kindExperiments, Engines: &engine.SinceSymbols, Else: &ArgShape{Kind: kindUnknownExperiments}},
	},
	Blocks: []BlockShape{
		{Name: "compatible_with", Once: true, Body: &BodyShape{
			Open:     true,
			Required: []string{"opentofu"}, // without it the engine crashes
			Args:     []ArgShape{{Name: "opentofu", Kind: kindEngineConstraint}},
		}},
	},
}
