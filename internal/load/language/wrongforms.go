package language

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
		"In %s the rule of a variable may refer to that variable only, here var.%s; in %s it may refer to other "+
			"objects.", a.File.Engine, diag.Escape(variable), sinceReach)
}

func ownReference(condition *source.Block, a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid reference in "+condition.Type,
		"A condition can't refer to the object that it stands in by its address. In a postcondition that object is "+
			"called self.")
}

func constSecret(a *source.Attr) *hcl.Diagnostic {
	return diag.WithCode(diag.ConstSecret, diag.New(a.Header(), "Const variable cannot be "+a.Name,
		"A variable that is const may not be %s in the same block. Remove one of the two arguments.", a.Name))
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
		"It may hold letters, digits, underscores and dashes only.")
}

func importProvider(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Header(), "Invalid import provider argument",
		"An import into a module takes the provider configuration of the resource there. Remove the argument.")
}

func repeatedImport(to *source.Attr, at, first hcl.Range) *hcl.Diagnostic {
	text := diag.Escape(string(to.File.Text(to.Value())))
	return diag.NewWith(diag.Related{Note: "the other one is here", Range: first}, at,
		fmt.Sprintf("Duplicate import configuration for %q",
			text), "An object can be imported only once. Remove one of the blocks.")
}

func removedModuleProvisioner(p *source.Block) *hcl.Diagnostic {
	return diag.New(p.Header(), `Invalid "removed" block`, "Only the removal of a resource can have provisioners, not that of a whole module.")
}

func invalidAddress(a *source.Attr, want string) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid address", "This is no address that %s takes here. %s", a.File.Engine, want)
}

func unlikeAddresses(from, to *source.Attr) *hcl.Diagnostic {
	return diag.NewWith(diag.Related{Note: "the other address is here", Range: from.Value()}, to.Value(), `Invalid "moved" addresses`, "One address is that of a module and the other that of a resource; a module can only move to a module, a resource to a resource.")
}

func invalidSource(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid module source address",
		"The engine knows no way to get a module from there. A directory starts with ./ or ../, a module of a "+
			"registry is NAMESPACE/NAME/SYSTEM, others have a scheme such as git::https://.")
}

func dynamicReference(a *source.Attr, ref hcl.Traversal) *hcl.Diagnostic {
	return diag.New(a.Value(), "Dynamic value in static context",
		"The argument %q is computed when the configuration is loaded, so it may refer to variables, local values "+
			"and path only, not to %s.", a.Name, diag.Escape(ref.RootName()))
}

func dynamicFunction(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Provider function in static context",
		"The argument %q is computed when the configuration is loaded, before there are any providers.", a.Name)
}

func invalidForEach(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid for_each argument",
		"It must be a map, or a set of strings; toset makes a set of a list.")
}

func dependsOnAction(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid depends_on Action Reference",
		"Nothing can depend on an action. Name what the action itself depends on.")
}

func laterInstance(at hcl.Range, e engine.Release) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider configuration reference",
		"%s does not know provider configurations with several instances, so this can have no key in brackets; %s "+
			"does.", e, sinceInstances)
}

func laterKeyInJSON(at hcl.Range, e engine.Release) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider configuration reference",
		"%s takes only a constant key in brackets in JSON; %s takes any expression.", e, sinceKeysInJSON)
}

func laterFunction(at hcl.Range, e engine.Release) *hcl.Diagnostic {
	return diag.New(at, "Invalid function call", "%s does not know functions of providers, with :: in their names, "+
		"which are known to %s.", e, sinceProviderFunctions)
}

func prereleaseConstraint(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid required_version constraint",
		"A constraint on the engine can't name a prerelease. Name the release itself.")
}

func constSecretOfTwo(a, fixed *source.Attr) *hcl.Diagnostic {
	d := diag.WithCode(diag.ConstSecret, diag.NewWith(diag.Related{Note: "it is made constant here",
		Range: fixed.Header()}, a.Header(), "Const variable cannot be "+a.Name, "The engine does not notice while "+
		"the two arguments come from different blocks, but refuses the printed result. Remove one of them."))
	d.Severity = hcl.DiagWarning
	return d
}
