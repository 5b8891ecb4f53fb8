package early

import (
	"slices"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

func TestHas(t *testing.T) {
	inBlock, exact := &rule{args: []string{"terraform/backend/**"}}, &rule{args: []string{"module/source"}}
	for path, want := range map[string][2]bool{
		"terraform/backend/key":   {true, false},
		"terraform/backend/a/key": {true, false},
		"terraform/backends/key":  {false, false},
		"module/source":           {false, true},
		"module/source/x":         {false, false},
	} {
		if got := [2]bool{inBlock.covers(path), exact.covers(path)}; got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// Each row holds for a release, and is about a block.
func TestRows(t *testing.T) {
	held := map[*rule]bool{}
	for _, e := range engine.Observed() {
		for _, r := range rulesOf(e) {
			held[r] = true
		}
	}
	for i := range rules {
		r := &rules[i]
		if !held[r] {
			t.Errorf("no release has row %d", i)
		}
		if tops := r.topTypes(); len(tops) != len(r.args) || slices.Contains(tops, "") {
			t.Errorf("row %d is about %v", i, tops)
		}
		if r.isDeep() && !r.atInit {
			t.Errorf("row %d is deep", i)
		}
	}
}

func TestReleases(t *testing.T) {
	for name, want := range map[string]struct {
		rows    int
		carries bool
	}{"opentofu@1.6": {1, false}, "opentofu@1.8": {5, false}, "opentofu@1.12": {12, true}, "terraform@1.14": {1, false}, "terraform@1.15": {4, true}} {
		e, err := engine.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(rulesOf(e)); got != want.rows || conditionsCarry.Has(e) != want.carries {
			t.Errorf("%s: %d rows, %t", name, got, conditionsCarry.Has(e))
		}
	}
	if got := (&rule{args: backend}).blockTypes(); !slices.Equal(got, []string{"backend", "cloud"}) {
		t.Errorf("blocks %q", got)
	}
	if deep := (&rule{args: backend, atInit: true}); !deep.isDeep() || (&rule{args: calls, atInit: true}).isDeep() {
		t.Error("what is stored as a whole is deep, and nothing else")
	}
}
