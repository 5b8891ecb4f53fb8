package spelling

import "testing"

// A name matches in whichever form of its letters it is listed.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		glob, name string
		want       bool
	}{
		{"\u00fcber_*", "u\u0308ber_override.tf", true},
		{"dev_*", "dev_override.tf", true},
		{"dev_*", "a/dev_override.tf", false},
		{"[", "[", false},
	} {
		if got := Matches(c.glob, c.name); got != c.want {
			t.Errorf("Matches(%q, %q) = %v", c.glob, c.name, got)
		}
	}
}
