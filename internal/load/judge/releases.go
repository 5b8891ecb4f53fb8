package judge

import "github.com/tofumerge/tofumerge/internal/load/engine"

// The releases on which the verdicts depend.
var (
	// SinceEphemeral are those that know ephemeral values.
	SinceEphemeral = engine.Releases{OpenTofu: ">= 1.11", Terraform: ">= 1.10"}
	// SinceReach are those in which the rule of a variable may refer to something else.
	SinceReach = engine.Releases{OpenTofu: ">= 1.9", Terraform: ">= 1.9"}
	// SinceInstances are those in which a provider configuration may have instances.
	SinceInstances = engine.Releases{OpenTofu: ">= 1.9"}
	// SinceKeysInJSON are the releases that accept any expression as such a key in JSON.
	SinceKeysInJSON        = engine.Releases{OpenTofu: ">= 1.11"}
	sinceProviderFunctions = engine.Releases{OpenTofu: ">= 1.7", Terraform: ">= 1.8"}
	// Since these the namespace of a provider may have underscores.
	sinceUnderscores = engine.Releases{Terraform: ">= 1.16"}
)
