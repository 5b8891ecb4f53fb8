package judge

import (
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

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

// A wordTable holds words and the releases that know them.
type wordTable map[string]engine.Releases

// has reports whether a release knows a word.
func (t wordTable) has(word string, e engine.Release) bool {
	in, ok := t[word]
	return ok && in.Has(e)
}

// roots are the words that start references to anything but a managed resource.
var roots = wordTable{
	"var": {}, "local": {}, "module": {}, "data": {}, "path": {}, "terraform": {}, "self": {}, "count": {}, "each": {},
	"ephemeral": SinceEphemeral,
	"tofu":      {OpenTofu: ">= 1.9"},
	"action":    {Terraform: ">= 1.13"},
	"caller":    {Terraform: ">= 1.16"},
	"symbols":   engine.SinceSymbols,
}

// RootsUnlike lists the words at the start of references that only one of two releases knows, such as ephemeral. To
// the other release, they are types of resources.
func RootsUnlike(a, b engine.Release) (list []string) {
	for word, in := range roots {
		if in.Has(a) != in.Has(b) {
			list = append(list, word)
		}
	}
	return list
}

// movable and importable are the modes of resources that can be moved and imported, as in modes;
// the mode of managed resources has no keyword.
var (
	movable = wordTable{
		"":          {},
		"data":      {},
		"ephemeral": {Terraform: engine.Every},
		"list":      {Terraform: engine.Every},
	}
	importable = wordTable{
		"":          {},
		"data":      {OpenTofu: engine.Every, Terraform: "< 1.7"},
		"ephemeral": {OpenTofu: engine.Every},
	}
)

// modes are the words that may precede the type of a resource in its address.
var modes = wordTable{
	"data":      {},
	"ephemeral": SinceEphemeral,
	"list":      {Terraform: ">= 1.13"},
	"resource":  {Terraform: ">= 1.9"},
}

// Terraform since 1.10 doesn't accept the first names of other references as types.
var (
	sinceReservedTypes = engine.Releases{Terraform: ">= 1.10"}
	reservedTypes      = []string{"var", "local", "each", "count", "self", "path", "terraform", "template", "lazy", "arg"}
)

var hostName = lazyregexp.New(`^([^-./:_ ]([^./:_ ]*[^-./:_ ])?\.)*[^-./:_ ]([^./:_ ]*[^-./:_ ])?(:[0-9]+)?$`)
