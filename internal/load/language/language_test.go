package language

import (
	"slices"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

func TestLanguage(t *testing.T) {
	for _, test := range []struct {
		engine, path string
		want         bool
	}{
		{"opentofu@1.10", "resource/lifecycle/enabled", false},
		{"opentofu@1.11", "resource/lifecycle/enabled", true},
		{"terraform@1.15", "resource/lifecycle/enabled", false},
		{"opentofu@1.8", "terraform/encryption/key_provider/encrypted_metadata_alias", false},
		{"opentofu@1.9", "terraform/encryption/key_provider/encrypted_metadata_alias", true},
		{"opentofu", "module/ignore_nested_deprecations", false},
		{"terraform@1.15", "module/ignore_nested_deprecations", true},
		{"opentofu@1.6", "terraform/encryption/state/method", false},
		{"opentofu@1.6", "locals/*", true},
		{"opentofu@1.6", "module/anything", true},
		{"opentofu@1.6", "", true},
	} {
		e, err := engine.Parse(test.engine)
		if err != nil {
			t.Fatal(err)
		}
		if got := HasPath(test.path, e); got != test.want {
			t.Errorf("%s knows %s: %v, want %v", e, test.path, got, test.want)
		}
	}
}

// TestSetsHaveReleases fails if an entry of the language's table applies to no known release, if
// another entry always supersedes it, or if an argument has no kind.
func TestSetsHaveReleases(t *testing.T) {
	seen := map[*BodyShape]bool{}
	var visit func(path string, s *BodyShape)
	check := func(path string, earlier []*engine.Releases, set *engine.Releases) []*engine.Releases {
		if engine.Describe(func(e engine.Release) bool {
			return set.Has(e) && !slices.ContainsFunc(earlier, func(s *engine.Releases) bool { return s.Has(e) })
		}) == "" {
			t.Errorf("no known release has %s (%v)", path, set)
		}
		return append(earlier, set)
	}
	visit = func(path string, s *BodyShape) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		for _, arg := range s.Args {
			name := arg.Name
			var earlier []*engine.Releases
			for a := &arg; a != nil; a = a.Else {
				if a.Kind == nil && !a.Free {
					t.Errorf("%s has no kind", path+name)
				}
				earlier = check(path+name, earlier, a.Engines)
			}
		}
		for _, block := range s.Blocks {
			name := block.Name
			var earlier []*engine.Releases
			for b := &block; b != nil; b = b.Else {
				earlier = check(path+name, earlier, b.Engines)
				visit(path+name+"/", b.Body)
			}
		}
	}
	visit("", Root)
}
