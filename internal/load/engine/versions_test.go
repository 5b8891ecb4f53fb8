package engine

import (
	"testing"

	"github.com/hashicorp/go-version"
)

// TestMeets holds the comparison of numbers against package go-version.
func TestMeets(t *testing.T) {
	versions := []Version{"1", "1.8", "1.9.8", "1.9.8.1", "1.10.0", "2.0.0", "1.16.0-rc2", "1.12.0-beta.1+build.5", "1.8.0+a-b", "0.15.5"}
	for _, p := range products {
		versions = append(versions, p.observed...)
	}
	for _, v := range versions {
		for _, text := range []string{Every, ">= 1.8", "< 1.12", "!= 1.9.8", ">= 1.8, < 1.10", "< 2"} {
			want := version.MustConstraints(version.NewConstraint(text)).Check(v.parsed().Core())
			if got := v.meets(text); got != want {
				t.Errorf("%s meets %s: %v, want %v", v, text, got, want)
			}
		}
		for _, w := range versions {
			if got, want := v.compare(w), v.parsed().Core().Compare(w.parsed().Core()); got != want {
				t.Errorf("%s compared with %s is %d, want %d", v, w, got, want)
			}
		}
	}
}
