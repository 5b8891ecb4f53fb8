package load

import "testing"

// Names of any bytes are looked at, even if the small form of a letter is longer.
func TestNearMissOfOddNames(t *testing.T) {
	for name, want := range map[string]string{
		"\xff\xfe.tf":               "",
		"\xff.tf.json":              "",
		"\xff_OVERRIDE.TF":          "\xff_override.tf",
		"İ.tf":                      "",
		"İİİİ_OVERRIDE.TF":          "İİİİ_override.tf",
		"İİ-override.tf":            "İİ_override.tf",
		"İ.tf.override":             "İ_override.tf",
		"Ⱥ_override.json":           "Ⱥ_override.tf.json",
		"K-OVERRIDE.tf":             "K_override.tf",
		"\u212aȺİ\xff_Overrides.tf": "\u212aȺİ\xff_override.tf",
	} {
		if got := nearMiss(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
