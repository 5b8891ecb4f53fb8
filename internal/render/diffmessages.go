package render

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// changedForce warns of a version constraint that goes to a file of another kind.
func changedForce(it source.Item, isTofu bool) *hcl.Diagnostic {
	what := "The patch puts it into a file that does not end in .tofu, where the engine ignores it. Move it to a .tofu file."
	if isTofu {
		what = "The patch puts it into a .tofu file, where it counts, which it did not before. Remove it if it is not meant."
	}
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Version constraint changes its force",
		Detail:   what,
		Subject:  it.Header().Ptr(),
	}
}
