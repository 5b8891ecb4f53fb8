package judge

import (
	"fmt"
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
	for _, ref := range cond.Expr().Variables() {
		if len(ref) < 2 || ref.RootName() != "var" {
			continue
		}
		if step, ok := ref[1].(hcl.TraverseAttr); ok && step.Name == variable.Labels[0] {
			return nil
		}
	}
	return hcl.Diagnostics{{
		Severity: hcl.DiagError,
		Summary:  "Invalid variable validation condition",
		Detail: fmt.Sprintf("The condition does not test the variable. Refer to var.%s.",
			diag.Escape(variable.Labels[0])),
		Subject: cond.Value().Ptr(),
	}}
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
			diags = append(diags, farReference(a, variable))
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
			diags = append(diags, ownReference(condition, a))
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
