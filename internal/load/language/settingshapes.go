package language

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/credentials"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

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
			Body:    &BodyShape{Open: true, Secrets: credentials.OfEncryption, Check: judge.Element},
			Engines: sinceElementNames,
			Else:    &BlockShape{Labels: []string{"type", "name"}, Body: &BodyShape{Open: true, Secrets: credentials.OfEncryption}},
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
		Secrets: credentials.OfEncryption,
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

var languageShape = &BodyShape{
	Args: map[string]ArgShape{
		"edition":     {Kind: kindEdition},
		"experiments": {Kind: kindExperiments},
	},
	Blocks: map[string]BlockShape{
		"compatible_with": {Once: true, Body: &BodyShape{
			Open: true,
			// without it the engine crashes
			Args: map[string]ArgShape{"opentofu": {Kind: kindEngineConstraint, Required: true}},
		}},
	},
}
