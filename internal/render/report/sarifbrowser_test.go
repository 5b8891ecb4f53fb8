//go:build browser

package report

import (
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// A program that reads logs gets the same from them as the tests of formats.
func TestSARIFReader(t *testing.T) {
	text := as(t, "sarif", odd, false)
	log, err := sarif.FromString(text)
	if err != nil {
		t.Fatal(err)
	}
	want, results := readSARIF(t, text).Results, log.Runs[0].Results
	if len(results) != len(want) || len(want) == 0 {
		t.Fatalf("%d results, want %d", len(results), len(want))
	}
	for i, r := range results {
		at := want[i].Locations[0].PhysicalLocation
		got := r.Locations[0].PhysicalLocation
		if *r.RuleID != want[i].RuleID || *got.ArtifactLocation.URI != at.ArtifactLocation.URI || (got.Region == nil) != (at.Region == nil) {
			t.Errorf("%+v, want %+v", r, want[i])
		}
	}
}
