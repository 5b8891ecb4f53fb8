package judge

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

func TestIsAddress(t *testing.T) {
	for addr, want := range map[string][2]bool{ // as an address, and as one of a directory
		"./a":                     {true, true},
		`..\a`:                    {true, true},
		".a":                      {false, false},
		"a/b/c":                   {true, false},
		"git::https://x.y/z":      {true, false},
		"github.com/a/b":          {true, false},
		"git@github.com:a/b":      {true, false},
		"https://x.y/a":           {true, false},
		"s3::https://x.y/a//../b": {false, false},
		"a":                       {false, false},
		"a/b":                     {false, false},
		"/a":                      {true, false},
		"x.s3.amazonaws.com/b":    {true, false},
	} {
		if got := [2]bool{IsSourceAddress(addr), IsLocalSource(addr)}; got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
}
