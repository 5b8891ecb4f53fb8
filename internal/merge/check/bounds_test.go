package check

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A short list equals Bounded over all findings, in whatever order they are found, including the
// totals.
func TestShortList(t *testing.T) {
	m := &merge.Module{Source: &load.Module{Files: []*source.File{{Name: "b.tf"}, {Name: "a_override.tf"}}}}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		all, short := List{}, List{IsShort: true}
		for i := range random.IntN(1500) {
			rule := []*Rule{noEffect, equivalentOverride, mergeError}[random.IntN(3)]
			at := hcl.Range{Filename: []string{"b.tf", "a_override.tf", "c.tf"}[random.IntN(3)], Start: hcl.Pos{Byte: random.IntN(300)}}
			f := rule.At(at, fmt.Sprint(i))
			f.Severity = []Severity{Notice, f.Severity}[random.IntN(2)]
			all.Add(f)
			short.Add(f)
		}
		whole, few := all.All(m), short.All(m)
		if got, want := Bounded(few), Bounded(whole); !reflect.DeepEqual(got, want) {
			t.Fatalf("%d findings, want %d:\n%v\nwant:\n%v", len(got), len(want), got, want)
		}
		if got, want := Count(few), Count(whole); got != want || want != all.count {
			t.Errorf("%d findings, want %d of %d", got, want, all.count)
		}
		if most := 18*maxAlike + 18; len(few) > most {
			t.Errorf("%d findings in a short list", len(few))
		}
		if again := slices.Clone(few); !reflect.DeepEqual(Bounded(Bounded(again)), Bounded(few)) {
			t.Error("what is bounded changes when it is bounded again")
		}
	}
}
