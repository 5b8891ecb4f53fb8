package merge

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// Rules is what override files do, as the releases that load.Observed lists were
// seen to do it. Where releases differ, a path has a row for each of the ways; a
// row without Engines holds wherever the language knows the path.
// https://opentofu.org/docs/language/files/override/ and
// https://developer.hashicorp.com/terraform/language/files/override document most
// of it; where they say otherwise, the sentence starts with "Contrary to the
// documentation".
var Rules = slices.Concat(settingRules, resourceRules)

// settingRules are the rows for everything but resources and their kin.
var settingRules = []Rule{
	{
		Path: "*",
		Why:  "The whole value replaces the earlier one. Nested blocks replace all blocks of their type, static and dynamic ones alike.",
	},

	{
		Path:      "terraform",
		Do:        Merge,
		OmitEmpty: true,
		Prefix:    []string{"terraform"},
		Noun:      "terraform block",
		Why:       "Each setting is merged by its own rule.",
		End:       checkRequiredVersions,
	},
	{
		Path:        "terraform/required_version",
		Match:       ByPosition,
		Do:          Append,
		TofuOnly:    true,
		Why:         "Contrary to the documentation nothing is replaced: each file is checked on its own, and only in .tofu and .tofu.json files.",
		WhyNoEffect: "The engine looks at required_version in .tofu and .tofu.json files only, and this is none.",
		Engines:     engine.Releases{OpenTofu: ">= 1.12"},
	},
	{
		Path:    "terraform/required_version",
		Match:   ByPosition,
		Do:      Renew,
		Why:     "One in an override file takes the place of all that earlier files have; those of one file all count.",
		Engines: engine.Releases{OpenTofu: "< 1.12", Terraform: ">= 0"},
	},
	{
		Path:    "terraform/experiments",
		Do:      Drop,
		Why:     "The engine accepts this argument and looks at it nowhere.",
		Engines: engine.Releases{OpenTofu: ">= 1.12"},
	},
	{
		Path:    "terraform/experiments",
		Why:     "The engine refuses this argument in every file.",
		Engines: engine.Releases{OpenTofu: "< 1.12", Terraform: ">= 0"},
	},
	{Path: "terraform/language", Do: Drop, Why: "The engine accepts this argument and looks at it nowhere."},
	{
		Path:      "terraform/required_providers",
		Do:        Merge,
		OmitEmpty: true,
		Duplicate: "Duplicate required providers configuration",
		Why:       "Each entry is merged by its own rule.",
	},
	{
		Path: "terraform/required_providers/*",
		Why:  "The whole entry is replaced: source, version and configuration_aliases go together.",
	},
	{
		Path:      "terraform/backend",
		Displaces: []string{"cloud"},
		Clash:     "Both a backend and a cloud configuration are present",
		Duplicate: "Duplicate backend configuration",
		Once:      true,
		Why:       "The whole block is replaced, with its type; it also takes the place of a cloud block.",
	},
	{
		Path:      "terraform/cloud",
		Displaces: []string{"backend"},
		Clash:     "Both a backend and a cloud configuration are present",
		Duplicate: "Duplicate cloud configurations",
		Once:      true,
		Last:      true,
		Why:       "The whole block is replaced; it also takes the place of a backend block, even of one in the same override file.",
	},
	{
		Path:      "terraform/provider_meta",
		Match:     ByLabels,
		Do:        Drop,
		Duplicate: "Duplicate provider_meta block",
		Why:       "The engine ignores provider_meta blocks of override files.",
	},
	{
		Path:      "terraform/encryption",
		Do:        Merge,
		Once:      true,
		Duplicate: "Duplicate encryption configuration",
		Why:       "Each element is merged by its own rule.",
	},
	{
		Path:  "terraform/encryption/key_provider",
		Match: ByLabels,
		Do:    Merge,
		Why:   "The block with the same labels is merged argument by argument; another one is added.",
	},
	{
		Path: "terraform/encryption/key_provider/encrypted_metadata_alias",
		Do:   KeepEarlier,
		Why:  "Contrary to the documentation the engine ignores this argument where the key provider is overridden.",
	},
	{
		Path:  "terraform/encryption/method",
		Match: ByLabels,
		Do:    Merge,
		Why:   "The block with the same labels is merged argument by argument; another one is added.",
	},
	{Path: "terraform/encryption/state", Do: Merge, Why: "Each argument is merged by its own rule."},
	{
		Path:   "terraform/encryption/state/method",
		Absent: Clear,
		Why:    "Replaced; and removed where the override's block has none.",
	},
	{
		Path:        "terraform/encryption/state/enforced",
		Keeps:       isTrue,
		Why:         "It can be switched on, not off.",
		WhyNoEffect: "Encryption that an earlier file enforces stays enforced.",
	},
	{Path: "terraform/encryption/state/fallback", Why: "The whole block is replaced."},
	{Path: "terraform/encryption/plan", Do: Merge, Why: "Each argument is merged by its own rule."},
	{
		Path:   "terraform/encryption/plan/method",
		Absent: Clear,
		Why:    "Replaced; and removed where the override's block has none.",
	},
	{
		Path:        "terraform/encryption/plan/enforced",
		Keeps:       isTrue,
		Why:         "It can be switched on, not off.",
		WhyNoEffect: "Encryption that an earlier file enforces stays enforced.",
	},
	{Path: "terraform/encryption/plan/fallback", Why: "The whole block is replaced."},
	{Path: "terraform/encryption/remote_state_data_sources", Do: Merge, Why: "Each element is merged by its own rule."},
	{
		Path: "terraform/encryption/remote_state_data_sources/default",
		Do:   Merge,
		Why:  "Each argument is merged by its own rule.",
	},
	{
		Path:   "terraform/encryption/remote_state_data_sources/default/method",
		Absent: Clear,
		Why:    "Replaced; and removed where the override's block has none.",
	},
	{Path: "terraform/encryption/remote_state_data_sources/default/fallback", Why: "The whole block is replaced."},
	{
		Path:  "terraform/encryption/remote_state_data_sources/remote_state_data_source",
		Match: ByLabels,
		Do:    Merge,
		Why:   "The block with the same label is merged argument by argument; another one is added.",
	},
	{
		Path:   "terraform/encryption/remote_state_data_sources/remote_state_data_source/method",
		Absent: Clear,
		Why:    "Replaced; and removed where the override's block has none.",
	},
	{
		Path: "terraform/encryption/remote_state_data_sources/remote_state_data_source/fallback",
		Why:  "The whole block is replaced.",
	},

	{
		Path:      "provider",
		Match:     ByAlias,
		Do:        Merge,
		Orphan:    AddUnaliased,
		Missing:   "Missing base provider configuration for override",
		Duplicate: "Duplicate provider configuration",
		Prefix:    []string{"provider"},
		Noun:      "provider configuration",
		After:     []string{"provider", "terraform"},
		Why:       "The configuration of the same name and alias is merged; a default one that does not exist is added.",
	},
	{
		Path: "provider/_",
		Do:   Flatten,
		Why:  "Its items count as items of the block around it; they stay apart from meta-arguments of their names.",
	},
	{Path: "provider/alias", Do: Identify, Why: "It tells which configuration is meant."},
	{Path: "provider/version", Why: "The constraint is replaced."},
	{
		Path: "provider/for_each",
		Do:   Drop,
		Why:  "Contrary to the documentation the engine ignores for_each of a provider in override files.",
	},

	{
		Path:      "variable",
		Match:     ByLabels,
		Do:        Merge,
		Orphan:    Fail,
		Missing:   "Missing base variable declaration to override",
		Duplicate: "Duplicate variable declaration",
		Prefix:    []string{"var"},
		Noun:      "variable",
		Each:      checkVariable,
		End:       finishVariable,
		Why:       "Each argument is merged by its own rule.",
	},
	{Path: "variable/description", Why: "Replaced, also by an empty string."},
	{
		Path: "variable/type",
		Why:  "Replaced; but the defaults of optional attributes stay those of the primary file's type.",
	},
	{Path: "variable/default", Why: "Replaced, and converted to the type in effect after every override block."},
	{Path: "variable/nullable", Why: "Replaced."},
	{Path: "variable/sensitive", Why: "Replaced."},
	{Path: "variable/ephemeral", Why: "Replaced."},
	{Path: "variable/const", Why: "Replaced."},
	{Path: "variable/deprecated", Why: "Replaced; it can't be removed.", Engines: engine.Releases{OpenTofu: ">= 1.10"}},
	{
		Path:    "variable/deprecated",
		Do:      Drop,
		Why:     "Contrary to the documentation the engine ignores deprecated of override files.",
		Engines: engine.Releases{Terraform: ">= 1.15"},
	},
	{
		Path:    "variable/validation",
		Do:      Reject,
		Missing: "Can't override validation blocks",
		Why:     "Validation rules can't be overridden; those of the primary file stay.",
	},

	{
		Path:      "locals",
		Do:        Merge,
		OmitEmpty: true,
		Noun:      "locals block",
		Why:       "Each local value is merged by itself, wherever it is defined.",
	},
	{
		Path:      "locals/*",
		Orphan:    Fail,
		Missing:   "Missing base local value definition to override",
		Duplicate: "Duplicate local value definition",
		Prefix:    []string{"local"},
		Noun:      "local value",
		Why:       "The whole value is replaced.",
	},

	{
		Path:      "output",
		Match:     ByLabels,
		Do:        Merge,
		Orphan:    Fail,
		Missing:   "Missing base output definition to override",
		Duplicate: "Duplicate output definition",
		Prefix:    []string{"output"},
		Noun:      "output value",
		Why:       "Each argument is merged by its own rule.",
	},
	{Path: "output/value", Why: "Replaced; the primary file must have one."},
	{Path: "output/type", Why: "Replaced, together with the defaults of optional attributes."},
	{
		Path:        "output/description",
		Unless:      emptyString,
		Why:         "Replaced; but the engine ignores an empty description here.",
		WhyNoEffect: "The engine ignores an empty description of an output value here; the earlier one stays.",
	},
	{Path: "output/sensitive", Why: "Replaced."},
	{Path: "output/ephemeral", Why: "Replaced."},
	{Path: "output/deprecated", Why: "Replaced; it can't be removed.", Engines: engine.Releases{OpenTofu: ">= 1.10"}},
	{
		Path:    "output/deprecated",
		Do:      Drop,
		Why:     "Contrary to the documentation the engine ignores deprecated of override files.",
		Engines: engine.Releases{Terraform: ">= 1.15"},
	},
	{
		Path:        "output/depends_on",
		Do:          Reject,
		Unless:      emptyList,
		Missing:     "Unsupported override",
		Why:         "It can't be overridden; an empty list is ignored.",
		WhyNoEffect: "An empty list does not take the earlier dependencies away.",
	},
	{
		Path:    "output/precondition",
		Do:      Reject,
		Missing: "Can't override precondition blocks",
		Why:     "Preconditions can't be overridden; those of the primary file stay.",
	},

	{
		Path:      "module",
		Match:     ByLabels,
		Do:        Merge,
		Orphan:    Fail,
		Missing:   "Missing module call to override",
		Duplicate: "Duplicate module call",
		Prefix:    []string{"module"},
		Noun:      "module call",
		Why:       "Each argument is merged by its own rule.",
	},
	{
		Path: "module/_",
		Do:   Flatten,
		Why:  "Its items count as items of the block around it; they stay apart from meta-arguments of their names.",
	},
	{Path: "module/source", Why: "Replaced; the primary file must have one."},
	{
		Path:    "module/version",
		Void:    null,
		Why:     "Replaced; null removes it.",
		Engines: engine.Releases{OpenTofu: ">= 1.10"},
	},
	{
		Path:    "module/version",
		Void:    null,
		Why:     "Replaced, also by null.",
		Engines: engine.Releases{OpenTofu: ">= 1.8, < 1.10", Terraform: ">= 1.15"},
	},
	{
		Path:        "module/version",
		Unless:      null,
		Void:        null,
		Why:         "Replaced; but the engine ignores null.",
		WhyNoEffect: "The engine ignores a version of null here; the earlier one stays.",
		Engines:     engine.Releases{OpenTofu: "< 1.8", Terraform: "< 1.15"},
	},
	{
		Path:     "module/count",
		Outranks: []string{"for_each", "lifecycle/enabled"},
		Wins:     "Where overrides bring count, for_each and lifecycle.enabled together, the engine follows the first of them that is there.",
		Why:      "Replaced; where an override brings count and for_each together, count wins without an error.",
	},
	{
		Path:     "module/for_each",
		Outranks: []string{"lifecycle/enabled"},
		Wins:     "Where overrides bring count, for_each and lifecycle.enabled together, the engine follows the first of them that is there.",
		Why:      "Replaced; it gives way to count.",
	},
	{
		Path:        "module/providers",
		Unless:      emptyMap,
		Why:         "The whole map is replaced; an empty map is ignored.",
		WhyNoEffect: "The engine ignores an empty map here; the earlier one stays.",
	},
	{
		Path:        "module/depends_on",
		Do:          Reject,
		Unless:      emptyList,
		Missing:     "Unsupported override",
		Why:         "It can't be overridden; an empty list is ignored.",
		WhyNoEffect: "An empty list does not take the earlier dependencies away.",
	},
	{
		Path: "module/ignore_nested_deprecations",
		Do:   Drop,
		Why:  "Contrary to the documentation the engine ignores ignore_nested_deprecations of override files.",
	},
	{Path: "module/lifecycle", Do: Merge, OmitEmpty: true, Why: "Each argument is merged by its own rule."},
	{
		Path: "module/lifecycle/enabled",
		Do:   Drop,
		Why:  "Contrary to the documentation the engine ignores lifecycle.enabled of override files.",
	},
}
