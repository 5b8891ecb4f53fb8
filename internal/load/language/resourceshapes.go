package language

import (
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

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
var triggerShape = &BodyShape{Args: map[string]ArgShape{
	"events": {
		Kind:     kindEvents,
		Required: true,
		Engines:  sinceDestroy,
		Else:     &ArgShape{Kind: kindEarlyEvents, Required: true},
	},
	"actions": {
		Kind:     kindActionList,
		Required: true,
		Also:     judge.ActionKeys,
		Engines:  sinceDestroy,
		Else:     &ArgShape{Kind: kindActionList, Required: true},
	},
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

var conditionShape = &BodyShape{Args: conditionArgs}

// ownConditionShape is a condition of the object that it is in.
var ownConditionShape = &BodyShape{Args: conditionArgs, Check: judge.Own}

// validationShape is the rule of a variable where it can refer to nothing else.
var validationShape = &BodyShape{Args: conditionArgs, Check: judge.Reach}

var conditionArgs = map[string]ArgShape{
	"condition":     {Kind: kindCondition, Required: true},
	"error_message": {Kind: kindSingle, Required: true},
}

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
