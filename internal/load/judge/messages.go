package judge

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// The remedies for the version of a module without a source, if its setting can't be located; the
// second one is for releases that don't accept null as a missing version.
const (
	RemoveVersion = "Remove version."
	UnsetVersion  = "Remove version, or set it to null in an override file."
)

// MissingArgument reports a block without an argument that it needs.
func MissingArgument(b *source.Block, name string) *hcl.Diagnostic {
	where := ""
	if b.Within() == nil && b.File.Role == source.Primary {
		where = " in a primary file"
	}
	return diag.New(b.Header(), "Missing required argument", "%s %s block%s must set %s.",
		diag.Article(b.Type), b.Type, where, name)
}

// InvalidName reports a name that the language does not take.
func InvalidName(noun string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, fmt.Sprintf("Invalid %s name", diag.Escape(noun)),
		"A name must start with a letter or underscore and contain only letters, digits, underscores and dashes.")
}

func reservedVariableName(b *source.Block) *hcl.Diagnostic {
	return diag.New(b.LabelAt(0), "Invalid variable name",
		"The name %q has a special meaning in module blocks. Rename the variable.", b.Labels[0])
}

func removedProvisioner(b *source.Block) *hcl.Diagnostic {
	return diag.New(b.LabelAt(0), fmt.Sprintf("The %q provisioner has been removed", b.Labels[0]),
		"No supported release has the %s provisioner. Remove this block.", b.Labels[0])
}

func removedProvisionerWhen(b *source.Block) *hcl.Diagnostic {
	return diag.New(b.Header(), `Invalid "removed.provisioner" block`,
		"Provisioners in removed blocks must run at destroy time. Set when = destroy.")
}

func destroyTimeReference(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid reference from destroy provisioner",
		"A destroy-time provisioner and its connection can refer only to self, count.index, each.key, path, "+
			"terraform and tofu.")
}

func invalidProviderName(name string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider local name",
		"\"%s\" can't be the local name of a provider. Use lower case letters, digits and single dashes.",
		diag.Escape(name))
}

func forEachWithoutAlias(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), `Alias required when using "for_each"`,
		"Only a provider configuration with an alias can have for_each. Set alias, or remove for_each.")
}

func repeatedElement(b, first *source.Block) *hcl.Diagnostic {
	return diag.NewWith(diag.Related{Note: "declared here first", Range: first.Header()}, b.Header(),
		"Duplicate "+b.Type, "%s.%s is declared twice, so %s drops the whole %s block. Remove one.",
		b.Type, diag.Escape(strings.Join(b.Labels, ".")), b.File.Engine.Product.Title(), b.Within().Type)
}

func noAsserts(b *source.Block) *hcl.Diagnostic {
	return diag.New(b.Header(), "Zero assert blocks", "A check block needs at least one assert block.")
}

func emptyNotice(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid `deprecated` value",
		"The text can't be empty. Name the replacement.")
}

func invalidConstraint(at hcl.Range) *hcl.Diagnostic {
	return diag.WithCode(diag.InvalidConstraint, diag.New(at, "Invalid version constraint",
		`Write a constant string with a version constraint, such as "~> 1.2" or ">= 1.0, < 2.0".`))
}

func constantCondition(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid condition expression",
		"The condition refers to nothing, so its result never changes. Refer to the object to test.")
}

func invalidKeyword(a *source.Attr, words []string) *hcl.Diagnostic {
	return diag.New(a.Value(), fmt.Sprintf("Invalid %q keyword", a.Name),
		"The argument %s must be %s, without quotes.", a.Name, diag.Joined(words, "or"))
}

func invalidProviderRef(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider configuration reference",
		"Write the local name of the provider, followed by a dot and the alias if there is one: aws or aws.west.")
}

func invalidImportAddress(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid import address expression",
		"Write the address of a resource without quotes, such as aws_instance.web or aws_instance.web[each.key].")
}

func repeatedProvider(at, first hcl.Range) *hcl.Diagnostic {
	return diag.NewWith(diag.Related{Note: "passed here first", Range: first}, at, "Duplicate provider address",
		"Each provider configuration of the child module can be passed only once. Remove one.")
}

func invalidRequirement(at hcl.Range, why string) *hcl.Diagnostic {
	return diag.New(at, "Invalid required_providers object", "%s", why)
}

func ignoreWildcard(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid ignore_changes wildcard",
		`["*"] is no longer supported. Write ignore_changes = all.`)
}

func invalidTrigger(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid replace_triggered_by expression",
		"Each element must refer to exactly one resource; only count.index and each.key may appear in it.")
}

func unknownExperiment(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Unknown experiment keyword", "This release has no experiment of this name. Remove it.")
}

func reservedArgument(a *source.Attr) *hcl.Diagnostic {
	b := a.Within()
	if b.Type == "data" {
		return diag.New(a.Header(), fmt.Sprintf("Invalid %q attribute", a.Name),
			"A data block in a check block can't set %s. Remove it.", a.Name)
	}
	return diag.New(a.Header(), fmt.Sprintf("Reserved argument name in %s block", b.Type),
		"The name %q is reserved for a future version of the language. If the provider has an argument of this name, "+
			"put it into a block of type %q.", a.Name, source.EscapeBlock)
}

func versionWithoutRegistry(source, ver *source.Attr) *hcl.Diagnostic {
	return diag.WithCode(diag.NoRegistrySource, diag.NewWith(diag.Related{Note: "version set here",
		Range: ver.Header()}, source.Value(), "Invalid registry module source address",
		"Only modules from a registry have versions, and this source is not in a registry. "+RemoveVersion))
}

func incompatible(a *source.Attr) *hcl.Diagnostic {
	return diag.WithCode(diag.IncompatibleModule, diag.New(a.Value(), "Incompatible module",
		"%s %s does not meet this version constraint and refuses the module. Change the constraint, or choose "+
			"another release with --engine.", a.File.Engine.Product.Title(), a.File.Engine.Version))
}

// Incompatible reports a version constraint that the engine checks only once it has loaded
// a module.
func Incompatible(a *source.Attr) *hcl.Diagnostic {
	d := incompatible(a)
	d.Severity = hcl.DiagWarning
	return diag.ReadAsError(d)
}

func experimental(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Header(), "Module uses experimental features",
		"%s has no experiments. Remove this argument.", a.File.Engine.Product.Title())
}

func invalidFlag(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid value for "+a.Name,
		"The argument %s must be true or false, not an expression.", a.Name)
}

func invalidEvent(at hcl.Range, events []string) *hcl.Diagnostic {
	return diag.New(at, "Invalid event", "Each event must be one of %s, and appear only once.",
		strings.Join(events, ", "))
}

func invalidAction(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid action reference",
		"Each element must refer to one action of this module: action.TYPE.NAME.")
}

func emptyTrigger(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Nothing specified for "+a.Name, "Add at least one element to %s.", a.Name)
}
