package language

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestIsRegistrySource holds the reading of addresses against their grammar as one
// expression, for random texts.
func TestIsRegistrySource(t *testing.T) {
	grammar := regexp.MustCompile(`^(([0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?\.)+` +
		`[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?(:[0-9]+)?/)?` +
		`[0-9A-Za-z]([0-9A-Za-z_-]*[0-9A-Za-z])?/[0-9A-Za-z]([0-9A-Za-z_-]*[0-9A-Za-z])?/[0-9a-z]+(//.*)?$`)
	parts := []string{"a", "B", "9", "-", "_", "/", "/", "//", ".", "c.d/", ":", ":80", "github.com/", "bitbucket.org/", "\n", " ", "ä", "e/f/g", "..", "s3::"}
	r := rand.New(rand.NewPCG(5, 5))
	are := 0
	for range 500_000 {
		var text strings.Builder
		for range r.IntN(9) {
			text.WriteString(parts[r.IntN(len(parts))])
		}
		addr := text.String()
		want := grammar.MatchString(addr) && !strings.HasPrefix(addr, "github.com/") && !strings.HasPrefix(addr, "bitbucket.org/")
		if got := IsRegistrySource(addr); got != want {
			t.Fatalf("%q: %v", addr, got)
		}
		if want {
			are++
		}
	}
	if are < 1000 {
		t.Errorf("only %d addresses are of a registry", are)
	}
}
