package load

import (
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// LockName is the name of the file in which init notes which versions of providers
// it chose. https://opentofu.org/docs/language/files/dependency-lock/
const LockName = ".terraform.lock.hcl"

// builtIn is the provider that is a part of the engines, and in no lock file.
const builtIn = "terraform.io/builtin/terraform"

// IsBuiltIn reports whether a source address that includes the host names the provider built into
// the engines.
func IsBuiltIn(address string) bool { return address == builtIn }

// ProviderAddress returns a provider's source address with the host and the namespace
// that an engine adds where they are missing; name is its local name.
func ProviderAddress(name, source string, e engine.Release) string {
	if source == "" && name == "terraform" {
		return builtIn
	}
	if source == "" {
		source = name
	}
	parts := strings.Split(source, "/")
	switch len(parts) {
	case 1:
		parts = []string{e.Product.Registry(), "hashicorp", parts[0]}
	case 2:
		parts = append([]string{e.Product.Registry()}, parts...)
	}
	return strings.ToLower(strings.Join(parts, "/"))
}

// A providerRequirement holds the constant parts of an entry of required_providers.
type providerRequirement struct {
	Source string
	// Version is the text of the constraint, empty if it is missing.
	Version string
	// Constraint is nil if it is missing or malformed.
	Constraint version.Constraints
}

// DecodeRequirement reads an entry of required_providers, which is an object, or
// a version constraint alone.
func DecodeRequirement(a *source.Attr) providerRequirement {
	var r providerRequirement
	text, isText := constant.String(a)
	if !isText {
		pairs, _ := hcl.ExprMap(a.Expr())
		for _, p := range pairs {
			value, ok := constant.String(a.With(p.Value))
			key, diags := limits.Evaluate(p.Key)
			switch {
			case diags.HasErrors() || key.IsNull() || key.Type() != cty.String:
			case key.AsString() == "source" && ok:
				r.Source = value
			case key.AsString() == "version" && ok:
				text = value
			case key.AsString() == "version":
				r.Version = string(a.File.Text(p.Value.Range()))
			}
		}
	}
	if text != "" {
		r.Version = text
		r.Constraint, _ = version.NewConstraint(text)
	}
	return r
}

// HasDefaultSource reports whether an entry of required_providers means the provider that its name
// alone would mean.
func HasDefaultSource(a *source.Attr) bool {
	e := a.File.Engine
	return ProviderAddress(a.Name, DecodeRequirement(a).Source, e) == ProviderAddress(a.Name, "", e)
}

// IsRequirement reports whether an argument is an entry of required_providers.
func IsRequirement(a *source.Attr) bool {
	arg, ok := language.ArgOf(a)
	return ok && arg.Kind == language.Requirement
}
