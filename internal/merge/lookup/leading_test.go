package lookup_test

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// TestLeading finds everything in modules by its address, and by a pattern of it: no header hides
// the contents of its block.
func TestLeading(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
		if err != nil || diags.HasErrors() {
			return
		}
		m, diags := merge.Files(src, merge.Options{})
		if diags.HasErrors() {
			return
		}
		for _, own := range lookup.All(m) {
			if len(lookup.Find(m, own)) == 0 {
				t.Errorf("nothing has the address %s", own)
			}
			p, err := address.ParsePattern(own.String())
			if err == nil && len(address.Matching(m, p)) == 0 {
				t.Errorf("nothing matches %s", own)
			}
		}
	})
}
