package language

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/credentials"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

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
		Else:    &BlockShape{Labels: []string{"name"}, Body: variableShape(judge.Variable, nil)},
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
	"required_providers": {
		Refuse: "required_providers belongs in a terraform block. Move it there.",
	},
}}

var providerShape = &BodyShape{
	Open:    true,
	Unset:   true,
	Secrets: credentials.Common,
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
		"value":       {Kind: Expression, Required: true},
		"sensitive":   {Kind: kindSetting, Hides: "value"},
		"ephemeral":   {Kind: kindSetting, Hides: "value", Engines: judge.SinceEphemeral},
		"deprecated":  deprecated,
		"depends_on":  dependsOn,
	},
	Blocks: map[string]BlockShape{
		"precondition":  {Many: true, Fixed: true, Body: conditionShape},
		"postcondition": {Refuse: "Outputs can have preconditions, but no postconditions. Remove this block."},
	},
	Check: judge.Labels,
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
			"source": {
				Kind:     kindSource,
				Required: true,
				Engines:  sinceStatic,
				Else:     &ArgShape{Kind: kindFixedSource, Required: true},
			},
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
		"from": {Kind: kindReference, Required: true, Also: judge.MovedAddress},
		"to":   {Kind: kindReference, Required: true, Also: judge.MovedAddress},
	},
	Check: judge.Moved,
}

var importShape = &BodyShape{
	Args: map[string]ArgShape{
		"to": {
			Kind:     kindImportAddress,
			Required: true,
			Also:     judge.ImportTarget,
			Engines:  sinceRemoved,
			Else:     &ArgShape{Kind: kindReference, Required: true, Also: judge.ImportTarget},
		},
		"id":       {Kind: Expression, Engines: engine.Releases{OpenTofu: ">= 1.6", Terraform: ">= 1.6"}, Else: &ArgShape{Kind: kindText}},
		"identity": {Kind: Expression, Engines: engine.Releases{OpenTofu: ">= 1.12", Terraform: ">= 1.12"}},
		"for_each": {Kind: Expression, Engines: engine.Releases{OpenTofu: ">= 1.7", Terraform: ">= 1.7"}},
		"provider": providerRef,
	},
	Exclusive: [][]string{{"id"}, {"identity"}},
	Check:     judge.Import,
}

var removedShape = &BodyShape{
	Args: map[string]ArgShape{"from": {Kind: kindReference, Required: true, Always: true, Also: judge.RemovedAddress}},
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
