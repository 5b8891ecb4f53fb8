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

// Modules share files that didn't change, except with another directory, in which a file has another path.
func TestCacheShares(t *testing.T) {
	cache, dirs := load.NewCache(), []string{t.TempDir(), t.TempDir()}
	read := func(dir, text string) *load.Module {
		for name, text := range map[string]string{"main.tf": "variable \"v\" {}\n", "override.tf": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		m, _, err := load.Dir(dir, load.Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Files {
			if m.File(f.Name) != f || f.Path != filepath.Join(dir, f.Name) || f.Block(0).File != f || len(f.Block(0).Labels) != 1 {
				t.Errorf("%s of %s is that of %s", f.Name, dir, f.Path)
			}
		}
		return m
	}
	first := read(dirs[0], "variable \"v\" {\n  default = 1\n}\n")
	second := read(dirs[0], "variable \"v\" {\n  default = 2\n}\n")
	if first.Files[0] != second.Files[0] || first.Files[1] == second.Files[1] {
		t.Error("want one main.tf, and two override files")
	}
	if third := read(dirs[1], "variable \"v\" {\n  default = 2\n}\n"); third.Files[0] == first.Files[0] || third.Files[1] == second.Files[1] {
		t.Error("files are shared with another directory")
	}
}
