package load_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// Loads by two engines with caches beside each other read what loads without one do, also after a file
// has changed.
func TestCacheBeside(t *testing.T) {
	dir, cache := t.TempDir(), load.NewCache()
	other, err := engine.Parse("terraform@1.5")
	if err != nil {
		t.Fatal(err)
	}
	count := func(e engine.Release, cache *load.Cache) [2]int {
		m, diags, err := load.Dir(dir, load.Options{Engine: e, Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		return [2]int{len(m.Files), len(diags)}
	}
	for _, text := range []string{"variable \"v\" {\n  ephemeral = true\n}\n", "variable \"v\" {}\n", "check \"c\" {\n}\n"} {
		for _, name := range []string{"main.tf", "more.tofu"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if got, want := count(engine.Default(), cache), count(engine.Default(), nil); got != want {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
			if got, want := count(other, cache.Beside(other)), count(other, nil); got != want {
				t.Errorf("%q with %s: %v, want %v", text, other, got, want)
			}
		}
	}
	first := cache.Beside(other)
	if first != cache.Beside(other) || first == cache.Beside(engine.Default()) || (*load.Cache)(nil).Beside(other) != nil {
		t.Error("each engine has one cache, and none without a cache")
	}
}
