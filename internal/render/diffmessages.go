package render

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// changedForce warns of a version constraint that moves to a file of another kind.
func changedForce(it source.Item, isTofu bool) *hcl.Diagnostic {
	what := "The patch moves this constraint to a .tf file, where the engine ignores it. Move it to a .tofu file."
	if isTofu {
		what = "The patch moves this constraint to a .tofu file, where it takes effect; it had none before. Remove it if you don't want it."
	}
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Version constraint changes its effect",
		Detail:   what,
		Subject:  it.Header().Ptr(),
	}
}
