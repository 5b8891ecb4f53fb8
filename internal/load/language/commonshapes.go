package language

import (
	"github.com/tofumerge/tofumerge/internal/load/credentials"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/judge"
)

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
var literal = &BodyShape{Open: true, Owned: Literal, Secrets: credentials.Common}

// guarded bodies are open ones that hold credentials.
var guarded = &BodyShape{Open: true, Secrets: credentials.Common}

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
