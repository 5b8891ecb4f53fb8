package judge

import (
	"fmt"
	"slices"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
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
		diags = append(diags, prereleaseConstraint(a))
	case !MeetsConstraint(a):
		diags = append(diags, incompatible(a))
	}
	return diags
}

// hasPrerelease reports whether a constraint names a prerelease, which a constraint on
// the engine may not do.
func hasPrerelease(a *source.Attr) bool {
	text, _ := constant.String(a)
	want, err := version.NewConstraint(text)
	return err == nil && slices.ContainsFunc(want, func(c *version.Constraint) bool { return c.Prerelease() })
}

// WouldMeet reports whether the engine would accept the module if it didn't ignore an argument as a
// constraint on itself.
func WouldMeet(a *source.Attr) bool {
	return !Constraint(a).HasErrors() && !hasPrerelease(a) && MeetsConstraint(a)
}

// MeetsConstraint reports whether the engine that reads an argument meets it as a
// version constraint. One that can't be read is met.
func MeetsConstraint(a *source.Attr) bool {
	text, ok := constant.String(a)
	if !ok {
		return true
	}
	want, err := version.NewConstraint(text)
	return err != nil || want.Check(a.File.Engine.Core())
}
