package judge

import (
	"fmt"
	"slices"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// EngineConstraint judges a constraint on the engine, which is read when files are loaded.
// Inside a terraform block it takes effect only in files that OpenTofu alone reads.
func EngineConstraint(a *source.Attr) hcl.Diagnostics {
	isInert := a.Within().Type == "terraform" && !a.File.Tofu
	diags := Constraint(a)
	for _, d := range diags {
		if isInert {
			d.Severity = hcl.DiagWarning
			d.Detail += fmt.Sprintf(" %s ignores it in this file.", a.File.Engine.Product.Title())
		}
	}
	switch {
	case isInert || diags.HasErrors():
	case hasPrerelease(a):
		diags = append(diags, diag.New(a.Value(), "Invalid required_version constraint",
			"A constraint on the engine can't name a prerelease. Name the release instead."))
	case !MeetsConstraint(a):
		diags = append(diags, incompatible(a))
	}
	return diags
}

// hasPrerelease reports whether a constraint names a prerelease, which a constraint on
// the engine may not do.
func hasPrerelease(a *source.Attr) bool {
	return slices.ContainsFunc(constraintsOf(a), (*version.Constraint).Prerelease)
}

// constraintsOf reads an argument as a version constraint; one that can't be read constrains nothing.
func constraintsOf(a *source.Attr) version.Constraints {
	text, _ := constant.String(a)
	constraints, _ := version.NewConstraint(text)
	return constraints
}

// WouldMeet reports whether the engine would accept the module if it didn't ignore an argument as a
// constraint on itself.
func WouldMeet(a *source.Attr) bool {
	return !Constraint(a).HasErrors() && !hasPrerelease(a) && MeetsConstraint(a)
}

// MeetsConstraint reports whether the engine that reads an argument meets it as a
// version constraint. One that can't be read is met.
func MeetsConstraint(a *source.Attr) bool { return constraintsOf(a).Check(a.File.Engine.Core()) }
