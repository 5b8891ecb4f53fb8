package judge

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Messages about forms that some releases take and others refuse.

func farReference(a *source.Attr, variable string) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid reference in variable validation",
		"In %s, a validation block can refer only to its own variable, var.%s (other references: %s).",
		a.File.Engine.Title(), diag.Escape(variable), SinceReach)
}

func ownReference(condition *source.Block, a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid reference in "+condition.Type,
		"A condition can't refer to its own object by address. In a postcondition, use self instead.")
}

func constSecret(a *source.Attr) *hcl.Diagnostic {
	return diag.WithCode(diag.ConstSecret, diag.New(a.Header(), "Const variable cannot be "+a.Name,
		"A variable can't set both const and %s. Remove one.", a.Name))
}

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

func importProvider(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Header(), "Invalid import provider argument",
		"An import into a module uses the provider configuration of the resource there. Remove provider.")
}

func repeatedImport(to *source.Attr, at, first hcl.Range) *hcl.Diagnostic {
	text := diag.Escape(string(to.File.Text(to.Value())))
	return diag.NewWith(diag.Related{Note: "also imported here", Range: first}, at,
		fmt.Sprintf("Duplicate import configuration for %q",
			text), "An object can be imported only once. Remove one of the blocks.")
}

func removedModuleProvisioner(p *source.Block) *hcl.Diagnostic {
	return diag.New(p.Header(), `Invalid "removed" block`,
		"Only the removal of a resource can have provisioners, not the removal of a module. Remove this block.")
}

func invalidAddress(a *source.Attr, want string) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid address", "%s does not accept this address here. %s",
		a.File.Engine.Title(), want)
}

func unlikeAddresses(from, to *source.Attr) *hcl.Diagnostic {
	return diag.NewWith(diag.Related{Note: "other address here", Range: from.Value()}, to.Value(),
		`Invalid "moved" addresses`, "A module can move only to a module, and a resource only to a resource.")
}

func invalidSource(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid module source address",
		"%s can't get a module from this address. Write a directory (starting with ./ or ../), a registry module "+
			"(NAMESPACE/NAME/SYSTEM) or an address with a scheme, such as git::https://.",
		a.File.Engine.Product.Title())
}

func dynamicReference(a *source.Attr, ref hcl.Traversal) *hcl.Diagnostic {
	return diag.New(a.Value(), "Dynamic value in static context",
		"The argument %s is evaluated when the configuration is loaded, so it can refer only to variables, local "+
			"values and path, not to %s.", a.Name, diag.Escape(ref.RootName()))
}

func dynamicFunction(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Provider function in static context",
		"The argument %s is evaluated when the configuration is loaded, before providers are available.", a.Name)
}

func invalidForEach(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid for_each argument",
		"for_each must be a map or a set of strings. To turn a list into a set, use toset.")
}

func dependsOnAction(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid depends_on Action Reference",
		"Nothing can depend on an action. Name the objects that the action depends on instead.")
}

func laterInstance(at hcl.Range, e engine.Release) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider configuration reference",
		"%s does not support provider configurations with several instances (supported by %s). Remove the key in "+
			"brackets.", e.Title(), SinceInstances)
}

func laterKeyInJSON(at hcl.Range, e engine.Release) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider configuration reference",
		"In JSON, %s accepts only a constant key in brackets (any expression: %s).", e.Title(), SinceKeysInJSON)
}

func laterFunction(at hcl.Range, e engine.Release) *hcl.Diagnostic {
	return diag.New(at, "Invalid function call",
		"%s does not support functions of providers, with :: in their names (supported by %s).",
		e.Title(), sinceProviderFunctions)
}

func prereleaseConstraint(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid required_version constraint",
		"A constraint on the engine can't name a prerelease. Name the release instead.")
}

func constSecretOfTwo(a, fixed *source.Attr) *hcl.Diagnostic {
	d := diag.WithCode(diag.ConstSecret, diag.NewWith(diag.Related{Note: "const set here",
		Range: fixed.Header()}, a.Header(), "Const variable cannot be "+a.Name,
		"%s accepts const and %s in different blocks, but refuses the printed result. Remove one.",
		a.File.Engine.Product.Title(), a.Name))
	d.Severity = hcl.DiagWarning
	return d
}
