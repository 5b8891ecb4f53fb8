package load

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// slips are all texts that one slip of the fingers makes of a word: a letter is left out,
// added, doubled, exchanged or swapped with its neighbour.
func slips(word string) map[string]bool {
	found := map[string]bool{}
	for i := range len(word) + 1 {
		for c := 'a'; c <= 'z'; c++ {
			found[word[:i]+string(c)+word[i:]] = true
			if i < len(word) {
				found[word[:i]+string(c)+word[i+1:]] = true
			}
		}
		if i < len(word) {
			found[word[:i]+word[i+1:]] = true
		}
		if i+1 < len(word) {
			found[word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:]] = true
		}
	}
	delete(found, word)
	return found
}

// Each slip is found, at the end of a name, at its start, and alone, in every extension; so
// are two slips.
func TestNearMissOfSlips(t *testing.T) {
	all := slips("override")
	if len(all) < 400 {
		t.Fatalf("%d slips", len(all))
	}
	for slip := range all {
		if slip == "overrider" || slip == "overripe" {
			continue // words
		}
		for name, want := range map[string]string{
			slip + ".tf":              "override.tf",
			slip + ".tofu.json":       "override.tofu.json",
			"main_" + slip + ".tf":    "main_override.tf",
			"Main-" + slip + ".tofu":  "Main_override.tofu",
			"a.b_" + slip + ".tf":     "a.b_override.tf",
			slip + "_main.tf":         "main_override.tf",
			slip + "-my-main.tf.json": "my-main_override.tf.json",
		} {
			if got := nearMiss(name); got != want && !isKnownForm(slip) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
	for _, word := range []string{"ovverrride", "ovride", "overrdei", "overwride", "ovveride", "overides", "oveeride"} {
		if got := nearMiss("x_" + word + ".tf"); got != "x_override.tf" {
			t.Errorf("%s: %q", word, got)
		}
	}
}

// isKnownForm reports whether a separate rule covers a slip: a letter in front joins two words, and
// the plural isn't a slip.
func isKnownForm(slip string) bool { return strings.HasSuffix(slip, "override") || slip == "overrides" }

// Words that aren't slips, and words found in real file names, are names of primary files.
func TestNearMissOfWords(t *testing.T) {
	words := append([]string{
		"overview", "overlay", "overlays", "overflow", "overage", "overhead", "overseas", "oversight", "overall", "overlap", "over", "ride",
		"provide", "provided", "provider", "providers", "outside", "divide", "server", "serverside", "observed", "overcommit", "cover_side",
		"over_time", "over_size", "layover_ride", "versions", "variables", "outputs", "main", "backend", "locals", "data", "policy", "iam_override_policy",
		"main_overide_policy", // in the middle of a name it is a word among others
	}, likeOverride...)
	for _, word := range words {
		for _, name := range []string{word + ".tf", "main_" + word + ".tf.json", word + "_main.tofu", "main-" + word + ".tf"} {
			if got := nearMiss(name); got != "" {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

// Words that are joined in another way give the same name as an override file's.
func TestNearMissForms(t *testing.T) {
	for name, want := range map[string]string{
		"overide.tf":                     "override.tf",
		"main_overide.tf":                "main_override.tf",
		"ovveride.tf.json":               "override.tf.json",
		"OVERIDE.tf":                     "override.tf",
		"over_ride.tf":                   "override.tf",
		"Over_ride.tf":                   "override.tf",
		"main_over-ride.tf":              "main_override.tf",
		"main-Over.Ride2.tf":             "main_2_override.tf",
		"override2.tf":                   "2_override.tf",
		"main_override2.tf":              "main_2_override.tf",
		"main_overide12.tf":              "main_12_override.tf",
		"\u043everride.tf":               "override.tf", // its first letter is Cyrillic
		"main__overide.tf":               "main_override.tf",
		"_overide.tf":                    "override.tf",
		"overide_.tf":                    "override.tf",
		"overide.json":                   "", // may be anything
		"a/b":                            "",
		"İ_overide.tf":                   "İ_override.tf",
		"\xff_overide.tf":                "\xff_override.tf",
		"override_overide.tf":            "overide_override.tf",
		strings.Repeat("o", 250) + ".tf": "",
	} {
		if got := nearMiss(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Every suggested name is the name of an override file.
func TestNearMissIsOverride(t *testing.T) {
	for slip := range slips("override") {
		for _, name := range []string{slip + ".tf", "main_" + slip + "2.tofu", slip + "-a.b.tf.json"} {
			meant := nearMiss(name)
			if entry, ok := classifyName(meant); meant != "" && (!ok || entry.Role != source.Override) {
				t.Errorf("%s: %s", name, meant)
			}
		}
	}
}
