package main

import "testing"

// A name matches in whichever form of its letters it is listed.
func TestMatchesName(t *testing.T) {
	if !matchesName("\u00fcber_*", "u\u0308ber_override.tf") {
		t.Error("a pattern doesn't match the decomposed form of a name")
	}
}
