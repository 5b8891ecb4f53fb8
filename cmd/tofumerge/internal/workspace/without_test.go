package workspace_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// Messages of two engines' refusals that are equal are printed once. This would take minutes for so
// many diagnostics if each was compared with all others.
func TestNotAmong(t *testing.T) {
	const many = 200_000
	list := func(severity hcl.DiagnosticSeverity) hcl.Diagnostics {
		var diags hcl.Diagnostics
		for i := range many {
			at := hcl.Range{Filename: "main.tf", Start: hcl.Pos{Line: i}}
			if i == many/2 {
				severity = hcl.DiagError
			}
			diags = append(diags, &hcl.Diagnostic{Severity: severity, Summary: "twice", Subject: &at})
		}
		return append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "no place"})
	}
	if got := workspace.NotAmong(list(hcl.DiagError), list(hcl.DiagError)); len(got) != 0 {
		t.Errorf("%d are left, want none", len(got))
	}
	if got := workspace.NotAmong(list(hcl.DiagError), list(hcl.DiagWarning)); len(got) != many/2 || got[0].Subject.Start.Line != 0 {
		t.Errorf("%d are left, want those of another severity", len(got))
	}
}
