package judge

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Checks of the conditions of variables and of objects.

// checkValidation reports a condition that looks at anything but its variable.
func checkValidation(variable, validation *source.Block) hcl.Diagnostics {
	cond := validation.Attr("condition")
	if cond == nil || cond.PlainlyRefersTo("var", variable.Labels[0]) {
		return nil
	}
	name := variable.Labels[0]
	if slices.ContainsFunc(cond.Expr().Variables(), func(ref hcl.Traversal) bool { return isVariable(ref, name) }) {
		return nil
	}
	return hcl.Diagnostics{diag.New(cond.Value(), "Invalid variable validation condition",
		"The condition does not test the variable. Refer to var.%s.", diag.Escape(name))}
}

// Reach reports references of a validation rule besides its variable, which only later releases
// allow.
func Reach(validation *source.Block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	variable := validation.Within().Labels[0]
	for _, name := range []string{"condition", "error_message"} {
		a := validation.Attr(name)
		if a != nil && slices.ContainsFunc(a.Expr().Variables(),
			func(ref hcl.Traversal) bool { return !isVariable(ref, variable) }) {
			diags = append(diags, diag.New(a.Value(), "Invalid reference in variable validation",
				"In %s, a validation block can refer only to its own variable, var.%s (other references: %s).",
				a.File.Engine.Title(), diag.Escape(variable), SinceReach))
		}
	}
	return diags
}

func isVariable(ref hcl.Traversal, name string) bool {
	return len(ref) > 1 && ref.RootName() == "var" && stepName(ref[1]) == name
}

// stepName is the name that a step of a reference takes, or "".
func stepName(step hcl.Traverser) string {
	switch step := step.(type) {
	case hcl.TraverseRoot:
		return step.Name
	case hcl.TraverseAttr:
		return step.Name
	}
	return ""
}

// Own reports a condition that names the object that it is in, which
// is called self there.
func Own(condition *source.Block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	object := condition.Within().Within()
	own := object.Labels
	if object.Type != "resource" {
		own = append([]string{object.Type}, own...)
	}
	for _, name := range []string{"condition", "error_message"} {
		a := condition.Attr(name)
		if a != nil && slices.ContainsFunc(a.Expr().Variables(),
			func(ref hcl.Traversal) bool { return leads(own, ref) }) {
			diags = append(diags, diag.New(a.Value(), "Invalid reference in "+condition.Type,
				"A condition can't refer to its own object by address. In a postcondition, use self instead."))
		}
	}
	return diags
}

// leads reports whether names are the first steps of a reference.
func leads(names []string, ref hcl.Traversal) bool {
	if len(ref) < len(names) {
		return false
	}
	for i, name := range names {
		if stepName(ref[i]) != name {
			return false
		}
	}
	return true
}
