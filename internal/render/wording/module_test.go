package wording_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Why an item has no effect, in the engine's own name.
func TestWhyIdle(t *testing.T) {
	terraform, err := engine.Parse("terraform@1.11.4")
	if err != nil {
		t.Fatal(err)
	}
	tofu := engine.Default()
	for _, test := range []struct {
		main, override string
		e              engine.Release
		want           []string
	}{
		{"terraform {\n}\n", "terraform {\n  required_version = \">= 1.0\"\n}\n", tofu, []string{"OpenTofu ignores it in .tf files"}},
		{"terraform {\n}\n", "terraform {\n  required_version = \">= 1.0\"\n}\n", terraform, nil},
		{"resource \"a_b\" \"x\" {\n}\n", "resource \"a_b\" \"x\" {\n  depends_on = []\n}\n", terraform, []string{"Terraform ignores this value"}},
		{"resource \"a_b\" \"x\" {\n  lifecycle {\n    ignore_changes = [a]\n  }\n}\n",
			"resource \"a_b\" \"x\" {\n  lifecycle {\n    ignore_changes = []\n  }\n}\n", tofu, []string{"OpenTofu ignores this value"}},
	} {
		m, _ := mergetest.ArchiveAs(t, "-- main.tf --\n"+test.main+"-- override.tf --\n"+test.override, test.e)
		var got []string
		address.Walk(m, func(_ address.Address, e *merge.MergedItem) {
			for _, o := range e.Outcomes() {
				if o.Status == effect.StatusNoEffect {
					got = append(got, wording.WhyIdle(o))
				}
			}
		})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s, %s: -want +got:\n%s", test.e, test.override, diff)
		}
	}
}
