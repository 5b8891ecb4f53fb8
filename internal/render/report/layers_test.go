package report_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A variable is recorded with each source of a value, and what outranks it.
func TestVariables(t *testing.T) {
	m := mergetest.Archive(t, `
-- main.tf --
variable "size" {
  default = 1
}
-- override.tf --
variable "size" {
  default = 2
}
`)
	file, diags := assignments.Parse("terraform.tfvars", []byte("size = 3\n"), m.Source.Engine)
	last, more := assignments.Parse("z.auto.tfvars", []byte("size = 4\n"), m.Source.Engine)
	if diags.HasErrors() || more.HasErrors() {
		t.Fatal(diags, more)
	}
	set := layers.Of(m, []*assignments.File{file, last})
	shown := func(redact wording.Redactor) []string {
		recs := report.Variables(redact, set, set.Variables())
		if len(recs) != 1 || recs[0].Address != "var.size" || recs[0].State != layers.Known {
			t.Fatalf("%+v", recs)
		}
		list := []string{text(recs[0].Value)}
		for _, l := range recs[0].Layers {
			line := string(l.Source) + " " + string(l.Status) + " " + text(l.Value) + " at " + l.Range.Filename
			if l.By != nil {
				line += ", by " + l.By.Range.Filename
			}
			list = append(list, line)
		}
		return list
	}
	if diff := cmp.Diff([]string{
		"4", "default outranked 2 at override.tf, by z.auto.tfvars", "file outranked 3 at terraform.tfvars, by z.auto.tfvars", "file in_effect 4 at z.auto.tfvars",
	}, shown(wording.NewRedactor(m.Source, false))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"4", "default outranked (hidden) at override.tf, by z.auto.tfvars", "file outranked (hidden) at terraform.tfvars, by z.auto.tfvars", "file in_effect 4 at z.auto.tfvars",
	}, shown(wording.NewRedactor(m.Source, true))); diff != "" {
		t.Errorf("with --redact, -want +got:\n%s", diff)
	}
}

func text(value *string) string {
	if value == nil {
		return "(hidden)"
	}
	return *value
}
