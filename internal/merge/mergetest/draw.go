package mergetest

import (
	"maps"
	"slices"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"pgregory.net/rapid"
)

// ForModules checks a property of generated modules, each with an engine. A failure shows the
// files, and the seed that makes them again.
func ForModules(t *testing.T, property func(t *rapid.T, files map[string]string, e engine.Release)) {
	ForTidyModules(t, false, property)
}

// ForTidyModules does so with modules that are tidy or not: see loadtest.Generator.
func ForTidyModules(t *testing.T, tidy bool, property func(t *rapid.T, files map[string]string, e engine.Release)) {
	rapid.Check(t, func(t *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(t, "seed"))
		g.Tidy, g.Engine = tidy, loadtest.DrawEngine(t)
		files := g.Module()
		defer func() {
			if t.Failed() {
				for _, name := range slices.Sorted(maps.Keys(files)) {
					t.Logf("-- %s --\n%s", name, files[name])
				}
			}
		}()
		property(t, files, g.Engine)
	})
}
