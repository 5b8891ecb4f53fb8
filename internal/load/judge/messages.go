// Package judge holds the checks of single arguments and single blocks: everything that a loader
// refuses in them regardless of the rest of the module.
//
// A judge takes an argument, a block, or some arguments of one block, and returns diagnostics. The
// tables of package language assign judges to arguments and blocks. Nothing that depends on another
// object is evaluated. Of a module's source address only the text is judged: nothing is fetched,
// and no directory is read.
package judge

import (
	"fmt"

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

// MissingArgument returns the error that a block lacks an argument it needs.
func MissingArgument(b *source.Block, name string) *hcl.Diagnostic {
	where := ""
	if b.Within() == nil && b.File.Role == source.Primary {
		where = " in a primary file"
	}
	return diag.New(b.Header(), "Missing required argument", "%s %s block%s must set %s.",
		diag.Article(b.Type), b.Type, where, name)
}

// InvalidName returns the error about a text that can't be a name. noun tells what it would name, such as "output".
func InvalidName(noun string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, fmt.Sprintf("Invalid %s name", diag.Escape(noun)),
		"A name must start with a letter or underscore and contain only letters, digits, underscores and dashes.")
}

// reservedVariableName returns the error about a variable with a name such as count, which module blocks reserve.
func reservedVariableName(b *source.Block) *hcl.Diagnostic {
	return diag.New(b.LabelAt(0), "Invalid variable name",
		"The name %q has a special meaning in module blocks. Rename the variable.", b.Labels[0])
}

// invalidProviderName returns the error about a text that can't be the local name of a provider.
func invalidProviderName(name string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider local name",
		"\"%s\" can't be the local name of a provider. Use lower case letters, digits and single dashes.",
		diag.Escape(name))
}

// invalidConstraint returns the error about a text that isn't a version constraint.
func invalidConstraint(at hcl.Range) *hcl.Diagnostic {
	return diag.WithCode(diag.InvalidConstraint, diag.New(at, "Invalid version constraint",
		`Write a constant string with a version constraint, such as "~> 1.2" or ">= 1.0, < 2.0".`))
}

// invalidProviderRef returns the error about a malformed reference to a provider configuration.
func invalidProviderRef(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider configuration reference",
		"Write the local name of the provider, followed by a dot and the alias if there is one: aws or aws.west.")
}

// invalidRequirement returns an error about an entry of required_providers. why is its text.
func invalidRequirement(at hcl.Range, why string) *hcl.Diagnostic {
	return diag.New(at, "Invalid required_providers object", "%s", why)
}

// reservedArgument returns the error about an argument whose name the engine reserves, or which a data block in a
// check block can't have. Other data blocks have no reserved names.
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

// incompatible returns the error that the engine doesn't meet the version constraint in an argument.
func incompatible(a *source.Attr) *hcl.Diagnostic {
	return diag.WithCode(diag.IncompatibleModule, diag.New(a.Value(), "Incompatible module",
		"%s %s does not meet this version constraint and refuses the module. Change the constraint, or choose "+
			"another release with --engine.", a.File.Engine.Product.Title(), a.File.Engine.Version))
}

// Incompatible reports that the engine doesn't meet the version constraint in an argument. It is for constraints that
// the engine checks only after it has loaded the module: the diagnostic is shown as an error, but has the severity of
// a warning, so that the module is still printed.
func Incompatible(a *source.Attr) *hcl.Diagnostic {
	d := incompatible(a)
	d.Severity = hcl.DiagWarning
	return diag.ShowAsError(d)
}

// invalidElement returns the error about a label of a key_provider or method block; label is its index.
func invalidElement(b *source.Block, label int) *hcl.Diagnostic {
	noun, part := "key provider", "name"
	if b.Type == "method" {
		noun = "encryption method"
	}
	if label == 0 {
		part = "type"
	}
	return diag.New(b.LabelAt(label), fmt.Sprintf("The provided %s %s is invalid", noun, part),
		"Use only letters, digits, underscores and dashes.")
}

// invalidAddress returns the error about an address that the argument can't have. want is a sentence about those it
// can have.
func invalidAddress(a *source.Attr, want string) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid address", "%s does not accept this address here. %s",
		a.File.Engine.Title(), want)
}

// constSecretOfTwo returns the warning about a variable with const (fixed) in one block and sensitive or ephemeral
// (a) in another.
func constSecretOfTwo(a, fixed *source.Attr) *hcl.Diagnostic {
	d := diag.WithCode(diag.ConstSecret, diag.NewWith(diag.Related{Note: "const set here",
		Range: fixed.Header()}, a.Header(), "Const variable cannot be "+a.Name,
		"%s accepts const and %s in different blocks, but refuses the printed result. Remove one.",
		a.File.Engine.Product.Title(), a.Name))
	d.Severity = hcl.DiagWarning
	return d
}
