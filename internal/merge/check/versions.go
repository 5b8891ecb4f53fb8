package check

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// withoutRepeats returns the diagnostics with one about each block that sets both a local source and
// a version: the refusal of the engine. A warning about a version in an earlier block, which takes
// effect once the override's one is removed, becomes part of its remedy.
func withoutRepeats(diags hcl.Diagnostics) hcl.Diagnostics {
	refusals := map[hcl.Range]*hcl.Diagnostic{} // by the source
	versions := map[hcl.Range]bool{}
	for _, d := range diags {
		if related, ok := diag.RelatedOf(d); ok && diag.IsError(d) && isOfVersion(d) {
			refusals[*d.Subject], versions[startOf(related.Range)] = d, true
		}
	}
	if len(refusals) == 0 {
		return diags
	}
	uncovered := map[*hcl.Diagnostic]*hcl.Diagnostic{}
	isRepeat := map[*hcl.Diagnostic]bool{}
	for _, d := range diags {
		switch {
		case d.Subject == nil || diag.IsError(d):
		case isOfVersion(d) && refusals[*d.Subject] != nil:
			uncovered[refusals[*d.Subject]], isRepeat[d] = d, true
		case diag.CodeOf(d) == diag.NoEffect && versions[startOf(*d.Subject)]:
			isRepeat[d] = true
		}
	}
	var list hcl.Diagnostics
	for _, d := range diags {
		if other := uncovered[d]; other != nil {
			whole := *d
			detail, _, _ := strings.Cut(other.Detail, " Otherwise, ")
			whole.Detail = strings.Replace(detail, "Remove version at ", "Remove version from this block and at ", 1)
			d = &whole
		}
		if !isRepeat[d] {
			list = append(list, d)
		}
	}
	return list
}

func isOfVersion(d *hcl.Diagnostic) bool {
	return d.Subject != nil && diag.CodeOf(d) == diag.NoRegistrySource
}

// startOf is the start of a range, alone.
func startOf(r hcl.Range) hcl.Range {
	return hcl.Range{Filename: r.Filename, Start: r.Start}
}
